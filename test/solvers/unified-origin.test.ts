// Origin of the numbers of unified: a law's id stands only for what its registered definition computed.

import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/core/sha256.ts';
import { definitionOf } from '../../src/operators/definition.ts';
import { findOperator } from '../../src/operators/load.ts';
import { unified } from '../../src/solvers/unified/solver.ts';

const BOX = { n: 3, m: 9.1093837139e-31, L: 2.5e-9 };
/** QM5 for n = 3, from mpmath with 40 digits and the CODATA 2022 constants. */
const BOX_ENERGY = 8.675521047412691e-20;
const OWN = /^own:[0-9a-f]{16}$/;

const solve = (input: Parameters<typeof unified.solve>[0], ...ids: readonly string[]) =>
  unified.solve(input, { laws: ids.map((id) => definitionOf(findOperator(id))) });

const originsOf = async (...request: Parameters<typeof solve>) =>
  ((await solve(...request)).results ?? []).map(({ operator_id }) => operator_id);

test('equations of the caller are named by the hash of their text, without needless spaces', async () => {
  const { value, results } = await solve({ equations: ['b = 2', 'a  =  b * 3'], vars: {} });
  const text = JSON.stringify({ equations: ['a=b*3', 'b=2'], events: [] });
  expect(results).toMatchObject([{ operator_id: `own:${sha256Hex(text).slice(0, 16)}`, value }]);
  const id = (await originsOf({ equations: 'a = b*3; b = 2' }))[0];
  expect(id).toBe(results?.[0]?.operator_id);
  expect((await originsOf({ equations: 'a = b*3; b = 2 + 0' }))[0]).not.toBe(id);
  expect((await originsOf({ equations: 'a = b*3', vars: { b: 2 } }))[0]).not.toBe(id);
});

test('initial values and events are part of the equations', async () => {
  const fall = { equations: "y' = v; v' = -10; y(0) = 1; v(0) = 0", t_end: 0.3 };
  const ids = await Promise.all([
    originsOf(fall),
    originsOf({ ...fall, equations: "y' = v; v' = -10; y(0) = 2; v(0) = 0" }),
    originsOf({ ...fall, events: 'y = 0.9 down' }),
    originsOf({ ...fall, events: 'y = 0.9 down -> stop' }),
  ]);
  for (const [id, ...others] of ids) {
    expect(others).toEqual([]);
    expect(id).toMatch(OWN);
  }
  expect(new Set(ids.flat()).size).toBe(4);
});

test('a law that made the value names it, also if an equation feeds its input', async () => {
  expect(await originsOf({ vars: BOX }, 'QM5')).toEqual(['QM5']);
  const { m, L } = BOX;
  const fed = await solve({ equations: 'n = k + 1', vars: { k: 2, m, L }, outputs: ['E'] }, 'QM5');
  expect(fed.results).toMatchObject([{ operator_id: 'QM5', value: fed.value, unit: 'J' }]);
  expect(Math.abs(fed.value / BOX_ENERGY - 1)).toBeLessThan(1e-15);
  expect(await originsOf({ equations: 'n = k + 1', vars: { k: 2, m, L } }, 'QM5')).toEqual(['QM5']);
  const qualified = await solve({ vars: { 'QM5.n': 3, m, L } }, 'QM5');
  expect(qualified.value).toBe(fed.value);
});

test('the value of an equation that uses a law is own, and the law keeps its own number', async () => {
  const { results, value } = await solve({ equations: 'y = 2*E', vars: BOX }, 'QM5');
  expect(results).toMatchObject([{ operator_id: 'QM5' }, { operator_id: expect.stringMatching(OWN), value }]);
  expect(Math.abs((results?.[0]?.value ?? 0) / BOX_ENERGY - 1)).toBeLessThan(1e-15);
});

test('a result has its own ±, not that of the value', async () => {
  // All digits of the value cancel, none of the law's.
  const { results, value, uncertainty } = await solve(
    { equations: 'y = E/E1 - 8.67552', vars: { ...BOX, E1: 1e-20 }, units: { E1: 'J' } },
    'QM5',
  );
  expect(Math.abs(value - (BOX_ENERGY * 1e20 - 8.67552))).toBeLessThanOrEqual(uncertainty);
  expect(uncertainty / value).toBeGreaterThan(1e-11);
  const law = results?.[0];
  expect(law?.operator_id).toBe('QM5');
  expect(Math.abs((law?.value ?? 0) - BOX_ENERGY)).toBeLessThanOrEqual(law?.uncertainty ?? 0);
  expect((law?.uncertainty ?? 1) / BOX_ENERGY).toBeLessThan(1e-14);
});

