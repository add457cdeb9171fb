// State contracts of a machine: deployed, listed, fired, paused, versioned, checked, exported.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { Principal } from '../../services/access/access.ts';
import type { ContractRecord, ContractService } from '../../services/contracts/contracts.ts';
import { findTemplate } from '../../templates/load.ts';
import { Slug } from '../machines/schemas.ts';
import { type Context, defineOperation } from '../operation.ts';
import { Ok, Sha256, Tick, Timestamp } from '../schemas.ts';
import { signedIn } from '../signed-in.ts';
import { Contract, Fire, Parameters, TransitionRow, Version } from './schemas.ts';

export const ContractId = z.uuid().describe('Id of the contract.');
const Name = z
  .string()
  .min(1)
  .max(120)
  .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), 'control characters are not allowed');
const At = { slug: Slug, id: ContractId };
const READ = ['NOT_FOUND'] as const;
const MEMBER = ['NOT_FOUND', 'FORBIDDEN', 'ADMIN_REQUIRED', 'ZID_NOT_LINKED'] as const;
const WRITE = [...MEMBER, 'MACHINE_ARCHIVED', 'CONFLICT', 'QUEUE_FULL'] as const;

/** A door that is told to open, and closes by itself. */
const EXAMPLE: Definition = {
  name: 'door',
  version: '1.0',
  operators: ['KO42'],
  initial: 'closed',
  events: { push: {} },
  states: { closed: { role: 'initial' }, open: { role: 'intermediate' } },
  transitions: [
    {
      id: 'push',
      from: 'closed',
      to: 'open',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'push' },
    },
    {
      id: 'shut',
      from: 'open',
      to: 'closed',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'one_shot', after: 10 },
    },
  ],
};

const Deployed = z.strictObject({ ok: Ok, contract: Contract, template_id: z.string().optional() });
const Changed = z.strictObject({ ok: Ok, contract: Contract });

/** A machine as the service finds it. */
type Machine = Parameters<ContractService['pause']>[0];

/** Changes one contract in the name of somebody who has this role, and answers it as it is then. */
function changing<Input extends { readonly slug: string; readonly id: string }>(
  role: 'operator' | 'admin',
  act: (contracts: ContractService, machine: Machine, by: Principal, input: Input) => Promise<ContractRecord>,
) {
  return async (input: Input, { services, principal }: Context) => {
    const machine = await services.machines.find(input.slug, principal, role);
    return { ok: true as const, contract: await act(services.contracts, machine, signedIn(principal), input) };
  };
}

export const listContracts = defineOperation({
  name: 'contract.list',
  summary: 'The contracts of a machine, oldest first.',
  route: 'GET /api/chain/{slug}/contracts',
  tier: 'public',
  effect: 'read',
  input: z.object({ slug: Slug }),
  output: z.strictObject({ ok: Ok, rows: z.array(Contract) }),
  errors: [...READ],
  handle: async ({ slug }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, rows: await services.contracts.list(machine) };
  },
});

export const createContract = defineOperation({
  name: 'contract.create',
  summary: 'Deploy a built-in template on a machine.',
  route: 'POST /api/chain/{slug}/contracts',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    template_id: z.string().max(64).describe('Id of the template.'),
    parameters: Parameters.optional().describe('Instead of the defaults of the template.'),
    name: Name.optional(),
  }),
  example: { slug: 'boiler', template_id: 'rate-limiter', parameters: { threshold: 50 } },
  output: Deployed,
  errors: [...WRITE],
  handle: async ({ slug, template_id, parameters, name }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    const { definition, title } = findTemplate(template_id);
    const request = { definition, parameters, name: name ?? title, templateId: template_id };
    return {
      ok: true as const,
      contract: await services.contracts.deploy(machine, signedIn(principal), request),
      template_id,
    };
  },
});

export const deployTemplate = defineOperation({
  name: 'template.deploy',
  summary: 'Deploy a built-in template on one of your machines.',
  route: 'POST /api/contracts/templates/{templateId}/deploy',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    templateId: z.string().max(64).describe('Id of the template.'),
    slug: Slug,
    parameters: Parameters.optional(),
    name: Name.optional(),
  }),
  example: { templateId: 'rate-limiter', slug: 'boiler' },
  output: Deployed,
  errors: [...WRITE],
  handle: async ({ templateId, slug, parameters, name }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    const { definition, title } = findTemplate(templateId);
    const request = { definition, parameters, name: name ?? title, templateId };
    return {
      ok: true as const,
      contract: await services.contracts.deploy(machine, signedIn(principal), request),
      template_id: templateId,
    };
  },
});

