// Named windows in the live engine: restarts, versions and replays decide as the engine did.

import { afterAll, describe, expect, test } from 'vitest';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { ContractService } from '../../../src/services/contracts/contracts.ts';
import { WhatIfService } from '../../../src/services/contracts/what-if.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { environment } from '../data/data-fixture.ts';
import { createEngineFixture, OWNER } from '../lifecycle/engine-fixture.ts';
import { runRandomHistory } from '../what-if/random-history.ts';
import { transition, watch } from './windows-fixture.ts';

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
const ACTOR = OWNER.zid ?? '';

const common = { ...transition, manual: 'admin', trigger: { kind: 'windows' } } as const;

/** Windows of several lengths and functions, one of them with a filter that reads what an event sets. */
const GAUGES = Definition.parse({
  name: 'gauges',
  version: '1.0',
  edition: 2,
  pause: 'operator',
  operators: ['KO42'],
  initial: 'calm',
  parameters: { length: { type: 'duration', default: 'PT30S' } },
  context: { limit: { type: 'number', initial: 10 }, seen: { type: 'number', initial: 0 } },
  events: { reading: { payload: { value: 'number' } }, set_limit: { payload: { to: 'number' } }, tap: {} },
  windows: {
    fast: { event: 'reading', fn: 'avg', field: 'value', within: 8 },
    slow: { event: 'reading', fn: 'max', field: 'value', within: 'length' },
    high: { event: 'reading', fn: 'count', within: 60, filter: 'event.value > limit' },
    taps: { event: 'tap', fn: 'count', within: 20 },
  },
  states: { calm: { role: 'initial' }, busy: { role: 'intermediate' }, alarm: { role: 'intermediate' } },
  transitions: [
    {
      ...common,
      id: 'raise',
      from: ['calm', 'busy'],
      to: 'alarm',
      fires_when: 'fast.value > 30 and slow.value > 60 and high.count > 1',
      post: [{ set: { seen: 'slow.value' } }],
    },
    { ...common, id: 'rise', from: 'calm', to: 'busy', fires_when: 'taps.count > 1 or high.count > 3' },
    { ...common, id: 'fall', from: 'busy', to: 'calm', fires_when: 'taps.empty and fast.count < 2' },
    { ...common, id: 'clear', from: 'alarm', to: 'calm', fires_when: 'fast.empty or slow.value < 40' },
    {
      ...common,
      id: 'limit',
      from: ['calm', 'busy', 'alarm'],
      to: 'calm',
      trigger: { kind: 'event', event: 'set_limit' },
      fires_when: 'abs(event.to) < 100',
      post: [{ set: { limit: 'event.to' } }],
    },
  ],
});
/** The histories of a seed are always the same. */
const SEEDS = Number(process.env.SEEDS ?? (process.env.SVC_SLOW === '1' ? 24 : 4));

test('the definition is sound', () => expect(definitionFaults(GAUGES)).toEqual([]));

describe('random histories', () => {
  test('of events alone are reproduced to the state', async () => {
    const fired = new Map<string, number>();
    for (let seed = 1; seed <= SEEDS; seed++) {
      const history = { definition: GAUGES, seed, steps: 150, isEventsOnly: true };
      const { machine, id } = await runRandomHistory(fixture, history);
      const answer = await whatIf.replay(machine, id, 0, {});
      expect([seed, answer.mismatch, answer.divergence]).toEqual([seed, undefined, undefined]);
      // A late wake that fires nothing leaves no row; what it checked last is not known.
      const { pendingSince, enteredAt, blockedCount, missed, emptyWindows, ...state } =
        answer.alternative.running.state;
      expect([seed, answer.stored.state]).toMatchObject([seed, state]);
      for (const { transition: id } of answer.real) fired.set(id, (fired.get(id) ?? 0) + 1);
    }
    for (const { id } of GAUGES.transitions) expect([id, fired.get(id) ?? 0]).not.toEqual([id, 0]);
  }, 120_000);

  test('with pauses, skips, manual fires, restarts and new versions are reproduced', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const history = { definition: GAUGES, seed: 1_000 + seed, steps: 150 };
      const { machine, id } = await runRandomHistory(fixture, history);
      const answer = await whatIf.replay(machine, id, 0, {});
      expect([seed, answer.mismatch]).toEqual([seed, undefined]);
    }
  }, 120_000);
});

async function deployed(definition: object, tick: number) {
  fixture.setTick(tick);
  const machine = await insertMachine(storage);
  const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: Definition.parse(definition) });
  const send = (at: number, name: string, payload: Readonly<Record<string, unknown>>) => {
    fixture.setTick(at);
    return fixture.engine.ingest(machine.id, ACTOR, { name, payload });
  };
  const state = async () => (await fixture.contracts.get(machine, id)).contract.currentState;
  return { machine, id, send, state };
}

test('the tick in which a sample leaves is in the due index, and a restart keeps it', async () => {
  const { machine, id, send, state } = await deployed(watch({}, 'fast.empty'), 2_000);
  await send(2_001, 'reading', { value: 90 });
  expect(await state()).toBe('alarm');
  const { contract } = await fixture.contracts.get(machine, id);
  expect(contract.next_fire).toBe(2_006);
  fixture.engine.runtimes.evict(machine.id);
  fixture.setTick(2_005);
  await fixture.engine.wake(machine.id);
  expect(await state()).toBe('alarm');
  fixture.engine.runtimes.evict(machine.id);
  fixture.setTick(2_006);
  expect(await fixture.engine.wake(machine.id)).toBe(1);
  expect(await state()).toBe('calm');
});

test('a new version keeps windows that stay, and fills others from the log', async () => {
  const { machine, id, send, state } = await deployed(watch({}, 'fast.empty and slow.empty'), 3_000);
  await send(3_001, 'reading', { value: 1 });
  await send(3_002, 'reading', { value: 18 });
  expect(await state()).toBe('calm');
  const [raise, clear] = watch().transitions;
  const definition = Definition.parse(
    watch({
      windows: { ...watch().windows, peak: { event: 'reading', fn: 'max', field: 'value', within: 30 } },
      transitions: [{ ...raise, fires_when: 'peak.value > 15 and slow.count > 2' }, clear],
    }),
  );
  await fixture.contracts.patch(machine, OWNER, id, { definition });
  await send(3_003, 'reading', { value: 1 });
  expect(await state()).toBe('alarm');
});

test('an event that only a window counts is not told as ignored', async () => {
  const [raise, clear] = watch().transitions;
  const definition = watch({
    events: { reading: { payload: { value: 'number' } }, ask: {} },
    transitions: [{ ...raise, trigger: { kind: 'event', event: 'ask' } }, clear],
  });
  const { send } = await deployed(definition, 4_000);
  const counted = await send(4_001, 'reading', { value: 90 });
  expect([counted.fired, counted.refused, counted.ignored]).toEqual([[], [], []]);
  const { fired } = await send(4_002, 'ask', {});
  expect(fired.map((one) => one.transition)).toEqual(['raise']);
});