test('the law of the value is the last result, also if another law uses it', async () => {
  const chained = { vars: { v0: 0, a: 2, s: 9, m: 3 } };
  expect(await originsOf(chained, 'CM4', 'CM9')).toEqual(['CM4', 'CM9']);
  const both = await solve({ ...chained, outputs: ['v', 'K'], equations: 'K2 = 2*K' }, 'CM4', 'CM9').catch(String);
  expect(both).toMatch(/CM9 computes K, which does not enter v, the value/);
});

test('laws that only an invariant or an event reads stay beside the value of the equations', async () => {
  const units = { y: 'm', v: 'm/s', t: 's' };
  const equations = "y' = v; v' = 9.80665*a; y(0) = 10; v(0) = 0";
  const request = {
    t_end: 1,
    equations,
    vars: { m: 2, a: 1, limit: 50 },
    units: { ...units, a: 'm/s^2', limit: 'J' },
    outputs: ['y'],
  };
  expect(await originsOf({ ...request, events: 'K = limit up' }, 'CM9')).toEqual(['CM9', expect.stringMatching(OWN)]);
  expect(await originsOf({ ...request, invariants: 'K - K' }, 'CM9')).toEqual(['CM9', expect.stringMatching(OWN)]);
});

test.each([
  [
    'an equation that ignores the law',
    { equations: 'E0 = claim*1', vars: { claim: 42, ...BOX } },
    /QM5 computes E, which does not enter E0, the value/,
  ],
  [
    'an equation for its result',
    { equations: 'E = claim*1', vars: { claim: 42, ...BOX } },
    /E is on the left of two equations.*A law whose result you define computes nothing; leave out one of them\./,
  ],
  [
    'a number for its result',
    { vars: { E: 42, ...BOX } },
    /vars\.E is given, but QM5 computes E\. A law whose result you define computes nothing/,
  ],
  ['an initial value of its result', { equations: 'E(0) = 42', vars: BOX }, /E has no differential equation/],
  ['a derivative of its result', { equations: "E' = 1; E(0) = 42", vars: BOX }, /E is on the left of two equations/],
  [
    'an event that assigns its result',
    { equations: "x' = E/P; x(0) = 0", vars: { ...BOX, P: 1 }, units: { P: 'J*s' }, events: 'x = 0.1 -> E = 42' },
    /E cannot be assigned/,
  ],
  [
    'a number for its constant',
    { vars: { 'QM5.hbar': 1, ...BOX } },
    /vars\.QM5\.hbar is given, but hbar is a constant of QM5 and cannot be changed\./,
  ],
  ['a unit for its constant', { vars: BOX, units: { 'QM5.hbar': 'J*s' } }, /units\.QM5\.hbar belongs to no symbol/],
])('%s is refused', async (_, input, message) => {
  await expect(solve(input, 'QM5')).rejects.toThrow(message);
});

test.each([
  ['a bare number', { vars: { hbar: 1, ...BOX } }],
  ['an equation', { equations: 'hbar = 1; y = E*hbar', vars: BOX, outputs: ['E'] }],
])('%s under the name of a constant never reaches the law', async (_, input) => {
  const { value, results } = await solve(input, 'QM5');
  expect(Math.abs(value / BOX_ENERGY - 1)).toBeLessThan(1e-15);
  expect(results?.at(-1)?.operator_id).toBe('QM5');
});

test('an equation under the name of an intermediate value of a law never reaches the law', async () => {
  const law = definitionOf(findOperator('CS24'));
  expect(law.output.symbol).toBe('t');
  const where = {
    ...law,
    output: { symbol: 'y', unit: '1' },
    equation: 'y = w + 1',
    where: { w: '2*a' },
    inputs: { a: { unit: '1' } },
  };
  const run = (equations: string) => unified.solve({ equations, vars: { a: 3 }, outputs: ['y'] }, { laws: [where] });
  expect((await run('w = 100')).value).toBe(7);
  expect((await run('w = 100; z = w + y')).value).toBe(7);
});

test('a law for t is refused, since t is the independent variable', async () => {
  const inputs = { t1: 1, m1: 0.1, t2: 10, m2: 0.2, tm: 100 };
  for (const input of [{ vars: inputs }, { vars: inputs, t_end: 42 }, { equations: 'y = 2*t', vars: inputs }])
    await expect(solve(input, 'CS24')).rejects.toThrow(/CS24 computes t, which is the independent variable here/);
});
