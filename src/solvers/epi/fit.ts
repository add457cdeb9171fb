// The result of a fit: estimates with intervals, R0 among them, the curve with its band, and the counts.
//
// Counts scatter about the curve as those of Poisson, wider by the factor φ that Pearson's statistic shows, never
// narrower. The inverse of the information, times φ, is the covariance of the logarithms of the parameters.

import { expm1 } from '../../core/elementary.ts';
import { bound, type Contribution, standard } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Field, Quantity } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { validationError } from '../parts/errors.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import type { EpiFace } from './face.ts';
import { FITTED, type Fitted } from './fitted.ts';
import type { Observations } from './observations.ts';
import { infectiousDays, type Problem } from './problem.ts';
import { spectralRadius } from './reproduction.ts';

const UNITS = { beta: '1/day', gamma: '1/day', sigma: '1/day', I0: 'people', reporting: '1' } as const;
const SENSITIVITIES = ['peak', 'peakTime', 'infections'] as const;

export interface Fit {
  readonly isConverged: boolean;
  /** With the estimates. */
  readonly problem: Problem;
  /** Of R0. */
  readonly budget: readonly Contribution[];
  readonly R0HalfWidth: number;
  /** Twice the standard error of a result, from its slopes along the logarithms of the parameters. */
  readonly halfWidth: Readonly<Record<(typeof SENSITIVITIES)[number], number>>;
  readonly series: readonly Field[];
  readonly plots: readonly Plot[];
  readonly quantities: readonly Quantity[];
}

/** @throws DomainError VALIDATION_FAILED if the counts do not tell the parameters apart */
export function fitOf(
  output: KernelOutput<EpiFace>,
  finer: KernelOutput<EpiFace>,
  problem: Problem,
  observations: Observations,
): Fit {
  const { fitted, counts, days } = observations;
  const { views, statistics, info } = output;
  const { estimates = new Float64Array(), information = new Float64Array(), expected = new Float64Array() } = views;
  const { sensitivity = new Float64Array(), samples = new Float64Array() } = views;
  const p = fitted.length;
  const freedom = counts.length - p;
  const spread = Math.max(1, (statistics.pearson ?? 0) / freedom);
  const inverse = invert(information, p);
  const width = studentFactor(freedom);
  const covariance = (inverse ?? []).map((row) => row.map((one) => one * spread * width * width));
  const isKnown = inverse !== undefined && covariance.every((row, i) => at(row, i) > 0 && at(row, i) < MAX_VARIANCE);
  if (!isKnown || statistics.isConverged !== 1)
    throw validationError(
      'fit',
      `fit ${fitted.join(', ')}: the counts do not tell these parameters apart; fit fewer of them.`,
      'NOT_IDENTIFIED',
    );
  const columns = SENSITIVITIES.length + problem.times.length;
  const deviationOf = (slopes: readonly number[]) =>
    Math.sqrt(
      Math.max(
        0,
        slopes.reduce(
          (sum, a, i) => sum + slopes.reduce((part, b, j) => part + a * b * at(covariance[i] ?? [], j), 0),
          0,
        ),
      ),
    );
  const slopesAt = (column: number) => fitted.map((_, i) => at(sensitivity, i * columns + column));
  const halfWidth = Object.fromEntries(
    SENSITIVITIES.map((name, i) => [name, 2 * deviationOf(slopesAt(i))]),
  ) as Fit['halfWidth'];
  const band = problem.times.map((_, row) => 2 * deviationOf(slopesAt(SENSITIVITIES.length + row)));
  const estimated = (from: Float64Array): Problem => withEstimates(problem, from);
  const fittedTo = estimated(estimates);
  const finerEstimates = finer.views.estimates ?? new Float64Array();
  const all = numbersOf(fittedTo, estimates);
  const others = numbersOf(estimated(finerEstimates), finerEstimates);
  const { gamma, sigma, mu } = fittedTo;
  const slopes: Readonly<Record<Fitted, number>> = {
    beta: 1,
    gamma: -gamma / (gamma + mu),
    sigma: sigma === 0 ? 0 : mu / (sigma + mu),
    I0: 0,
    reporting: 0,
  };
  const R0 = reproductionOf(fittedTo);
  const scatter = R0 * upperWidth(deviationOf(fitted.map((name) => slopes[name])));
  const numerics = 2 * Math.abs(R0 - reproductionOf(estimated(finerEstimates)));
  const curve = infectiousOf(samples, problem);
  return {
    isConverged: info === INFO.ok && finer.statistics.isConverged === 1,
    problem: fittedTo,
    budget: [
      standard('statistics', scatter / 2, 'scatter of the counts about the fitted curve, as overdispersed Poisson'),
      bound('discretisation', numerics, 'difference of the fit with other steps'),
    ],
    R0HalfWidth: scatter + numerics,
    halfWidth,
    series: [
      series(
        'I_low',
        'people',
        curve.map((one, i) => Math.max(0, one - at(band, i))),
      ),
      series(
        'I_high',
        'people',
        curve.map((one, i) => one + at(band, i)),
      ),
      series('case_day', 'day', days),
      series('cases_given', 'people', counts),
      series('cases_fitted', 'people', expected),
    ],
    plots: [
      {
        kind: 'line',
        title: 'Counts and what the curve lets expect',
        x: 'case_day',
        y: ['cases_fitted', 'cases_given'],
      },
      { kind: 'line', title: 'Infectious, and two standard errors', x: 't', y: ['I'], band: ['I_low', 'I_high'] },
    ],
    quantities: [
      ...fitted.map((name) => {
        const i = fitted.indexOf(name);
        const error = all[name] * upperWidth(Math.sqrt(at(covariance[i] ?? [], i)));
        return quantity(`fitted_${name}`, all[name], UNITS[name], error + 2 * Math.abs(all[name] - others[name]));
      }),
      exactly('overdispersion', (statistics.pearson ?? 0) / freedom, '1'),
      exactly('deviance', statistics.deviance ?? 0, '1'),
      exactly('counts', counts.length, '1'),
      exactly('iterations', statistics.iterations ?? 0, '1'),
    ],
  };
}

