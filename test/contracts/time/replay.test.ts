// Replays of contracts with deadlines, schedules and stopwatches: every transition and the final state come out again.

import { afterAll, describe, expect, test } from 'vitest';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { ContractService } from '../../../src/services/contracts/contracts.ts';
import { WhatIfService } from '../../../src/services/contracts/what-if.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { createEngineFixture, OWNER } from '../lifecycle/engine-fixture.ts';
import { runRandomHistory } from '../what-if/random-history.ts';
import { environment } from './time-fixture.ts';

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());
const fixture = await createEngineFixture(storage);
const whatIf = new WhatIfService({
  storage,
  runtimes: fixture.engine.runtimes,
  contracts: new ContractService({
    ...storage,
    engine: fixture.engine,
    operators: OPERATORS,
    roleOf: async () => 'owner',
  }),
  environment,
  clock: { source: 'test', now: () => BigInt(fixture.engine.tick) * 777_000_777n },
});

const common = { operator: 'KO42', proof: false, manual: 'admin' };
const on = (event: string) => ({ kind: 'event', event });

/** Every kind of time. Histories begin a quarter of an hour after the epoch and last for minutes, a few for hours. */
const TIMES = Definition.parse({
  name: 'times',
  version: '1.0',
  edition: 2,
  zones: '2026f',
  pause: 'operator',
  operators: ['KO42'],
  initial: 'idle',
  parameters: { place: { type: 'string', default: 'Europe/Berlin' } },
  context: { term: { type: 'number', initial: 20 }, worked: { type: 'number', initial: 0 } },
  calendars: { office: { tz: 'place', weekend: ['sun'], holidays: { '1970': ['01-01'], '1971': [] } } },
  clocks: { work: { runs_in: ['busy'] } },
  events: { ask: { payload: { term: 'number' } }, rest: {}, go: {}, close: {} },
  states: {
    idle: { role: 'initial' },
    busy: { role: 'intermediate' },
    resting: { role: 'intermediate' },
    closed: { role: 'terminal' },
  },
  transitions: [
    {
      ...common,
      id: 'ask',
      from: ['idle', 'resting'],
      to: 'busy',
      trigger: on('ask'),
      post: [{ set: { term: 'event.term' } }],
    },
    { ...common, id: 'late', from: 'busy', to: 'idle', trigger: { kind: 'deadline', after: 'term' } },
    {
      ...common,
      id: 'rest',
      from: 'busy',
      to: 'resting',
      trigger: on('rest'),
      post: [{ set: { worked: 'clock.work' } }],
    },
    {
      ...common,
      id: 'bell',
      from: 'busy',
      to: 'idle',
      trigger: { kind: 'deadline', at: '1970-01-01T00:14Z', past: 'fire' },
      fires_when: 'state.entries > 3',
    },
    {
      ...common,
      id: 'over',
      from: 'resting',
      to: 'idle',
      trigger: { kind: 'deadline', after: '200 - clock.work', past: 'fire' },
    },
    {
      ...common,
      id: 'next',
      from: 'resting',
      to: 'idle',
      trigger: { kind: 'deadline', after: { business: 'P1D', calendar: 'office' }, time: '09:00' },
    },
    {
      ...common,
      id: 'daily',
      from: 'idle',
      to: 'idle',
      trigger: { kind: 'schedule', every: 'P1D', at: '1970-01-01T01:20', tz: 'place', catch_up: 'all' },
    },
    {
      ...common,
      id: 'weekly',
      from: 'idle',
      to: 'idle',
      trigger: {
        kind: 'schedule',
        every: 'P1D',
        calendar: 'office',
        roll: 'following',
        until: '1970-03-01',
        catch_up: 'skip',
      },
    },
    { ...common, id: 'go', from: 'resting', to: 'busy', trigger: on('go') },
    {
      ...common,
      id: 'close',
      from: 'idle',
      to: 'closed',
      trigger: on('close'),
      fires_when: 'clock.work > 10000 * hour',
    },
  ],
});
/** The histories of a seed are always the same. */
const SEEDS = Number(process.env.SEEDS ?? (process.env.SVC_SLOW === '1' ? 24 : 4));

test('the definition is sound', () => expect(definitionFaults(TIMES)).toEqual([]));

describe('random histories', () => {
  test('of events alone are reproduced to the state', async () => {
    const fired = new Map<string, number>();
    for (let seed = 1; seed <= SEEDS; seed++) {
      const history = { definition: TIMES, seed, steps: 150, isEventsOnly: true };
      const { machine, id } = await runRandomHistory(fixture, history);
      const answer = await whatIf.replay(machine, id, 0, {});
      expect([seed, answer.mismatch, answer.divergence]).toEqual([seed, undefined, undefined]);
      const { pendingSince, enteredAt, blockedCount, missed, ...state } = answer.alternative.running.state;
      expect([seed, answer.stored.state]).toMatchObject([seed, state]);
      for (const { transition } of answer.real) fired.set(transition, (fired.get(transition) ?? 0) + 1);
    }
    for (const id of ['ask', 'late', 'rest', 'bell', 'over', 'daily', 'go'])
      expect([id, fired.get(id) ?? 0]).not.toEqual([id, 0]);
  }, 120_000);

  test('with pauses, skips, manual fires, restarts and new versions are reproduced', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const history = { definition: TIMES, seed: 1_000 + seed, steps: 150 };
      const { machine, id } = await runRandomHistory(fixture, history);
      const answer = await whatIf.replay(machine, id, 0, {});
      expect([seed, answer.mismatch]).toEqual([seed, undefined]);
    }
  }, 120_000);
});

test('another length of the deadline is tried against what happened', async () => {
  const machine = await insertMachine(storage);
  fixture.setTick(5_000);
  const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: TIMES });
  fixture.setTick(5_010);
  await fixture.engine.ingest(machine.id, OWNER.zid ?? '', { name: 'ask', payload: { term: 50 } });
  fixture.setTick(5_060);
  await fixture.engine.wake(machine.id);
  fixture.setTick(5_100);
  const { fires } = await fixture.contracts.get(machine, id).then(({ contract }) => ({ fires: contract.fire_count }));
  expect(fires).toBe(2);
  const longer = {
    ...TIMES,
    transitions: TIMES.transitions.map((one) =>
      one.id === 'late' ? { ...one, trigger: { kind: 'deadline', after: 'term * 3' } as const } : one,
    ),
  };
  const answer = await whatIf.replay(machine, id, 5_005, { definition: longer });
  // The deadline of 50 ticks fired in tick 5060; that of 150 had not by 5100.
  expect(answer.divergence).toBe(1);
  expect(answer.real[1]).toMatchObject({ transition: 'late', tick: 5_060 });
  expect(answer.alternative.fires.map(({ transition }) => transition)).toEqual(['ask']);
});
