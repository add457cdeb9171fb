// Sample points of an operator's declared box, the same in every run.
//
// Along each input a Kronecker sequence, the fractional parts of i sqrt(p) for a prime p of its own (Niederreiter,
// Random Number Generation and Quasi-Monte Carlo Methods, SIAM 1992, chapter 3). Where the box spans decades, every
// second point is uniform on a logarithmic scale: uniform points have nearly the largest magnitude.

import { exp, log } from '../../core/elementary.ts';
import { unmetBy } from '../evaluate.ts';
import { type PreparedInput, type PreparedOperator, valuesAt } from './prepared-operator.ts';

const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43];

/** An undeclared limit is this multiple of the largest value in the examples. */
const OPEN_LIMIT_FACTOR = 10;
/** Where the box begins at zero, its logarithmic scale begins at this share of the upper limit. */
const LOG_SCALE_START = 1e-6;
/** The same where requirements leave little of a wide box. */
const LOG_SCALE_START_OF_JOINT = 1e-12;

/** Points of the box for each one that is wanted, where few meet the requirements. */
const MAX_TRIES = 64;

/**
 * Points that meet the requirements of the operator; fewer than `count` where these leave little of the box.
 *
 * @returns values of the inputs in coherent SI, one array per point
 */
export function samplePoints(prepared: PreparedOperator, count: number): number[][] {
  const { operator } = prepared;
  if (operator.requires === undefined) return boxPoints(prepared, count);
  return boxPoints(prepared, MAX_TRIES * count)
    .filter((point) => unmetBy(operator, valuesAt(prepared, point)).length === 0)
    .slice(0, count);
}

/** Points of the box, whether they meet the requirements or not. */
export function boxPoints(prepared: PreparedOperator, count: number): number[][] {
  const ranges = prepared.inputs.map((input, i) => rangeOf(prepared, input, PRIMES[i] ?? 47));
  return Array.from({ length: count }, (_, i) => ranges.map((at) => at(i + 1)));
}

/** Limits in the declared unit; undeclared ones follow from the examples. */
export function boundsOf(
  prepared: PreparedOperator,
  { name, declared }: PreparedInput,
): { lower: number; upper: number } {
  const seen = prepared.operator.examples.map(({ inputs }) => Math.abs(inputs[name] ?? declared.default ?? 0));
  const scale = OPEN_LIMIT_FACTOR * Math.max(...seen, Math.abs(declared.min ?? 0), Math.abs(declared.max ?? 0)) || 1;
  return { lower: declared.min ?? -scale, upper: declared.max ?? scale };
}

function rangeOf(prepared: PreparedOperator, input: PreparedInput, prime: number): (i: number) => number {
  const { lower, upper } = boundsOf(prepared, input);
  const { enum: allowed, integer } = input.declared;
  if (allowed !== undefined) return (i) => (allowed[i % allowed.length] ?? 0) * input.unit.factor;
  const isWhole = integer === true;
  const step = Math.sqrt(prime) % 1;
  const start = prepared.operator.requires === undefined ? LOG_SCALE_START : LOG_SCALE_START_OF_JOINT;
  const lowest = lower > 0 ? lower : start * upper;
  return (i) => {
    const part = (i * step) % 1;
    const isLogarithmic = i % 2 === 0 && lower >= 0 && upper > 0;
    const value = isLogarithmic ? lowest * exp(part * log(upper / lowest)) : lower + part * (upper - lower);
    const whole = Math.min(Math.floor(upper), Math.max(Math.ceil(lower), Math.round(value)));
    return (isWhole ? whole : Math.min(upper, Math.max(lower, value))) * input.unit.factor;
  };
}
