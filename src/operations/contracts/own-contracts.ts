// Lists, reads, deploys and fires the caller's contracts on all machines.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import { Bindings } from '../../contracts/parties/bindings.ts';
import { DomainError } from '../../core/errors.ts';
import { findTemplate } from '../../templates/load.ts';
import { roleErrors } from '../machine-role.ts';
import { WRITE_ERRORS } from '../machines/errors.ts';
import { Slug } from '../machines/schemas.ts';
import { type Brief, defineOperation } from '../operation.ts';
import { requirePrincipal } from '../require-principal.ts';
import { pageOf, pageRecord, success } from '../schemas.ts';
import { deploy } from './deployment.ts';
import {
  CONTRACT_PAGE,
  Contract,
  ContractId,
  ContractName,
  contractFilter,
  FireAnswer,
  Parameters,
  TemplateId,
  Warnings,
} from './schemas.ts';

/** `bids 3, log 2` */
const sizesOf = (collections: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(collections)
    .map(([name, entries]) => `${name} ${entries.length}`)
    .join(', ');

const Own = Contract.extend({ slug: Slug }).meta({ id: 'OwnContract' });

/** `Rate limiter (id …) on gate-1: state allowing, fired 0 times, active.` */
function contractSentence({ id, name, slug, currentState, status, fire_count, next_fire }: ContractState): string {
  const machine = slug === undefined ? '' : ` on ${slug}`;
  const next = next_fire === null ? '' : `, next at tick ${next_fire}`;
  return `${name} (id ${id})${machine}: state ${currentState}, fired ${fire_count} times${next}, ${status}.`;
}

type ContractState = z.output<typeof Contract> & { readonly slug?: string };

export const listOwnContracts = defineOperation({
  name: 'own-contract.list',
  summary: 'Contracts on all your machines, newest first.',
  route: 'GET /api/contracts',
  tier: 'key',
  effect: 'read',
  mcp: {
    tool: 'svc_contract_list',
    title: 'Your contracts',
    description: 'Use to see your state contracts: id, name, current state, fire count, next fire.',
    profile: 'chain',
  },
  input: z.object(CONTRACT_PAGE),
  output: pageOf(Own),
  brief: { sentences: ({ rows }) => [`${rows.length} contracts.`, ...rows.map(contractSentence)] },
  errors: [],
  handle: async (query, { services, principal }) =>
    pageRecord(await services.callerContracts.list(requirePrincipal(principal), contractFilter(query))),
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
    description: 'Use to see one state contract: state, context, timers, definition.',
    profile: 'chain',
  },
  input: z.object({ id: ContractId }),
  output: success({ contract: Own, definition: Definition }),
  brief: {
    sentences: ({ contract, definition: { states, transitions } }) => [
      contractSentence(contract),
      `Context: ${JSON.stringify(contract.context)}; parameters: ${JSON.stringify(contract.parameters)}.`,
      ...(contract.collections === undefined ? [] : [`Entries of collections: ${sizesOf(contract.collections)}.`]),
      `States: ${Object.keys(states).join(', ')}.`,
      `Transitions: ${transitions.map(({ id, from, to }) => `${id} (${from} to ${to})`).join(', ')}.`,
    ],
  },
  errors: ['NOT_FOUND'],
  handle: async ({ id }, { services, principal }) => {
    const { contract, stored } = await services.callerContracts.get(requirePrincipal(principal), id);
    return { contract, definition: stored.definition };
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
    description: 'Use to deploy a state contract: a template by id, or your own definition with a version.',
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
        .describe('Override the defaults.'),
      bindings: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Who acts for each party: {"buyer": {"zid": "…"}}.'),
      slug: z.string().optional().describe('Machine; your newest one by default.'),
    }),
  },
  input: z.strictObject({
    templateId: TemplateId.optional(),
    definition: Definition.optional().describe('Instead of a template.'),
    parameters: Parameters.optional(),
    name: ContractName.optional(),
    bindings: Bindings.optional(),
    slug: Slug.optional().describe('The machine; your newest one by default.'),
  }),
  output: success({ contract: Own, warnings: Warnings }),
  brief: {
    sentences: ({ contract, warnings }) => [
      `Deployed: ${contractSentence(contract)}`,
      `Parameters: ${JSON.stringify(contract.parameters)}.`,
      ...warnings.map(({ message }) => `Warning: ${message}`),
    ],
  },
  errors: [...roleErrors('admin'), ...WRITE_ERRORS, 'EXPRESSION_INVALID'],
  handle: async ({ templateId, definition, parameters, name, bindings, slug }, { services, principal }) => {
    if ((templateId === undefined) === (definition === undefined)) {
      const message = 'Exactly one of templateId and definition is expected.';
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'templateId', code: 'ONE_OF', message }],
      });
    }
    const by = requirePrincipal(principal);
    const template = templateId === undefined ? undefined : findTemplate(templateId);
    const machine = await services.callerContracts.machineFor(by, slug);
    const { contract, warnings } = await deploy(services, machine, by, {
      definition: definition ?? (template as NonNullable<typeof template>).definition,
      parameters,
      bindings,
      name: name ?? template?.title,
      templateId,
    });
    return { contract: { ...contract, slug: machine.head.slug }, warnings };
  },
});

const FIRE_BRIEF: Brief<z.output<typeof FireAnswer>> = {
  sentences: ({ fired, fire, reason = 'no reason given', contract }) => [
    fired && fire !== undefined
      ? `Fired ${fire.transition}: ${fire.from} to ${fire.to}, row ${fire.seq}, emitted ${fire.emitted.join(', ') || 'nothing'}.`
      : `Not fired: ${reason}`,
    contractSentence(contract),
  ],
};

export const fireOwnContract = defineOperation({
  name: 'own-contract.fire',
  summary: 'Fire the next enabled transition of a contract of yours, or return why it cannot fire.',
  route: 'POST /api/contracts/{id}/fire',
  tier: 'key',
  effect: 'write',
  mcp: {
    tool: 'svc_contract_fire',
    title: 'Fire a contract',
    description: 'Use to fire the next enabled transition of a contract manually; returns why if it cannot fire.',
    profile: 'chain',
  },
  input: z.strictObject({ id: ContractId }),
  output: FireAnswer,
  errors: [...roleErrors('operator'), ...WRITE_ERRORS, 'FORBIDDEN_PARTY', 'BUDGET_EXCEEDED'],
  brief: FIRE_BRIEF,
  handle: ({ id }, { services, principal }) => services.callerContracts.fire(requirePrincipal(principal), id),
});
