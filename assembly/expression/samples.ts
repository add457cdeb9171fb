// Rows of slots that are drawn instead of given, for the propagation of distributions by Monte Carlo: each slot is its
// center plus a sum of independent standard normal deviates, one per source (JCGM 101:2008, §7).
//
// Row r of source k is a pure function of the seed, r and k, so blocks of any size draw the same rows. A row that leaves
// the range of a slot is drawn all the same; the caller counts it and gives it no value.

import { normalPair } from '../numerics/random';
import { get, set } from '../numerics/vector';

/** Columns of `limits`: minimum, maximum, and whether the slot is rounded to the nearest whole number. */
export const LIMIT_COLUMNS: i32 = 3;

/** Two deviates of `normalPair`. */
const PAIR: usize = memory.data(16, 16);

/**
 * @param out      f64[slots]
 * @param center   f64[slots]
 * @param factors  f64[slots, sources]: the standard deviation of a slot by each source, signed
 * @param limits   f64[slots, LIMIT_COLUMNS]
 * @param deviates f64[sources], scratch
 * @param row      from 0
 * @returns whether every slot is within its limits
 */
export function drawRow(
  out: usize,
  center: usize,
  factors: usize,
  limits: usize,
  deviates: usize,
  slots: i32,
  sources: i32,
  row: i32,
): bool {
  for (let k = 0; k < sources; k += 2) {
    normalPair(PAIR, <u32>(k >> 1), <u64>row);
    set(deviates, k, get(PAIR, 0));
    if (k + 1 < sources) set(deviates, k + 1, get(PAIR, 1));
  }
  let isWithin = true;
  for (let j = 0; j < slots; j++) {
    let change: f64 = 0;
    for (let k = 0; k < sources; k++) change += get(factors, j * sources + k) * get(deviates, k);
    let value = get(center, j) + change;
    const limit = j * LIMIT_COLUMNS;
    if (get(limits, limit + 2) !== 0) value = Math.round(value);
    if (!(value >= get(limits, limit) && value <= get(limits, limit + 1))) isWithin = false;
    set(out, j, value);
  }
  return isWithin;
}
