// Heston's variance: parity, limits, greeks by differences of prices, the error of the steps, and extreme parameters.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { Solution } from '../../src/solvers/definition.ts';
import { characteristicExponent } from '../../src/solvers/quant/heston.ts';
import type { inputs } from '../../src/solvers/quant/inputs.ts';
import { quant } from '../../src/solvers/quant/solver.ts';
import { runSolver } from '../suites/run-solver.ts';

type Input = z.input<typeof inputs>;

const solve = (input: Input) => runSolver(quant, { model: 'heston', ...input });
const named = ({ quantities }: Solution, name: string): number =>
  quantities.find((one) => one.name === name)?.value ?? Number.NaN;

const parameters = fc.record({
  K: fc.double({ min: 40, max: 250, noNaN: true }),
  r: fc.double({ min: -0.05, max: 0.15, noNaN: true }),
  q: fc.double({ min: -0.05, max: 0.15, noNaN: true }),
  T: fc.double({ min: 0.05, max: 10, noNaN: true }),
  v0: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
  kappa: fc.double({ min: 0, max: 10, noNaN: true }),
  theta: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
  sigma_v: fc.double({ min: 0, max: 1, noNaN: true }),
  rho: fc.double({ min: -0.95, max: 0.95, noNaN: true }),
});

test('calls and puts differ by the forward, both ways agree, and the variance needs no condition', async () => {
  const holds = async (input: Input) => {
    const [call, put] = [await solve(input), await solve({ ...input, type: 'put' })];
    const [discount, forward] = [named(call, 'discount'), named(call, 'forward')];
    const apart = call.value - put.value - discount * (forward - (input.K ?? 100));
    expect(Math.abs(apart)).toBeLessThanOrEqual(call.uncertainty + put.uncertainty);
    expect([call.converged, put.converged]).toEqual([true, true]);
  };
  await fc.assert(fc.asyncProperty(parameters, holds), { numRuns: 40 });
});

test('without volatility of the variance, the price is that of Black and Scholes with its mean', async () => {
  const flat = { v0: 0.04, theta: 0.04, kappa: 1.3, K: 110, T: 0.7 };
  const { witness } = await runSolver(quant, { K: 110, T: 0.7, sigma: 0.2, paths: 1000 });
  for (const sigma_v of [0, 1e-9, 1e-6, 1e-4]) {
    const { value, uncertainty } = await solve({ ...flat, sigma_v });
    // The first order in sigma_v is that of the skew.
    expect(Math.abs(value - witness.reference)).toBeLessThan(1e-9 + uncertainty + 2 * sigma_v);
  }
});

test.each([
  ['delta', 'S0', 100, 1],
  ['vega_v0', 'v0', 0.0175, 1],
  ['rho', 'r', 0.03, 1],
  ['theta', 'T', 0.8, -1],
] as const)('%s is the difference of prices by %s', async (name, field, at, sign) => {
  const input = { S0: 100, K: 93, r: 0.03, q: 0.01, T: 0.8, v0: 0.0175, rho: -0.5 };
  const step = at * 1e-3;
  const prices = [-2, -1, 1, 2].map((k) => solve({ ...input, [field]: at + k * step }));
  const [a = 0, b = 0, c = 0, d = 0] = (await Promise.all(prices)).map(({ value }) => value);
  const difference = (a - 8 * b + 8 * c - d) / (12 * step);
  const greek = named(await solve(input), name);
  expect(Math.abs(sign * greek - difference)).toBeLessThan(1e-7 * (1 + Math.abs(greek)));
});

test('the equations of the exponent have the known solution without volatility of the variance', () => {
  const heston = { v0: 0.09, kappa: 2, theta: 0.04, sigmaV: 0, rho: -0.5 };
  const w = 0.04 * 1.5 + (0.05 * (1 - Math.exp(-3))) / 2;
  const { re, im } = characteristicExponent(heston, 1.5, { re: 3, im: 0 });
  expect(Math.abs(re + 4.5 * w)).toBeLessThan(1e-14);
  expect(Math.abs(im + 1.5 * w)).toBeLessThan(1e-14);
});

