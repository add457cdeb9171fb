// Prices and greeks at the ends of what is allowed, against 40 digits computed outside.

import { expect, test } from 'vitest';
import { quant } from '../../src/solvers/quant/solver.ts';
import { runSolver } from '../suites/run-solver.ts';

const atOnce = { T: 1e-8, paths: 50_000 } as const;
const beyondReach = { S0: 1e-6, K: 1e9, sigma: 1, paths: 50_000 } as const;
const tight = { r: -0.013, q: 0.016, sigma: 0.03, T: 0.01, paths: 60_000 } as const;

test.each([
  ['delta at once', { ...atOnce }, 'delta_closed_form', 0.5000139629798112],
  ['gamma of a digital at once', { ...atOnce, style: 'digital', type: 'put' }, 'gamma_closed_form', 3.490744951374454],
  ['theta of a digital at once', { ...atOnce, style: 'digital', type: 'put' }, 'theta_closed_form', 299.2317098185912],
  ['rho at its least volatility', { K: 105.127, sigma: 1e-4 }, 'rho_closed_form', 50.414004446996685],
  ['a price whose square is no number', { ...beyondReach, seed: 855 }, 'value', 4.656323101910355e-261],
  ['the same by Sobol', { ...beyondReach, seed: 980, sampler: 'sobol' }, 'value', 4.656323101910355e-261],
  [
    'a volatility whose price is nearly the inner value',
    { K: 99, r: 0.02, price: 2.9603313426312265, paths: 1000 },
    'implied_volatility',
    0.003997978755302771,
  ],
  [
    'a volatility out of the money',
    { K: 150, r: 0.02, T: 0.05, price: 6.815240391707551e-6, paths: 1000 },
    'implied_volatility',
    0.4,
  ],
  [
    'a barrier that no path meets',
    { ...tight, style: 'barrier', H: 98, type: 'put', seed: 67, sampler: 'sobol' },
    'value',
    0.1347393678157263,
  ],
] as const)('%s is within ±', async (_, input, name, truth) => {
  const { value, uncertainty, quantities } = await runSolver(quant, input);
  const one = name === 'value' ? { value, uncertainty } : quantities.find((quantity) => quantity.name === name);
  expect(Math.abs((one?.value ?? Number.NaN) - truth)).toBeLessThanOrEqual(one?.uncertainty ?? 0);
});

test.each([
  ['no time', { T: 0 }],
  ['no time, a digital', { T: 0, style: 'digital' }],
  ['no time, an average', { T: 0, style: 'asian' }],
  ['no time, American', { T: 0, style: 'american' }],
  ['no volatility and no rate', { sigma: 0, r: 0 }],
] as const)('at the money with %s the price is 0 and certain', async (_, input) => {
  const { value, uncertainty, converged, bound } = await runSolver(quant, input as never);
  expect([value, converged]).toEqual([0, true]);
  expect(uncertainty).toBeLessThan(1e-9);
  expect(bound).toBeLessThan(2e-3);
});

test('an answer that is not converged is as uncertain as its second way is far', async () => {
  const { converged, value, uncertainty } = await runSolver(quant, {
    ...{ type: 'put', style: 'digital', r: 0, sigma: 0.1, K: 150 },
    ...{ sampler: 'sobol', paths: 50_000, seed: 946 },
  });
  expect(converged).toBe(false);
  expect(Math.abs(value - 0.9999797537213959)).toBeLessThanOrEqual(uncertainty);
});

test.each([
  ['sigma', { sigma: 5, T: 21 }],
  ['sigma', { sigma: 5, T: 9, style: 'american' }],
  ['vols', { vols: [[30, 5]], T: 30 }],
] as const)('a variance that overflows paths names %s', async (field, input) => {
  await expect(runSolver(quant, input as never)).rejects.toThrow(new RegExp(`^${field}: the variance until T`));
});
