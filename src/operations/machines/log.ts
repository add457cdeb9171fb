// Writes rows into the chain of a machine: events, connections, files, states, refusals.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { Fire, IgnoredEvent, RefusedEvent } from '../contracts/schemas.ts';
import { roleErrors } from '../machine-role.ts';
import { defineOperation } from '../operation.ts';
import { requirePrincipal } from '../require-principal.ts';
import { JsonObject, Sha256, success } from '../schemas.ts';
import { LOG_ERRORS } from './errors.ts';
import { EventName, Logged, Slug } from './schemas.ts';

const EventId = singleLine(128)
  .optional()
  .describe(`Your id for deduplication: within ${LIMITS.eventKeyDays} days, a repeat returns the first row.`);

export const logEvent = defineOperation({
  name: 'machine.event',
  summary: 'Write an event into the chain of a machine and deliver it to contracts.',
  route: 'POST /api/chain/{slug}/event',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    name: EventName.describe('Name of the event.'),
    payload: JsonObject.optional().describe('Payload for contracts.'),
    id: EventId,
  }),
  example: { slug: 'boiler', name: 'request', payload: { amount: 3 } },
  output: success({
    ...Logged,
    fired: z.array(Fire),
    refused: z.array(RefusedEvent).describe('Transitions that did not fire.'),
    ignored: z.array(IgnoredEvent).describe('Where the event, or a field of it, had no effect.'),
  }),
  errors: [...LOG_ERRORS, 'BUDGET_EXCEEDED', 'BODY_TOO_LARGE', 'FORBIDDEN_PARTY', 'CONFLICT'],
  handle: ({ name, payload, id }, { services }, { machine, by }) =>
    services.machineLog.event(machine, by, { name, payload, key: id }),
});

export const logEvents = defineOperation({
  name: 'machine.event-batch',
  summary: 'Write several events in one change of a machine, each with an outcome of its own.',
  description: `At most ${LIMITS.contracts.batch} events, delivered in their order; each counts as a request. An event that is refused for its sender or its size does not hold up the others. Beyond the budget of a change nothing is written.`,
  route: 'POST /api/chain/{slug}/events',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    events: z
      .array(
        z.strictObject({
          name: EventName.describe('Name of the event.'),
          payload: JsonObject.optional().describe('Payload for contracts.'),
          id: EventId,
        }),
      )
      .min(1)
      .max(LIMITS.contracts.batch),
  }),
  example: { slug: 'boiler', events: [{ name: 'request', payload: { amount: 3 } }, { name: 'request' }] },
  output: success({
    outcomes: z.array(
      z.union([
        z.strictObject({
          accepted: z.literal(true),
          ...Logged,
          fired: z.array(Fire),
          refused: z.array(RefusedEvent),
          ignored: z.array(IgnoredEvent),
        }),
        z.strictObject({
          accepted: z.literal(false),
          error: z.strictObject({ code: z.string(), message: z.string() }),
        }),
      ]),
    ),
  }),
  errors: [...LOG_ERRORS, 'BUDGET_EXCEEDED', 'BODY_TOO_LARGE'],
  handle: async ({ events }, { services, principal, tenant }, { machine, by }) => {
    if (events.length > 1) await services.rateLimit.consumeMore(requirePrincipal(principal), tenant, events.length - 1);
    const sent = events.map(({ name, payload, id }) => ({ name, payload, key: id }));
    return { outcomes: await services.machineLog.events(machine, by, sent) };
  },
});

export const logConnection = defineOperation({
  name: 'machine.connection',
  summary: 'Record a connection of a peer.',
  route: 'POST /api/chain/{slug}/connection',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    peer: singleLine(255).describe('Name of the peer.'),
    kind: singleLine(48).optional(),
    meta: JsonObject.optional(),
  }),
  example: { slug: 'boiler', peer: 'plc-7' },
  output: success({ ...Logged }),
  errors: [...LOG_ERRORS, 'BODY_TOO_LARGE'],
  handle: (payload, { services }, { machine, by }) => services.machineLog.record(machine, by, 'connection', payload),
});

export const logFile = defineOperation({
  name: 'machine.file',
  summary: 'Record the hash of a file.',
  route: 'POST /api/chain/{slug}/file',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    name: singleLine(255),
    sha256: Sha256,
    size: z.int().min(0).optional().describe('Bytes.'),
  }),
  example: { slug: 'boiler', name: 'report.pdf', sha256: '0'.repeat(64) },
  output: success({ ...Logged }),
  errors: [...LOG_ERRORS, 'BODY_TOO_LARGE'],
  handle: (payload, { services }, { machine, by }) => services.machineLog.record(machine, by, 'file', payload),
});

export const logState = defineOperation({
  name: 'machine.snapshot',
  summary: 'Write a snapshot of a state, or its hash, into the chain of a machine.',
  route: 'POST /api/chain/{slug}/state',
  tier: 'key',
  effect: 'write',
  machine: 'operator',
  status: 201,
  input: z.strictObject({
    slug: Slug,
    state: JsonObject.optional().describe('The state itself.'),
    state_hash: Sha256.optional().describe('SHA-256 of its canonical JSON, instead of the state.'),
    label: singleLine(80).optional(),
  }),
  example: { slug: 'boiler', state: { valve: 'open' } },
  output: success({ ...Logged }),
  errors: [...LOG_ERRORS, 'BODY_TOO_LARGE'],
  handle: (payload, { services }, { machine, by }) => services.machineLog.recordState(machine, by, payload),
});

export const logRejection = defineOperation({
  name: 'rejection.log',
  summary: 'Record a refusal in a chain: its code, route and the hash of its details.',
  description: `In the chain of the given machine; by default in the public chain of this node, \`/api/chain/node\`, at most ${LIMITS.rate.nodeReport} in an hour.`,
  route: 'POST /api/chain/rejection-log',
  tier: 'key',
  effect: 'write',
  status: 201,
  input: z.strictObject({
    slug: Slug.optional().describe('The affected machine.'),
    code: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{0,47}$/)
      .describe('Code of the refusal, for example RATE_LIMITED.'),
    route: z
      .string()
      .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)?$/)
      .max(256)
      .describe('The refused request, for example POST /api/svc/heat.'),
    detail_sha256: Sha256.describe('SHA-256 of the details, which you keep.'),
    severity: z.enum(['info', 'warning', 'error']),
  }),
  output: success({ slug: Slug, ...Logged }),
  errors: [...roleErrors('operator'), ...LOG_ERRORS],
  handle: async ({ slug, ...rejection }, { services, principal, tenant }) => {
    const by = requirePrincipal(principal);
    if (by.zid === undefined) throw new DomainError('ZID_NOT_LINKED', 'The account of this key has no identity yet.');
    // Everybody with an account may write there, so it has a rate.
    if (slug === undefined) await services.rateLimit.admit('nodeReport', tenant);
    const machine =
      slug === undefined
        ? await services.machines.getNodeMachine()
        : await services.machines.find(slug, by, 'operator');
    const logged = await services.machineLog.record(machine, by, 'rejection', rejection, 'report');
    return { slug: machine.head.slug, ...logged };
  },
});
