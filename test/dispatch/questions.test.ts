// The held half of the labelled sentences, and those written later: the rules were tuned on the other half. All have the
// author of the words of the solvers; docs/decisions/0037 has the figures, and those of the peers.

import { expect, test } from 'vitest';
import { OPERATORS } from '../../src/operators/load.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { yardsticksOf } from '../suites/yardstick.ts';
import { ALL, answerOf, FRESH, HELD, LAST, LATER, scoreOf, THIRD, THIRD_HELD, TUNE, UNREAD } from './questions.ts';

test('targets and inputs of the sentences exist', () => {
  expect(ALL.filter(({ target }) => target !== null).length).toBeGreaterThanOrEqual(200);
  expect(ALL.filter(({ target }) => target === null).length).toBeGreaterThanOrEqual(60);
  for (const { query, target, inputs = {} } of [...TUNE, ...HELD, ...LATER, ...LAST, ...FRESH, ...THIRD]) {
    if (target === null) continue;
    const known = SOLVERS.find(({ id }) => id === target)?.inputs.shape ?? OPERATORS.get(target)?.inputs;
    for (const name of Object.keys(inputs)) expect(known, query).toHaveProperty([name]);
  }
});

test.each([
  ['held', HELD],
  ['later', LATER],
  ['last', LAST],
])(
  'of the sentences that are %s, at least 0.95 of the answers are right, 0.85 are answered, 0.9 refused',
  (_, asked) => {
    const { answered, right, slots, refused, wrong } = scoreOf(asked);
    expect(right, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
    expect(answered).toBeGreaterThanOrEqual(0.85);
    expect(refused, wrong.join('\n')).toBeGreaterThanOrEqual(0.9);
    expect(slots).toBeGreaterThanOrEqual(0.9);
  },
);

test('of sentences by another author 0.95 of the answers are right, 0.85 answered, all out of scope refused', () => {
  const { answered, right, slots, refused, wrong } = scoreOf(FRESH);
  expect(right, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
  expect(answered).toBeGreaterThanOrEqual(0.85);
  expect(refused, wrong.join('\n')).toBe(1);
  // 0.78 when they were written; words were added since from half of them (0.89 -> 1), the other half is at 0.89.
  expect(slots).toBeGreaterThanOrEqual(0.93);
});

test.each([
  ['all', THIRD, 0.92],
  ['held', THIRD_HELD, 0.85],
  // 34 of 41.
  ['never read', UNREAD, 0.82],
])('of the sentences by a third author, %s, 0.95 are right, slots and refusals 0.9', (_, asked, least) => {
  const { answered, right, slots, refused, wrong } = scoreOf(asked);
  expect(right, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
  expect(answered).toBeGreaterThanOrEqual(least);
  expect(refused, wrong.join('\n')).toBeGreaterThanOrEqual(0.9);
  expect(slots).toBeGreaterThanOrEqual(0.9);
});

test.each([
  ['SEIR model with beta 0.5 and recovery in 6 days', 'epi', { gamma: 1 / 6 }],
  ['power of a thermal reactor after a reactivity step of 0.002 for 30 s', 'reactor', { t_end: 30 }],
  ['European call, strike 100, volatility 25 %, half a year to expiry', 'quant', { T: 0.5 }],
  ['least number of comparisons to sort 1000 items', 'CS4', { n: 1000 }],
  ['third harmonic of a fixed string 65 cm long, tension 80 N, 0.4 g/m', 'WM3', { n: 3 }],
  ['resistance of 50 m of copper wire, 1.5 mm2, resistivity 1.68e-8 ohm m', 'EM56', { rho: 1.68e-8 }],
  [
    "van der Pol: x' = v, v' = 3*(1 - x^2)*v - x, x(0) = 1, v(0) = 0, t from 0 to 30 with a stiff method",
    'unified',
    {},
  ],
])('%s: rules of English are read', (query, target, inputs) => {
  const outcome = answerOf({ query, target });
  if (outcome.kind !== 'chosen') throw new Error(`${query} was refused`);
  expect(outcome.dispatch.target.id).toBe(target);
  expect(Object.fromEntries(outcome.dispatch.inputs.map(({ name, value }) => [name, value]))).toMatchObject(inputs);
});

test.each([
  ['room modes of a hall of 12 x 8 x 5 m', 'acoustic', { lx: 12, ly: 8, lz: 5 }],
  ['heat in a plate of 0.3 m by 0.2 m, 40 by 30 cells', 'heat', { lx: 0.3, ly: 0.2, nx: 40, ny: 30 }],
  ['Gray-Scott patterns on a 96 by 96 grid', 'react', { N: 96 }],
  ['Lyapunov exponent of the Roessler system with a = 0.1, b = 0.1, c = 9', 'lorenz', { a: 0.1, b: 0.1, c: 9 }],
])('%s: sizes and letters are read', (query, target, inputs) => {
  const outcome = answerOf({ query, target });
  if (outcome.kind !== 'chosen') throw new Error(`${query} was refused`);
  expect(outcome.dispatch.target.id).toBe(target);
  expect(outcome.dispatch.unused).toEqual([]);
  expect(Object.fromEntries(outcome.dispatch.inputs.map(({ name, value }) => [name, value]))).toMatchObject(inputs);
});

test('a law gives way where it would leave at its default what the words say', () => {
  const outcome = answerOf({
    query: 'buckling load of a clamped-clamped strut of 3.6 m, E 200 GPa, I 1.4e-6 m^4',
    target: 'buckling',
  });
  if (outcome.kind !== 'chosen') throw new Error('refused');
  expect(outcome.dispatch.target.id).toBe('buckling');
});

test('an answer leads the next alternative, or is its own law', () => {
  for (const question of [...TUNE, ...HELD, ...LATER]) {
    const outcome = answerOf(question);
    if (outcome.kind !== 'chosen') continue;
    const { target, confidence, alternatives, missing } = outcome.dispatch;
    expect(missing, question.query).toEqual([]);
    for (const other of alternatives.filter(({ kind }) => kind === 'solver'))
      if (target.kind === 'solver') expect(confidence / other.confidence, question.query).toBeGreaterThan(1.05);
  }
});

test('a sentence takes a few milliseconds of one core', () => {
  const asked = [...TUNE, ...HELD];
  const all = () => {
    for (const question of asked) answerOf(question);
  };
  all();
  expect(yardsticksOf(all, 3) / asked.length).toBeLessThan(25);
});
