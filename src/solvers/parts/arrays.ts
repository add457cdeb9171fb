// Reads arrays of a solution: one element, the last one, and the largest magnitude, deviation and increase.

/** The element at `index`; NaN outside. */
export const at = (values: ArrayLike<number>, index: number): number => values[index] ?? Number.NaN;

/** The last element; NaN if empty. */
export const last = (values: ArrayLike<number>): number => at(values, values.length - 1);

/** max |v_i|; 0 if empty, NaN if any is NaN. */
export function maxMagnitude(values: Iterable<number>): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/** max |v_i − v_0|: the drift of a history that should stay constant. NaN if any is NaN, 0 if empty. */
export function maxDeviation(history: Float64Array): number {
  const first = history[0] ?? 0;
  return maxMagnitude(history.map((value) => value - first));
}

/** max(0, v_{i+1} − v_i): the violation of a history that should never grow. NaN if any is NaN. */
export function maxIncrease(history: Float64Array): number {
  let largest = 0;
  for (let i = 1; i < history.length; i++) largest = Math.max(largest, at(history, i) - at(history, i - 1));
  return largest;
}
