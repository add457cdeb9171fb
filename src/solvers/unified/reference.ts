// The value of a table a second way: every equation from its syntax tree, by other algorithms than the machine's.

import { verifyValue } from '../../expressions/verify.ts';
import type { Line } from './lines.ts';
import { innerValues, type Problem } from './problem.ts';

export interface Verified {
  /** Coherent, by symbol. */
  readonly values: ReadonlyMap<string, number>;
  /** The largest magnitude that a value was summed up from, by symbol. */
  readonly scales: ReadonlyMap<string, number>;
  /** How far rounding of its own equation may have moved a value, at its worst, by symbol. */
  readonly bounds: ReadonlyMap<string, number>;
  readonly method: string;
  /** The first equation that has a finite value of parts that are not. */
  readonly lost: Line | undefined;
}

/** @param time  t of the row; NaN where there is none */
export function verifiedRow({ algebraic, slots, values }: Problem, time: number): Verified {
  const known = new Map(slots.map((name, i) => [name, values[i] ?? Number.NaN]));
  if (!Number.isNaN(time)) known.set('t', time);
  const scales = new Map<string, number>();
  const bounds = new Map<string, number>();
  let lost: Line | undefined;
  const methods = new Set<string>();
  for (const line of algebraic) {
    const { reference, method, scale, bound, isWhole } = verifyValue(line, innerValues(line, known));
    known.set(line.symbol, reference);
    scales.set(line.symbol, scale);
    bounds.set(line.symbol, Number.isFinite(bound) ? bound : 0);
    if (!isWhole) lost ??= line;
    methods.add(method);
  }
  return { values: known, scales, bounds, method: [...methods].join('; '), lost };
}
