// Inputs of the solver.

import { z } from 'zod';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { choice, real, whole } from '../parts/inputs.ts';

export const SIDES = ['left', 'right', 'front', 'back', 'floor', 'ceiling'] as const;
export type Side = (typeof SIDES)[number];

const along = (help: string, standard: number) => real(help, { unit: 'm', min: 1e-3, max: 1e4, default: standard });
const place = (help: string) => singleLine(100).optional().describe(help).meta({ unit: 'm' });

export const inputs = z.strictObject({
  shape: choice('Cavity', ['box', 'rectangle', 'line', 'l_shape', 'disc', 'outline'] as const),
  lx: along('Length along x; diameter of the disc', 5),
  ly: along('Length along y', 4),
  lz: along('Height', 3),
  outline: multiLine(4000, 1).optional().describe('Corners "x y; x y; …"').meta({ unit: 'm', rows: 2 }),
  open: singleLine(60)
    .optional()
    .describe('p = 0: left right front back floor ceiling, numbers of edges, all')
    .meta({ unit: '1' }),
  impedance: singleLine(200)
    .optional()
    .describe('Of walls, Z/ρc: "all 20; floor alpha 0.3; left 8 -3"')
    .meta({ unit: '1' }),
  c: real('Speed of sound; 343 without temperature, humidity', {
    unit: 'm/s',
    symbol: 'c',
    min: 1,
    max: 1e5,
  }),
  temperature: real('Of air at 101325 Pa', { unit: 'degC', symbol: 'T', min: -50, max: 60 }),
  humidity: real('Relative', { unit: '1', min: 0, max: 1 }),
  alpha: real('Of walls, for damping', { unit: '1', symbol: 'α', min: 1e-4, max: 1, default: 0.1 }),
  rt60: real('Instead of alpha', { unit: 's', min: 1e-3, max: 1e3 }),
  source: place('"x y z"'),
  microphone: place('"x y z"'),
  modes: whole('Number of modes', { min: 1, max: 40, default: 12 }),
  f_max: real('All modes up to it, instead of modes', { unit: 'Hz', min: 1e-3, max: 1e7 }),
  mode: whole('Of the value; 1 is the lowest above 0 Hz', { min: 1, max: 40, default: 1 }),
  cells: whole('Cells along the longest side', { min: 4, max: 4096 }),
});

export type AcousticInput = z.output<typeof inputs>;
