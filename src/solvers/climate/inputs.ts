// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { choice, real, whole } from '../parts/inputs.ts';

export const MAX_CELLS = { line: 6400, plane: 256 } as const;
const MAX_GAUGES = 8;
const MAX_ROWS = 400;
/** Characters of a map. */
const MAX_MAP = 500_000;
/** Levels and beds, m. */
export const MAX_HEIGHT = 1e5;

const SIDES = ['wall', 'open', 'periodic'] as const;
export type Side = (typeof SIDES)[number];

const expression = (help: string, unit: string) =>
  multiLine(LIMITS.expression.characters, 1).optional().describe(help).meta({ unit });
const side = () => choice('Side, if unlike', ['same', ...SIDES]);
const place = (help: string) => real(help, { unit: 'm', min: 0, max: 1e8 });
const coordinate = z.number().min(0).max(1e8);

export const inputs = z.strictObject({
  dim: whole('1 line, 2 rectangle', { min: 1, max: 2, default: 1 }),
  nx: whole('Cells along x; 800, or 64', { min: 16, max: MAX_CELLS.line }),
  ny: whole('Cells along y', { min: 16, max: MAX_CELLS.plane, default: 64 }),
  lx: real('Length', { unit: 'm', min: 1e-3, max: 1e8, default: 100 }),
  ly: real('Breadth', { unit: 'm', min: 1e-3, max: 1e8, default: 100 }),
  t_end: real('End', { unit: 's', min: 1e-6, max: 1e8, default: 3 }),
  initial: choice('State at the start', ['dam', 'hump', 'jet', 'lake']),
  depth: real('Level of the water; left of a dam', { unit: 'm', min: 1e-6, max: 2e4, default: 5 }),
  h_right: real('Level right of the dam', { unit: 'm', min: 0, max: 2e4, default: 1 }),
  amplitude: real('Height of a hump', { unit: 'm', min: -2e4, max: 2e4, default: 1 }),
  jet_speed: real('Speed of a jet', { unit: 'm/s', min: -1e3, max: 1e3, default: 1 }),
  x0: place('Dam, hump or jet; middle'),
  width: real('Width; lx/20', { unit: 'm', min: 1e-3, max: 1e8 }),
  level: expression('Own, of x, y', 'm'),
  u: expression('Along x', 'm/s'),
  v: expression('Along y', 'm/s'),
  bed: expression('Bed', 'm'),
  bed_table: z
    .array(z.array(z.number().min(-2e4).max(1e8)).length(2))
    .min(2)
    .max(MAX_ROWS)
    .optional()
    .describe('Or [x, height]')
    .meta({ unit: 'm' }),
  bed_map: multiLine(MAX_MAP, 1).optional().describe('Or rows from the top; # land').meta({ unit: 'm', rows: 7 }),
  f: real('Coriolis parameter', { unit: '1/s', min: -10, max: 10, default: 0 }),
  beta: real('df/dy', { unit: '1/(m*s)', min: -1, max: 1, default: 0 }),
  manning: real('Roughness', { unit: 's/m^(1/3)', min: 0, max: 1, default: 0 }),
  g: real('Gravity', { unit: 'm/s^2', min: 1e-3, max: 1e3, default: 9.81 }),
  scheme: choice('Local or global flux', ['rusanov', 'lax-friedrichs', 'hll']),
  limiter: choice('MUSCL of order 2, or none: order 1', ['none', 'van-leer', 'minmod']),
  courant: real('CFL', { unit: '1', min: 0.05, max: 1, default: 0.9 }),
  boundary: choice('All sides', SIDES),
  left: side(),
  right: side(),
  bottom: side(),
  top: side(),
  probe_x: place('Place of the value; 0.6 lx'),
  probe_y: place('Middle'),
  gauges: z.array(z.array(coordinate).length(2)).max(MAX_GAUGES).default([]).describe('[x, y]').meta({ unit: 'm' }),
});

export type ClimateInput = z.output<typeof inputs>;

/** Of all expressions together. */
export const charactersOf = ({ level = '', u = '', v = '', bed = '' }: Partial<ClimateInput>): number =>
  level.length + u.length + v.length + bed.length;
