// Dry runs of a contract: simulates an event or timers, or replays past events. Writes nothing.

import { z } from 'zod';
import { SYSTEM_ACTOR } from '../../chain/row.ts';
import type { ReplayedFire } from '../../contracts/contract-replay.ts';
import type { ContractState as ContractData } from '../../contracts/contract-state.ts';
import { Definition } from '../../contracts/definition.ts';
import { Migration } from '../../contracts/migration/schema.ts';
import { isoFromNs, startOfTick } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import type { DryRunAnswer, WhatIfAnswer } from '../../services/contracts/what-if.ts';
import { defineOperation } from '../operation.ts';
import { JsonObject, success, Tick, Timestamp } from '../schemas.ts';
import { Calls, callsOf } from './calls.ts';
import { CONTRACT_PATH, Collections, Parameters, Scalars, UpcomingFires } from './schemas.ts';
import { Sends, sendsOf } from './sends.ts';

const { listed: MAX_LISTED, ahead: MAX_TICKS_AHEAD } = LIMITS.contracts.whatIf;

const ContractState = z.strictObject({
  state: z.string(),
  status: z.string(),
  context: Scalars,
  collections: Collections.optional(),
});

const WouldFire = z
  .strictObject({
    svcond: Tick,
    transition: z.string(),
    from: z.string(),
    to: z.string(),
    cause: z.string().describe('event, timer, expiry or manual.'),
    due: Tick.nullable().describe('The occurrence of a timer.'),
    emitted: z.array(z.strictObject({ event: z.string(), payload: Scalars })),
    webhooks: z.array(z.string()).describe('URLs it would call; nothing is sent.'),
    sends: Sends.optional(),
    calls: Calls.optional(),
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

const Refusal = z.strictObject({
  svcond: Tick,
  transition: z.string(),
  code: z.string(),
  reason: z.string(),
  fault: z.string().optional(),
});

const Replay = z
  .strictObject({
    from: Tick,
    to: Tick,
    beginning: z
      .enum(['deployed', 'as it was', 'carried over', 'begun anew'])
      .describe('How the initial state of the alternative was determined.'),
    rows: z.int().describe('Replayed rows since the deployment.'),
    diverges: z.boolean(),
    first_divergence: z
      .strictObject({ place: z.int(), real: RealFire.nullable(), would: WouldFire.nullable() })
      .nullable()
      .describe('The first transition that differs, or fires at another time.'),
    real: z.array(RealFire).max(MAX_LISTED),
    real_count: z.int(),
    would_count: z.int(),
    real_now: ContractState,
    exact: z
      .boolean()
      .describe('Replaying the real version reproduces every transition of the chain, so this replay is reliable.'),
    first_mismatch: z.strictObject({ seq: z.int(), recorded: z.string(), replayed: z.string() }).nullable(),
    unreadable: z.int().describe('Rows with an erased or sealed payload.'),
  })
  .meta({ id: 'ContractReplay', description: 'Real events replayed against an alternative.' });

const Fate = z.enum(['kept', 'moved', 'new', 'ends']);
const Value = z.union([z.number(), z.boolean(), z.string()]);
const Part = z.strictObject({
  name: z.string(),
  fate: Fate,
  source: z.string().nullable().describe('Its former name.'),
  size: z.number().describe('Entries of a collection, ticks of a stopwatch.'),
});

const CarriedState = z
  .strictObject({
    from: z.string(),
    to: z.string(),
    reset: z.boolean().describe('It begins anew; a patch would need reset.'),
    context: z.array(
      z.strictObject({ name: z.string(), fate: Fate, before: Value.nullable(), after: Value.nullable() }),
    ),
    collections: z.array(Part),
    clocks: z.array(Part),
    timers: z.array(
      z.strictObject({ transition: z.string(), svcond: Tick, at: Timestamp, fate: z.enum(['kept', 'new']) }),
    ),
  })
  .meta({ id: 'CarriedState', description: 'What becomes of a contract in another version.' });

export const dryRunContract = defineOperation({
  name: 'contract.dry-run',
  summary: 'Simulate an event, a fire or the next timers, or replay past events from a tick on. Writes nothing.',
  description:
    'Without from_svcond: sends the event (or fires the next enabled transition), then runs timers up to until_svcond. With it: replays the real events from that tick on against a version, the current one by default, or a definition, and compares the result.',
  route: 'POST /api/chain/{slug}/contracts/{id}/dry-run',
  tier: 'key',
  effect: 'read',
  machine: 'operator',
  party: true,
  input: z.strictObject({
    ...CONTRACT_PATH,
    event: singleLine(64).optional().describe('Name of an event.'),
    payload: JsonObject.optional().describe('Payload of the event.'),
    from_svcond: Tick.optional().describe('Replay real events from this tick on.'),
    until_svcond: Tick.optional().describe(`Run timers up to this tick, at most ${MAX_TICKS_AHEAD} from now.`),
    version: z.int().min(1).optional().describe('Version of the contract; the current one by default.'),
    definition: Definition.optional().describe('Instead of a version.'),
    parameters: Parameters.optional().describe('Override those of the version; defaults for a definition.'),
    migrate: Migration.optional(),
    instance: singleLine(LIMITS.contracts.instances.keyCharacters)
      .optional()
      .describe('With from_svcond: key of the instance to replay, of a contract that has them.'),
  }),
  output: success({
    svcond: Tick.describe('Current tick.'),
    would_fire: z.boolean(),
    reason: z.string().nullable().describe('Why nothing would fire.'),
    transitions: z.array(WouldFire).max(MAX_LISTED),
    refused: z.array(Refusal).max(MAX_LISTED),
    state_before: ContractState,
    state_after: ContractState,
    next_fires: UpcomingFires,
    carried: CarriedState.nullable().describe('How another version or definition got its state; without from_svcond.'),
    replay: Replay.nullable().describe('With from_svcond.'),
  }),
  brief: {
    sentences: (answer) => (answer.carried === null ? trialSentences(answer) : carriedSentences(answer.carried)),
  },
  errors: ['CONFLICT', 'EXPRESSION_INVALID', 'TICK_IN_FUTURE', 'BUDGET_EXCEEDED', 'OUT_OF_TIME'],
  handle: async (request, { services }, { machine, by }) => {
    const { id, event, payload, from_svcond: from, until_svcond: until, ...target } = request;
    assertAtMostOne(target.version, target.definition, 'version', 'definition');
    if (payload !== undefined && event === undefined)
      throw invalidField('payload', 'payload is given without an event.');
    if (from === undefined) {
      const sent = event === undefined ? undefined : { name: event, payload: payload ?? {} };
      return dryRunAnswer(
        await services.whatIf.dryRun(machine, id, target, { event: sent, actor: by.zid ?? SYSTEM_ACTOR, until }),
      );
    }
    for (const [path, given] of Object.entries({ event, until_svcond: until })) {
      if (given !== undefined)
        throw invalidField(path, `${path} cannot be combined with from_svcond: real events are replayed.`);
    }
    return replayAnswer(await services.whatIf.replay(machine, id, from, target), from);
  },
});

function carriedSentences({ from, to, reset, context, collections, clocks, timers }: z.output<typeof CarriedState>) {
  const named = [...collections, ...clocks.map((clock) => ({ ...clock, name: `clock.${clock.name}` }))];
  return [
    reset ? `It would begin anew in ${to}: the new version lacks ${from}.` : `State ${from} would become ${to}.`,
    ...context.map(({ name, fate, before, after }) => `${name} ${fate}: ${before} → ${after}.`),
    ...named.map(({ name, fate, size }) => `${name} ${fate}: ${size}.`),
    ...timers.map(({ transition, at, fate }) => `Timer of ${transition} (${fate}): ${at}.`),
  ];
}

interface Trial {
  readonly reason: string | null;
  readonly transitions: readonly unknown[];
}

const trialSentences = ({ reason, transitions }: Trial) => [reason ?? `${transitions.length} transitions would fire.`];

function assertAtMostOne(a: unknown, b: unknown, first: string, second: string): void {
  if (a !== undefined && b !== undefined)
    throw invalidField(second, `${first} and ${second} are given; one of them is expected.`);
}

function invalidField(path: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'ONE_OF', message }] });
}

