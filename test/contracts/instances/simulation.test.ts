// Contracts with a key on a simulated clock: instances, their timers and refusals, what scenarios expect, what is counted.

import { describe, expect, test } from 'vitest';
import { simulate } from '../../../src/authoring.ts';
import { compareDefinitions } from '../../../src/contracts/authoring/compare.ts';
import { checkDraft } from '../../../src/contracts/authoring/draft.ts';
import { readScenarios, runScenarios } from '../../../src/contracts/authoring/trial.ts';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { lastOfInstances } from '../../../src/contracts/simulate.ts';
import { environment } from '../authoring/authoring-fixture.ts';
import { ORDERS, TILLS } from './orders.ts';

function run(steps: readonly object[], definition: Definition = ORDERS) {
  const { contract, faults } = checkDraft(definition);
  if (contract === undefined) throw new Error(JSON.stringify(faults));
  const { results, coverage } = runScenarios(contract, readScenarios([{ name: 'x', steps }]), environment);
  const [result] = results;
  if (result === undefined) throw new Error('There is no result.');
  return { ...result, coverage };
}

const order = (id: unknown, amount: unknown = 5) => ({ send: 'order', payload: { order_id: id, amount } });
const pay = (id: unknown, amount: unknown = 5) => ({ send: 'pay', payload: { order_id: id, amount } });
const ship = (id: unknown) => ({ send: 'ship', payload: { order_id: id } });

test('each instance has its own state, context and timers', () => {
  const { steps, isMet } = run([
    { at: 1, ...order('A-17', 5), expect: { state: 'placed', context: { due: 5 } } },
    { at: 4, ...order('B-2', 9), expect: { instance: 'B-2', state: 'placed', context: { due: 9 } } },
    { at: 5, ...pay('A-17'), expect: { instance: 'A-17', state: 'paid', context: { paid: 5 } } },
    { expect: { instance: 'B-2', state: 'placed', context: { paid: 0 } } },
    // Placed at 1 and 4: every 7 ticks from the entry into placed.
    { at: 11, expect: { emitted: ['reminder'] } },
    { at: 24, expect: { instance: 'B-2', state: 'lapsed' } },
    { at: 25, ...ship('A-17'), expect: { state: 'done', balances: { token: { sales: 5 } } } },
  ]);
  expect(steps.flatMap(({ mismatches }) => mismatches)).toEqual([]);
  expect(isMet).toBe(true);
  const fires = steps.flatMap(({ fired }) =>
    fired.map(({ instance, transition, tick }) => [instance, transition, tick]),
  );
  expect(fires.filter(([, transition]) => transition === 'lapse')).toEqual([['B-2', 'lapse', 24]]);
  expect(lastOfInstances(steps).map(({ instance, state }) => [instance, state])).toEqual([
    ['A-17', 'done'],
    ['B-2', 'lapsed'],
  ]);
});

test('what reaches no instance is refused by its code, as on a node', () => {
  const { steps } = run([
    { ...order(undefined), expect: { refused: ['BAD_KEY'] } },
    { ...order(1.5), expect: { refused: ['BAD_KEY'] } },
    { ...pay('A'), expect: { refused: ['UNKNOWN_KEY'] } },
    { ...order('A', 'many'), expect: { refused: ['PAYLOAD'] } },
    { ...order('A', 0), expect: { refused: ['CONDITION'] } },
    { ...order('A') },
    { ...pay('A'), expect: { state: 'paid' } },
    { ...order('A'), expect: { refused: ['KEY_EXISTS'], state: 'paid' } },
    { ...ship('A') },
    { ...order('A'), expect: { refused: ['KEY_FINISHED'], state: 'done' } },
    { ...ship('A'), expect: { refused: [] } },
  ]);
  expect(steps.flatMap(({ mismatches }) => mismatches)).toEqual(['[KEY_FINISHED] were refused, not []']);
  expect(steps[2]?.refusals).toEqual([
    {
      instance: 'A',
      transition: null,
      code: 'UNKNOWN_KEY',
      reason: 'There is no instance A; order creates one.',
      field: { path: 'payload.order_id', got: 'A', expected: 'the key of an instance' },
    },
  ]);
  expect(steps[4]?.instances).toEqual([]);
});

test('with respawn a finished key begins anew, and its fires count on', () => {
  const { steps } = run(
    [
      { at: 1, ...order('A') },
      { at: 2, ...pay('A') },
      { at: 3, ...ship('A') },
      { at: 9, ...order('A', 8), expect: { state: 'placed', context: { due: 8, paid: 0 } } },
    ],
    { ...ORDERS, respawn: true },
  );
  expect(steps.flatMap(({ mismatches }) => mismatches)).toEqual([]);
  expect(steps[3]?.fired[0]?.entry).toBeGreaterThan(steps[2]?.fired[0]?.entry ?? 0);
});

