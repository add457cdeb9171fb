// Inputs of the solver.

import { z } from 'zod';
import { singleLine } from '../../core/text-schema.ts';
import { choice, real, sampleCount, timeStep } from '../parts/inputs.ts';
import { LOCATIONS, MEDIA } from '../parts/master-field/sites.ts';
import { PRESETS } from './presets.ts';

const PRESET_NAMES = Object.keys(PRESETS) as [keyof typeof PRESETS, ...(keyof typeof PRESETS)[]];
const MAX_BODIES = 16;

const vector = z.array(z.number()).min(1).max(3);

const body = z.strictObject({
  mass: z.number(),
  position: z.union([z.number(), vector]).optional(),
  velocity: z.union([z.number(), vector]).optional(),
  radius: z.number().optional(),
  orbit: z
    .strictObject({
      a: z.number(),
      e: z.number().default(0),
      inclination: z.number().default(0),
      node: z.number().default(0),
      periapsis: z.number().default(0),
      anomaly: z.number().default(0),
      about: z.int().default(0),
    })
    .optional(),
  location: z.enum(LOCATIONS).optional(),
  medium: z.enum(MEDIA).optional(),
  object: singleLine(100).optional(),
  phi0: z.number().optional(),
  dphi0: z.number().optional(),
  dragArea: z.number().optional(),
});

export const inputs = z.strictObject({
  prompt: singleLine(2_000).optional().describe('A label; it changes no number').meta({ unit: '1' }),
  preset: choice('Gives every field that is left out; if bodies are given, none but the units', PRESET_NAMES),
  law: z
    .enum(['gravity', 'field'])
    .optional()
    .describe('gravity: in a plane or in space; field: the master field, on a line. By default what the bodies need')
    .meta({ unit: '1' }),
  bodies: z
    .array(body)
    .min(2)
    .max(MAX_BODIES)
    .optional()
    .describe(
      '2 to 16 of {mass, position, velocity, radius, orbit} or, of the field, {mass, phi0, dphi0, position, location, medium, object, dragArea}',
    )
    .meta({ unit: '1' }),
  units: z
    .enum(['one', 'si', 'au'])
    .optional()
    .describe('one: kg, m, s and G = 1; si: kg, m, s; au: solar masses, au, years of 365.25 days')
    .meta({ unit: '1' }),
  G: real('Constant of gravity, in the units; by default that of the units', { unit: '1', min: 0, max: 1e9 }),
  softening: real("Plummer's length of gravity; 0 by default", { unit: 'm', symbol: 'ε', min: 0, max: 1e25 }),
  alpha: real('Restoring force of the field over mass; 1 by default', {
    unit: '1/s^2',
    symbol: 'α',
    min: -1e6,
    max: 1e6,
  }),
  beta: real('Cubic force of the field over mass; 0 by default', {
    unit: '1/(m^2*s^2)',
    symbol: 'β',
    min: -1e6,
    max: 1e6,
  }),
  koSettings: z
    .record(singleLine(40), z.number())
    .optional()
    .describe('Weights of couplings of the field by operator: {"KO2": 0.5}, in m/s^2; KO1 to KO41')
    .meta({ unit: 'm/s^2' }),
  useOperatorModules: z.boolean().default(true).describe('Whether koSettings counts').meta({ unit: '1' }),
  normalizeOperators: z
    .boolean()
    .default(true)
    .describe('Weights that add up to more than 1 are divided by their sum')
    .meta({ unit: '1' }),
  coreOnly: z.boolean().default(false).describe('Leaves drag and couplings of the field out').meta({ unit: '1' }),
  pairwiseCoupling: real('Attraction of the field, as G; 0.05 by default', {
    unit: 'm^3/(kg*s^2)',
    symbol: 'κ',
    min: -1e9,
    max: 1e9,
  }),
  pairwiseSoftening: real("Plummer's length of the field; 1e-6 by default", {
    unit: 'm',
    symbol: 'ε',
    min: 0,
    max: 1e9,
  }),
  tMax: real('Length of the run, in s or yr; 10 by default if bodies are given', {
    unit: 's',
    symbol: 't',
    min: 1e-15,
    max: 1e20,
  }),
  method: z
    .enum(['dop853', 'rk4', 'leapfrog', 'yoshida4', 'yoshida6', 'kahan8'])
    .default('dop853')
    .describe('dop853 chooses its steps; the others make equal ones of dt')
    .meta({ unit: '1' }),
  dt: timeStep('Equal steps; the longest step of dop853', { unit: 's' }),
  samples: sampleCount('Times of the curves', { max: 4_001, default: 401 }),
});

export type MultibodyInput = z.output<typeof inputs>;
export type BodyInput = NonNullable<MultibodyInput['bodies']>[number];