test('a moment that is infinite is said to be', () => {
  const heston = { v0: 0.04, kappa: 0.5, theta: 0.04, sigmaV: 1, rho: 0.9 };
  expect(characteristicExponent(heston, 5, { re: 0, im: -3 }).re).toBe(Number.POSITIVE_INFINITY);
  expect(Math.abs(characteristicExponent(heston, 5, { re: 0, im: -1 }).re)).toBeLessThan(1e-13);
});

test.each([
  ['a day', { T: 1 / 365, v0: 0.04 }],
  ['a minute', { T: 2e-6 }],
  ['a third of a second', { T: 1e-8 }],
  ['a century', { T: 100 }],
  ['a variance that starts at 0', { v0: 0, T: 0.1 }],
  ['a variance that is drawn to 0', { theta: 0 }],
  ['no reversion', { kappa: 0 }],
  ['nearly one noise', { rho: -0.99, sigma_v: 2 }],
  ['far out of the money', { K: 400 }],
  ['far in the money', { K: 20 }],
] as const)('both ways agree for %s', async (_, input) => {
  const { converged, value, witness, uncertainty } = await solve(input);
  expect(converged).toBe(true);
  expect(Math.abs(value - witness.reference)).toBeLessThanOrEqual(uncertainty + 1e-10 * witness.scale);
});

test('an integrand that does not end is not converged, and says so', async () => {
  const { converged, notes } = await solve({ sigma_v: 5, kappa: 0.1, theta: 0.01, v0: 0.01 });
  expect(converged).toBe(false);
  expect(notes.join(' ')).toContain('not negligible after 400000 nodes');
});

test('paths with few steps are off by more than their scatter, and ± says so', async () => {
  const input = { model: 'heston-paths', T: 5, sigma_v: 1, kappa: 0.5, K: 100, paths: 400_000 } as const;
  const { value, uncertainty, witness, quantities } = await runSolver(quant, { ...input, time_steps: 3 });
  const error = quantities.find(({ name }) => name === 'standard_error')?.value ?? Number.NaN;
  expect(Math.abs(value - witness.reference)).toBeGreaterThan(4 * error);
  expect(Math.abs(value - witness.reference)).toBeLessThanOrEqual(uncertainty);
  const fine = await runSolver(quant, { ...input, time_steps: 160 });
  expect(Math.abs(fine.value - fine.witness.reference)).toBeLessThan(4 * error);
});

test('where the variance hardly scatters, the steps cover all of the time', async () => {
  const flat = { v0: 0.04, theta: 0.04, kappa: 1, T: 1.5, paths: 100_000 } as const;
  const { value, quantities } = await runSolver(quant, {
    ...{ model: 'heston-paths', sigma_v: 1e-3, time_steps: 16 },
    ...flat,
  });
  const error = quantities.find(({ name }) => name === 'standard_error')?.value ?? Number.NaN;
  const { witness } = await runSolver(quant, { T: 1.5, sigma: 0.2, paths: 1000 });
  // The skew is of the first order in sigma_v.
  expect(Math.abs(value - witness.reference)).toBeLessThan(4 * error + 2e-3);
  expect(error).toBeLessThan(0.02);
});

test('the variance that reaches 0 is named', async () => {
  const { notes, quantities } = await solve({ kappa: 2, theta: 0.04, sigma_v: 0.5 });
  expect(notes.join(' ')).toContain('Feller');
  expect(quantities.find(({ name }) => name === 'feller_ratio')?.value).toBeCloseTo(0.64, 12);
  expect((await solve({ sigma_v: 0.3 })).notes.join(' ')).not.toContain('Feller');
});

test('the axis of the density is the price at expiry, that of the prices the strike', async () => {
  const { plots } = await solve({});
  const xOf = (title: string) => {
    const plot = plots.find((one) => one.title === title);
    return plot?.kind === 'line' ? (plot.words?.[plot.x] ?? plot.x) : undefined;
  };
  expect(xOf('Density of the price at expiry')).toBe('price at expiry');
  expect(xOf('Price over the strike')).toMatch(/^strike/);
});
