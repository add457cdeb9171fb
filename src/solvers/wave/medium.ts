// The medium: density on nodes, stiffness on faces and damping, as numbers or as maps of expressions.
//
// Maps are means, so that a jump keeps its place on any grid: of the density over the cell about a node, and of the
// stiffness along the normal of a face as springs in a row.

import { validationError } from '../parts/errors.ts';
import { type FieldFunction, fieldFunction } from '../parts/field-expression.ts';
import type { Level, Maps, Sides } from './grid.ts';
import type { WaveInput } from './inputs.ts';

export interface Medium {
  /** ρ and τ where the expressions are 1. */
  readonly density: number;
  readonly stiffness: number;
  /** Speed where the expressions are 1. */
  readonly speed: number;
  readonly densityAt: FieldFunction | undefined;
  readonly stiffnessAt: FieldFunction | undefined;
  /** The fields that they came from. */
  readonly densityField: string;
  readonly stiffnessField: string;
  /** r / ρ. */
  readonly dampingAt: FieldFunction | undefined;
}

/** Points along an axis of a mean: they move a border by up to half of their distance. */
export const SAMPLES = { line: 64, plane: 4 } as const;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function mediumOf(input: WaveInput): Medium {
  const { mode, polarization, c, eps, mu } = input;
  const isYee = mode === 'maxwell';
  const isElectric = isYee && polarization === 'te';
  for (const [name, value] of Object.entries({ eps, mu }))
    if (!isYee && value !== 1)
      throw validationError(name, `${name} is ${value} for mode ${mode}; only maxwell takes it.`);
  if (!isYee && polarization === 'te')
    throw validationError('polarization', `polarization is te for mode ${mode}; only maxwell takes it.`);
  if (isElectric && input.damping !== undefined)
    throw validationError('damping', 'damping is given for polarization te; only E_z of tm is damped.');
  const optional = (text: string | undefined, path: string) =>
    text === undefined ? undefined : fieldFunction(text, path);
  const [density, tension] = [optional(input.density, 'density'), optional(input.tension, 'tension')];
  // H_z takes the permeability as its density, and the inverse permittivity as its stiffness.
  const inverse = (f: FieldFunction | undefined): FieldFunction | undefined => f && ((x, y) => 1 / f(x, y));
  const numbers = isElectric ? { density: mu, stiffness: (c * c) / eps } : { density: eps, stiffness: (c * c) / mu };
  return {
    ...numbers,
    speed: Math.sqrt(numbers.stiffness / numbers.density),
    densityAt: isElectric ? inverse(tension) : density,
    stiffnessAt: isElectric ? inverse(density) : tension,
    densityField: isElectric ? 'tension' : 'density',
    stiffnessField: isElectric ? 'density' : 'tension',
    dampingAt: optional(input.damping, 'damping'),
  };
}

