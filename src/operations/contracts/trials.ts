// Contracts looked at without touching them: what would happen, what would have happened, what could happen, and whether
// what did happen is proved.

import { z } from 'zod';
import { Definition } from '../../contracts/definition.ts';
import type { ReplayedFire } from '../../contracts/replayed.ts';
import { isoFromNs, startOfTick } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { DryRunAnswer, WhatIfAnswer } from '../../services/contracts/what-if.ts';
import { Slug } from '../machines/schemas.ts';
import { defineOperation } from '../operation.ts';
import { Ok, Tick, Timestamp } from '../schemas.ts';
import { Parameters } from './schemas.ts';

const ContractId = z.uuid().describe('Id of the contract.');
const { listed, ahead } = LIMITS.contracts.whatIf;

const Standing = z.strictObject({ state: z.string(), status: z.string(), context: Parameters });

const WouldFire = z
  .strictObject({
    svcond: Tick,
    transition: z.string(),
    from: z.string(),
    to: z.string(),
    cause: z.string().describe('event, timer, expiry or manual.'),
    due: Tick.nullable().describe('The occurrence of a timer.'),
    emitted: z.array(z.strictObject({ event: z.string(), payload: Parameters })),
    webhooks: z.array(z.string()).describe('Where it would call; nothing is sent.'),
    tokens: z.array(z.strictObject({ token: z.string(), holder: z.string(), amount: z.int() })),
    computed: z.array(z.strictObject({ operator: z.string().nullable(), into: z.string(), value: z.number() })),
    logs: z.array(z.string()),
  })
  .meta({ id: 'WouldFire', description: 'A transition that would fire.' });

const RealFire = z.strictObject({
  seq: z.int(),
  svcond: Tick,
  transition: z.string(),
  from: z.string(),
  to: z.string(),
  cause: z.string(),
  due: Tick.nullable(),
});

const Refusal = z.strictObject({ svcond: Tick, transition: z.string(), code: z.string(), reason: z.string() });
const Upcoming = z.array(z.strictObject({ svcond: Tick, at: Timestamp, transition: z.string() }));

const Replay = z
  .strictObject({
    from: Tick,
    to: Tick,
    beginning: z
      .enum(['deployed', 'as it was', 'carried over', 'begun anew'])
      .describe('How the alternative came into the state in which it began.'),
    rows: z.int().describe('Rows that were replayed, from the deployment on.'),
    diverges: z.boolean(),
    first_divergence: z
      .strictObject({ place: z.int(), real: RealFire.nullable(), would: WouldFire.nullable() })
      .nullable()
      .describe('The first transition that would have been another, or at another time.'),
    real: z.array(RealFire).max(listed),
    real_count: z.int(),
    would_count: z.int(),
    real_now: Standing,
    exact: z
      .boolean()
      .describe(
        'The same replay of what really ran reproduces every transition of the chain, so that this one can be relied on.',
      ),
    first_mismatch: z.strictObject({ seq: z.int(), recorded: z.string(), replayed: z.string() }).nullable(),
    unreadable: z.int().describe('Rows whose payload was erased or is sealed.'),
  })
  .meta({ id: 'ContractReplay', description: 'Real events against an alternative.' });

