// Inputs of the solver.

import { z } from 'zod';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { choice, real, relativeTolerance, whole } from '../parts/inputs.ts';
import { PRESETS } from './presets.ts';

const PRESET_NAMES = Object.keys(PRESETS) as [keyof typeof PRESETS, ...(keyof typeof PRESETS)[]];

export const ENDS = ['pinned', 'fixed', 'guided', 'free'] as const;
export type End = (typeof ENDS)[number];

export const MAX_ELEMENTS = 512;
const MAX_MODES = 12;
const MAX_TEXT = 20_000;

const course = (help: string, unit: string, symbol: string) =>
  multiLine(MAX_TEXT, 1).optional().describe(help).meta({ unit, symbol, rows: 2 });
const list = (help: string, unit: string) => multiLine(MAX_TEXT).optional().describe(help).meta({ unit, rows: 2 });

export const inputs = z.strictObject({
  preset: choice('Gives every field that is left out', PRESET_NAMES),
  length: real('Of the column', { unit: 'm', symbol: 'L', min: 1e-6, max: 1e6 }),
  bottom: z
    .enum(ENDS)
    .optional()
    .describe('Support at x = 0, which carries the load; guided: it slides')
    .meta({ unit: '1' }),
  top: z.enum(ENDS).optional().describe('Support at x = L, which moves along the axis').meta({ unit: '1' }),
  E: real("Young's modulus", { unit: 'Pa', symbol: 'E', min: 1e-3, max: 1e15 }),
  section: singleLine(100, 1)
    .optional()
    .describe('"circle d", "tube d t", "rectangle b h" or "i h b tf tw"; I is that about its weak axis')
    .meta({ unit: 'm' }),
  I: real('Second moment of area, instead of that of the section', { unit: 'm^4', symbol: 'I', min: 1e-30, max: 1e9 }),
  A: real('Area, instead of that of the section', { unit: 'm^2', symbol: 'A', min: 1e-18, max: 1e6 }),
  EI: course('Bending stiffness along x, instead of E I: expression in x, or rows "x value" with jumps', 'N*m^2', 'EI'),
  foundation: course('Elastic foundation along x: number, expression or rows', 'N/m^2', 'k'),
  springs: list('"x k=…" across, "x c=…" against turning, "x support", "x hinge"', 'N/m'),
  loads: list('column: "x share" of the load at x; frame: "node Fx Fy M"; "held …" does not grow', 'N'),
  weight: course('Weight of a column along x: number, expression or rows', 'N/m', 'q'),
  vary: z
    .enum(['load', 'weight'])
    .optional()
    .describe('What grows until the column buckles; the other is held')
    .meta({ unit: '1' }),
  load: real('At the top, compression positive: for the safety factor, or held', {
    unit: 'N',
    symbol: 'P',
    min: -1e15,
    max: 1e15,
  }),
  yield_stress: real('For short columns, by Johnson', { unit: 'Pa', symbol: 'σ_y', min: 1e-3, max: 1e15 }),
  nodes: list('A frame instead of a column: "x y fixed", "x y pinned", "x y ux uy rz kx=…"; numbered from 1', 'm'),
  members: list('Of a frame: "i j EI=… EA=… hinge=start|end|both"', '1'),
  elements: whole('Along the column, or along each member', { min: 1, max: MAX_ELEMENTS, symbol: 'n' }),
  modes: whole('Number of critical loads', { min: 1, max: MAX_MODES, default: 4 }),
  tolerance: relativeTolerance('Of the iteration', { min: 1e-13, max: 1e-4, default: 1e-8 }),
});

export type BucklingInput = z.output<typeof inputs>;