export const createCustomContract = defineOperation({
  name: 'contract.custom',
  summary: 'Deploy a definition of your own on a machine.',
  route: 'POST /api/chain/{slug}/contracts/custom',
  tier: 'key',
  effect: 'write',
  status: 201,
  example: { slug: 'boiler', definition: EXAMPLE },
  input: z.strictObject({
    slug: Slug,
    definition: Definition,
    parameters: Parameters.optional(),
    name: Name.optional(),
  }),
  output: Deployed,
  errors: [...WRITE, 'EXPRESSION_INVALID'],
  handle: async ({ slug, definition, parameters, name }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    return {
      ok: true as const,
      contract: await services.contracts.deploy(machine, signedIn(principal), { definition, parameters, name }),
    };
  },
});

const Exported = z
  .strictObject({
    format: z.literal('svc-contract/1'),
    name: z.string(),
    definition: Definition,
    definition_hash: Sha256,
    parameters: Parameters,
    template_id: z.string().nullable(),
    current_version_no: z.int(),
  })
  .meta({
    id: 'ExportedContract',
    description: 'A contract to be deployed elsewhere: definition and settings, no state.',
  });

export const exportContract = defineOperation({
  name: 'contract.export',
  summary: 'A contract to be deployed elsewhere: definition and settings, no state.',
  route: 'GET /api/chain/{slug}/contracts/{id}/export',
  tier: 'key',
  effect: 'read',
  input: z.object(At),
  output: z.strictObject({ ok: Ok, export: Exported }),
  errors: [...MEMBER],
  handle: async ({ slug, id }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'owner');
    const { stored } = await services.contracts.get(machine, id);
    const { name, definition, definitionHash, parameters, templateId, versionNo } = stored;
    return {
      ok: true as const,
      export: {
        format: 'svc-contract/1' as const,
        name,
        definition,
        definition_hash: definitionHash,
        parameters,
        template_id: templateId ?? null,
        current_version_no: versionNo,
      },
    };
  },
});

export const importContract = defineOperation({
  name: 'contract.import',
  summary: 'Deploy what was exported; its state starts clean.',
  route: 'POST /api/chain/{slug}/contracts/import',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({ slug: Slug, export: Exported }),
  example: {
    slug: 'boiler',
    export: {
      format: 'svc-contract/1',
      name: 'approvals',
      definition: EXAMPLE,
      definition_hash: sha256Hex(canonicalJson(EXAMPLE)),
      parameters: {},
      template_id: null,
      current_version_no: 1,
    },
  },
  output: Changed,
  errors: [...WRITE, 'EXPRESSION_INVALID'],
  handle: async ({ slug, export: given }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'admin');
    const { name, definition, parameters, template_id, definition_hash } = given;
    services.contracts.assertHash(definition, definition_hash);
    const request = { name, definition, parameters, templateId: template_id ?? undefined };
    return { ok: true as const, contract: await services.contracts.deploy(machine, signedIn(principal), request) };
  },
});

export const transitionRow = ({
  transition,
  from,
  to,
  versionNo,
  entry,
  occurrence,
  seq,
  svcond,
}: {
  transition: string;
  from: string;
  to: string;
  versionNo: number;
  entry: number;
  occurrence: string;
  seq: number;
  svcond: number;
}) => ({ transition, from, to, version: versionNo, entry, occurrence, seq, svcond });

export const getContract = defineOperation({
  name: 'contract.get',
  summary: 'A contract, its definition and its newest transitions.',
  route: 'GET /api/chain/{slug}/contracts/{id}',
  tier: 'public',
  effect: 'read',
  input: z.object(At),
  output: z.strictObject({ ok: Ok, contract: Contract, definition: Definition, transitions: z.array(TransitionRow) }),
  versionOf: ({ contract }) => contract.current_version_no,
  errors: [...READ],
  handle: async ({ slug, id }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    const { contract, stored, transitions } = await services.contracts.get(machine, id);
    return { ok: true as const, contract, definition: stored.definition, transitions: transitions.map(transitionRow) };
  },
});

