// The further results of a run, each with its ±.

import { log } from '../../core/elementary.ts';
import type { Quantity } from '../definition.ts';
import { last } from '../parts/arrays.ts';
import { exactly, quantity, rounded } from '../parts/fields.ts';
import type { ClosedForms } from './closed-forms.ts';
import type { Fit } from './fit.ts';
import { type Curve, reproductionAt } from './histories.ts';
import type { Problem } from './problem.ts';

/** The difference of two runs, most of which is the error of the one with the longer steps, with a reserve. */
const RESERVE = 2;

/** Susceptible of each group at the start. */
const susceptibleAtStart = ({ sizes, infectious, exposed, immune }: Problem): readonly number[] =>
  sizes.map((size, g) => size - (infectious[g] ?? 0) - (exposed[g] ?? 0) - (immune[g] ?? 0));

const differenceOf = (value: number, other: number, rounding: number) => RESERVE * Math.abs(value - other) + rounding;

/** Of a fitted curve: the results that its sensitivities reach. */
export function fittedQuantities(
  problem: Problem,
  curve: Curve,
  finer: Curve,
  R0: number,
  fit: Fit,
): readonly Quantity[] {
  const { people, days } = problem;
  const { peak, peakTime, infections } = fit.halfWidth;
  const infected = last(curve.infections);
  const infectedError = differenceOf(infected, last(finer.infections), 1e-12 * people) + infections;
  const herd = fit.R0HalfWidth / (R0 * R0);
  return [
    quantity('peak_infectious', curve.peak, 'people', differenceOf(curve.peak, finer.peak, 1e-12 * people) + peak),
    quantity('peak_day', curve.peakTime, 'day', differenceOf(curve.peakTime, finer.peakTime, 1e-11 * days) + peakTime),
    quantity('infected', infected, 'people', infectedError),
    quantity('attack_rate', infected / people, '1', infectedError / people),
    ...(R0 > 1 ? [quantity('herd_immunity', 1 - 1 / R0, '1', herd / (1 - Math.min(0.5, fit.R0HalfWidth / R0)))] : []),
    exactly('peaks', curve.peaks, '1'),
    exactly('steps', curve.steps, '1'),
  ];
}

export function quantitiesOf(
  problem: Problem,
  curve: Curve,
  finer: Curve,
  R0: number,
  closed: ClosedForms | undefined,
): readonly Quantity[] {
  const { people, beta, gamma, sigma, mu, days, hasExposed } = problem;
  const count = (name: string, values: Float64Array, others: Float64Array) =>
    quantity(name, last(values), 'people', differenceOf(last(values), last(others), 1e-12 * people));
  const attack = last(curve.infections) / people;
  const start = reproductionAt(problem, susceptibleAtStart(problem));
  const growth = growthRate(problem, start);
  const rounding = 1e-13;
  const growthError = rounding * (gamma + sigma + mu + start * gamma);
  return [
    quantity('peak_infectious', curve.peak, 'people', differenceOf(curve.peak, finer.peak, 1e-12 * people)),
    quantity('peak_day', curve.peakTime, 'day', differenceOf(curve.peakTime, finer.peakTime, 1e-11 * days)),
    exactly('peaks', curve.peaks, '1'),
    count('infected', curve.infections, finer.infections),
    quantity('attack_rate', attack, '1', differenceOf(attack, last(finer.infections) / people, 1e-12)),
    count('susceptible_end', curve.susceptible, finer.susceptible),
    count('infectious_end', curve.infectious, finer.infectious),
    ...(closed === undefined ? [] : [quantity('final_size', closed.finalSize, 'people', 1e-12 * people)]),
    quantity('R_start', start, '1', rounding * start),
    ...(R0 > 1 ? [quantity('herd_immunity', 1 - 1 / R0, '1', rounding)] : []),
    quantity('growth_rate', growth, '1/day', growthError),
    ...(growth > 100 * growthError
      ? [
          quantity(
            'doubling_time',
            log(2) / growth,
            'day',
            ((log(2) / growth) * (2 * growthError)) / growth + rounding / growth,
          ),
        ]
      : []),
    rounded('beta', beta, '1/day'),
    rounded('infectious_days', 1 / gamma, 'day'),
    ...(hasExposed ? [rounded('latent_days', 1 / sigma, 'day')] : []),
    exactly('steps', curve.steps, '1'),
  ];
}

/** Of the infected at the start: the larger root of (r + σ + μ)(r + γ + μ) = R (σ + μ)(γ + μ), or R (γ + μ) − γ − μ. */
function growthRate({ hasExposed, sigma, gamma, mu }: Problem, R: number): number {
  const b = gamma + mu;
  if (!hasExposed) return (R - 1) * b;
  const a = sigma + mu;
  // Without cancellation where R is close to 1.
  return (2 * (R - 1) * a * b) / (a + b + Math.sqrt((a - b) * (a - b) + 4 * R * a * b));
}
