// f at the end of a run once more: from the syntax trees, in double-double arithmetic, with a bound of the kernel's rounding
// and of the decimals that the kernel rounds.

import * as dd from '../../expressions/precise/double-double.ts';
import { evaluatePrecisely } from '../../expressions/precise/evaluate.ts';
import type { Model } from './model.ts';

export interface PreciseObjective {
  readonly value: number;
  /** Of the distance to the kernel's f, and to that of exact decimals. */
  readonly bound: number;
  /** Of the part of rows from an index on. */
  readonly tail: number;
  /** Rows that were computed twice; the bound of the others is that of these. */
  readonly rows: number;
}

/** Nodes of all evaluations: about a second. */
const MAX_NODES = 600_000;

/** @param penaltiesFrom  the first row of the tail */
export function preciseObjective(
  { rows, names }: Model,
  x: ArrayLike<number>,
  cost: number,
  penaltiesFrom: number,
): PreciseObjective {
  const stride = Math.max(1, Math.ceil(cost / MAX_NODES));
  let total = dd.ZERO;
  let tail = dd.ZERO;
  let bound = 0;
  let size = 0;
  let count = 0;
  for (let i = 0; i < rows.length; i += stride) {
    const row = rows[i];
    if (row === undefined) break;
    count++;
    let sum = dd.ZERO;
    let error = 0;
    let parts = 0;
    for (const { shape, variables, constants } of row.elements) {
      const values = new Map<string, number>();
      const errors = new Map<string, number>();
      for (const [k, name] of shape.locals.entries()) values.set(name, x[variables[k] ?? -1] ?? Number.NaN);
      for (const [k, name] of shape.constants.entries()) {
        const constant = constants[k] ?? Number.NaN;
        values.set(name, constant);
        // A decimal number is rounded to the nearest double.
        if (!Number.isInteger(constant)) errors.set(name, Math.abs(constant) * 2 ** -53);
      }
      const part = evaluatePrecisely({ expression: shape.expression, where: [] }, values, undefined, undefined, errors);
      sum = dd.add(sum, { high: part.value, low: part.low });
      parts += Math.abs(part.value);
      error += part.bound;
    }
    error += row.elements.length * Number.EPSILON * parts;
    const r = Math.abs(sum.high);
    const isOff = row.kind === 'positive' && dd.isNegative(sum);
    const term = row.kind === 'plain' ? sum : isOff ? dd.ZERO : dd.square(sum);
    total = dd.add(total, term);
    if (i >= penaltiesFrom) tail = dd.add(tail, term);
    bound += row.kind === 'plain' ? error : isOff ? error * error : (2 * r + error) * error;
    size += Math.abs(term.high);
  }
  const scale = rows.length / Math.max(1, count);
  const rounding = (2 + rows.length) * Number.EPSILON * size;
  return {
    value: total.high,
    bound: (bound + rounding) * scale,
    tail: tail.high,
    rows: names.length === 0 ? 0 : count,
  };
}
