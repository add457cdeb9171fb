// The further results of a run, each with its ±.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Quantity } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { exactly, quantity } from '../parts/fields.ts';
import type { NeesTest, NisTest, Whiteness } from './consistency.ts';
import type { KalmanFace } from './face.ts';
import { viewOf } from './histories.ts';
import type { Observability } from './observability.ts';
import type { Problem } from './problem.ts';
import type { Steady } from './steady.ts';
import type { Tuned } from './tuned.ts';

type Output = KernelOutput<KalmanFace>;

/** Reserve of the difference of two ways, and roundings of a recursion that forgets. */
const RESERVE = 4;
const ROUNDINGS = 64;

/** @param more  roundings of the model, which both ways share */
export const roundingOf = (value: number, other: number, more: number, size = Math.abs(value)): number =>
  RESERVE * Math.abs(value - other) + (ROUNDINGS + more) * Number.EPSILON * size;

/** Of the steps of all rows. */
export const roundingsOf = ({ rows }: Problem): number =>
  rows.steps.reduce((largest, { roundings }) => Math.max(largest, roundings), 0);

const root = (value: number) => Math.sqrt(Math.max(0, value));

/** The standard deviation of a state after the last row, and its ± by the other way. */
export function lastDeviation(main: Output, witness: Output, problem: Problem, state: number) {
  const n = problem.model.states.length;
  const place = (problem.rows.times.length - 1) * n + state;
  const [value, reference] = [main, witness].map((output) => root(at(viewOf(output, 'filteredVariance'), place))) as [
    number,
    number,
  ];
  // What is left of the variance before the row where a measurement without noise takes all of it.
  const before = root(at(viewOf(main, 'predictedVariance'), place));
  return {
    value,
    reference,
    before,
    rounding: roundingOf(value, reference, roundingsOf(problem)) + 2 * Number.EPSILON * before,
  };
}

export function stateQuantities(
  main: Output,
  witness: Output,
  problem: Problem,
  tuned: Tuned | undefined,
): readonly Quantity[] {
  const { model, rows } = problem;
  const n = model.states.length;
  const last = (rows.times.length - 1) * n;
  const more = roundingsOf(problem);
  const sizes = model.states.map((_, i) => largestOf(viewOf(main, 'filtered'), n, i));
  return model.states.flatMap((name, i) => {
    const unit = model.units[i] ?? '1';
    const { value: sd, rounding } = lastDeviation(main, witness, problem, i);
    const scatter = 2 * (tuned?.deviations[i] ?? 0);
    const of = (view: 'filtered' | 'smoothed', row: number) =>
      [main, witness].map((output) => at(viewOf(output, view), row + i)) as [number, number];
    const [estimate, other] = of('filtered', last);
    const [first, otherFirst] = of('smoothed', 0);
    const [smoothed, otherSmoothed] = [main, witness].map((output) =>
      root(at(viewOf(output, 'smoothedVariance'), i)),
    ) as [number, number];
    const size = sizes[i] ?? 0;
    return [
      quantity(`sd_${name}`, sd, unit, rounding + scatter),
      quantity(`estimate_${name}`, estimate, unit, 2 * sd + roundingOf(estimate, other, more, size)),
      quantity(`start_smoothed_${name}`, first, unit, 2 * smoothed + roundingOf(first, otherFirst, more, size)),
      quantity(`start_smoothed_sd_${name}`, smoothed, unit, roundingOf(smoothed, otherSmoothed, more)),
    ];
  });
}

function largestOf(values: Float64Array, width: number, column: number): number {
  let largest = 0;
  for (let i = column; i < values.length; i += width) largest = Math.max(largest, Math.abs(at(values, i)));
  return largest;
}

