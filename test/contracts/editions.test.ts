// Editions of the engine: rows of the first one are replayed by its rules, and a contract changes over in a row.

import { afterAll, expect, test } from 'vitest';
import { compileContract } from '../../src/contracts/compiled.ts';
import { Definition } from '../../src/contracts/definition.ts';
import { type HistoryRow, parseHistory } from '../../src/contracts/history.ts';
import { replayHistory } from '../../src/contracts/history-replay.ts';
import type { CompiledOracle } from '../../src/contracts/oracle.ts';
import { OracleReadings } from '../../src/contracts/oracle-readings.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { insertMachine } from '../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../storage/migrated-database.ts';
import { createEngineFixture, OWNER } from './lifecycle/engine-fixture.ts';

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());
const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));

const common = { operator: 'KO42', proof: false, from: 'open', to: 'open' } as const;
const definition = Definition.parse({
  name: 'meter',
  version: '1.0',
  operators: ['KO42'],
  initial: 'open',
  context: { total: { type: 'integer', initial: 0 } },
  events: { add: { payload: { amount: 'number' } }, told: {}, close: {} },
  emits: ['told'],
  states: { open: { role: 'initial' }, closed: { role: 'terminal' } },
  transitions: [
    { ...common, id: 'adding', trigger: { kind: 'event', event: 'add' }, post: [{ set: { total: 'event.amount' } }] },
    { ...common, id: 'telling', trigger: { kind: 'one_shot', after: 5 }, post: [{ emit: 'told' }] },
    { ...common, id: 'hearing', to: 'closed', trigger: { kind: 'event', event: 'told' } },
    { ...common, id: 'closing', to: 'closed', trigger: { kind: 'event', event: 'close' } },
  ],
});

/** Replays rows of contract `c`, numbered from 0, all at the tick given first in each. */
function replay(rows: readonly (readonly [tick: number, type: string, payload: object])[]) {
  const numbered: HistoryRow[] = rows.map(([svcond, type, payload], seq) => ({
    seq,
    svcond,
    type,
    actor: 'ann',
    payload,
  }));
  const parsing = parseHistory(numbered, 'c', { balances: new Map(), isMachineActive: true });
  let step = parsing.next();
  while (!step.done) step = parsing.next();
  const history = step.value;
  if (history === undefined) throw new Error('The deployment is missing.');
  const contract = compileContract(definition);
  const replaying = replayHistory({
    history,
    contractId: 'c',
    contractOf: () => contract,
    environment: {
      evaluate: (program, values) => evaluateProgram(instance, program, values),
      compute: () => Number.NaN,
    },
    maxHops: 8,
    forkTick: 1_000,
    until: 1_000,
    countStep: () => undefined,
  });
  let turn = replaying.next();
  while (!turn.done) turn = replaying.next();
  const { mismatch, fork } = turn.value;
  return { mismatch, status: fork?.replay.status, state: fork?.replay.running.state.state };
}

const deployed = (engine: object) =>
  [0, 'contract', { contract: 'c', act: 'deployed', version: 1, ...engine }] as const;
const bad = [
  [1, 'event', { name: 'add', payload: { amount: 0.5 } }],
  [1, 'refused', { contract: 'c', transition: 'adding', code: 'ACTION_FAILED' }],
] as const;
const told = [2, 'event', { name: 'told' }] as const;
const heard = [
  2,
  'transition',
  { contract: 'c', transition: 'hearing', from: 'open', to: 'closed', cause: 'event' },
] as const;
const renamed = [7, 'contract', { contract: 'c', act: 'patched', version: 2 }] as const;
const tellingAt = (tick: number, due: number) =>
  [
    tick,
    'transition',
    { contract: 'c', transition: 'telling', from: 'open', to: 'open', cause: 'timer', occurrence: `t${due}` },
  ] as const;
const emitted = (tick: number) => [tick, 'emit', { contract: 'c', name: 'told', payload: {} }] as const;

