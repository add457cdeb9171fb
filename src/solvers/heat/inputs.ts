// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { cellsAlong, choice, lengthAlong, real, stepCount, timeStep, whole } from '../parts/inputs.ts';

export const MAX_STEPS = 200_000;
const CELLS = { min: 8, max: 128, default: 64 } as const;
const HALF_WAVES = { min: 1, max: 64, default: 1 } as const;
const MAX_LAYERS = 32;
const MAX_SAMPLES = 4_097;
const MAX_PROBES = 16;

const expression = (help: string, unit: string) =>
  multiLine(LIMITS.expression.characters, 1).optional().describe(help).meta({ unit });

export const inputs = z.strictObject({
  method: choice('implicit: Crank–Nicolson on a rod, ADI on a plate; explicit: FTCS', ['implicit', 'explicit']),
  nx: cellsAlong('x', 'the nodes are one more', CELLS),
  ny: cellsAlong('y', 'not used on a rod', CELLS),
  kx: whole('Whole half-waves of the first mode along x', { symbol: 'k_x', ...HALF_WAVES }),
  ky: whole('Whole half-waves of the first mode along y', { symbol: 'k_y', ...HALF_WAVES }),
  alpha: real('Thermal diffusivity', { unit: 'm^2/s', symbol: 'α', min: 1e-12, max: 1e6, default: 1 }),
  dt: timeStep('Time step; by default one at which the leading errors of the mode in time and space cancel', {
    unit: 's',
  }),
  steps: stepCount('Number of time steps; by default as many as bring the first mode down to about 5 %', {
    max: MAX_STEPS,
  }),
  dim: whole('1 for a rod, 2 for a plate', { min: 1, max: 2, default: 2 }),
  mode: choice('Initial profile: the first mode, 1 where it is positive and 0 elsewhere, or a hot spot in the middle', [
    'sine',
    'step',
    'gaussian',
  ]),
  boundary: choice('dirichlet: ends held at 0; neumann: insulated ends', ['dirichlet', 'neumann']),
  lx: lengthAlong('x'),
  ly: lengthAlong('y'),
  t_end: real('Time of the end; by default dt times steps', { unit: 's', symbol: 't', min: 1e-30, max: 1e30 }),
  initial: expression('In x, y. The temperature at the start, instead of that of the mode', 'T'),
  samples: z
    .array(z.number())
    .min(2)
    .max(MAX_SAMPLES)
    .optional()
    .describe('Rod. The temperature at the start at equal distances from 0 to L_x, straight between them')
    .meta({ unit: 'T' }),
  source: expression('In x, y, t. The heat that is made per volume and time; none by default', 'W/m^3'),
  conductivity: expression('In x, y. The thermal conductivity; alpha by default, with a capacity of 1', 'W/(m K)'),
  capacity: expression(
    'In x, y. The heat capacity per volume; 1 by default, so that alpha is the conductivity',
    'J/(m^3 K)',
  ),
  layers: z
    .array(z.strictObject({ to: z.number(), k: z.number(), c: z.number() }))
    .min(1)
    .max(MAX_LAYERS)
    .optional()
    .describe('[{to, k, c}]. Layers along x from 0: where each ends, its conductivity and heat capacity per volume')
    .meta({ unit: 'm' }),
  left: expression(
    'fixed T, flux q, convective h T, or insulated. T and q are expressions in t; by default what boundary says',
    'T',
  ),
  right: expression('As left. What the right side does; by default what boundary says', 'T'),
  bottom: expression('As left. What the lower side of a plate does; by default what boundary says', 'T'),
  top: expression('As left. What the upper side of a plate does; by default what boundary says', 'T'),
  probe_x: z
    .array(z.number())
    .min(1)
    .max(MAX_PROBES)
    .optional()
    .describe('x of probes. The value is read at the first; by default in the middle, or at the antinode of the mode')
    .meta({ unit: 'm' }),
  probe_y: z
    .array(z.number())
    .min(1)
    .max(MAX_PROBES)
    .optional()
    .describe('y of probes. One for each x, on a plate only; by default in the middle')
    .meta({ unit: 'm' }),
  steady: z.boolean().default(false).describe('The steady state instead of the way there').meta({ unit: '1' }),
});

export type HeatInput = z.output<typeof inputs>;
