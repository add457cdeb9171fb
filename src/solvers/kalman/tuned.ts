// Factors of Q and R by maximum likelihood: estimates with intervals, and what they do to the standard deviations.

import { exp, expm1 } from '../../core/elementary.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Quantity } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { exactly, quantity } from '../parts/fields.ts';
import type { KalmanFace } from './face.ts';
import { type Matrix, matrixOf, scaled, solved } from './matrix.ts';
import type { Problem } from './problem.ts';

/** Slopes are stored for so many states; see assembly/solvers/kalman/tuning.ts. */
const MAX_STATES = 8;
/** A factor known to e³ only is not known. */
const MAX_VARIANCE = 9;

export interface Tuned {
  readonly isConverged: boolean;
  readonly Q: number;
  readonly R: readonly number[];
  /** Standard error of the standard deviation of each state after the last row. */
  readonly deviations: readonly number[];
  readonly quantities: readonly Quantity[];
  readonly notes: readonly string[];
}

type Output = KernelOutput<KalmanFace>;

/** Undefined if nothing is tuned. */
export function tunedOf(output: Output, witness: Output, problem: Problem): Tuned | undefined {
  const { tune, tuned: p, model, rows } = problem;
  if (p === 0) return undefined;
  const {
    estimates = new Float64Array(),
    information = new Float64Array(),
    sensitivity = new Float64Array(),
  } = output.views;
  const others = witness.views.estimates ?? new Float64Array();
  const matrix = matrixOf(p, p, (i, j) => at(information, i * p + j));
  const inverse = solved(
    matrix,
    matrixOf(p, p, (i, j) => Number(i === j)),
  );
  const isKnown = inverse?.every((row, i) => (row[i] ?? 0) > 0 && (row[i] ?? 0) < MAX_VARIANCE) ?? false;
  const covariance: Matrix = isKnown && inverse !== undefined ? inverse : scaled(matrix, 0);
  const isConverged = isKnown && output.statistics.isTuned === 1 && witness.statistics.isTuned === 1;
  const hasQ = tune !== 'r';
  const names = factorNames(problem);
  const error = (i: number) => {
    const width = expm1(2 * Math.sqrt(covariance[i]?.[i] ?? 0));
    return width + 2 * Math.abs(expm1(at(others, i) - at(estimates, i)));
  };
  const factors = names.map((_, i) => exp(at(estimates, i)));
  const m = model.channels.length;
  const ofR = tune === 'q' ? undefined : factors.slice(hasQ ? 1 : 0);
  const deviations = model.states.map((_, state) => {
    let variance = 0;
    for (let i = 0; i < p; i++)
      for (let j = 0; j < p; j++)
        variance +=
          at(sensitivity, i * MAX_STATES + state) * (covariance[i]?.[j] ?? 0) * at(sensitivity, j * MAX_STATES + state);
    return Math.sqrt(Math.max(0, variance));
  });
  return {
    isConverged,
    Q: hasQ ? (factors[0] ?? 1) : 1,
    R: Array.from({ length: m }, (_, i) => (ofR === undefined ? 1 : (ofR[i] ?? ofR[0] ?? 1))),
    deviations,
    quantities: [
      ...names.map(({ name, unit, scale }, i) => {
        const value = (factors[i] ?? 0) * scale;
        return quantity(name, value, unit, value * error(i));
      }),
      ...names.flatMap(({ name, unit, scale }, i) => {
        const half = 1.959963984540054 * Math.sqrt(covariance[i]?.[i] ?? 0);
        const value = (factors[i] ?? 0) * scale;
        const bound = 4 * value * Math.abs(expm1(at(others, i) - at(estimates, i)));
        return [
          quantity(`${name}_low`, value * exp(-half), unit, bound),
          quantity(`${name}_high`, value * exp(half), unit, bound),
        ];
      }),
      exactly('tuning_passes', output.statistics.evaluations ?? 0, '1'),
    ],
    notes: isConverged
      ? []
      : [
          `The likelihood has no maximum in ${names.map(({ name }) => name).join(', ')} that is known within a factor of 20: ` +
            `${rows.times.length} rows do not tell them, or one of them is 0. Tune fewer.`,
        ],
  };
}

/** Of presets the numbers q and r themselves; of matrices their factors. */
function factorNames({ tune, model }: Problem) {
  const { isOwn, numbers, channels } = model;
  const name = (key: 'q' | 'r') =>
    isOwn
      ? { name: `factor_of_${key.toUpperCase()}`, unit: '1', scale: 1 }
      : { name: key, unit: '1', scale: numbers[key] };
  const all = [];
  if (tune !== 'r') all.push(name('q'));
  if (tune === 'r' || tune === 'both') all.push(name('r'));
  if (tune === 'each')
    all.push(
      ...channels.map((channel, i) => ({ name: `variance_of_${channel}`, unit: '1', scale: model.R[i]?.[i] ?? 0 })),
    );
  return all;
}