test('rows of the first edition keep its rules: payloads fail a contract, callers send its events, renames re-fire', () => {
  const fiveFaults = [...bad, ...bad, ...bad, ...bad, ...bad];
  expect(replay([deployed({}), ...fiveFaults])).toMatchObject({ mismatch: undefined, status: 'failed' });
  expect(replay([deployed({}), told, heard])).toMatchObject({ mismatch: undefined, state: 'closed' });
  const fires = [tellingAt(5, 5), emitted(5), renamed, tellingAt(7, 7), emitted(7)];
  expect(replay([deployed({}), ...fires])).toMatchObject({ mismatch: undefined });
});

test('rows of the second edition follow the new rules', () => {
  const engine = { engine: 2 };
  expect(replay([deployed(engine), ...bad, ...bad, ...bad, ...bad, ...bad])).toMatchObject({
    mismatch: undefined,
    status: 'active',
  });
  expect(replay([deployed(engine), told, heard]).mismatch).toMatchObject({ seq: 2, replayed: 'no transition' });
  expect(replay([deployed(engine), tellingAt(5, 5), emitted(5), renamed]).mismatch).toBeUndefined();
});

test('a contract changes over between two rows', () => {
  const change = [2, 'contract', { contract: 'c', act: 'engine', engine: 2 }] as const;
  const rows = [deployed({}), ...bad, ...bad, ...bad, ...bad, change, told, ...bad];
  expect(replay(rows)).toMatchObject({ mismatch: undefined, status: 'active', state: 'open' });
});

test('the first change of a machine hands its contracts over, before anything is decided', async () => {
  const fixture = await createEngineFixture(storage);
  const machine = await insertMachine(storage);
  fixture.setTick(1_000);
  const { id } = await fixture.contracts.deploy(machine, OWNER, { definition });
  const stored = await storage.contracts.get(machine.id, id);
  const { engine: _, ...state } = stored?.state ?? { engine: undefined };
  await storage.transaction(async (on) => {
    await on.raw('update contract set state = ? where id = ?', [JSON.stringify(state), id]);
  });
  fixture.engine.runtimes.evict(machine.id);
  expect((await fixture.engine.ingest(machine.id, '', { name: 'told' })).fired).toEqual([]);
  const rows = await storage.audit.range(machine.id, machine.head.slug, 0, 100);
  const last = rows.slice(-2).map(({ type, payload_text: text }) => [type, JSON.parse(text ?? '{}')]);
  expect(last).toEqual([
    ['contract', { contract: id, act: 'engine', engine: 2 }],
    ['event', { name: 'told' }],
  ]);
  await fixture.engine.ingest(machine.id, '', { name: 'told' });
  expect((await storage.audit.range(machine.id, machine.head.slug, 0, 100)).length).toBe(rows.length + 1);
});

test('names of a source that one sender has used are one source, under the second edition', () => {
  const oracle: CompiledOracle = {
    kind: 'push',
    event: undefined,
    field: 'value',
    url: undefined,
    pointer: [],
    operator: undefined,
    machine: undefined,
    every: undefined,
    unit: undefined,
    min: Number.NEGATIVE_INFINITY,
    max: Number.POSITIVE_INFINITY,
    fn: 'avg',
    within: 100,
    maxAge: undefined,
    minSources: 2,
  };
  const read = (edition: 1 | 2, sent: readonly (readonly [source: string, actor: string])[]) => {
    const readings = new OracleReadings(oracle);
    for (const [i, [source, actor]] of sent.entries()) {
      readings.add({ value: 10 * (i + 1), status: 'ok', source, tick: 1 + i, actor });
    }
    return () => readings.viewAt(50, edition)?.value;
  };
  const alone = [
    ['north', 'ann'],
    ['south', 'ann'],
  ] as const;
  expect(read(1, alone)()).toBe(15);
  expect(read(2, alone)).toThrow('1 of 2 sources');
  expect(read(2, [...alone, ['south', 'bob']])).toThrow('1 of 2 sources');
  expect(read(2, [...alone, ['east', 'bob']])()).toBe(25);
});