function dryRunAnswer({ before, after, fires, refused, reason, now, next, carried }: DryRunAnswer) {
  return {
    svcond: now,
    would_fire: fires.length > 0,
    reason: reason ?? null,
    transitions: fires.slice(0, MAX_LISTED).map(wouldFire),
    refused: refusals(refused),
    state_before: before,
    state_after: after,
    next_fires: next.map((fire) => ({ ...fire, at: isoFromNs(startOfTick(fire.svcond)) })),
    carried: carried === undefined ? null : carriedAnswer(carried),
    replay: null,
  };
}

function replayAnswer(answer: WhatIfAnswer, from: number) {
  const { beginning, real, alternative, divergence, mismatch, erased, stored, rows, until, before } = answer;
  const realFire = (row: WhatIfAnswer['real'][number]) => {
    const { seq, tick, transition, from: fromState, to, cause, due } = row;
    return { seq, svcond: tick, transition, from: fromState, to, cause, due: due ?? null };
  };
  const { state, lifecycle } = alternative.running.state;
  const [actual, simulated] = divergence === undefined ? [] : [real[divergence], alternative.fires[divergence]];
  return {
    svcond: until,
    would_fire: alternative.fires.length > 0,
    reason: null,
    transitions: alternative.fires.slice(0, MAX_LISTED).map(wouldFire),
    refused: refusals(alternative.refused),
    state_before: before,
    state_after: {
      state,
      ...dataOf(alternative.running.state),
      status: alternative.status === 'active' ? lifecycle : alternative.status,
    },
    next_fires: [],
    carried: null,
    replay: {
      from,
      to: until,
      beginning,
      rows,
      diverges: divergence !== undefined,
      first_divergence:
        divergence === undefined
          ? null
          : {
              place: divergence,
              real: actual ? realFire(actual) : null,
              would: simulated ? wouldFire(simulated) : null,
            },
      real: real.slice(0, MAX_LISTED).map(realFire),
      real_count: real.length,
      would_count: alternative.fires.length,
      real_now: { state: stored.state.state, status: stored.status, ...dataOf(stored.state) },
      exact: mismatch === undefined && erased === 0,
      first_mismatch: mismatch ?? null,
      unreadable: erased,
    },
  };
}

function carriedAnswer({ isReset, timers, ...rest }: NonNullable<DryRunAnswer['carried']>) {
  return {
    ...rest,
    reset: isReset,
    timers: timers.map(({ due, ...timer }) => ({ ...timer, svcond: due, at: isoFromNs(startOfTick(due)) })),
  };
}

/** The data of a contract: its context, and its collections if it has any. */
const dataOf = ({ context, collections }: Pick<ContractData, 'context' | 'collections'>) =>
  collections === undefined ? { context } : { context, collections };

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
    ...sendsOf(fired),
    ...callsOf(fired),
    tokens: fired.tokens,
    computed: fired.computed.map(({ operator, into, value }) => ({ operator: operator ?? null, into, value })),
    logs: fired.logs,
  };
}

function refusals(refused: DryRunAnswer['refused']) {
  return refused.slice(0, MAX_LISTED).map(({ tick, transition, code, reason, fault }) => ({
    svcond: tick,
    transition,
    code,
    reason,
    ...(fault === undefined ? {} : { fault }),
  }));
}