export const patchContract = defineOperation({
  name: 'contract.patch',
  summary: 'Change a contract; every change is a new version.',
  description:
    'If-Match (or if_match) names the version that you have seen. The state is kept where the new definition has it.',
  route: 'PATCH /api/chain/{slug}/contracts/{id}',
  tier: 'key',
  effect: 'write',
  ifMatch: 'if_match',
  input: z.strictObject({
    ...At,
    name: Name.optional(),
    definition: Definition.optional(),
    parameters: Parameters.optional(),
    if_match: z.int().min(1).optional().describe('The version that you have seen; the header If-Match fills it too.'),
    reset: z.boolean().default(false).describe('Begin again where the new definition has no such state.'),
  }),
  output: Changed,
  errors: [...WRITE, 'EXPRESSION_INVALID'],
  handle: changing('admin', (contracts, machine, by, { id, if_match: ifVersion, reset, ...given }) => {
    const { name, definition, parameters } = given;
    return contracts.patch(machine, by, id, { name, definition, parameters }, { ifVersion, reset });
  }),
});

export const contractAudit = defineOperation({
  name: 'contract.audit',
  summary: 'Every transition of a contract, newest first.',
  route: 'GET /api/chain/{slug}/contracts/{id}/audit',
  tier: 'key',
  effect: 'read',
  input: z.object({
    ...At,
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(LIMITS.pageSize.max)
      .default(LIMITS.pageSize.default)
      .describe('Rows a page.'),
    cursor: z
      .string()
      .regex(/^\d{1,15}$/)
      .optional()
      .describe('`next_cursor` of the page before.'),
  }),
  output: z.strictObject({ ok: Ok, rows: z.array(TransitionRow), next_cursor: z.string().nullable() }),
  errors: [...MEMBER],
  handle: async ({ slug, id, limit, cursor }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    const found = await services.contracts.fires(machine, id, {
      limit: limit + 1,
      before: cursor === undefined ? undefined : Number(cursor),
    });
    const page = found.slice(0, limit).map(transitionRow);
    const last = page.at(-1);
    return { ok: true as const, rows: page, next_cursor: found.length > limit && last ? String(last.seq) : null };
  },
});

export const contractVersions = defineOperation({
  name: 'contract.versions',
  summary: 'The versions of a contract, newest first.',
  route: 'GET /api/chain/{slug}/contracts/{id}/versions',
  tier: 'key',
  effect: 'read',
  input: z.object(At),
  output: z.strictObject({ ok: Ok, rows: z.array(Version) }),
  errors: [...MEMBER],
  handle: async ({ slug, id }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    const versions = await services.contracts.versions(machine, id);
    const rows = versions.map(({ no, definitionHash, parameters, svcond, actor, reason }) => ({
      no,
      definition_hash: definitionHash,
      parameters,
      svcond,
      actor,
      reason,
    }));
    return { ok: true as const, rows };
  },
});

export const contractVersion = defineOperation({
  name: 'contract.version',
  summary: 'One version of a contract with its definition.',
  route: 'GET /api/chain/{slug}/contracts/{id}/versions/{n}',
  tier: 'key',
  effect: 'read',
  input: z.object({ ...At, n: z.coerce.number().int().min(1).describe('Number of the version.') }),
  output: z.strictObject({
    ok: Ok,
    no: z.int(),
    definition_hash: Sha256,
    parameters: Parameters,
    definition: Definition,
  }),
  errors: [...MEMBER],
  handle: async ({ slug, id, n }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    const { no, definitionHash, parameters, definition } = await services.contracts.version(machine, id, n);
    return { ok: true as const, no, definition_hash: definitionHash, parameters, definition };
  },
});

export const FireAnswer = z.strictObject({
  ok: Ok,
  fired: z.boolean(),
  fire: Fire.optional(),
  reason: z.string().optional().describe('Why nothing fired.'),
  contract: Contract,
});

export const fireContract = defineOperation({
  name: 'contract.fire',
  summary: 'Fire the next enabled transition of a contract; a condition that is false is told instead.',
  route: 'POST /api/chain/{slug}/contracts/{id}/fire-now',
  tier: 'key',
  effect: 'write',
  input: z.strictObject(At),
  output: FireAnswer,
  errors: [...WRITE],
  handle: async ({ slug, id }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'operator');
    return { ok: true as const, ...(await services.contracts.fire(machine, signedIn(principal), id)) };
  },
});

