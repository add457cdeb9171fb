// Rows of a table: t over its span, then perturbed copies of the last row, four for each given number.

import type { UnifiedInput } from './inputs.ts';
import type { Problem } from './problem.ts';

export interface Rows {
  /** f64[count, slots] */
  readonly values: Float64Array<ArrayBuffer>;
  readonly count: number;
  /** Index of the row of the value; the rows before it are the table. */
  readonly main: number;
  readonly probes: readonly Probe[];
}

/**
 * Rows in which one given number is larger and smaller than in the main row, for its slope, and again by twice as much,
 * for the error of that slope.
 */
export interface Probe {
  readonly name: string;
  readonly value: number;
  readonly step: number;
  readonly above: number;
  readonly below: number;
  readonly farAbove: number;
  readonly farBelow: number;
}

/** Relative step of a central difference: near the cube root of the spacing of doubles. */
const RELATIVE_STEP = 7.62939453125e-6; // 2^-17

/** In steps: the rows above, below, farAbove and farBelow. */
const OFFSETS = [1, -1, 2, -2] as const;

export function tableRows(input: UnifiedInput, { isSweep, values, slots, given, span }: Problem): Rows {
  const width = slots.length;
  const table = isSweep ? input.points : 1;
  const main = table - 1;
  const count = table + OFFSETS.length * given.length;
  const rows = new Float64Array(count * width);
  const probes: Probe[] = [];
  for (let row = 0; row < count; row++) {
    rows.set(values, row * width);
    if (!isSweep) continue;
    const [from, to] = span;
    rows[row * width] = row >= main ? to : from + ((to - from) * row) / main;
  }
  for (const [i, name] of given.entries()) {
    const slot = slots.indexOf(name);
    const value = values[slot] ?? 0;
    const step = RELATIVE_STEP * (value === 0 ? 1 : Math.abs(value));
    const above = table + OFFSETS.length * i;
    for (const [k, offset] of OFFSETS.entries()) rows[(above + k) * width + slot] = value + offset * step;
    probes.push({ name, value, step, above, below: above + 1, farAbove: above + 2, farBelow: above + 3 });
  }
  return { values: rows, count, main, probes };
}
