// Rows of a table: t over its span, then perturbed copies of the last row, two for each given number.

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

/** Two rows in which one given number is larger and smaller than in the main row, for its slope. */
export interface Probe {
  readonly name: string;
  readonly value: number;
  readonly step: number;
  readonly above: number;
  readonly below: number;
}

/** Relative step of a central difference: near the cube root of the spacing of doubles. */
const RELATIVE_STEP = 7.62939453125e-6; // 2^-17

export function tableRows(input: UnifiedInput, { isSweep, values, slots, given, span }: Problem): Rows {
  const width = slots.length;
  const table = isSweep ? input.points : 1;
  const main = table - 1;
  const count = table + 2 * given.length;
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
    const above = table + 2 * i;
    rows[above * width + slot] = value + step;
    rows[(above + 1) * width + slot] = value - step;
    probes.push({ name, value, step, above, below: above + 1 });
  }
  return { values: rows, count, main, probes };
}
