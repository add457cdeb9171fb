// Lists, deploys, reads and changes contracts of a machine.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import { Migration } from '../../contracts/migration/schema.ts';
import { Bindings } from '../../contracts/parties/bindings.ts';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { pageOf, pageRecord, success } from '../schemas.ts';
import { transitionRow } from './audit.ts';
import { deploy } from './deployment.ts';
import {
  CONTRACT_PAGE,
  CONTRACT_PATH,
  Contract,
  ContractName,
  contractFilter,
  DeployedContract,
  EXAMPLE_DEFINITION,
  Parameters,
  PatchedContract,
  TemplateId,
  TransitionRow,
  Warnings,
} from './schemas.ts';
import { fromTemplate } from './templates.ts';

export const listContracts = defineOperation({
  name: 'contract.list',
  summary: 'The contracts of a machine, oldest first.',
  route: 'GET /api/chain/{slug}/contracts',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  input: z.object({ slug: Slug, ...CONTRACT_PAGE }),
  output: pageOf(Contract),
  errors: [],
  handle: async (query, { services }, { machine }) =>
    pageRecord(await services.contracts.list(machine, contractFilter(query))),
});

export const createContract = defineOperation({
  name: 'contract.create',
  summary: 'Deploy a built-in template on a machine.',
  route: 'POST /api/chain/{slug}/contracts',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    template_id: TemplateId,
    parameters: Parameters.optional().describe('Override the defaults of the template.'),
    name: ContractName.optional(),
    bindings: Bindings.optional(),
  }),
  example: { slug: 'boiler', template_id: 'rate-limiter', parameters: { threshold: 50 } },
  output: DeployedContract,
  errors: WRITE_ERRORS,
  handle: async ({ template_id, ...settings }, { services }, { machine, by }) => ({
    ...(await deploy(services, machine, by, fromTemplate(template_id, settings))),
    template_id,
  }),
});

export const createCustomContract = defineOperation({
  name: 'contract.custom',
  summary: 'Deploy a definition of your own on a machine.',
  route: 'POST /api/chain/{slug}/contracts/custom',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  status: 201,
  example: { slug: 'boiler', definition: EXAMPLE_DEFINITION },
  input: z.strictObject({
    slug: Slug,
    definition: Definition,
    parameters: Parameters.optional(),
    name: ContractName.optional(),
    bindings: Bindings.optional(),
  }),
  output: DeployedContract,
  errors: [...WRITE_ERRORS, 'EXPRESSION_INVALID'],
  handle: ({ definition, parameters, name, bindings }, { services }, { machine, by }) =>
    deploy(services, machine, by, { definition, parameters, name, bindings }),
});

export const getContract = defineOperation({
  name: 'contract.get',
  summary: 'A contract, its definition and its newest transitions.',
  route: 'GET /api/chain/{slug}/contracts/{id}',
  tier: 'public',
  effect: 'read',
  machine: 'reader',
  party: true,
  input: z.object(CONTRACT_PATH),
  output: success({ contract: Contract, definition: Definition, transitions: z.array(TransitionRow) }),
  versionOf: ({ contract }) => contract.current_version_no,
  errors: [],
  handle: async ({ id }, { services }, { machine }) => {
    const { contract, stored, transitions } = await services.contracts.get(machine, id);
    return { contract, definition: stored.definition, transitions: transitions.map(transitionRow) };
  },
});

export const patchContract = defineOperation({
  name: 'contract.patch',
  summary: 'Change a contract; every change creates a version.',
  description:
    'If-Match (or if_match) is the version you expect. The state is kept if the new definition has it, or goes where migrate maps it. With parties the change is a proposal, and takes effect when they have accepted it.',
  route: 'PATCH /api/chain/{slug}/contracts/{id}',
  tier: 'key',
  effect: 'write',
  machine: 'admin',
  party: true,
  ifMatch: 'if_match',
  input: z.strictObject({
    ...CONTRACT_PATH,
    name: ContractName.optional(),
    definition: Definition.optional(),
    parameters: Parameters.optional(),
    bindings: Bindings.optional().describe('Of parties that only the new definition has.'),
    if_match: z.int().min(1).optional().describe('The version you expect; the If-Match header sets it too.'),
    reset: z.boolean().default(false).describe('Restart if the new definition lacks the current state.'),
    migrate: Migration.optional(),
  }),
  output: PatchedContract.extend({ warnings: Warnings }),
  errors: [...WRITE_ERRORS, 'EXPRESSION_INVALID'],
  handle: async ({ id, if_match: ifVersion, reset, ...fields }, { services }, { machine, by }) => {
    const { name, definition, parameters, bindings, migrate } = fields;
    const change = { name, definition, parameters, bindings, migrate };
    const { contract, proposal } = await services.contracts.patch(machine, by, id, change, { ifVersion, reset });
    const given = (proposal ?? contract).parameters;
    const warnings = definition === undefined ? [] : services.contracts.warningsOf(definition, given);
    return { contract, proposal, warnings };
  },
});
