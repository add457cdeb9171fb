// Series, fields and plots: the way, the running exponents, the map of maxima, the growth of a small distance.

import { log } from '../../core/elementary.ts';
import type { Field } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { field, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import type { Equilibria } from './equilibria.ts';
import type { Growth } from './growth.ts';
import type { Pair } from './pair.ts';
import { pathOf } from './plan.ts';
import type { Problem } from './problem.ts';

export interface Pictures {
  readonly series: readonly Field[];
  readonly fields: readonly Field[];
  readonly plots: readonly Plot[];
}

const TABLE_STATES = 3;

export function picturesOf(
  problem: Problem,
  path: Float64Array,
  maxima: Float64Array,
  growth: Growth,
  { all }: Equilibria,
  pair: Pair | undefined,
): Pictures {
  const { names, watched, system } = problem;
  const n = names.length;
  const rows = path.length / n;
  const states = names.map((name, i) =>
    series(
      `${name}_path`,
      '1',
      Float64Array.from({ length: rows }, (_, row) => at(path, row * n + i)),
    ),
  );
  const { pathEvery } = pathOf(problem);
  const pathTimes = Float64Array.from({ length: rows }, (_, row) => row * pathEvery * problem.dt);
  const [across, up] = system === 'lorenz' ? ['x_path', 'z_path'] : [`${names[0]}_path`, `${names[1]}_path`];
  const watchedName = names[watched] ?? '';
  const returns = maxima.length > 1;
  return {
    series: [
      series('t', 't', growth.times),
      ...growth.running.map((running, i) => series(`lambda_${i + 1}_so_far`, '1/t', running)),
    ],
    fields: [
      series('t_path', 't', pathTimes),
      ...states,
      ...(returns ? [series('maximum', '1', maxima.slice(0, -1)), series('next_maximum', '1', maxima.slice(1))] : []),
      ...pairFields(pair),
      ...(all.length > 0
        ? [
            field('equilibrium_states', '1', [all.length, n], Float64Array.from(all.flatMap(({ states: one }) => one))),
            field(
              'equilibrium_rates',
              '1/t',
              [all.length, n],
              Float64Array.from(all.flatMap(({ values }) => values.map(({ re }) => re))),
            ),
            field(
              'equilibrium_frequencies',
              '1/t',
              [all.length, n],
              Float64Array.from(all.flatMap(({ values }) => values.map(({ im }) => im))),
            ),
            ...names.slice(0, TABLE_STATES).map((name, i) =>
              series(
                `${name}_at_rest`,
                '1',
                all.map(({ states: one }) => one[i] ?? 0),
              ),
            ),
            series(
              'growth_at_rest',
              '1/t',
              all.map(({ growth: rate }) => rate),
            ),
          ]
        : []),
    ],
    plots: [
      { kind: 'phase', title: 'The way', x: across, y: up },
      ...(returns
        ? [
            {
              kind: 'phase',
              title: `Each maximum of ${watchedName} against the one before`,
              x: 'maximum',
              y: 'next_maximum',
              marks: 'points',
            } as const,
          ]
        : []),
      ...(pair === undefined
        ? []
        : [
            {
              kind: 'line',
              title: 'Distance of two close starts, as a power of ten',
              x: 't_pair',
              y: ['log10_distance'],
            } as const,
            { kind: 'line', title: `${watchedName} of both`, x: 't_pair', y: ['first_start', 'second_start'] } as const,
          ]),
      { kind: 'line', title: 'The largest exponent so far', x: 't', y: ['lambda_1_so_far'] },
      { kind: 'line', title: `${watchedName} along the way`, x: 't_path', y: [`${watchedName}_path`] },
      ...(all.length > 0
        ? [
            {
              kind: 'table',
              title: 'Equilibria, and the rate at which neighbours leave',
              columns: [...names.slice(0, TABLE_STATES).map((name) => `${name}_at_rest`), 'growth_at_rest'],
              labels: all.map(({ isStable }, k) => `${k + 1} ${isStable ? 'stable' : 'not stable'}`),
            } as const,
          ]
        : []),
    ],
  };
}

/** A distance of 0 has no logarithm, and is drawn as the smallest that is not. */
function pairFields(pair: Pair | undefined): readonly Field[] {
  if (pair === undefined) return [];
  const least = pair.distances.reduce((smallest, one) => (one > 0 ? Math.min(smallest, one) : smallest), 1);
  return [
    series('t_pair', 't', pair.times),
    series(
      'log10_distance',
      '1',
      pair.distances.map((one) => log(Math.max(one, least)) * Math.LOG10E),
    ),
    series('first_start', '1', pair.first),
    series('second_start', '1', pair.second),
  ];
}