test('coverage counts over all instances', () => {
  const { coverage } = run([
    { at: 1, ...order('A', 9) },
    { at: 2, ...pay('A', 3) },
    { at: 3, ...order('B', 3) },
    { at: 4, ...pay('B', 3) },
  ]);
  const row = coverage.rows.find(({ transition }) => transition === 'settle');
  expect(row).toMatchObject({ fired_from: ['placed'], guard: { seen_true: true, seen_false: true } });
});

test('what an instance emits only itself hears, before the next one is woken', () => {
  const till = (id: number, amount: number) => ({ send: 'open_till', payload: { till: id, amount } });
  const { steps } = run(
    [
      { at: 1, ...till(2, 3) },
      { at: 1, ...till(1, 3) },
      { at: 5, expect: { instance: 1, context: { heard: 1 }, emitted: ['rung', 'rung'] } },
    ],
    TILLS,
  );
  expect(steps[2]?.mismatches).toEqual([]);
  expect(steps[2]?.fired.map(({ instance, transition }) => `${instance} ${transition}`)).toEqual([
    '1 ring',
    '1 hear',
    '2 ring',
    '2 hear',
  ]);
});

describe('a scenario does not run', () => {
  test.each([
    ['a state of no instance', { at: 3, expect: { state: 'paid' } }, 'MISSING'],
    ['an instance that is no key', { expect: { instance: '..', state: 'paid' } }, 'TYPE'],
  ])('%s', (_, step, code) => {
    expect(run([step]).faults).toMatchObject([{ pointer: '/steps/0/expect/instance', code }]);
  });

  test('an instance of a contract without a key', () => {
    const { key: _, spawn: __, ...single } = ORDERS;
    const { faults } = run([{ expect: { instance: 'A', state: 'placed' } }], single);
    expect(faults).toMatchObject([{ pointer: '/steps/0/expect/instance', code: 'NOT_ALLOWED' }]);
  });
});

test('an expected instance that there is none of is told', () => {
  const { steps } = run([{ expect: { instance: 'A', state: 'placed' } }, { ...pay(7), expect: { state: 'paid' } }]);
  expect(steps.map(({ mismatches }) => mismatches)).toEqual([['there is no instance A'], ['there is no instance 7']]);
});

test('the number of instances is bounded', () => {
  const steps = Array.from({ length: 200 }, (_, i) => order(`k${i}`));
  const scenarios = Array.from({ length: 5 }, (_, i) => ({ name: `s${i}`, steps }));
  const contract = compileContract(ORDERS, {});
  expect(runScenarios(contract, readScenarios(scenarios), environment).results.every(({ isMet }) => isMet)).toBe(true);
});

test('deadlines of the initial state are those of an instance, and no fault of the deployment', () => {
  const trigger = { kind: 'deadline', at: 'due_at' } as const;
  const given = {
    ...ORDERS,
    parameters: { due_at: { type: 'ticks', default: 1 } },
    transitions: ORDERS.transitions.map((one) => (one.id === 'lapse' ? { ...one, trigger } : one)),
  };
  const definition = Definition.parse(given);
  const deployment = { tick: 1_000, source: { ...environment, balance: () => 0 } };
  expect(checkDraft(definition, { deployment }).faults).toEqual([]);
  const { steps } = run([{ at: 5, ...order('A'), expect: { refused: ['NOT_SPAWNED'] } }], definition);
  expect(steps[0]?.mismatches).toEqual([]);
});

test('a comparison says what a new version means for instances', () => {
  const compiled = (definition: Definition) => compileContract(definition, {});
  const codes = (after: Definition) =>
    compareDefinitions(compiled(ORDERS), compiled(after)).consequences.map(({ code }) => code);
  expect(codes({ ...ORDERS, title: 'Orders' })).toEqual(['INSTANCES']);
  const { key: _, spawn: __, ...single } = ORDERS;
  expect(codes(single)).toContain('REFUSED');
});

test('the library simulates instances, too', async () => {
  const steps = [{ ...order('A') }, { expect: { instance: 'A', state: 'placed' } }];
  const { results } = await simulate(ORDERS, { name: 'x', steps });
  expect(results).toMatchObject([{ isMet: true, steps: [{ instance: 'A' }, { instance: 'A', instances: [] }] }]);
});
