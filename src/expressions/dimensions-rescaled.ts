// Numeric test of dimensions: in other units every law must give the same quantity.
//
// Each base unit is scaled by a random power of two. Every symbol is rescaled by its dimension, and the value must
// scale by the dimension of the result. Powers of two change no digit, so rounding differs only in general powers, and
// even an ill-conditioned law scales to the last bits. The test does not use the rules of dimensions.ts and is
// independent of them.

import { fromWords } from '../core/bits.ts';
import { DIMENSIONLESS, type Dimension } from '../core/units/dimension.ts';
import type { KernelInstance } from '../kernels/instance.ts';
import type { Program } from './bytecode.ts';
import type { Dimensions } from './dimensions.ts';
import { evaluateRows } from './evaluate.ts';

export interface Rescaling {
  readonly program: Program;
  /** Dimension of every slot of the program. */
  readonly dimensions: Dimensions;
  /** Expected dimension of the value. */
  readonly result: Dimension;
}

/** A correct law deviates by less: by the rounding of powers, a few units in the last place. */
export const RESCALING_TOLERANCE = 1e-9;

/**
 * The relative deviation of the value from its rescaled value, the largest over a few random changes of units. NaN if
 * the value is not finite before the change.
 *
 * @param values  one for each slot of the program
 * @throws DomainError as evaluateRows
 */
export function rescalingDeviation(
  instance: KernelInstance,
  { program, dimensions, result }: Rescaling,
  values: readonly number[],
  seed = 1,
): number {
  const all = [result, ...program.slots.map((name) => dimensions.get(name) ?? DIMENSIONLESS)];
  const common = all.reduce((multiple, { denominator }) => leastCommonMultiple(multiple, denominator), 1);
  const random = randomWords(seed);
  const changes = Array.from({ length: CHANGES }, () => {
    // Exponents of two by base unit; a multiple of `common`, so that roots of a unit are powers of two as well.
    const steps = result.numerators.map(() => common * signedStep(random()));
    return all.map((dimension) => sizeOf(dimension, steps));
  });
  const rows = [values, ...changes.map(([, ...sizes]) => values.map((value, i) => value * (sizes[i] ?? 1)))];
  const [before = Number.NaN, ...after] = evaluateRows(instance, program, Float64Array.from(rows.flat()), rows.length);
  if (!Number.isFinite(before)) return Number.NaN;
  return Math.max(...changes.map(([size = 1], i) => relativeDeviation(after[i] ?? Number.NaN, before * size)));
}

/** Two different dimensions agree in all changes with probability 6^-8. */
const CHANGES = 8;

/** One of -3, -2, -1, 1, 2, 3. */
function signedStep(word: number): number {
  const step = (word % 3) + 1;
  return word % 2 === 0 ? step : -step;
}

/** The factor by which a number of this dimension grows. */
function sizeOf({ numerators, denominator }: Dimension, steps: readonly number[]): number {
  const exponent = numerators.reduce((total, numerator, i) => total + numerator * (steps[i] ?? 0), 0) / denominator;
  return fromWords((1023 + Math.max(-1022, Math.min(1023, exponent))) << 20, 0);
}

function relativeDeviation(value: number, expected: number): number {
  if (value === expected) return 0;
  if (Number.isNaN(value)) return Number.POSITIVE_INFINITY;
  return Math.abs(value - expected) / Math.abs(expected);
}

/** Words of 32 bits: Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014, in 32 bits. */
function randomWords(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let word = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return (word ^ (word >>> 16)) >>> 0;
  };
}

function leastCommonMultiple(a: number, b: number): number {
  let [left, right] = [a, b];
  while (right !== 0) [left, right] = [right, left % right];
  return (a / left) * b;
}