/** Errors of the simulated runs after the last row, and what they should be. */
export function errorQuantities(
  main: Output,
  { model, rows, runs }: Problem,
  nees: NeesTest | undefined,
): readonly Quantity[] {
  if (nees === undefined) return [];
  const n = model.states.length;
  const last = (rows.times.length - 1) * n;
  return [
    ...model.states.flatMap((name, i) => {
      const unit = model.units[i] ?? '1';
      const rmse = root(at(viewOf(main, 'errors'), last + i));
      const expected = root(at(viewOf(main, 'expectedErrors'), last + i));
      return [
        quantity(`rmse_${name}`, rmse, unit, (2 * rmse) / Math.sqrt(2 * runs) + (rmse * 2) / runs),
        quantity(`rmse_expected_${name}`, expected, unit, 1e-11 * expected),
      ];
    }),
    // Squares of normal errors deviate by at most √2 of their mean, however the rows hang together.
    quantity('nees_over_freedom', nees.mean, '1', 2 * root(2 / runs) * nees.mean),
    exactly('nees_rows_inside', nees.inside, '1'),
    exactly('runs', runs, '1'),
  ];
}

export function testQuantities(
  more: number,
  nis: NisTest | undefined,
  otherNis: NisTest | undefined,
  whiteness: Whiteness | undefined,
  otherWhiteness: Whiteness | undefined,
): readonly Quantity[] {
  const found: Quantity[] = [];
  if (nis !== undefined && otherNis !== undefined)
    found.push(
      quantity('nis_mean', nis.mean, '1', roundingOf(nis.mean, otherNis.mean, more)),
      quantity('nis_low', nis.low, '1', 1e-9 * nis.expected),
      quantity('nis_high', nis.high, '1', 1e-9 * nis.expected),
      quantity('nis_p', nis.p, '1', 1e-9 + roundingOf(nis.p, otherNis.p, 0)),
      exactly('nis_rows_inside', nis.inside, '1'),
    );
  if (whiteness !== undefined && otherWhiteness !== undefined)
    found.push(quantity('whiteness_p', whiteness.p, '1', 1e-9 + roundingOf(whiteness.p, otherWhiteness.p, 0)));
  return found;
}

export function steadyQuantities({ model, state }: Problem, steady: Steady | undefined): readonly Quantity[] {
  if (steady === undefined) return [];
  const { predicted, filtered, gain, radius, error, gainError } = steady;
  const unit = model.units[state] ?? '1';
  const [before, after] = [predicted, filtered].map((one) => one[state]?.[state] ?? 0) as [number, number];
  const bound = error[state]?.[state] ?? 0;
  const half = after > 0 ? Math.min(Math.sqrt(bound), bound / root(after)) : Math.sqrt(bound);
  return [
    quantity('steady_sd', root(after), unit, half),
    quantity('steady_variance', after, '1', bound),
    quantity('steady_variance_predicted', before, '1', bound),
    ...model.states.flatMap((name, i) =>
      model.channels.map((channel, j) =>
        quantity(`steady_gain_${name}_${channel}`, gain[i]?.[j] ?? 0, '1', gainError[i]?.[j] ?? 0),
      ),
    ),
    quantity('error_factor', radius * radius, '1', 1e-7),
  ];
}

type Pair = [number, number];

/** A covariance has none. */
function asymmetry(form: string, { statistics }: Output): Quantity {
  const found = statistics.asymmetry ?? 0;
  return quantity(`${form}_asymmetry`, found, '1', found);
}

export function modelQuantities(
  {
    model,
    rows,
    problem,
    observability,
  }: {
    readonly model: Problem['model'];
    readonly rows: Problem['rows'];
    readonly problem: Problem;
    readonly observability: Observability;
  },
  main: Output,
  standard: Output,
): readonly Quantity[] {
  const [smallest, other] = [main, standard].map(({ statistics }) => statistics.smallestEigenvalue ?? 0) as Pair;
  // Both forms are the same covariance but for rounding, over its scale.
  const apart = roundingOf(smallest, other, 1e-12);
  return [
    exactly('states', model.states.length, '1'),
    exactly('observable_states', observability.rank, '1'),
    exactly('is_detectable', Number(observability.isDetectable), '1'),
    exactly('rows', rows.times.length, '1'),
    exactly('missing_values', rows.missing, '1'),
    ...(problem.tuned > 0
      ? [exactly('joseph_smallest_eigenvalue', smallest, '1'), asymmetry('joseph', main)]
      : [
          quantity('joseph_smallest_eigenvalue', smallest, '1', apart),
          asymmetry('joseph', main),
          quantity('standard_smallest_eigenvalue', other, '1', apart),
          asymmetry('standard', standard),
        ]),
  ];
}
