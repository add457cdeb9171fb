// The inputs of an option: contract, market, and how it is sampled.

import { z } from 'zod';
import { choice, real, seed, whole } from '../parts/inputs.ts';

const STYLES = ['european', 'digital', 'asian', 'barrier', 'american'] as const;
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
  paths: whole('Paths', { min: 100, max: 20_000_000, default: 1_000_000 }),
  sampler: choice('sobol: scrambled, in 32 replicates', ['random', 'sobol']),
  variance: choice('How the error is reduced', ['auto', 'none', 'antithetic', 'control', 'importance']),
  greeks: choice('How greeks are sampled', ['pathwise', 'likelihood', 'none']),
  dates: whole('Dates of asian (12) or barrier (0: watched always)', { min: 0, max: MAX_DATES }),
  barrier: choice('Kind of barrier', BARRIERS),
  H: real('Barrier', { unit: '$', symbol: 'H', min: 1e-6, max: 1e9 }),
  dividends: pairs('Cash: [[time, amount], …]', 'yr, $'),
  rates: pairs('Zero rates instead of r: [[time, rate], …]', 'yr, 1/yr'),
  vols: pairs('Volatilities to times instead of sigma', 'yr, yr^-1/2'),
  price: real('Market price of european: adds the implied volatility', { unit: '$', min: 0, max: 1e9 }),
  seed: seed('Seed'),
});

export type QuantInput = z.output<typeof inputs>;