export const dryRunContract = defineOperation({
  name: 'contract.dry-run',
  summary:
    'What an event, a fire or the next timers would do; or what would have become of it from a tick on. Writes nothing.',
  description:
    'Without from_svcond: the event is sent (without one the next enabled transition is fired), then timers run up to until_svcond. With it: the events that the machine really had from that tick on are replayed against a version, this one by default, or a definition, and compared with what really happened.',
  route: 'POST /api/chain/{slug}/contracts/{id}/dry-run',
  tier: 'key',
  effect: 'read',
  input: z.strictObject({
    slug: Slug,
    id: ContractId,
    event: z.string().min(1).max(64).optional().describe('Name of an event.'),
    payload: z.record(z.string().max(64), z.unknown()).optional().describe('What the event carries.'),
    from_svcond: Tick.optional().describe('Replay what really happened from this tick on.'),
    until_svcond: Tick.optional().describe(`Let timers run up to this tick, at most ${ahead} from now.`),
    version: z.int().min(1).optional().describe('A version of the contract, instead of the present one.'),
    definition: Definition.optional().describe('Instead of a version.'),
    parameters: Parameters.optional().describe('Instead of those of the version; defaults for a definition.'),
  }),
  output: z.strictObject({
    ok: Ok,
    svcond: Tick.describe('Now.'),
    would_fire: z.boolean(),
    reason: z.string().nullable().describe('Why nothing would fire.'),
    transitions: z.array(WouldFire).max(listed),
    refused: z.array(Refusal).max(listed),
    state_before: Standing,
    state_after: Standing,
    next_fires: Upcoming,
    replay: Replay.nullable().describe('With from_svcond.'),
  }),
  errors: [
    'NOT_FOUND',
    'FORBIDDEN',
    'ADMIN_REQUIRED',
    'ZID_NOT_LINKED',
    'CONFLICT',
    'EXPRESSION_INVALID',
    'TICK_IN_FUTURE',
    'BUDGET_EXCEEDED',
    'OUT_OF_TIME',
  ],
  handle: async ({ slug, id, event, payload, from_svcond: from, until_svcond: until, ...wanted }, context) => {
    const { services, principal } = context;
    const machine = await services.machines.find(slug, principal, 'operator');
    oneOf(wanted.version, wanted.definition, 'version', 'definition');
    if (payload !== undefined && event === undefined) throw misfit('payload', 'payload is given without an event.');
    if (from === undefined) {
      const sent = event === undefined ? undefined : { name: event, payload: payload ?? {} };
      return dryAnswer(await services.whatIf.dryRun(machine, id, wanted, { event: sent, until }));
    }
    for (const [path, given] of Object.entries({ event, until_svcond: until })) {
      if (given !== undefined)
        throw misfit(path, `${path} cannot be combined with from_svcond: real events are replayed.`);
    }
    return replayAnswer(await services.whatIf.replay(machine, id, from, wanted), from);
  },
});

function oneOf(a: unknown, b: unknown, first: string, second: string): void {
  if (a !== undefined && b !== undefined)
    throw misfit(second, `${first} and ${second} are given; one of them is expected.`);
}

function misfit(path: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'ONE_OF', message }] });
}

function dryAnswer({ before, after, fires, refused, reason, now, next }: DryRunAnswer) {
  return {
    ok: true as const,
    svcond: now,
    would_fire: fires.length > 0,
    reason: reason ?? null,
    transitions: fires.slice(0, listed).map(wouldFire),
    refused: refusals(refused),
    state_before: before,
    state_after: after,
    next_fires: next.map((one) => ({ ...one, at: isoFromNs(startOfTick(one.svcond)) })),
    replay: null,
  };
}

function replayAnswer(answer: WhatIfAnswer, from: number) {
  const { beginning, real, would, divergence, mismatch, erased, stored, rows, until, before } = answer;
  const realFire = (row: WhatIfAnswer['real'][number]) => {
    const { seq, tick, transition, from: left, to, cause, due } = row;
    return { seq, svcond: tick, transition, from: left, to, cause, due: due ?? null };
  };
  const { state, context, lifecycle } = would.running.state;
  const [was, is] = divergence === undefined ? [] : [real[divergence], would.fires[divergence]];
  return {
    ok: true as const,
    svcond: until,
    would_fire: would.fires.length > 0,
    reason: null,
    transitions: would.fires.slice(0, listed).map(wouldFire),
    refused: refusals(would.refused),
    state_before: before,
    state_after: { state, context, status: would.status === 'active' ? lifecycle : would.status },
    next_fires: [],
    replay: {
      from,
      to: until,
      beginning,
      rows,
      diverges: divergence !== undefined,
      first_divergence:
        divergence === undefined
          ? null
          : { place: divergence, real: was ? realFire(was) : null, would: is ? wouldFire(is) : null },
      real: real.slice(0, listed).map(realFire),
      real_count: real.length,
      would_count: would.fires.length,
      real_now: { state: stored.state.state, status: stored.status, context: stored.state.context },
      exact: mismatch === undefined && erased === 0,
      first_mismatch: mismatch ?? null,
      unreadable: erased,
    },
  };
}

