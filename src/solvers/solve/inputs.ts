// Inputs of the solver.

import { z } from 'zod';
import { singleLine } from '../../core/text-schema.ts';
import { real, sampleCount, whole } from '../parts/inputs.ts';
import { LOCATIONS, MEDIA } from '../parts/master-field/sites.ts';

const REFERENCE_MODES = ['model', 'free-fall', 'shm', 'gravity'] as const;

const flag = (help: string, standard: boolean) => z.boolean().default(standard).describe(help).meta({ unit: '1' });
const metres = (help: string) => real(help, { unit: 'm', min: -1e12, max: 1e12 });

export const inputs = z.strictObject({
  prompt: singleLine(500).optional().describe('A label; it changes no number').meta({ unit: '1' }),
  mass: real('Mass', { unit: 'kg', symbol: 'm', min: 1e-30, max: 1e35, default: 1 }),
  location: z.enum(LOCATIONS).optional().describe('Gives gravity; none if left out').meta({ unit: '1' }),
  medium: z.enum(MEDIA).optional().describe('Gives drag; vacuum if left out').meta({ unit: '1' }),
  object: singleLine(100).optional().describe('A label').meta({ unit: '1' }),
  alpha: real('Spring over mass; 1 by default, 0 in free-fall and gravity', {
    unit: '1/s^2',
    symbol: 'α',
    min: -1e6,
    max: 1e6,
  }),
  beta: real('Cubic spring over mass', { unit: '1/(m^2*s^2)', symbol: 'β', min: -1e6, max: 1e6, default: 0 }),
  koSettings: z
    .record(singleLine(40), z.number())
    .optional()
    .describe('Weights of couplings: {"KO2": 0.5}; KO1 to KO41')
    .meta({ unit: 'm/s^2' }),
  tMax: real('Time, 0.1 to 30', { unit: 's', symbol: 't', min: 0, max: 1e9, default: 5 }),
  position: metres('Place at the start; 1 by default'),
  dt: real('Longest step, 0.001 to 0.1', { unit: 's', symbol: 'Δt', min: 0, max: 1e9, default: 0.01 }),
  useOperatorModules: flag('Whether koSettings counts', true),
  normalizeOperators: flag('Weights that add up to more than 1 are divided by their sum', true),
  coreOnly: flag('Leaves out all that is not conserved', false),
  referenceMode: z
    .enum(REFERENCE_MODES)
    .default('model')
    .describe('Closed form of a fall or spring; gravity falls with height; model: another run')
    .meta({ unit: '1' }),
  maxIterations: whole('Tries of shorter steps', { min: 1, max: 40, default: 40 }),
  velocity: real('Velocity at the start', { unit: 'm/s', symbol: 'v', min: -1e9, max: 1e9, default: 0 }),
  height: real('Height over the ground, for position', { unit: 'm', min: 0, max: 1e12 }),
  ground: metres('Where the run ends; 0 in falls'),
  gravity: real('In place of that of the location', { unit: 'm/s^2', symbol: 'g', min: -1e6, max: 1e6 }),
  latitude: real('On Earth: WGS 84', { unit: 'deg', min: -90, max: 90 }),
  altitude: real('Of place 0', { unit: 'm', min: -1e4, max: 1e9 }),
  damping: real('Linear, over mass', { unit: '1/s', symbol: 'b', min: -1e3, max: 1e6, default: 0 }),
  drag: real('Quadratic, over mass; by default of the medium', { unit: '1/m', symbol: 'c', min: 0, max: 1e9 }),
  dragArea: real('Coefficient times area', { unit: 'm^2', min: 0, max: 1e6, default: 0.01 }),
  exponential: real('−κ exp(μ φ)', { unit: 'm/s^2', symbol: 'κ', min: -1e9, max: 1e9, default: 0 }),
  exponent: real('μ of it', { unit: '1/m', symbol: 'μ', min: -1e6, max: 1e6, default: 1 }),
  drive: real('F cos(ω t + ψ) over mass', { unit: 'm/s^2', symbol: 'F', min: -1e9, max: 1e9, default: 0 }),
  driveFrequency: real('ω of it', { unit: 'rad/s', symbol: 'ω', min: 0, max: 1e4, default: 1 }),
  drivePhase: real('ψ of it', { unit: 'rad', symbol: 'ψ', min: -1e3, max: 1e3, default: 0 }),
  duration: real('Time beyond the range of tMax', { unit: 's', min: 1e-6, max: 1e5 }),
  samples: sampleCount('Times of the curves', { max: 2_001, default: 201 }),
  tolerance: real('Error of the steps, of the largest place', { unit: '1', min: 1e-12, max: 1e-3, default: 1e-9 }),
});

export type SolveInput = z.output<typeof inputs>;
