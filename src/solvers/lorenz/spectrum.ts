// The exponents with their ±: eigenvalues where the way ends in an equilibrium, else means along the way.

import { bound, type Contribution, combined, standard } from '../../core/uncertainty.ts';
import type { Equilibria, Equilibrium } from './equilibria.ts';
import type { Growth, Mean } from './growth.ts';

export interface Exponent {
  readonly value: number;
  readonly uncertainty: number;
  readonly budget: readonly Contribution[];
}

export interface Spectrum {
  /** The largest first. */
  readonly exponents: readonly Exponent[];
  /** Of the largest exponent, by another way. */
  readonly reference: number;
  readonly method: string;
  readonly kind: 'equilibrium' | 'chaotic' | 'regular';
  /** Why the exponents are not to be relied on; empty if they are. */
  readonly doubts: readonly string[];
}

/** Standard errors that two halves, and two methods, may differ by. */
const MAX_DEVIATIONS = 4.5;
/** Beyond this part of the exponents a difference of two methods is too large for any ±. */
const MAX_DIFFERENCE = 0.05;
/** Standard errors from which a drift is doubtful, and from which it counts in ±. */
const DRIFTING = 3.5;
const MAYBE_DRIFTING = 2.5;
/** Logarithm of the growth that may come from the beginning, before the frame and the way have forgotten it. */
const FORGOTTEN = 1.5;
/** Maxima of a state that a mean needs. */
const MIN_TURNS = 20;
/** A drift below this part of the exponent, or in all of the time, is none. */
const MAX_DRIFT = 0.02;
/** The sum of the exponents, as a part of their sizes. */
export const MAX_SUM_DRIFT = 1e-4;

/** What the runs say beside the growth. */
export interface Facts {
  /** Error per unit of time that the steps of the second method allow. */
  readonly tolerated: number;
  /** Maxima of the state that has most. */
  readonly turns: number;
}

export function spectrumOf(growth: Growth, second: Growth, equilibria: Equilibria, facts: Facts): Spectrum {
  const { end, isStart } = equilibria;
  if (end !== undefined) return restOf(end, growth, isStart);
  return meansOf(growth, second, equilibria, facts);
}

/** At an equilibrium the exponents are the real parts of the eigenvalues. */
function restOf(end: Equilibrium, { exponents, times }: Growth, isStart: boolean): Spectrum {
  const measured = exponents[0]?.value ?? Number.NaN;
  const { error, growth, values } = end;
  const time = times.at(-1) ?? 0;
  const scale = values.reduce((sum, { re, im }) => sum + Math.abs(re) + Math.abs(im), 0);
  const isSame = Math.abs(measured - growth) <= MAX_DIFFERENCE * scale + 20 / time;
  const doubts: string[] = [];
  // Of an unstable start, roundings decide when the way leaves it.
  if (!isSame && !(isStart && growth > 0))
    doubts.push(`The growth along the way is ${measured}, not that of the equilibrium that it ends in.`);
  return {
    exponents: values.map(({ re }) => {
      const budget = [bound('rounding', error, 'eigenvalues in two bases, and roundings of the equilibrium')];
      return { value: re, uncertainty: combined(budget), budget };
    }),
    reference: isSame ? measured : growth,
    method: isSame ? 'growth of tangent vectors along the way' : 'eigenvalue at the start',
    kind: 'equilibrium',
    doubts,
  };
}

function meansOf(growth: Growth, second: Growth, { all, stands }: Equilibria, { tolerated, turns }: Facts): Spectrum {
  const time = growth.times.at(-1) ?? 0;
  const scale = growth.exponents.reduce((sum, { value }) => sum + Math.abs(value), 0);
  const exponents = growth.exponents.map((mean, i) =>
    exponentOf(mean, second.exponents[i] ?? mean, tolerated, stands ? 0 : FORGOTTEN / time),
  );
  const doubts: string[] = [];
  const [first, other] = [growth.exponents[0], second.exponents[0]];
  const [largest] = exponents;
  if (first === undefined || other === undefined || largest === undefined) throw new Error('A system has states.');
  const deviation = Math.sqrt(first.error * first.error + other.error * other.error);
  if (
    Math.abs(first.value - other.value) >
    MAX_DEVIATIONS * deviation + MAX_DIFFERENCE * Math.abs(first.value) + 5 / time
  )
    doubts.push(
      `Two methods from close starts do not agree: ${first.value} and ${other.value}. The step is too long, or the start lies between two attractors.`,
    );
  if (!stands && turns < MIN_TURNS)
    doubts.push(
      `The way turns ${turns} times while it is averaged, less than ${MIN_TURNS} times: too short a time for a mean. Take more or longer steps.`,
    );
  for (const [name, mean] of [
    ['', first],
    [' by the second method', other],
  ] as const)
    if (
      Math.abs(mean.drift) > DRIFTING * mean.driftError &&
      Math.abs(mean.drift) > MAX_DRIFT * Math.abs(mean.value) + 1 / time
    )
      doubts.push(
        `The exponent${name} drifts: its second half is ${mean.drift} above the first. Take more steps, and a longer transient.`,
      );
  const sum = growth.exponents.reduce((total, { value }) => total + value, 0);
  if (!(Math.abs(sum - growth.divergence.value) <= MAX_SUM_DRIFT * Math.max(scale, 1 / time)))
    doubts.push('The exponents do not add up to the mean divergence of the equations: the step is too long.');
  const isChaotic = largest.value > largest.uncertainty;
  const stable = all.find(({ isStable }) => isStable);
  if (isChaotic && stable !== undefined)
    doubts.push(
      `A stable equilibrium at (${stable.states.map((one) => one.toPrecision(6)).join(', ')}) stands beside the chaos, which may be transient: no run can tell.`,
    );
  return {
    exponents,
    reference: other.value,
    method: 'DOP853 with its own steps from a start 10⁻⁶ away, with another frame',
    kind: isChaotic ? 'chaotic' : 'regular',
    doubts,
  };
}

function exponentOf(mean: Mean, second: Mean, tolerated: number, start: number): Exponent {
  const error = Math.max(mean.error, second.error);
  const budget = [
    bound('discretisation', Math.abs(mean.value - second.value), 'difference from DOP853 with its own steps'),
    bound('iteration', Math.max(driftOf(mean), driftOf(second)), 'drift from the first half to the second'),
    bound('discretisation', start, 'how the frame and the way began, over the time'),
    bound('rounding', tolerated, 'tolerance of the steps of DOP853'),
    standard('statistics', error, 'means of 16 and 32 batches'),
  ];
  return { value: mean.value, uncertainty: combined(budget), budget };
}

const driftOf = ({ drift, driftError }: Mean): number =>
  Math.abs(drift) > MAYBE_DRIFTING * driftError ? Math.abs(drift) : 0;
