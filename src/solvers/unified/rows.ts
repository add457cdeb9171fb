// The rows of a table: t over its span, and around the last of them every given number a little larger and smaller.

import type { UnifiedInput } from './input.ts';
import type { Problem } from './problem.ts';

export interface Rows {
  /** f64[count, slots] */
  readonly values: Float64Array<ArrayBuffer>;
  readonly count: number;
  /** The row that the value stands in; those before it are the table. */
  readonly main: number;
  readonly probes: readonly Probe[];
}

/** Two rows in which one given number is larger and smaller than in the main row. */
export interface Probe {
  readonly name: string;
  readonly value: number;
  readonly step: number;
  readonly above: number;
  readonly below: number;
}

/** Of a number, for a central difference: near the cube root of the spacing of doubles. */
const STEP = 7.62939453125e-6; // 2^-17

export function tableRows(input: UnifiedInput, { isSwept, values, slots, given, span }: Problem): Rows {
  const width = slots.length;
  const table = isSwept ? input.points : 1;
  const main = table - 1;
  const count = table + 2 * given.length;
  const all = new Float64Array(count * width);
  const probes: Probe[] = [];
  for (let row = 0; row < count; row++) {
    all.set(values, row * width);
    if (!isSwept) continue;
    const [from, to] = span;
    all[row * width] = row >= main ? to : from + ((to - from) * row) / main;
  }
  for (const [i, name] of given.entries()) {
    const at = slots.indexOf(name);
    const value = values[at] ?? 0;
    const step = STEP * (value === 0 ? 1 : Math.abs(value));
    const above = table + 2 * i;
    all[above * width + at] = value + step;
    all[(above + 1) * width + at] = value - step;
    probes.push({ name, value, step, above, below: above + 1 });
  }
  return { values: all, count, main, probes };
}
