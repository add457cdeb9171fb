// The second way of a column: shooting along it with compound matrices.
//
//   w' = θ   θ' = M / E I   M' = S − N θ   S' = −k w
//
// Two solutions meet the support at x = 0. Their 2 × 2 minors φ_ij are six numbers with a linear equation of their own, which
// springs, supports and hinges change in a closed form; the column buckles where the minor of the top's conditions
// vanishes. Nothing cancels where solutions grow. The energy is symmetric, so φ14 = φ23. Ng & Reid, J. Comput. Phys. 30 (1979)
// 125; integration by Gragg's method with extrapolation, order 8, Hairer, Nørsett & Wanner, Solving Ordinary Differential
// Equations I (2nd ed., 1993), §II.9.

import type { Column, Device } from './column.ts';
import { SAMPLES } from './course.ts';
import type { End } from './inputs.ts';

/** φ12, φ13, φ14 = φ23, φ24, φ34. */
type Minors = readonly [number, number, number, number, number];

const START: Readonly<Record<End, Minors>> = {
  fixed: [0, 0, 0, 0, 1],
  pinned: [0, 0, 0, 1, 0],
  guided: [0, 1, 0, 0, 0],
  free: [1, 0, 0, 0, 0],
};
/** The minor that vanishes at the top. */
const GOAL: Readonly<Record<End, number>> = { fixed: 0, pinned: 1, guided: 3, free: 4 };

const TOLERANCE = 1e-13;
const MAX_STEPS = 40_000;
/** Substeps of the columns of the extrapolation. */
const DIVISIONS = [2, 4, 6, 8] as const;
/** Change of the logarithm of a course within one step. */
const MAX_VARIATION = 0.5;

export interface Shot {
  /** The minor of the top's conditions, over the largest of all. */
  readonly value: number;
  /** Its error by rounding and by the tolerance. */
  readonly noise: number;
}

/** A function of the load whose roots are the critical loads. */
export function shooterOf(column: Column): (load: number) => Shot | undefined {
  const { length, EI, foundation, held, varied, devices, breaks, bottom, top } = column;
  const scale = EI.max;
  const atPlace = (x: number) => devices.filter((device) => Math.abs(device.x - x) <= 1e-12 * length);
  const variation = variationOf(column);
  const cell = length / SAMPLES;
  const force = (length * length) / scale;
  const soil = force * length * length;
  const work = workspace();
  const values = new Float64Array(SIZE);

  return (load) => {
    const slope = (x: number, y: Float64Array, out: Float64Array) => {
      const p12 = y[0] ?? 0;
      const p13 = y[1] ?? 0;
      const p24 = y[3] ?? 0;
      const flexibility = scale / EI.at(x);
      const N = (held(x) + load * varied(x)) * force;
      const k = foundation.at(x) * soil;
      out[0] = flexibility * p13;
      out[1] = 2 * (y[2] ?? 0) - N * p12;
      out[2] = p24;
      out[3] = flexibility * (y[4] ?? 0) + k * p12;
      out[4] = -N * p24 + k * p13;
    };
    let y = Float64Array.from(START[bottom]);
    let taken = 0;
    for (const device of atPlace(0)) y = passed(device, y, column);
    for (let i = 1; i < breaks.length; i++) {
      const [from = 0, to = length] = [breaks[i - 1], breaks[i]];
      // Values at a jump are those inside.
      const inset = Math.min(0.25 * (to - from), Math.max(1e-12 * (to - from), 4 * Number.EPSILON * length));
      const inside = (x: number, values: Float64Array, out: Float64Array) =>
        slope(Math.min(to - inset, Math.max(from + inset, x)), values, out);
      let x = from;
      let step = Math.min(to - from, length / 24);
      while (x < to) {
        if (++taken > MAX_STEPS) return undefined;
        step = Math.min(step, Math.max(cell, stepOf(variation, x, length)));
        const isLast = x + step >= to - inset;
        const h = isLast ? to - x : step;
        const error = extrapolate(inside, x, h, length, y, values, work);
        const size = largest(values);
        if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return undefined;
        const part = error / (TOLERANCE * size);
        if (part > 1 && h > 1e-9 * length) {
          step = h * Math.max(0.2, 0.8 * eighthRoot(1 / part));
          continue;
        }
        for (let i = 0; i < SIZE; i++) y[i] = (values[i] ?? 0) / size;
        x = isLast ? to : x + h;
        step = h * Math.min(3, 0.8 * eighthRoot(1 / Math.max(part, 1e-6)));
      }
      const own = atPlace(to);
      for (const kind of ['hinge', 'support', 'spring', 'turn'] as const)
        for (const device of own) if (device.kind === kind) y = passed(device, y, column);
      const size = largest(y);
      if (!(size > 0)) return { value: 0, noise: TOLERANCE };
      y = y.map((one) => one / size);
    }
    return { value: y[GOAL[top]] ?? 0, noise: (taken + 10) * 4 * TOLERANCE };
  };
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i] ?? 0));
  return most;
}

const eighthRoot = (x: number) => Math.sqrt(Math.sqrt(Math.sqrt(x)));