/** A parameter known to a factor of e³ only is not known. */
const MAX_VARIANCE = 9;

/** The upper half of an interval of ± 2 standard deviations of a logarithm, the wider one, over the number. */
const upperWidth = (deviation: number): number => expm1(2 * deviation);

/** The quantile 0.975 of Student's law over that of the normal law, within 2 % from two degrees of freedom on. */
const studentFactor = (freedom: number): number => 1 + 2.5 / (freedom * freedom) + 1.2 / freedom;

/** The problem with the estimates of a run. */
function withEstimates(problem: Problem, estimates: Float64Array): Problem {
  const [beta = 0, gamma = 0, sigma = 0, scale = 0] = estimates;
  const scaled = (people: readonly number[]) => people.map((one) => one * scale);
  const { infectious, exposed, hasExposed } = problem;
  const start = { infectious: scaled(infectious), exposed: scaled(exposed) };
  return { ...problem, ...start, beta, gamma, sigma: hasExposed ? sigma : 0 };
}

function numbersOf(
  { beta, gamma, sigma, infectious }: Problem,
  estimates: Float64Array,
): Readonly<Record<Fitted, number>> {
  const I0 = infectious.reduce((sum, one) => sum + one, 0);
  return { beta, gamma, sigma, I0, reporting: at(estimates, FITTED.indexOf('reporting')) };
}

const reproductionOf = (problem: Problem): number =>
  problem.beta * infectiousDays(problem) * spectralRadius(problem.contacts).value;

function infectiousOf(samples: Float64Array, { times, sizes, hasExposed }: Problem): Float64Array {
  const groups = sizes.length;
  const width = 1 + (hasExposed ? 5 : 4) * groups;
  const first = 1 + (hasExposed ? 2 : 1) * groups;
  return times.map((_, row) => sizes.reduce((sum, __, g) => sum + at(samples, row * width + first + g), 0));
}

/** By Gauss and Jordan's elimination of a symmetric positive matrix scaled to ones; undefined if it is singular. */
function invert(matrix: Float64Array, n: number): number[][] | undefined {
  const scale = Array.from({ length: n }, (_, i) => Math.sqrt(at(matrix, i * n + i)));
  if (scale.some((one) => !(one > 0))) return undefined;
  const rows = scale.map((a, i) => [
    ...scale.map((b, j) => at(matrix, i * n + j) / (a * b)),
    ...scale.map((_, j) => Number(i === j)),
  ]);
  for (let k = 0; k < n; k++) {
    const row = rows[k] ?? [];
    const pivot = at(row, k);
    if (!(pivot > 1e-10)) return undefined;
    rows[k] = row.map((one) => one / pivot);
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = at(rows[i] ?? [], k);
      rows[i] = (rows[i] ?? []).map((one, j) => one - factor * at(rows[k] ?? [], j));
    }
  }
  return rows.map((row, i) => row.slice(n).map((one, j) => one / ((scale[i] ?? 1) * (scale[j] ?? 1))));
}
