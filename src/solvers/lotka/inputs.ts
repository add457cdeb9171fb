// Inputs of the solver.

import { z } from 'zod';
import { real, sampleCount, whole } from '../parts/inputs.ts';

const rate = (help: string, symbol: string, standard: number) =>
  real(help, { unit: '1/t', symbol, min: 1e-6, max: 1e3, default: standard });
const coupling = (help: string, symbol: string, standard: number) =>
  real(help, { unit: '1/t', symbol, min: 1e-9, max: 1e6, default: standard });
const population = (help: string, symbol: string, standard: number, max: number) =>
  real(help, { unit: '1', symbol, min: 0, max, default: standard });

export const inputs = z.strictObject({
  alpha: rate('Growth of the prey without predators', 'α', 0.6667),
  beta: coupling('Prey that a predator takes, per prey', 'β', 1.3333),
  gamma: rate('Deaths of the predators without prey', 'γ', 1),
  delta: coupling('Births of the predators, per prey', 'δ', 1),
  x0: population('Prey at the start', 'x₀', 1, 1e12),
  y0: population('Predators at the start', 'y₀', 1, 1e12),
  t_end: real('Length of the curves; 0 for 5 periods', { unit: 't', symbol: 't', min: 0, max: 1e12, default: 0 }),
  steps_per_period: whole('Equal steps of the Runge–Kutta cross-check in a period', {
    min: 100,
    max: 100_000,
    default: 1_000,
  }),
  carrying_capacity: population('Prey that the land feeds; 0 for no limit', 'K', 0, 1e15),
  half_saturation: population('Prey at which a predator takes half of what it can; 0 for no limit', 'H', 0, 1e15),
  harvest: real('Share of both species that is taken per time', {
    unit: '1/t',
    symbol: 'h',
    min: 0,
    max: 1e3,
    default: 0,
  }),
  units: z
    .string()
    .regex(/^[A-Za-z]{1,12}$/)
    .default('t')
    .describe('Unit of time, in letters: year, day, h')
    .meta({ unit: '1' }),
  samples: sampleCount('Times of the curves', { max: 5_001, default: 501 }),
});

export type LotkaInput = z.output<typeof inputs>;