export const moveContract = defineOperation({
  name: 'contract.transition',
  summary: 'Fire a named transition of a contract; its condition is still read.',
  route: 'POST /api/chain/{slug}/contracts/{id}/transition',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({
    ...At,
    transition: z.string().max(48).describe('Its id in the definition.'),
    payload: z.record(z.string().max(64), z.unknown()).optional().describe('What an event would carry.'),
  }),
  output: FireAnswer,
  errors: [...WRITE, 'TRANSITION_NOT_ENABLED'],
  handle: async ({ slug, id, transition, payload }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'operator');
    return {
      ok: true as const,
      ...(await services.contracts.fire(machine, signedIn(principal), id, { transition, payload })),
    };
  },
});

export const pauseContract = defineOperation({
  name: 'contract.pause',
  summary: 'Pause a contract: nothing fires, events are still counted.',
  route: 'POST /api/chain/{slug}/contracts/{id}/pause',
  tier: 'key',
  effect: 'write',
  input: z.strictObject(At),
  output: Changed,
  errors: [...WRITE],
  handle: changing('operator', (contracts, machine, by, { id }) => contracts.pause(machine, by, id)),
});

export const resumeContract = defineOperation({
  name: 'contract.resume',
  summary: 'Resume a paused or failed contract.',
  route: 'POST /api/chain/{slug}/contracts/{id}/resume',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({
    ...At,
    mode: z
      .enum(['deadline', 'remaining', 'restart'])
      .default('deadline')
      .describe('One-shots: keep their time (overdue ones fire at once), shift by the pause, or begin again.'),
  }),
  output: Changed,
  errors: [...WRITE],
  handle: changing('operator', (contracts, machine, by, { id, mode }) => contracts.resume(machine, by, id, mode)),
});

export const skipContract = defineOperation({
  name: 'contract.skip',
  summary: 'Let the next occurrence of a timer, or without one the next match of an event, pass without a fire.',
  route: 'POST /api/chain/{slug}/contracts/{id}/skip-next',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({
    ...At,
    expected_next_fire: Tick.optional().describe('Refused if the next fire is another one.'),
  }),
  output: Changed,
  errors: [...WRITE],
  handle: changing('operator', (contracts, machine, by, { id, expected_next_fire: expected }) =>
    contracts.skipNext(machine, by, id, expected),
  ),
});

export const freezeContract = defineOperation({
  name: 'contract.freeze',
  summary: 'Freeze a contract for good: it is read, verified and exported from then on.',
  route: 'POST /api/chain/{slug}/contracts/{id}/freeze',
  tier: 'key',
  effect: 'write',
  input: z.strictObject(At),
  output: Changed,
  errors: [...WRITE],
  handle: changing('admin', (contracts, machine, by, { id }) => contracts.freeze(machine, by, id)),
});

export const rollbackContract = defineOperation({
  name: 'contract.rollback',
  summary: 'A new version that copies an old one; history stays linear.',
  route: 'POST /api/chain/{slug}/contracts/{id}/rollback',
  tier: 'key',
  effect: 'write',
  input: z.strictObject({ ...At, to_version: z.int().min(1), reset: z.boolean().default(false) }),
  output: Changed,
  errors: [...WRITE],
  handle: changing('admin', (contracts, machine, by, { id, to_version: to, reset }) =>
    contracts.rollback(machine, by, id, to, reset),
  ),
});

export const contractIntegrity = defineOperation({
  name: 'contract.integrity',
  summary: 'The hash of the definition as it was deployed, beside the one of what is stored now.',
  route: 'GET /api/chain/{slug}/contracts/{id}/integrity',
  tier: 'public',
  effect: 'read',
  input: z.object(At),
  output: z.strictObject({ ok: Ok, stored_hash: Sha256, live_hash: Sha256, intact: z.boolean() }),
  errors: [...READ],
  handle: async ({ slug, id }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, ...(await services.contracts.integrity(machine, id)) };
  },
});

export const contractNextFires = defineOperation({
  name: 'contract.next-fires',
  summary: 'When the timers of a contract are due, as far as its state stays what it is.',
  route: 'GET /api/chain/{slug}/contracts/{id}/next-fires',
  tier: 'key',
  effect: 'read',
  input: z.object({ ...At, n: z.coerce.number().int().min(1).max(100).default(5).describe('How many.') }),
  output: z.strictObject({
    ok: Ok,
    next_fires: z.array(z.strictObject({ svcond: Tick, at: Timestamp, transition: z.string() })),
    note: z.string().optional().describe('Why there are none.'),
  }),
  errors: [...MEMBER],
  handle: async ({ slug, id, n }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'owner');
    return { ok: true as const, ...(await services.contracts.nextFires(machine, id, n)) };
  },
});
