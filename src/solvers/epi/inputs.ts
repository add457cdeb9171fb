// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { choice, real, sampleCount, seed, whole } from '../parts/inputs.ts';
import { FITTED } from './fitted.ts';
import { PRESETS } from './presets.ts';

const PRESET_NAMES = Object.keys(PRESETS) as [keyof typeof PRESETS, ...(keyof typeof PRESETS)[]];
const { groups: MAX_GROUPS, windows: MAX_WINDOWS, people: MAX_PEOPLE } = LIMITS.epi;

const rate = (help: string, symbol: string, min: number, max: number) =>
  real(help, { unit: '1/day', symbol, min, max });
const people = (help: string, symbol: string, min: number) =>
  real(help, { unit: 'people', symbol, min, max: MAX_PEOPLE });

export const inputs = z.strictObject({
  preset: choice('Gives every field that is left out', PRESET_NAMES),
  model: z.enum(['sir', 'seir']).optional().describe('seir: the infected are exposed first').meta({ unit: '1' }),
  R0: real('Basic reproduction number, instead of beta', { unit: '1', symbol: 'R_0', min: 0, max: 100 }),
  beta: rate('Infections by one case per day among susceptibles', 'β', 0, 1e3),
  gamma: rate('Recovery: 1 over the infectious days', 'γ', 1e-4, 100),
  sigma: rate('1 over the latent days, of seir', 'σ', 1e-4, 100),
  N: people('Population', 'N', 1),
  I0: people('Infectious at the start', 'I_0', 0),
  E0: people('Exposed at the start, of seir', 'E_0', 0),
  immune: real('Share immune at the start', { unit: '1', symbol: 'p', min: 0, max: 1 }),
  days: real('Length of the run', { unit: 'day', symbol: 't', min: 0.01, max: 1e5 }),
  mu: rate('Births and deaths', 'μ', 0, 1),
  waning: rate('Loss of immunity', 'ω', 0, 10),
  windows: z
    .array(
      z.strictObject({
        from: z.number(),
        to: z.number(),
        factor: z.number().default(1),
        vaccination: z.number().default(0),
      }),
    )
    .max(MAX_WINDOWS)
    .optional()
    .describe('[{from, to, factor, vaccination}]. From day to day: a factor of beta, a rate of vaccination in 1/day')
    .meta({ unit: 'day' }),
  groups: z
    .array(z.number())
    .min(1)
    .max(MAX_GROUPS)
    .optional()
    .describe('Sizes of groups, for contacts; I0, E0 and immune are shared by size')
    .meta({ unit: 'people' }),
  contacts: z
    .array(z.array(z.number()))
    .max(MAX_GROUPS)
    .optional()
    .describe('Row by row: contacts of one in a group with each group, in which beta counts')
    .meta({ unit: '1' }),
  ensemble: whole('Number of stochastic runs in whole people', { min: 0, max: LIMITS.epi.runs }),
  seed: seed('Seed of the ensemble'),
  cases: multiLine(LIMITS.body.bytes)
    .optional()
    .describe('Counts to fit: a count a line, or day and count; NA is missing')
    .meta({ unit: 'people', rows: 5 }),
  observed: z
    .enum(['incidence', 'prevalence'])
    .optional()
    .describe('What cases counts: new since the row before, or ill at the time')
    .meta({ unit: '1' }),
  fit: z
    .array(z.enum(FITTED))
    .min(1)
    .max(FITTED.length)
    .optional()
    .describe('What cases decide; the others are as given')
    .meta({ unit: '1' }),
  reporting: real('Share of the cases that is counted', { unit: '1', min: 1e-6, max: 1, default: 1 }),
  samples: sampleCount('Times of the curves', { max: 2_001, default: 201 }),
});

export type EpiInput = z.output<typeof inputs>;
