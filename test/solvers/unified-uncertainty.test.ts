// ± of unified carries constants of laws, given uncertainties and the accuracy of empirical laws.

import { expect, test } from 'vitest';
import { solve as run } from '../protocol/sealed-case.ts';

const solve = async (fields: Readonly<Record<string, unknown>>, operators: readonly string[] = []) =>
  (await run('unified', fields, { operators })).pure;
const partOf = ({ uncertainty_budget: budget }: Awaited<ReturnType<typeof solve>>, source: string) =>
  budget.find((part) => part.source === source)?.value ?? 0;

const BODIES = { m1: 5.972e24, m2: 7.348e22, r: 3.844e8 };
/** Standard uncertainty of G relative to it (CODATA 2022). */
const RELATIVE_G = 0.00015 / 6.6743;

test('the constant of gravitation of a law enters, as in compute', async () => {
  const pure = await solve({ equations: [], vars: BODIES }, ['CM2']);
  expect(partOf(pure, 'constants') / pure.value).toBeCloseTo(RELATIVE_G, 9);
  expect(pure.uncertainty).toBeGreaterThanOrEqual(2 * partOf(pure, 'constants'));
  expect(pure.precisionBound).toBe(1e-4);
});

test('a constant in two equations counts once', async () => {
  const pure = await solve({ equations: 'q = F/(2*F)', vars: BODIES, outputs: ['q', 'F'] }, ['CM2']);
  expect(partOf(pure, 'constants')).toBeLessThan(1e-12);
});

test('given uncertainties of numbers and of initial values enter a differential system', async () => {
  const decay = { equations: "x' = -k*x", vars: { k: 0.7 }, initial: { x: 2 }, t_end: 1 };
  const exact = await solve(decay);
  const pure = await solve({ ...decay, uncertainties: { k: 0.01, x: 0.05 } });
  expect(pure.value).toBe(exact.value);
  // dx/dk = -x and dx/dx0 = x/x0 at t = 1.
  const expected = Math.hypot(0.01 * pure.value, (0.05 / 2) * pure.value);
  expect(partOf(pure, 'inputs') / expected).toBeCloseTo(1, 1);
  expect(pure.uncertainty).toBeGreaterThan(1.9 * expected);
  const end = pure.quantities.find(({ name }) => name === 'x_end');
  expect(end?.uncertainty).toBe(pure.uncertainty);
});

test('the time of an event moves with the numbers that it depends on', async () => {
  const fall = {
    equations: "h' = v\nv' = -g",
    vars: { g: 9.8 },
    initial: { h: 5, v: 0 },
    events: 'h = 0 down -> stop',
    t_end: 3,
  };
  const { quantities } = await solve({ ...fall, uncertainties: { g: 0.1 } });
  const time = quantities.find(({ name }) => name === 'event_1_first_t');
  // t = √(2h/g): half the relative uncertainty of g, twice for the interval.
  expect((time?.uncertainty ?? 0) / ((time?.value ?? 1) * (0.1 / 9.8))).toBeCloseTo(1, 1);
});

test('at a stationary point ± is of the second order, not zero', async () => {
  const pure = await solve({ equations: 'y = 1 - (x - 3)^2', vars: { x: 3 }, uncertainties: { x: 0.1 } });
  expect(pure.uncertainty).toBeCloseTo(0.04, 6);
});

test('the accuracy of an empirical law enters as a bound', async () => {
  const inputs = { Re: 52_000, Pr: 5.1, Tw: 338.6, Tb: 303.1 };
  const pure = await solve({ equations: [], vars: inputs }, ['HT19']);
  expect(partOf(pure, 'model') / pure.value).toBeCloseTo(0.35, 6);
});

test('without any of them nothing changes', async () => {
  const pure = await solve({ equations: 'y = 2*x', vars: { x: 3 } });
  expect(pure.runs).toHaveLength(1);
  expect(pure.uncertainty).toBeLessThan(1e-14);
});

test.each([
  [{ z: 1 }, 'uncertainties.z matches no number of vars or initial.'],
  [{ x: -1 }, 'uncertainties.x is -1'],
])('uncertainties %j are refused by name', async (uncertainties, message) => {
  await expect(solve({ equations: 'y = 2*x', vars: { x: 3 }, uncertainties })).rejects.toThrow(message);
});
