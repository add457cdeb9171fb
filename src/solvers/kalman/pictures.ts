// Series and plots: the estimate with its bands, convergence, innovations and their tests, the smoothed path.

import { powerOfTwo } from '../../core/elementary.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Field } from '../field.ts';
import { at } from '../parts/arrays.ts';
import { field, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import type { NeesTest, NisTest, Scores, Whiteness } from './consistency.ts';
import type { KalmanFace } from './face.ts';
import { columnOf, rootsOf, turned, viewOf } from './histories.ts';
import type { Problem } from './problem.ts';
import type { Steady } from './steady.ts';

export interface Pictures {
  readonly series: readonly Field[];
  readonly fields: readonly Field[];
  readonly plots: readonly Plot[];
}

export interface Tests {
  readonly scores: Scores;
  readonly nis?: NisTest | undefined;
  readonly whiteness?: Whiteness | undefined;
  readonly nees?: NeesTest | undefined;
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');

export function picturesOf(
  output: KernelOutput<KalmanFace>,
  problem: Problem,
  tests: Tests,
  steady: Steady | undefined,
): Pictures {
  const { model, rows, state } = problem;
  const title = capitalised(model.states[state] ?? '');
  const parts = [
    shownState(output, problem, title),
    errorOf(output, problem, title),
    pathOf(output, problem),
    convergence(output, problem, title),
    innovations(output, problem, tests),
    nees(tests),
    allStates(output, problem),
    steadyParts(problem, steady),
  ];
  return {
    series: [series('t', timeUnit(problem), rows.times), ...parts.flatMap((part) => part.series ?? [])],
    fields: parts.flatMap((part) => part.fields ?? []),
    plots: parts.flatMap((part) => part.plots ?? []),
  };
}

const timeUnit = ({ model }: Problem): string => (model.isOwn || model.units.includes('1') ? '1' : 's');

type Part = Partial<Pictures>;

/** The channel that measures a state alone, as it is; −1 if none does. */
function channelOf({ model }: Problem, state: number): number {
  return model.H.findIndex((row) => row.every((one, j) => one === Number(j === state)));
}

function shownState(output: KernelOutput<KalmanFace>, problem: Problem, title: string): Part {
  const { model, rows, state } = problem;
  const n = model.states.length;
  const m = model.channels.length;
  const unit = model.units[state] ?? '1';
  const estimate = columnOf(viewOf(output, 'filtered'), n, state);
  const deviation = rootsOf(columnOf(viewOf(output, 'filteredVariance'), n, state));
  const smoothed = columnOf(viewOf(output, 'smoothed'), n, state);
  const smoothedDeviation = rootsOf(columnOf(viewOf(output, 'smoothedVariance'), n, state));
  const band = (name: string, centre: Float64Array, width: Float64Array, factor: number) =>
    series(
      name,
      unit,
      centre.map((one, i) => one + factor * at(width, i)),
    );
  const channel = channelOf(problem, state);
  const measured = columnOf(viewOf(output, 'measured'), m, Math.max(0, channel));
  const predicted = columnOf(viewOf(output, 'predicted'), n, state);
  const isMeasured = (row: number) => Math.floor(at(rows.present, row) / powerOfTwo(channel)) % 2 === 1;
  const truth = columnOf(viewOf(output, 'truth'), n, state);
  const more = [
    ...(channel >= 0
      ? [
          series(
            'measured',
            unit,
            measured.map((one, row) => (isMeasured(row) ? one : at(predicted, row))),
          ),
        ]
      : []),
    ...(rows.isSimulated ? [series('truth', unit, truth)] : []),
  ];
  const names = more.map(({ name }) => name);
  return {
    series: [
      series('estimate', unit, estimate),
      ...[1, 2, 3].flatMap((k) => [
        band(`low_${k}`, estimate, deviation, -k),
        band(`high_${k}`, estimate, deviation, k),
      ]),
      ...more,
      series('smoothed', unit, smoothed),
      band('smoothed_low', smoothed, smoothedDeviation, -2),
      band('smoothed_high', smoothed, smoothedDeviation, 2),
    ],
    plots: [
      {
        kind: 'line',
        title: `${title}: estimate with 1 and 3 standard deviations`,
        x: 't',
        y: ['estimate', 'low_1', 'high_1', ...names],
        band: ['low_3', 'high_3'],
      },
      {
        kind: 'line',
        title: `${title}: smoothed with 2 standard deviations`,
        x: 't',
        y: ['smoothed', 'estimate', ...names.filter((name) => name === 'truth')],
        band: ['smoothed_low', 'smoothed_high'],
      },
    ],
  };
}

/** What a simulation knows: the error, between the limits that the filter gives. */
function errorOf(output: KernelOutput<KalmanFace>, { model, rows, state }: Problem, title: string): Part {
  if (!rows.isSimulated) return {};
  const n = model.states.length;
  const unit = model.units[state] ?? '1';
  const truth = columnOf(viewOf(output, 'truth'), n, state);
  const estimate = columnOf(viewOf(output, 'filtered'), n, state);
  const smoothed = columnOf(viewOf(output, 'smoothed'), n, state);
  const deviation = rootsOf(columnOf(viewOf(output, 'filteredVariance'), n, state));
  const limit = (name: string, factor: number) =>
    series(
      name,
      unit,
      deviation.map((one) => factor * one),
    );
  const error = (name: string, of: Float64Array) =>
    series(
      name,
      unit,
      of.map((one, i) => one - at(truth, i)),
    );
  return {
    series: [
      error('error', estimate),
      error('error_smoothed', smoothed),
      ...[1, 2, 3].flatMap((k) => [limit(`minus_${k}_sd`, -k), limit(`plus_${k}_sd`, k)]),
    ],
    plots: [
      {
        kind: 'line',
        title: `${title}: error of the estimate, 1 and 3 standard deviations`,
        x: 't',
        y: ['error', 'error_smoothed', 'minus_1_sd', 'plus_1_sd'],
        band: ['minus_3_sd', 'plus_3_sd'],
      },
    ],
  };
}

/** Of a vehicle in the plane. */
function pathOf(output: KernelOutput<KalmanFace>, { model, rows }: Problem): Part {
  const { path } = model.preset;
  if (model.isOwn || path === undefined) return {};
  const n = model.states.length;
  const along = (axis: 0 | 1) =>
    (rows.isSimulated ? (['truth', 'filtered', 'smoothed'] as const) : (['filtered', 'smoothed'] as const)).map(
      (name) => columnOf(viewOf(output, name), n, path[axis]),
    );
  const stacked = (axis: 0 | 1) => Float64Array.from(along(axis).flatMap((one) => [...one]));
  const shape = [rows.isSimulated ? 3 : 2, rows.times.length];
  return {
    fields: [
      field('path_east', model.units[0] ?? 'm', shape, stacked(0)),
      field('path_north', model.units[1] ?? 'm', shape, stacked(1)),
    ],
    plots: [
      {
        kind: 'phase',
        title: rows.isSimulated ? 'Path: truth, estimate and smoothed' : 'Path: estimate and smoothed',
        x: 'path_east',
        y: 'path_north',
        hasOneScale: true,
        labels: [...(rows.isSimulated ? ['truth'] : []), 'estimate', 'smoothed'],
      },
    ],
  };
}

function convergence(output: KernelOutput<KalmanFace>, problem: Problem, title: string): Part {
  const { model, rows, state, runs } = problem;
  const n = model.states.length;
  const m = model.channels.length;
  const unit = model.units[state] ?? '1';
  const deviation = (
    name: string,
    view: 'predictedVariance' | 'filteredVariance' | 'smoothedVariance' | 'errors' | 'expectedErrors',
  ) => series(name, unit, rootsOf(columnOf(viewOf(output, view), n, state)));
  const own = rows.isSimulated ? [deviation('rmse', 'errors'), deviation('rmse_expected', 'expectedErrors')] : [];
  // Gains [n, m, rows] of the shown state: a curve a channel.
  const gains = turned(viewOf(output, 'gains'), n * m);
  const count = rows.times.length;
  return {
    series: [
      deviation('sd_predicted', 'predictedVariance'),
      deviation('sd', 'filteredVariance'),
      deviation('sd_smoothed', 'smoothedVariance'),
      ...own,
    ],
    fields: [field('gain', '1', [n * m, count], gains)],
    plots: [
      {
        kind: 'line',
        title: `${title}: standard deviation before and after each row${rows.isSimulated ? `, and of the errors of ${runs} runs` : ''}`,
        x: 't',
        y: ['sd_predicted', 'sd', 'sd_smoothed', ...own.map(({ name }) => name)],
      },
      { kind: 'line', title: 'Gain', x: 't', y: ['gain'] },
    ],
  };
}

function innovations(
  output: KernelOutput<KalmanFace>,
  { model, rows }: Problem,
  { scores, nis, whiteness }: Tests,
): Part {
  const m = model.channels.length;
  const innovation = columnOf(viewOf(output, 'innovations'), m, 0);
  const deviation = rootsOf(columnOf(viewOf(output, 'innovationVariance'), m, 0));
  const unit = '1';
  const lags = whiteness?.autocorrelation.length ?? 0;
  return {
    series: [
      series('innovation', unit, innovation),
      series(
        'innovation_low',
        unit,
        deviation.map((one) => -2 * one),
      ),
      series(
        'innovation_high',
        unit,
        deviation.map((one) => 2 * one),
      ),
      series('nis', '1', scores.column('nis')),
      ...(nis === undefined
        ? []
        : [
            series(
              'nis_limit',
              '1',
              scores.column('nisFreedom').map((k) => NIS_LIMITS[k] ?? 0),
            ),
          ]),
      ...(whiteness === undefined
        ? []
        : [
            series('autocorrelation', '1', whiteness.autocorrelation),
            series('autocorrelation_limit', '1', new Float64Array(lags).fill(whiteness.limit)),
            series(
              'lag',
              '1',
              Float64Array.from({ length: lags }, (_, i) => i + 1),
            ),
          ]),
      ...model.channels.map((name, i) => series(`z_${name}`, '1', columnOf(viewOf(output, 'measured'), m, i))),
      series('present', '1', rows.present),
    ],
    fields: m > 1 ? [field('innovations', '1', [m, rows.times.length], turned(viewOf(output, 'innovations'), m))] : [],
    plots: [
      {
        kind: 'line',
        title: `Innovation of ${model.channels[0]}, and two standard deviations`,
        x: 't',
        y: ['innovation'],
        band: ['innovation_low', 'innovation_high'],
        marks: 'points',
      },
      ...(nis === undefined
        ? []
        : [
            {
              kind: 'line',
              title: 'Normalised innovation squared: 5 in 100 lie above the limit',
              x: 't',
              y: ['nis', 'nis_limit'],
            } as const,
          ]),
      ...(whiteness === undefined
        ? []
        : [
            {
              kind: 'bars',
              title: 'Autocorrelation of the innovations by lag, and its 95 % limit',
              x: 'lag',
              y: ['autocorrelation'],
              limit: 'autocorrelation_limit',
            } as const,
          ]),
    ],
  };
}

/** 95 % of chi-square with 0 to 4 degrees of freedom. */
const NIS_LIMITS = [0, 3.841458820694124, 5.991464547107979, 7.814727903251179, 9.487729036781154] as const;

function nees({ scores, nees: test }: Tests): Part {
  if (test === undefined) return {};
  return {
    series: [
      series('nees', '1', scores.column('nees')),
      series('nees_low', '1', test.low),
      series('nees_high', '1', test.high),
    ],
    plots: [
      {
        kind: 'line',
        title: 'Normalised error squared, mean of the runs, and its 95 % limits',
        x: 't',
        y: ['nees'],
        band: ['nees_low', 'nees_high'],
      },
    ],
  };
}

/** Every state: filtered and smoothed, with standard deviations. */
function allStates(output: KernelOutput<KalmanFace>, { model, rows }: Problem): Part {
  const n = model.states.length;
  const views = ['filtered', 'filteredVariance', 'smoothed', 'smoothedVariance'] as const;
  const of = (view: (typeof views)[number] | 'truth', i: number) => columnOf(viewOf(output, view), n, i);
  return {
    series: model.states.flatMap((name, i) => {
      const unit = model.units[i] ?? '1';
      return [
        series(`${name}_filtered`, unit, of('filtered', i)),
        series(`${name}_sd`, unit, rootsOf(of('filteredVariance', i))),
        series(`${name}_smoothed`, unit, of('smoothed', i)),
        series(`${name}_smoothed_sd`, unit, rootsOf(of('smoothedVariance', i))),
        ...(rows.isSimulated ? [series(`${name}_true`, unit, of('truth', i))] : []),
      ];
    }),
  };
}

function steadyParts({ model }: Problem, steady: Steady | undefined): Part {
  if (steady === undefined) return {};
  const n = model.states.length;
  const m = model.channels.length;
  const flat = (rows: readonly (readonly number[])[]) => Float64Array.from(rows.flat());
  const diagonal = (rows: readonly (readonly number[])[]) => rows.map((row, i) => row[i] ?? 0);
  return {
    series: [
      series('steady_sd_predicted', '1', rootsOf(Float64Array.from(diagonal(steady.predicted)))),
      series('steady_sd', '1', rootsOf(Float64Array.from(diagonal(steady.filtered)))),
    ],
    fields: [
      field('steady_predicted', '1', [n, n], flat(steady.predicted)),
      field('steady_predicted_uncertainty', '1', [n, n], flat(steady.error)),
      field('steady_filtered', '1', [n, n], flat(steady.filtered)),
      field('steady_filtered_uncertainty', '1', [n, n], flat(steady.error)),
      field('steady_gain', '1', [n, m], flat(steady.gain)),
      field('steady_gain_uncertainty', '1', [n, m], flat(steady.gainError)),
    ],
    plots: [
      {
        kind: 'table',
        title: 'Steady state: standard deviations before and after a measurement',
        columns: ['steady_sd_predicted', 'steady_sd'],
        labels: model.states,
      },
    ],
  };
}
