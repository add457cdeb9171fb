// Series, fields and plots.

import type { Solution } from '../definition.ts';
import { field, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import type { Histories } from './histories.ts';
import type { Result } from './result.ts';

const AXES = ['x', 'y', 'z'] as const;

export function picturesOf(
  { problem }: Pick<Result, 'problem'>,
  histories: Histories,
): Pick<Solution, 'series' | 'fields' | 'plots'> {
  const { law, bodies, units } = problem;
  const { times, places, speeds, placeErrors, energyErrors, energy, distances, elements } = histories;
  const shape = [bodies.length, times.length];
  const names = bodies.map((_, k) => `body ${k + 1}`);
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
    ],
    fields: [
      ...places.map((data, k) => field(placeNames[k] ?? '', units.length, shape, data)),
      ...speeds.map((data, k) => field(speedNames[k] ?? '', units.speed, shape, data)),
      field('position_uncertainty', units.length, shape, placeErrors),
    ],
    plots: isField ? fieldPlots(names) : gravityPlots(names, places.length, elements !== undefined),
  };
}

const gravityPlots = (labels: readonly string[], dimensions: number, hasElements: boolean): readonly Plot[] => [
  { kind: 'phase', title: 'Orbits', x: 'x', y: 'y', labels },
  ...(dimensions === 3 ? [{ kind: 'phase', title: 'Orbits from the side', x: 'x', y: 'z', labels } as const] : []),
  { kind: 'line', title: 'Distance of the nearest two', x: 't', y: ['nearest_distance'] },
  { kind: 'line', title: 'Error of the energy', x: 't', y: ['energy_error'] },
  { kind: 'line', title: '± of each place', x: 't', y: ['position_uncertainty'] },
  ...(hasElements
    ? [
        { kind: 'line', title: 'Semi-major axis', x: 't', y: ['semi_major_axis'] } as const,
        { kind: 'line', title: 'Eccentricity', x: 't', y: ['eccentricity'] } as const,
      ]
    : []),
];

const fieldPlots = (labels: readonly string[]): readonly Plot[] => [
  { kind: 'line', title: 'Displacements', x: 't', y: ['phi'] },
  { kind: 'phase', title: 'Displacement and rate', x: 'phi', y: 'dphi', labels, words: { phi: 'displacement' } },
  { kind: 'line', title: 'Energy', x: 't', y: ['energy'] },
  { kind: 'line', title: 'Error of the energy balance', x: 't', y: ['energy_error'] },
];
