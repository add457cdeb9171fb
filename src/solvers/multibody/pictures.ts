// Series, fields and plots.

import type { Solution } from '../definition.ts';
import { field, series } from '../parts/fields.ts';
import type { EventMarks, Plot } from '../plot.ts';
import type { Moment } from './events.ts';
import type { Histories } from './histories.ts';
import type { Result } from './result.ts';

const AXES = ['x', 'y', 'z'] as const;

export function picturesOf(
  { problem }: Pick<Result, 'problem'>,
  histories: Histories,
  moments: readonly Moment[],
): Pick<Solution, 'series' | 'fields' | 'plots'> {
  const { law, bodies, units } = problem;
  const { times, places, speeds, placeErrors, energyErrors, energy, distances, elements } = histories;
  const shape = [bodies.length, times.length];
  const names = bodies.map(({ name }) => name);
  const isField = law === 'field';
  const placeNames = isField ? ['phi'] : AXES.slice(0, places.length);
  const speedNames = isField ? ['dphi'] : AXES.slice(0, places.length).map((axis) => `v${axis}`);
  return {
    series: [
      series('t', units.time, times),
      series('energy', 'J', energy),
      series('energy_error', '1', energyErrors),
      series('nearest_distance', units.length, distances),
      ...(elements === undefined
        ? []
        : [series('semi_major_axis', units.length, elements.a), series('eccentricity', '1', elements.e)]),
      ...(moments.length === 0
        ? []
        : [
            series(
              'event',
              '1',
              Float64Array.from(moments, (_, k) => k + 1),
            ),
            series(
              'event_t',
              units.time,
              Float64Array.from(moments, ({ time }) => time),
            ),
            series(
              'event_t_uncertainty',
              units.time,
              Float64Array.from(moments, ({ timeError }) => timeError),
            ),
            series(
              'event_distance',
              units.length,
              Float64Array.from(moments, ({ distance }) => distance),
            ),
            series(
              'event_distance_uncertainty',
              units.length,
              Float64Array.from(moments, ({ distanceError }) => distanceError),
            ),
          ]),
    ],
    fields: [
      ...places.map((data, k) => field(placeNames[k] ?? '', units.length, shape, data)),
      ...speeds.map((data, k) => field(speedNames[k] ?? '', units.speed, shape, data)),
      field('position_uncertainty', units.length, shape, placeErrors),
    ],
    plots: isField
      ? fieldPlots(names)
      : gravityPlots(names, places.length, elements !== undefined, moments.map(nameOf)),
  };
}

const WORDS: Readonly<Record<Moment['kind'], string>> = {
  approach: 'nearest',
  contact: 'touch',
  collision: 'collide',
  escape: 'escapes',
};

/** `0 and 1 nearest`, `2 escapes`. */
const nameOf = ({ kind, bodies: [first, second] }: Moment): string =>
  `${first}${second === undefined ? '' : ` and ${second}`} ${WORDS[kind]}`;

const EVENT_COLUMNS = {
  event_t: 't',
  event_t_uncertainty: '± of t',
  event_distance: 'distance',
  event_distance_uncertainty: '± of distance',
} as const;

const gravityPlots = (
  labels: readonly string[],
  dimensions: number,
  hasElements: boolean,
  events: readonly string[],
): readonly Plot[] => [
  { kind: 'phase', title: 'Orbits', x: 'x', y: 'y', hasOneScale: true, labels },
  ...(dimensions === 3
    ? [{ kind: 'phase', title: 'Orbits from the side', x: 'x', y: 'z', hasOneScale: true, labels } as const]
    : []),
  {
    kind: 'line',
    title: 'Distance of the nearest two',
    x: 't',
    y: ['nearest_distance'],
    ...(events.length === 0 ? {} : { events: { at: 'event_t', kinds: 'event', names: events } satisfies EventMarks }),
  },
  { kind: 'line', title: 'Error of the energy', x: 't', y: ['energy_error'] },
  { kind: 'line', title: '± of each place', x: 't', y: ['position_uncertainty'] },
  ...(hasElements
    ? [
        { kind: 'line', title: 'Semi-major axis', x: 't', y: ['semi_major_axis'] } as const,
        { kind: 'line', title: 'Eccentricity', x: 't', y: ['eccentricity'] } as const,
      ]
    : []),
  ...(events.length === 0
    ? []
    : [
        {
          kind: 'table',
          title: 'Events',
          columns: Object.keys(EVENT_COLUMNS),
          labels: events.map((name) => `${/^\d+ and/.test(name) ? 'bodies' : 'body'} ${name}`),
          words: EVENT_COLUMNS,
        } as const,
      ]),
];

const fieldPlots = (labels: readonly string[]): readonly Plot[] => [
  { kind: 'line', title: 'Displacements', x: 't', y: ['phi'] },
  { kind: 'phase', title: 'Displacement and rate', x: 'phi', y: 'dphi', labels, words: { phi: 'displacement' } },
  { kind: 'line', title: 'Energy', x: 't', y: ['energy'] },
  { kind: 'line', title: 'Error of the energy balance', x: 't', y: ['energy_error'] },
];