function wouldFire({ tick, transition, from, to, cause, due, fired }: ReplayedFire) {
  return {
    svcond: tick,
    transition,
    from,
    to,
    cause,
    due: due ?? null,
    emitted: fired.emitted,
    webhooks: fired.webhooks.map(({ url }) => url),
    tokens: fired.tokens,
    computed: fired.computed.map(({ operator, into, value }) => ({ operator: operator ?? null, into, value })),
    logs: fired.logs,
  };
}

function refusals(refused: DryRunAnswer['refused']) {
  return refused
    .slice(0, listed)
    .map(({ tick, transition, code, reason }) => ({ svcond: tick, transition, code, reason }));
}

export const previewContract = defineOperation({
  name: 'contract.preview',
  summary: 'What a contract could do now: where it stands, which transitions leave, whether their conditions hold.',
  description: `Worked out once in ${LIMITS.contracts.previewTicks} ticks; ask again with If-None-Match. Nothing is written.`,
  route: 'GET /api/chain/{slug}/contracts/{id}/preview',
  tier: 'key',
  effect: 'read',
  caching: 'etag',
  input: z.object({ slug: Slug, id: ContractId }),
  output: z.strictObject({
    ok: Ok,
    svcond: Tick.describe('When it was worked out.'),
    definition: z.strictObject({
      name: z.string(),
      version: z.string(),
      title: z.string().nullable(),
      states: z.array(z.string()),
      transitions: z.int(),
      operators: z.array(z.string()),
    }),
    currentState: z.string(),
    status: z.string(),
    enabled: z.array(
      z.strictObject({
        transition: z.string(),
        to: z.string(),
        trigger: z.string(),
        guard: z.string().nullable().describe('Its condition.'),
        value: z.boolean().nullable().describe('Whether it holds; null where that depends on an event.'),
      }),
    ),
    next_fires: Upcoming,
  }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ADMIN_REQUIRED', 'ZID_NOT_LINKED'],
  handle: async ({ slug, id }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'owner');
    const { next_fires: fires, ...preview } = await services.contractPreviews.of(machine, id);
    const next_fires = fires.map((one) => ({ ...one, at: isoFromNs(startOfTick(one.svcond)) }));
    return { ok: true as const, ...preview, next_fires };
  },
});

export const verifyContract = defineOperation({
  name: 'contract.verify',
  summary: 'Check the whole proof chain of a contract: rows, tree, versions, fires, stamps, and where it stands.',
  route: 'POST /api/chain/{slug}/contracts/{id}/verify',
  tier: 'public',
  effect: 'read',
  input: z.strictObject({ slug: Slug, id: ContractId }),
  output: z.strictObject({
    ok: Ok,
    valid: z.boolean(),
    checked: z.strictObject({
      rows: z.int().describe('Of the chain, from the deployment on.'),
      transitions: z.int(),
      versions: z.int(),
      receipts: z.int(),
      unreadable: z.int().describe('Rows whose payload was erased or is sealed.'),
    }),
    first_bad: z
      .strictObject({
        reason: z.enum([
          'HASH',
          'LINK',
          'GAP',
          'TICK',
          'COMMIT',
          'TREE',
          'DEFINITION',
          'VERSION',
          'FIRE',
          'ORDER',
          'RECEIPT',
          'COUNT',
          'STATE',
        ]),
        seq: z.int().nullable(),
        version: z.int().nullable(),
        message: z.string(),
      })
      .optional(),
  }),
  errors: ['NOT_FOUND', 'BUDGET_EXCEEDED'],
  handle: async ({ slug, id }, { services, principal }) => {
    const machine = await services.machines.find(slug, principal, 'reader');
    return { ok: true as const, ...(await services.contractProofs.verify(machine, id)) };
  },
});
