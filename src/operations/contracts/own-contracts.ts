// What an agent does with contracts: a machine of its own, a template on it, and whatever it deployed, wherever it stands.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { findTemplate } from '../../templates/load.ts';
import { Machine, Slug, Zid } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { Ok } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';
import { Contract, Fire, Parameters } from './schemas.ts';

const Own = Contract.extend({ slug: Slug }).meta({ id: 'OwnContract' });
const ContractId = z.uuid().describe('Id of the contract.');

export const spinUp = defineOperation({
  name: 'machine.spin-up',
  summary: 'A machine, an identity and a key in one call. The equation, the salt and the key are shown this once.',
  route: 'POST /api/chain/spin-up',
  tier: 'public',
  effect: 'write',
  status: 201,
  mcp: {
    tool: 'svc_spin_up',
    title: 'Spin up a machine',
    description:
      'Use to get a machine with an audit chain, an identity and a key of your own, once. Keep equation, salt and key: they are shown once.',
    profile: 'chain',
  },
  input: z.strictObject({
    displayName: z
      .string()
      .min(1)
      .max(80)
      .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), 'control characters are not allowed')
      .default('mcp-agent')
      .describe('What people call the machine.'),
  }),
  example: { displayName: 'mcp-agent' },
  output: z.strictObject({
    ok: Ok,
    machine: Machine,
    zid: Zid.optional(),
    equation: z.string().optional(),
    salt: z.string().optional(),
    key: z.string().optional().describe('Send it as Authorization: Bearer from now on.'),
  }),
  errors: ['RATE_LIMITED', 'CONFLICT'],
  handle: async ({ displayName }, { services, principal, caller }) => {
    const { machine, spunUp } = await services.machines.create(principal, { name: displayName }, caller);
    return { ok: true as const, machine: services.machines.record(machine), ...spunUp };
  },
});

export const listOwnContracts = defineOperation({
  name: 'own-contract.list',
  summary: 'Your contracts over all your machines, newest first.',
  route: 'GET /api/contracts',
  tier: 'key',
  effect: 'read',
  mcp: {
    tool: 'svc_contract_list',
    title: 'Your contracts',
    description: 'Use to see your state contracts: id, name, current state, fire count, next fire.',
    profile: 'chain',
  },
  input: z.object({
    status: Contract.shape.status.optional().describe('Only those that stand so.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(LIMITS.pageSize.max)
      .default(LIMITS.pageSize.default)
      .describe('At most so many.'),
  }),
  output: z.strictObject({ ok: Ok, rows: z.array(Own) }),
  errors: [],
  handle: async (asked, { services, principal }) => ({
    ok: true as const,
    rows: await services.ownContracts.list(signedIn(principal), asked),
  }),
});

export const getOwnContract = defineOperation({
  name: 'own-contract.get',
  summary: 'One of your contracts with its definition.',
  route: 'GET /api/contracts/{id}',
  tier: 'key',
  effect: 'read',
  mcp: {
    tool: 'svc_contract_get',
    title: 'One of your contracts',
    description: 'Use to see where a state contract stands: state, context, timers, definition.',
    profile: 'chain',
  },
  input: z.object({ id: ContractId }),
  output: z.strictObject({ ok: Ok, contract: Own, definition: Definition }),
  errors: ['NOT_FOUND'],
  handle: async ({ id }, { services, principal }) => {
    const { contract, stored } = await services.ownContracts.get(signedIn(principal), id);
    return { ok: true as const, contract, definition: stored.definition };
  },
});

export const deployOwnContract = defineOperation({
  name: 'own-contract.deploy',
  summary: 'Deploy a template or a definition on one of your machines, the newest by default.',
  route: 'POST /api/contracts/deploy',
  tier: 'key',
  effect: 'write',
  status: 201,
  mcp: {
    tool: 'svc_contract_deploy',
    title: 'Deploy a contract',
    description:
      'Use to put a state contract to work: a template by id, or a definition of your own with a version. One of the two.',
    profile: 'chain',
    input: z.object({
      templateId: z.string().max(64).optional().describe('Id of a template (svc_contract_templates).'),
      definition: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('A definition; GET /api/contracts/templates/{id} shows what one looks like.'),
      parameters: z
        .record(z.string(), z.union([z.number(), z.boolean(), z.string()]))
        .optional()
        .describe('Instead of the defaults.'),
      slug: z.string().optional().describe('Machine; your newest one by default.'),
    }),
  },
  input: z.strictObject({
    templateId: z.string().max(64).optional().describe('Id of the template.'),
    definition: Definition.optional().describe('Instead of a template.'),
    parameters: Parameters.optional(),
    name: z.string().min(1).max(120).optional(),
    slug: Slug.optional().describe('The machine; your newest one by default.'),
  }),
  output: z.strictObject({ ok: Ok, contract: Own }),
  errors: [
    'NOT_FOUND',
    'FORBIDDEN',
    'ADMIN_REQUIRED',
    'ZID_NOT_LINKED',
    'MACHINE_ARCHIVED',
    'CONFLICT',
    'EXPRESSION_INVALID',
    'QUEUE_FULL',
  ],
  handle: async ({ templateId, definition, parameters, name, slug }, { services, principal }) => {
    if ((templateId === undefined) === (definition === undefined)) {
      const message = 'Exactly one of templateId and definition is expected.';
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'templateId', code: 'ONE_OF', message }],
      });
    }
    const by = signedIn(principal);
    const template = templateId === undefined ? undefined : findTemplate(templateId);
    const machine = await services.ownContracts.machineFor(by, slug);
    const contract = await services.contracts.deploy(machine, by, {
      definition: definition ?? (template as NonNullable<typeof template>).definition,
      parameters,
      name: name ?? template?.title,
      templateId,
    });
    return { ok: true as const, contract: { ...contract, slug: machine.head.slug } };
  },
});

export const fireOwnContract = defineOperation({
  name: 'own-contract.fire',
  summary: 'Fire the next enabled transition of one of your contracts, or hear why it does not fire.',
  route: 'POST /api/contracts/{id}/fire',
  tier: 'key',
  effect: 'write',
  mcp: {
    tool: 'svc_contract_fire',
    title: 'Fire a contract',
    description:
      'Use to fire the next enabled transition of a contract by hand; a condition that is false is told instead.',
    profile: 'chain',
  },
  input: z.strictObject({ id: ContractId }),
  output: z.strictObject({
    ok: Ok,
    fired: z.boolean(),
    fire: Fire.optional(),
    reason: z.string().optional(),
    contract: Contract,
  }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ADMIN_REQUIRED', 'ZID_NOT_LINKED', 'MACHINE_ARCHIVED', 'CONFLICT', 'QUEUE_FULL'],
  handle: async ({ id }, { services, principal }) => ({
    ok: true as const,
    ...(await services.ownContracts.fire(signedIn(principal), id)),
  }),
});
