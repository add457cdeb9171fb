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

const SIDE_KINDS = ['fixed', 'insulated', 'flux', 'convective'] as const;

/** The three fields of a side. @param name  as in "the left side" */
const side = (name: string) => ({
  kind: z
    .enum(SIDE_KINDS)
    .optional()
    .describe(`What the ${name} side does; by default what boundary says`)
    .meta({ unit: '1' }),
  value: expression(
    `${name}: the temperature of a fixed side, the heat that flows in of a flux, the surroundings of a convective one; an expression in t, 0 by default`,
    'T',
  ),
  transfer: real(`${name}, convective: coefficient of heat transfer`, {
    unit: 'W/(m^2 K)',
    symbol: 'h',
    min: 0,
    max: 1e12,
  }),
});

const left = side('left');
const right = side('right');
const bottom = side('bottom');
const top = side('top');

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
  initial: expression('Initial temperature of your own: an expression in x and y', 'T'),
  samples: z
    .array(z.number())
    .min(2)
    .max(MAX_SAMPLES)
    .optional()
    .describe('rod: initial temperature at equally distant places from 0 to L_x, straight between them')
    .meta({ unit: 'T' }),
  source: expression('Heat made per volume and time: an expression in x, y and t', 'W/m^3'),
  conductivity: expression('Conductivity: an expression in x and y; by default alpha', 'W/(m K)'),
  capacity: expression('Heat capacity per volume: an expression in x and y; by default 1', 'J/(m^3 K)'),
  layers: z
    .array(z.strictObject({ to: z.number(), k: z.number(), c: z.number() }))
    .min(1)
    .max(MAX_LAYERS)
    .optional()
    .describe('Layers along x from 0 on: where each ends, its conductivity k and its heat capacity per volume c')
    .meta({ unit: 'm' }),
  left: left.kind,
  left_value: left.value,
  left_h: left.transfer,
  right: right.kind,
  right_value: right.value,
  right_h: right.transfer,
  bottom: bottom.kind,
  bottom_value: bottom.value,
  bottom_h: bottom.transfer,
  top: top.kind,
  top_value: top.value,
  top_h: top.transfer,
  probe_x: z
    .array(z.number())
    .min(1)
    .max(MAX_PROBES)
    .optional()
    .describe('Where the temperature is read, the value first; by default the middle, or the antinode of the mode')
    .meta({ unit: 'm' }),
  probe_y: z.array(z.number()).min(1).max(MAX_PROBES).optional().describe('plate: y of each probe').meta({ unit: 'm' }),
  steady: z.boolean().default(false).describe('The steady state instead of the way there').meta({ unit: '1' }),
});

export type HeatInput = z.output<typeof inputs>;
