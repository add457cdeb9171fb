// The value of a table a second way: every equation from its syntax tree, by other algorithms than the machine's.

import { verifyValue } from '../../expressions/verify.ts';
import { innerValues, type Problem } from './problem.ts';

export interface Verified {
  /** Coherent, by symbol. */
  readonly values: ReadonlyMap<string, number>;
  /** The largest magnitude that a value was summed up from, by symbol. */
  readonly scales: ReadonlyMap<string, number>;
  readonly method: string;
}

/** @param time  t of the row; NaN where there is none */
export function verifiedRow({ algebraic, slots, values }: Problem, time: number): Verified {
  const known = new Map(slots.map((name, i) => [name, values[i] ?? Number.NaN]));
  if (!Number.isNaN(time)) known.set('t', time);
  const scales = new Map<string, number>();
  const methods = new Set<string>();
  for (const line of algebraic) {
    const { reference, method, scale } = verifyValue(line, innerValues(line, known));
    known.set(line.symbol, reference);
    scales.set(line.symbol, scale);
    methods.add(method);
  }
  return { values: known, scales, method: [...methods].join('; ') };
}