/** What springs, supports and hinges make of the minors. */
function passed(device: Device, y: Float64Array, { length, EI }: Column): Float64Array<ArrayBuffer> {
  const [p12 = 0, p13 = 0, q = 0, p24 = 0, p34 = 0] = y;
  if (device.kind === 'support') return Float64Array.of(0, 0, 0, p12, p13);
  if (device.kind === 'hinge') return Float64Array.of(p13, 0, 0, p34, 0);
  const { stiffness } = device as Extract<Device, { readonly stiffness: number }>;
  if (device.kind === 'spring') {
    const k = (stiffness * length * length * length) / EI.max;
    return Float64Array.of(p12, p13, q, p24 + k * p12, p34 + k * p13);
  }
  const c = (stiffness * length) / EI.max;
  return Float64Array.of(p12, p13 + c * p12, q, p24, p34 + c * p24);
}

type Slope = (x: number, y: Float64Array, out: Float64Array) => void;

const SIZE = 5;

/** Arrays of the extrapolation, one set for all steps. */
interface Workspace {
  readonly rate: Float64Array;
  readonly turns: readonly [Float64Array, Float64Array];
  /** The newest row of the table, column by column. */
  readonly table: readonly Float64Array[];
  readonly row: Float64Array;
  readonly kept: Float64Array;
}

const workspace = (): Workspace => ({
  rate: new Float64Array(SIZE),
  turns: [new Float64Array(SIZE), new Float64Array(SIZE)],
  table: DIVISIONS.map(() => new Float64Array(SIZE)),
  row: new Float64Array(SIZE),
  kept: new Float64Array(SIZE),
});

/**
 * A step of the modified midpoint rule with 2, 4, 6 and 8 substeps, extrapolated to none (Aitken and Neville).
 *
 * @param out  the result
 * @returns    the change by the last column, an estimate of the error
 */
function extrapolate(
  slope: Slope,
  x: number,
  h: number,
  length: number,
  y: Float64Array,
  out: Float64Array,
  work: Workspace,
): number {
  const { table, row, kept } = work;
  let error = 0;
  for (const [j, count] of DIVISIONS.entries()) {
    midpoints(slope, x, h, length, y, count, row, work);
    for (let k = 1; k <= j; k++) {
      const ratio = count / (DIVISIONS[j - k] ?? 1);
      const factor = 1 / (ratio * ratio - 1);
      const before = table[k - 1] ?? row;
      if (k === DIVISIONS.length - 1) error = 0;
      for (let i = 0; i < SIZE; i++) {
        const value = row[i] ?? 0;
        const change = factor * (value - (before[i] ?? 0));
        before[i] = value;
        kept[i] = value + change;
        if (k === DIVISIONS.length - 1) error = Math.max(error, Math.abs(change));
      }
      row.set(kept);
    }
    table[j]?.set(row);
  }
  out.set(row);
  return error;
}

function midpoints(
  slope: Slope,
  x: number,
  h: number,
  length: number,
  y: Float64Array,
  count: number,
  out: Float64Array,
  { rate, turns }: Workspace,
): void {
  const d = h / count / length;
  let [before, now] = turns;
  before.set(y);
  slope(x, y, rate);
  for (let i = 0; i < SIZE; i++) now[i] = (y[i] ?? 0) + d * (rate[i] ?? 0);
  for (let k = 1; k < count; k++) {
    slope(x + (h * k) / count, now, rate);
    for (let i = 0; i < SIZE; i++) before[i] = (before[i] ?? 0) + 2 * d * (rate[i] ?? 0);
    [before, now] = [now, before];
  }
  slope(x + h, now, rate);
  for (let i = 0; i < SIZE; i++) out[i] = 0.5 * ((now[i] ?? 0) + (before[i] ?? 0) + d * (rate[i] ?? 0));
}

/** Total variation of the courses up to each sample; undefined if they are linear between breaks. */
function variationOf({ EI, foundation, length }: Column): Float64Array | undefined {
  if (EI.isLinear && foundation.isLinear) return undefined;
  const sums = new Float64Array(SAMPLES + 1);
  let [stiff, soft] = [EI.at(0), foundation.at(0)];
  for (let i = 1; i <= SAMPLES; i++) {
    const x = (length * i) / SAMPLES;
    const [a, b] = [EI.at(x), foundation.at(x)];
    const change = Math.abs(a - stiff) / Math.min(a, stiff);
    const other = foundation.max > 0 ? Math.abs(b - soft) / foundation.max : 0;
    sums[i] = (sums[i - 1] ?? 0) + change + other;
    [stiff, soft] = [a, b];
  }
  return sums;
}

/** How far the courses vary by no more than MAX_VARIATION. */
function stepOf(variation: Float64Array | undefined, x: number, length: number): number {
  if (variation === undefined) return length;
  const first = Math.floor((x / length) * SAMPLES);
  const limit = (variation[first] ?? 0) + MAX_VARIATION;
  let [low, high] = [first, SAMPLES + 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((variation[middle] ?? 0) <= limit) low = middle;
    else high = middle;
  }
  return (length * low) / SAMPLES - x;
}
