// Series, fields and plots.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Solution } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { field, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import type { ActionFace } from './face.ts';
import { LEVELS, MAX_SECTIONS } from './plan.ts';
import type { Problem } from './problem.ts';
import { logarithm, type Path, type Reference, type TableRow } from './result.ts';

/** Mean chord, as a part of the extent, up to which points are joined: some 12 points on a closed orbit. */
const JOINED = 0.25;

interface EnergyScale {
  readonly start: number;
  readonly scale: number;
}

export function picturesOf(
  problem: Problem,
  { views, statistics }: KernelOutput<ActionFace>,
  path: Path,
  reference: Reference,
  table: readonly TableRow[],
  { start, scale }: EnergyScale,
): Pick<Solution, 'series' | 'fields' | 'plots'> {
  const { degrees } = problem;
  const name = (c: number) => `${c < degrees ? 'q' : 'p'}${(c % degrees) + 1}`;
  const distance = Float64Array.from({ length: reference.count }, (_, i) => {
    let sum = 0;
    for (let c = 0; c < degrees; c++) {
      const off = at(path.columns[c] ?? [], i) - at(reference.columns[c] ?? [], i);
      sum += off * off;
    }
    return Math.sqrt(sum);
  });
  const points = sectionOf(views.sectionPoints, statistics.crossings ?? 0, degrees);
  const hasSection = points !== undefined && points.q.length > 1;
  const hasTable = table.length > 0;
  const rows = [0, 2, 4, 6, 8]
    .map((order) => table.filter((row) => row.order === order))
    .filter((one) => one.length === LEVELS);
  return {
    series: [
      series('t', 's', path.t),
      series(
        'energy_error',
        '1',
        path.energy.map((one) => Math.abs(one - start) / scale),
      ),
      series('energy', 'E', path.energy),
      ...path.columns.map((column, c) => series(name(c), '1', column)),
    ],
    fields: [
      series('reference_t', 's', path.t.slice(0, reference.count)),
      series('position_errors', '1', distance),
      ...(hasSection ? [series('section_q', '1', points.q), series('section_p', '1', points.p)] : []),
      ...(hasTable
        ? [
            series(
              'table_steps',
              '1',
              table.map(({ steps }) => steps),
            ),
            series(
              'table_evaluations',
              '1',
              table.map(({ evaluations }) => evaluations),
            ),
            series(
              'table_energy_error',
              '1',
              table.map(({ energyError }) => energyError / scale),
            ),
            series(
              'table_position_error',
              '1',
              table.map(({ placeError }) => placeError),
            ),
          ]
        : []),
      ...(rows.length > 0
        ? [
            field(
              'log10_work',
              '1',
              [rows.length, LEVELS],
              Float64Array.from(rows.flat(), (row) => logarithm(row.evaluations)),
            ),
            field(
              'log10_energy_error',
              '1',
              [rows.length, LEVELS],
              Float64Array.from(rows.flat(), (row) => logarithm(row.energyError / scale)),
            ),
          ]
        : []),
    ],
    plots: [
      ...portraits(degrees, problem.system === 'kepler', path.columns),
      { kind: 'line', title: 'Relative error of the energy', x: 't', y: ['energy_error'] },
      { kind: 'line', title: 'Distance from the exact motion', x: 'reference_t', y: ['position_errors'] },
      ...(hasSection
        ? [
            {
              kind: 'phase',
              title: 'Poincaré section q1 = 0, rising',
              x: 'section_q',
              y: 'section_p',
              marks: 'points',
            } as const,
          ]
        : []),
      ...(rows.length > 0
        ? [
            {
              kind: 'phase',
              title: 'Work and precision',
              labels: rows.map(([row]) => nameOfOrder(row?.order ?? 0)),
              x: 'log10_work',
              y: 'log10_energy_error',
            } as const,
          ]
        : []),
      ...(hasTable
        ? [
            {
              kind: 'table',
              title: 'Maps and Runge–Kutta over the same time',
              columns: ['table_steps', 'table_evaluations', 'table_energy_error', 'table_position_error'],
              labels: table.map(({ order }) => nameOfOrder(order)),
            } as const,
          ]
        : []),
    ],
  };
}

const nameOfOrder = (order: number) => (order === 0 ? 'Runge–Kutta' : `order ${order}`);

function portraits(degrees: number, isOrbit: boolean, columns: readonly Float64Array[]): readonly Plot[] {
  const portrait = (title: string, x: number, y: number, names: readonly [string, string]): Plot => ({
    kind: 'phase',
    title,
    x: names[0],
    y: names[1],
    ...(names[1] === 'q2' ? { hasOneScale: true } : {}),
    ...(isSmooth(columns[x], columns[y]) ? {} : { marks: 'points' }),
  });
  const phase = portrait('Phase portrait', 0, degrees, ['q1', 'p1']);
  return degrees === 1 ? [phase] : [portrait(isOrbit ? 'Orbit' : 'Path', 0, 1, ['q1', 'q2']), phase];
}

/** Whether recorded points are near enough to join: chords across a closed orbit would draw a motion that is not there. */
function isSmooth(xs: Float64Array = new Float64Array(), ys: Float64Array = new Float64Array()): boolean {
  const [width, height] = [extentOf(xs), extentOf(ys)];
  let length = 0;
  for (let i = 1; i < xs.length; i++) {
    const [dx, dy] = [(at(xs, i) - at(xs, i - 1)) / width, (at(ys, i) - at(ys, i - 1)) / height];
    length += Math.sqrt(dx * dx + dy * dy);
  }
  return length <= JOINED * (xs.length - 1);
}

const extentOf = (values: Float64Array) =>
  values.reduce((most, one) => Math.max(most, one), -Infinity) -
    values.reduce((least, one) => Math.min(least, one), Infinity) || 1;

function sectionOf(data: Float64Array | undefined, crossings: number, degrees: number) {
  if (data === undefined || degrees < 2) return undefined;
  const count = Math.min(crossings, MAX_SECTIONS);
  const width = 1 + 2 * degrees;
  const column = (c: number) => Float64Array.from({ length: count }, (_, i) => at(data, i * width + c));
  return { q: column(2), p: column(2 + degrees) };
}