/** @throws DomainError VALIDATION_FAILED if a density or a stiffness is not positive, or a damping negative */
export function mapsOf(medium: Medium, { cellsX, cellsY, hx, hy }: GridOf, sides: Sides): Maps {
  const { densityAt, stiffnessAt, dampingAt } = medium;
  const inverseSquares = 1 / (hx * hx) + (hy === 0 ? 0 : 1 / (hy * hy));
  const uniformRate = (medium.stiffness / medium.density) * inverseSquares;
  if (!(densityAt || stiffnessAt || dampingAt)) return { ...NO_MAPS, rate: uniformRate };
  const [columns, rows] = [cellsX + 1, cellsY + 1];
  const [lengthX, lengthY] = [cellsX * hx, cellsY * hy];
  const [isPeriodicX, isPeriodicY] = [sides.left === 'periodic', sides.bottom === 'periodic'];
  // Means reach beyond a side by half a cell: the medium goes on, or begins again.
  const inside = (x: number, length: number, isPeriodic: boolean): number => {
    if (isPeriodic) return x < 0 ? x + length : x > length ? x - length : x;
    return Math.min(Math.max(x, 0), length);
  };
  const bounded = (f: FieldFunction): FieldFunction => {
    return (x, y) => f(inside(x, lengthX, isPeriodicX), inside(y, lengthY, isPeriodicY));
  };
  const map = (f: FieldFunction | undefined, path: string, of: (f: FieldFunction, i: number, j: number) => number) => {
    if (f === undefined) return new Float64Array(columns * rows).fill(path === 'damping' ? 0 : 1);
    const within = bounded(f);
    const values = new Float64Array(columns * rows);
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < columns; i++) {
        const value = of(within, isPeriodicX ? i % cellsX : i, isPeriodicY ? j % cellsY : j);
        const isLegal = path === 'damping' ? value >= 0 && value <= 1e12 : value >= 1e-6 && value <= 1e6;
        if (!isLegal) throw illegalValue(path, value, i * hx, j * hy);
        values[j * columns + i] = value;
      }
    return values;
  };
  const mean: (f: FieldFunction, i: number, j: number) => number = (f, i, j) =>
    meanOf((s, t) => f((i + s) * hx, (j + t) * hy), hy === 0);
  const density = map(densityAt, medium.densityField, mean).map((value) => value * medium.density);
  const damping = map(dampingAt, 'damping', (f, i, j) => f(i * hx, j * hy));
  const stiffness = (of: (f: FieldFunction, i: number, j: number) => number) =>
    map(stiffnessAt, medium.stiffnessField, of).map((value) => value * medium.stiffness);
  const samples = hy === 0 ? SAMPLES.line : SAMPLES.plane;
  const facesX = stiffness((f, i, j) => inSeries((s) => f((i + 0.5 + s) * hx, j * hy), samples));
  const facesY = stiffness((f, i, j) => inSeries((s) => f(i * hx, (j + 0.5 + s) * hy), samples));
  const maps = { isUniform: false, density, damping, facesX, facesY };
  return { ...maps, rate: rateOf(maps, columns, rows, hx, hy, sides) };
}

type GridOf = Pick<Level, 'cellsX' | 'cellsY' | 'hx' | 'hy'>;

const NONE = new Float64Array();
const NO_MAPS = { isUniform: true, density: NONE, damping: NONE, facesX: NONE, facesY: NONE } as const;

function illegalValue(path: string, value: number, x: number, y: number): Error {
  const allowed = path === 'damping' ? 'a number from 0 to 1e12' : 'a number from 1e-6 to 1e6';
  const message = `${path} is ${value} about x = ${x}, y = ${y}; ${allowed} is expected everywhere.`;
  return validationError(path, message, 'OUT_OF_RANGE', { x, y });
}

/** Mean over (−1/2, 1/2)², or over (−1/2, 1/2) on a line. */
function meanOf(f: (s: number, t: number) => number, isLine: boolean): number {
  if (isLine) return lineMean((s) => f(s, 0), SAMPLES.line);
  return lineMean((t) => lineMean((s) => f(s, t), SAMPLES.plane), SAMPLES.plane);
}

function lineMean(f: (s: number) => number, samples: number): number {
  let sum = 0;
  for (let p = 0; p < samples; p++) sum += f((p + 0.5) / samples - 0.5);
  return sum / samples;
}

/** The stiffness of springs in a row. */
const inSeries = (at: (s: number) => number, samples: number): number => 1 / lineMean((s) => 1 / at(s), samples);

/** Gershgorin's bound of the operator over 4, at every node. */
function rateOf(
  { density, facesX, facesY }: Pick<Maps, 'density' | 'facesX' | 'facesY'>,
  columns: number,
  rows: number,
  hx: number,
  hy: number,
  { left, bottom }: Sides,
): number {
  const at = (values: Float64Array, i: number, j: number) => values[j * columns + i] ?? 0;
  let largest = 0;
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const east = i < columns - 1 ? at(facesX, i, j) : undefined;
      const west = i > 0 ? at(facesX, i - 1, j) : left === 'periodic' ? at(facesX, columns - 2, j) : undefined;
      let sum = ((east ?? west ?? 0) + (west ?? east ?? 0)) / (hx * hx);
      if (rows > 1) {
        const north = j < rows - 1 ? at(facesY, i, j) : undefined;
        const south = j > 0 ? at(facesY, i, j - 1) : bottom === 'periodic' ? at(facesY, i, rows - 2) : undefined;
        sum += ((north ?? south ?? 0) + (south ?? north ?? 0)) / (hy * hy);
      }
      largest = Math.max(largest, sum / (2 * at(density, i, j)));
    }
  return largest;
}
