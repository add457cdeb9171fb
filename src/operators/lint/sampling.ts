// Points of an operator's declared box: the same ones in every run.
//
// Along each input a Kronecker sequence, the fractional parts of i sqrt(p) for a prime p of its own (Niederreiter, Random
// Number Generation and Quasi-Monte Carlo Methods, SIAM 1992, chapter 3). Every second point lies uniformly on a
// logarithmic scale where the box spans decades: uniform points alone would all have its largest magnitude.

import { exp, log } from '../../core/elementary.ts';
import type { Trial, TrialInput } from './trial.ts';

const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43];

/** An open end lies this many times beyond the largest value of the examples. */
const BEYOND = 10;
/** A box that begins at zero has this many decades on its logarithmic scale. */
const SMALLEST = 1e-6;

/** @returns values of the inputs in coherent SI, one array a point */
export function samplePoints(trial: Trial, count: number): number[][] {
  const ranges = trial.inputs.map((input, i) => rangeOf(trial, input, PRIMES[i] ?? 47));
  return Array.from({ length: count }, (_, i) => ranges.map((at) => at(i + 1)));
}

/** From its least to its largest value; open ends are taken from the examples. Declared unit. */
export function boundsOf(trial: Trial, { name, declared }: TrialInput): { least: number; most: number } {
  const seen = trial.operator.examples.map(({ inputs }) => Math.abs(inputs[name] ?? declared.default ?? 0));
  const scale = BEYOND * Math.max(...seen, Math.abs(declared.min ?? 0), Math.abs(declared.max ?? 0)) || 1;
  return { least: declared.min ?? -scale, most: declared.max ?? scale };
}

function rangeOf(trial: Trial, input: TrialInput, prime: number): (i: number) => number {
  const { least, most } = boundsOf(trial, input);
  const isWhole = input.declared.integer === true;
  const step = Math.sqrt(prime) % 1;
  const lowest = least > 0 ? least : SMALLEST * most;
  return (i) => {
    const part = (i * step) % 1;
    const isLogarithmic = i % 2 === 0 && least >= 0 && most > 0;
    const value = isLogarithmic ? lowest * exp(part * log(most / lowest)) : least + part * (most - least);
    const whole = Math.min(Math.floor(most), Math.max(Math.ceil(least), Math.round(value)));
    return (isWhole ? whole : Math.min(most, Math.max(least, value))) * input.unit.factor;
  };
}
