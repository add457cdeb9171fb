// A grid over the domain: its state in cells at the start.
//
// Level and bed are means of samples over a cell, rounded to a common quantum, so that depths and their differences are
// exact and a lake at rest stays at rest to the last bit.

import { validationError } from '../parts/errors.ts';
import type { FieldFunction } from '../parts/field-expression.ts';
import type { Initial } from './initial.ts';
import { type ClimateInput, MAX_HEIGHT } from './inputs.ts';

export interface Level {
  readonly columns: number;
  /** 1 for a line. */
  readonly rows: number;
  readonly dx: number;
  readonly dy: number;
}

export interface State {
  readonly depth: Float64Array;
  readonly flowX: Float64Array;
  readonly flowY: Float64Array;
  readonly bed: Float64Array;
  /** What levels and beds were rounded to. */
  readonly quantum: number;
}

/** Samples of a cell along an axis: powers of 2, so that the mean of equal numbers is that number. */
export const SAMPLES = { line: 16, plane: 4 } as const;
/** Samples of a cell. */
export const SAMPLES_OF_CELL = 16;
const MAX_SPEED = 1e4;
/** Bits of a level; the quantum is the rest. */
const BITS = 2 ** 34;

/** @throws DomainError VALIDATION_FAILED for levels or speeds that are no numbers or too large */
export function stateOf(input: ClimateInput, initial: Initial, { columns, rows, dx, dy }: Level, x0: number): State {
  const cells = columns * rows;
  const n = rows === 1 ? SAMPLES.line : SAMPLES.plane;
  const mean = (f: FieldFunction, i: number, j: number): number => {
    let sum = 0;
    for (let b = 0; b < (rows === 1 ? 1 : n); b++)
      for (let a = 0; a < n; a++) sum += f(dx * (i + (a + 0.5) / n), rows === 1 ? 0 : dy * (j + (b + 0.5) / n));
    return sum / (rows === 1 ? n : n * n);
  };
  const read = (f: FieldFunction | undefined, path: string, most: number): Float64Array => {
    const values = new Float64Array(cells);
    if (f === undefined) return values;
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < columns; i++) {
        const value = mean(f, i, j);
        if (!(Math.abs(value) <= most))
          throw validationError(
            path,
            `${path} is ${value} about x = ${dx * (i + 0.5)}; ${-most} to ${most} is expected.`,
            'OUT_OF_RANGE',
          );
        values[j * columns + i] = value;
      }
    return values;
  };
  const [level, bed] = [read(initial.level, 'level', MAX_HEIGHT), read(initial.bed, 'bed', MAX_HEIGHT)];
  const [u, v] = [read(initial.u, 'u', MAX_SPEED), read(initial.v, 'v', MAX_SPEED)];
  const quantum = quantumOf(level, bed);
  for (const values of [level, bed])
    for (const [k, value] of values.entries()) values[k] = Math.round(value / quantum) * quantum;
  if (initial.jet !== undefined) addJet(input, initial.jet, { columns, rows, dx, dy }, { level, u, v }, x0);
  const depth = level.map((value, k) => Math.max(0, value - (bed[k] ?? 0)));
  return {
    depth,
    bed,
    quantum,
    flowX: u.map((s, k) => s * (depth[k] ?? 0)),
    flowY: v.map((s, k) => s * (depth[k] ?? 0)),
  };
}

/**
 * How far the volume at the start may be from that of the level over the bed: what the samples of a cell miss, by their
 * second differences (half a spacing beside a jump, the midpoint rule elsewhere), and cells that are wet in part.
 */
export function volumeDoubt(initial: Initial, { columns, rows, dx, dy }: Level, { depth, quantum }: State): number {
  const isLine = rows === 1;
  const n = isLine ? SAMPLES.line : SAMPLES.plane;
  const depthAt = (x: number, y: number) => Math.max(0, initial.level(x, y) - (initial.bed?.(x, y) ?? 0));
  const [across, along] = [columns * n, isLine ? 1 : rows * n];
  const area = (dx / n) * (isLine ? 1 : dy / n);
  let [bent, partly] = [0, 0];
  let [before, last] = [new Float64Array(across), new Float64Array(across)];
  let sums = new Float64Array(columns);
  for (let b = 0; b < along; b++) {
    const row = Float64Array.from({ length: across }, (_, a) =>
      depthAt(((a + 0.5) * dx) / n, isLine ? 0 : ((b + 0.5) * dy) / n),
    );
    for (const [a, h] of row.entries()) {
      const [left = h, right = h] = [row[a - 1], row[a + 1]];
      bent += Math.abs(right - 2 * h + left);
      if (b > 1) bent += Math.abs(h - 2 * (last[a] ?? 0) + (before[a] ?? 0));
      const i = Math.floor(a / n);
      sums[i] = (sums[i] ?? 0) + h;
    }
    [before, last] = [last, row];
    if (!isLine && b % n !== n - 1) continue;
    const j = isLine ? 0 : Math.floor(b / n);
    for (const [i, sum] of sums.entries())
      partly += Math.abs(sum - (isLine ? n : n * n) * (depth[j * columns + i] ?? 0));
    sums = new Float64Array(columns);
  }
  return area * (0.25 * bent + partly) + quantum * columns * rows * dx * (isLine ? 1 : dy);
}

function quantumOf(level: Float64Array, bed: Float64Array): number {
  let scale = 2 ** -40;
  let largest = 0;
  for (const values of [level, bed]) for (const value of values) largest = Math.max(largest, Math.abs(value));
  while (scale < largest) scale *= 2;
  return scale / BITS;
}

/** A jet in geostrophic balance on this grid: across a line, or along x in a plane. */
function addJet(
  { f, beta, g, ly }: ClimateInput,
  speed: (distance: number) => number,
  { columns, rows, dx, dy }: Level,
  { level, u, v }: Readonly<Record<'level' | 'u' | 'v', Float64Array>>,
  x0: number,
): void {
  if (rows === 1) {
    let lean = 0;
    for (let i = 0; i < columns; i++) {
      const [before, here] = [speed(dx * (i - 0.5) - x0), speed(dx * (i + 0.5) - x0)];
      if (i > 0) lean += (0.5 * dx * f * (before + here)) / g;
      level[i] = (level[i] ?? 0) + lean;
      v[i] = here;
    }
    return;
  }
  let lean = 0;
  for (let j = 0; j < rows; j++) {
    const [before, here] = [speed(dy * (j - 0.5) - 0.5 * ly), speed(dy * (j + 0.5) - 0.5 * ly)];
    // As the kernel has it: f at the face between two rows.
    const rotation = f - 0.5 * beta * ly + beta * j * dy;
    if (j > 0) lean -= (0.5 * dy * rotation * (before + here)) / g;
    for (let i = 0; i < columns; i++) {
      level[j * columns + i] = (level[j * columns + i] ?? 0) + lean;
      u[j * columns + i] = here;
    }
  }
}
