// The inputs of an option: contract, market, and how it is sampled.

import { z } from 'zod';
import { choice, real, seed, whole } from '../parts/inputs.ts';

const STYLES = ['european', 'digital', 'asian', 'barrier', 'american'] as const;
const MODELS = ['lognormal', 'heston', 'heston-paths'] as const;
const BARRIERS = ['down-out', 'down-in', 'up-out', 'up-in'] as const;
const MAX_DATES = 366;
const MAX_KNOTS = 64;

/** Pairs of a time and a number. */
const pairs = (help: string, unit: string) =>
  z.array(z.array(z.number()).length(2)).max(MAX_KNOTS).optional().describe(help).meta({ unit });

export const inputs = z.strictObject({
  type: choice('Right to buy or to sell', ['call', 'put']),
  style: choice('asian: on the mean of dates; digital: pays 1; american: on a lattice', STYLES),
  S0: real('Price of the underlying', { unit: '$', symbol: 'S', min: 1e-6, max: 1e9, default: 100 }),
  K: real('Strike', { unit: '$', symbol: 'K', min: 1e-6, max: 1e9, default: 100 }),
  r: real('Interest rate, continuous', { unit: '1/yr', symbol: 'r', min: -0.5, max: 2, default: 0.05 }),
  q: real('Dividend yield, continuous', { unit: '1/yr', symbol: 'q', min: -0.5, max: 2, default: 0 }),
  sigma: real('Volatility', { unit: 'yr^-1/2', symbol: 'σ', min: 0, max: 5, default: 0.2 }),
  T: real('Time to expiry', { unit: 'yr', symbol: 'T', min: 0, max: 100, default: 1 }),
  model: choice('heston: stochastic variance, by its characteristic function or by paths', MODELS),
  v0: real('Heston: variance today', { unit: '1/yr', symbol: 'v₀', min: 0, max: 25, default: 0.04 }),
  kappa: real('Heston: rate at which the variance reverts', {
    unit: '1/yr',
    symbol: 'κ',
    min: 0,
    max: 100,
    default: 2,
  }),
  theta: real('Heston: variance in the long run', { unit: '1/yr', symbol: 'θ', min: 0, max: 25, default: 0.04 }),
  sigma_v: real('Heston: volatility of the variance', { unit: '1/yr', symbol: 'σ_v', min: 0, max: 10, default: 0.5 }),
  rho: real('Heston: correlation of price and variance', {
    ...{ unit: '1', symbol: 'ρ', min: -0.99, max: 0.99 },
    default: -0.7,
  }),
  time_steps: whole('heston-paths: steps in time', { min: 1, max: 2000, default: 32 }),
  paths: whole('Paths', { min: 100, max: 20_000_000, default: 1_000_000 }),
  sampler: choice('sobol: scrambled, in 32 replicates', ['random', 'sobol']),
  variance: choice('How the error is reduced', ['auto', 'none', 'antithetic', 'control', 'importance']),
  greeks: choice('How greeks are sampled', ['pathwise', 'likelihood', 'none']),
  dates: whole('Dates of asian (12) or barrier (0: watched always)', { min: 0, max: MAX_DATES }),
  barrier: choice('Kind of barrier', BARRIERS),
  H: real('Barrier', { unit: '$', symbol: 'H', min: 1e-6, max: 1e9 }),
  dividends: pairs('Cash: [[time, amount], …]', 'yr, $'),
  rates: pairs('Zero rates: [[time, rate], …]', 'yr, 1/yr'),
  vols: pairs('Volatilities to times', 'yr, yr^-1/2'),
  price: real('Market price of european: adds the implied volatility', { unit: '$', min: 0, max: 1e9 }),
  seed: seed('Seed'),
});

export type QuantInput = z.output<typeof inputs>;
