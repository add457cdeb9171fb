// Guards on named windows: several in one guard, expiry, and windows that run empty.

import { expect, test } from 'vitest';
import { reading, run, statesOf, watch } from './windows-fixture.ts';

test('a guard holds only when both windows say so', () => {
  const steps = [reading(1, 0), reading(2, 0), reading(10, 25), reading(11, 30)];
  // At 10 the fast window has 25 and the slow one (0 + 0 + 25) / 3; at 11 they have 27.5 and 13.75.
  expect(statesOf(run(watch(), steps))).toEqual(['calm', 'calm', 'calm', 'alarm']);
});

test('a sample that leaves evaluates the guard again, in the tick in which it leaves', () => {
  const raised = [reading(1, 90), reading(4, 0)];
  // 90 leaves the fast window after tick 5; the slow one until tick 20. Then both have 0.
  const steps = [...raised, { at: 20 }, { at: 21 }];
  expect(statesOf(run(watch(), steps))).toEqual(['alarm', 'alarm', 'alarm', 'alarm']);
  const either = watch({}, 'fast.value < 5');
  expect(statesOf(run(either, [...raised, { at: 5 }, { at: 6 }]))).toEqual(['alarm', 'alarm', 'alarm', 'calm']);
});

test.each(['avg', 'min', 'max', 'last', 'range'])('silence clears a window of %s by empty', (fn) => {
  const windows = { fast: { event: 'reading', fn, field: 'value', within: 5 } };
  const guards = [
    'fast.empty',
    'fast.count == 0',
    'fast.empty or fast.value < -5',
    '(fast.empty ? -9 : fast.value) < -5',
  ];
  for (const clear of guards) {
    const definition = watch({ windows, transitions: transitionsOf('fast.value > 10 or fast.count > 1', clear) });
    const reports = run(definition, [reading(1, 20), reading(2, 40), { at: 6 }, { at: 7 }]);
    expect([clear, ...statesOf(reports)]).toEqual([clear, expect.anything(), 'alarm', 'alarm', 'calm']);
  }
});

test.each([
  'fast.value < 5',
  'not (fast.value > 10)',
  'fast.value != 20',
  'fast.empty and fast.value < 5',
  'fast.value < 5 ? true : fast.value < 6',
])('the guard %s needs a value, which an empty window does not have', (clear) => {
  const definition = watch({ transitions: transitionsOf('fast.value > 10', clear) });
  expect(statesOf(run(definition, [reading(1, 20), { at: 30 }]))).toEqual(['alarm', 'alarm']);
});

test('a window without a value leaves the other one to decide', () => {
  const definition = watch({ transitions: transitionsOf('fast.value > 10', 'fast.value < 1 or slow.value > 15') });
  // In tick 6 the fast window is empty, and the slow one still has 20.
  expect(statesOf(run(definition, [reading(1, 20), { at: 5 }, { at: 6 }]))).toEqual(['alarm', 'alarm', 'calm']);
});

test('sum, count and distinct of an empty window are 0', () => {
  for (const fn of ['sum', 'count', 'distinct']) {
    const windows = { fast: { event: 'reading', fn, field: 'value', within: 5 } };
    const definition = watch({ windows, transitions: transitionsOf('fast.value > 0', 'fast.value == 0') });
    expect(statesOf(run(definition, [reading(1, 20), { at: 6 }]))).toEqual(['alarm', 'calm']);
  }
});

test('named expressions read windows, also empty ones', () => {
  const shared = { load: 'fast.empty ? 0 : fast.value', excess: 'fast.value - 10' };
  const definition = watch({ let: shared, transitions: transitionsOf('excess > 0', 'load < 1') });
  expect(statesOf(run(definition, [reading(1, 20), { at: 5 }, { at: 6 }]))).toEqual(['alarm', 'alarm', 'calm']);
  const blind = watch({ let: shared, transitions: transitionsOf('excess > 0', 'excess < 5') });
  expect(statesOf(run(blind, [reading(1, 20), { at: 30 }]))).toEqual(['alarm', 'alarm']);
});

test('transitions on events read windows, and actions write their values', () => {
  const [raise, clear] = transitionsOf('fast.value > 10', 'fast.empty');
  const definition = watch({
    context: { peak: { type: 'number', initial: 0 } },
    events: { reading: { payload: { value: 'number' } }, ask: {} },
    transitions: [
      { ...raise, post: [{ set: { peak: 'max(peak, fast.value)' } }] },
      { ...clear, trigger: { kind: 'event', event: 'ask' } },
    ],
  });
  const reports = run(definition, [
    reading(1, 30),
    { at: 2, send: 'ask' },
    { at: 5 },
    { at: 9 },
    { at: 10, send: 'ask' },
  ]);
  expect(statesOf(reports)).toEqual(['alarm', 'alarm', 'alarm', 'alarm', 'calm']);
  expect(reports.at(-1)?.context).toEqual({ peak: 30 });
});

test('an action that needs the value of an empty window is refused, and is no fault of the contract', () => {
  const [raise, clear] = transitionsOf('fast.value > 10', 'true');
  const definition = watch({
    context: { latest: { type: 'number', initial: 0 } },
    events: { reading: { payload: { value: 'number' } }, ask: {} },
    transitions: [
      raise,
      { ...clear, trigger: { kind: 'event', event: 'ask' }, post: [{ set: { latest: 'fast.value' } }] },
    ],
  });
  const asks = Array.from({ length: 7 }, (_, i) => ({ at: 10 + i, send: 'ask' }));
  const reports = run(definition, [reading(1, 20), ...asks, reading(30, 3), { at: 31, send: 'ask' }]);
  expect(reports[7]?.refused.join()).toContain('latest would become NaN');
  expect(reports.at(-1)).toMatchObject({ state: 'calm', context: { latest: 3 } });
});

test('a payload of the wrong form is refused and not counted', () => {
  const reports = run(watch({ transitions: transitionsOf('fast.count > 1', 'fast.empty') }), [
    reading(1, 1),
    { at: 2, send: 'reading', payload: { value: 'high' } },
    { at: 2, send: 'reading', payload: {} },
    reading(3, 1),
  ]);
  expect(reports[1]?.refused.join()).toContain('payload.value is "high"; a number is expected');
  expect(statesOf(reports)).toEqual(['calm', 'calm', 'calm', 'alarm']);
});

function transitionsOf(raise: string, clear: string) {
  const [first, second] = watch().transitions;
  return [
    { ...first, fires_when: raise },
    { ...second, fires_when: clear },
  ] as const;
}
