// The solution from the runs on all grids: speed of the front, radii at thresholds, times and masses.

import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { at, last, maxMagnitude } from '../parts/arrays.ts';
import { unstableError, validationError } from '../parts/errors.ts';
import { exactly, field, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { TumorFace } from './face.ts';
import { arrivalOf, meanSpeed, speedsOf } from './front.ts';
import type { TumorInput } from './inputs.ts';
import { type Judged, judge, judgeOnMap } from './judge.ts';
import { rowsOn } from './map.ts';
import { type Problem, problemOf } from './problem.ts';
import { asymptoticSpeed, bramsonMean, bramsonSpeed } from './reference.ts';
import { centersOf, type Level } from './schedule.ts';

/** Maximum ± of a converged speed, relative to it or to 2 √(D ρ). */
const MAX_BOUND = 0.05;
/** Below this rate of growth, 1/day, fronts are none and closed forms are left out. */
const MIN_RHO = 1e-9;
const HOURS = 24;
/** Largest u below 0 or above the capacity that is no fault of the step. */
const MAX_OVERSHOOT = 1e-3;

/** Below the threshold everywhere there is nothing to be seen. */
const shown = (place: number): number => Math.max(0, place);

interface Run {
  readonly level: Level;
  readonly column: (name: TumorFace['columns']['history'][number]) => Float64Array;
}

/** A number of every run, the request's first. */
type Numbers = readonly number[];

export function solutionOf(outputs: readonly KernelOutput<TumorFace>[], input: TumorInput): Solution {
  const problem = problemOf(input);
  const runs = problem.levels.map((level, i): Run => {
    const { views, columns, info } = outputOf(outputs, i);
    if (info !== INFO.ok) throw unstableError('dt', 'u grew beyond all numbers; take a smaller dt.', 'UNSTABLE_SCHEME');
    const rows = rowsOf(views.history ?? new Float64Array(), columns.history);
    return { level, column: (name) => rows.column(name) };
  });
  const [own] = runs;
  if (own === undefined) throw new Error('A plan has runs.');
  const [D, { rho }] = [problem.fastest, input];
  const window = [problem.tFrom, input.t_end] as const;
  const end = problem.map === undefined ? input.L : Number.POSITIVE_INFINITY;
  const speeds = runs.map(({ level, column }) => meanSpeed(level.times, column('level'), window, end));
  const [first] = speeds;
  if (first === undefined) throw noFront(input, problem, own);
  const limit = asymptoticSpeed(D, rho);
  const scale = Math.max(Math.abs(first), limit, own.level.width / (input.t_end - problem.tFrom));
  const numbers = speeds.map((one) => one ?? Number.NaN);
  const speed = judged(numbers, scale);
  const relative = speed.uncertainty / scale;
  // Changes of the speed may cross zero by chance; those of the place that it is the change of then tell the order.
  const places = runs.map((run) => last(run.column('level')));
  const isRegular = speed.isRegular || judged(places, maxMagnitude(places)).isRegular;
  const converged = isRegular && relative <= MAX_BOUND;
  const { frames = new Float64Array() } = outputOf(outputs, 0).views;
  const { times } = own.level;
  const { times: middles, speeds: rates } = speedsOf(times, own.column('level'));
  const pictures = picturesOf(problem, own.level, input, frames);
  return {
    value: speed.value,
    uncertainty: speed.uncertainty,
    budget: speed.budget,
    bound: relative,
    converged,
    witness: {
      method:
        problem.map === undefined
          ? 'the same problem on two grids of 3/4 and 3/8 of the cells with steps of their own, extrapolated'
          : 'the same problem on two grids of 2/3 and 1/3 of the cells with steps of their own, extrapolated',
      reference: speed.reference,
      scale,
      ...(speed.order === undefined ? {} : { observedOrder: speed.order }),
    },
    invariants: invariantsOf(outputOf(outputs, 0)),
    series: [
      series('t', 'day', times),
      series('radius_level', 'cm', own.column('level').map(shown)),
      series('radius_t1gd', 'cm', own.column('inner').map(shown)),
      series('radius_t2', 'cm', own.column('outer').map(shown)),
      series(
        'cells',
        '1',
        own.column('mass').map((mass) => mass * input.K),
      ),
      series('peak', '1', own.column('peak')),
      series('t_c', 'day', middles),
      series('c', 'cm/day', rates),
      series(
        'c_limit',
        'cm/day',
        middles.map(() => limit),
      ),
      // Early on the asymptotic form is far below 0, where it says nothing.
      series(
        'c_bramson',
        'cm/day',
        middles.map((t) => (rho >= MIN_RHO ? Math.max(0, bramsonSpeed(D, rho, t)) : 0)),
      ),
    ],
    ...pictures,
    quantities: [...judgedOf(runs, input, scale, problem), onOwnGrid(numbers, speed), ...factsOf(input, problem)],
    operatorInputs: logisticInputs(input, problem, own),
    functional: speed.value,
    notes: notesOf(input, problem, speed.value, { isRegular, relative }),
  };
}

/** By four grids, or by the three of a map. */
function judged(numbers: Numbers, scale: number, further = 0): Judged {
  const [own = Number.NaN, second = Number.NaN, third = Number.NaN, fourth] = numbers;
  return fourth === undefined
    ? judgeOnMap([own, second, third], scale, further)
    : judge([own, second, third, fourth], scale, further);
}

/** The speed on the grid of the request, which nothing extrapolates. */
function onOwnGrid([own = Number.NaN]: Numbers, speed: Judged): Quantity {
  return quantity('c_grid', own, 'cm/day', Math.abs(own - speed.value) + speed.uncertainty);
}

function picturesOf(
  { map }: Problem,
  level: Level,
  { geometry }: TumorInput,
  frames: Float64Array,
): Pick<Solution, 'fields' | 'plots'> {
  const { frameTimes, cells, width } = level;
  const rows = map && rowsOn(map, level);
  const name = map ? 'Radii of equal areas' : geometry === 'radial' ? 'Radii' : 'Places';
  const curves: Solution['plots'] = [
    { kind: 'line', title: `${name} at the thresholds`, x: 't', y: ['radius_t1gd', 'radius_level', 'radius_t2'] },
    { kind: 'line', title: 'Speed of the front', x: 't_c', y: ['c', 'c_limit', 'c_bramson'] },
  ];
  const cellCount = { kind: 'line', title: 'Number of cells', x: 't', y: ['cells'] } as const;
  const times = series('t_frame', 'day', frameTimes);
  const x = series('x', 'cm', centersOf(cells, width));
  const density = 'Density over the capacity';
  if (rows !== undefined)
    return {
      fields: [
        times,
        x,
        series('y', 'cm', centersOf(rows, width)),
        field('u', '1', [frameTimes.length, rows, cells], frames),
      ],
      plots: [{ kind: 'field', title: density, x: 'x', y: 'y', time: 't_frame', values: 'u' }, ...curves, cellCount],
    };
  return {
    fields: [times, x, field('u', '1', [frameTimes.length, cells], frames)],
    plots: [
      { kind: 'line', title: density, x: 'x', y: ['u'], time: 't_frame' },
      ...curves,
      { kind: 'field', title: 'Density over place and time', x: 'x', time: 't_frame', values: 'u' },
      cellCount,
    ],
  };
}

/** CELL_GROWTH of the whole tissue without motion, well mixed; it counts in hours. */
function logisticInputs(
  { K, L, rho, geometry, t_end: end, therapy }: TumorInput,
  { map }: Problem,
  { column }: Run,
): Solution['operatorInputs'] {
  const pixel = map === undefined ? 0 : L / map.columns;
  const area = map?.tissue.reduce((sum, one) => sum + (one === 'outside' ? 0 : pixel * pixel), 0);
  const volume = area ?? (geometry === 'radial' ? (4 / 3) * Math.PI * L * L * L : L);
  const [capacity, N0, r, t] = [K * volume, K * at(column('mass'), 0), rho / HOURS, end * HOURS];
  const fits = capacity >= 1e-6 && capacity <= 1e18 && N0 >= 1e-6 && t <= 1e5;
  return fits && therapy === undefined ? { CELL_GROWTH: { K: capacity, N0, r, t } } : {};
}

function noFront({ level, L, t_end: end }: TumorInput, { tFrom }: Problem, own: Run): Error {
  const places = own.column('level');
  const place = last(places);
  const what = place < 0 ? `u is below ${level} everywhere` : place >= L ? `the front has left ${L} cm` : `no front`;
  const message = `level is ${level}; at the end, ${end} days, or at t_from, ${tFrom} days, ${what}. Give another level, a longer L or another time.`;
  return validationError('level', message, 'NO_FRONT', { radius: place });
}

function invariantsOf({ statistics }: KernelOutput<TumorFace>): Invariant[] {
  const { imbalance = Number.NaN, lowest = Number.NaN, highest = Number.NaN } = statistics;
  const overshoot = Math.max(0, -lowest, highest - 1);
  return [
    {
      name: 'mass_balance',
      label: 'motion alone changes no number of cells',
      value: imbalance,
      drift: imbalance,
      bound: 1e-10,
    },
    {
      name: 'within_capacity',
      label: 'u stays between 0 and 1',
      value: highest,
      drift: overshoot,
      bound: MAX_OVERSHOOT,
    },
  ];
}

/**
 * ± of a radius where no grid reaches its threshold: 0 if the peak with its ± stays below, else the radius of the next
 * lower threshold, in which that of a higher one lies.
 */
function unseenOf(runs: readonly Run[], { t1, t2, level, L }: TumorInput, column: Place): number {
  const thresholds = { inner: t1, level, outer: t2 };
  const ends = (name: Place | 'peak') => runs.map((run) => last(run.column(name)));
  const withError = (numbers: Numbers) => {
    const { value, uncertainty } = judged(numbers, maxMagnitude(numbers));
    return value + uncertainty;
  };
  const peaks = ends('peak');
  if (Math.max(...peaks, withError(peaks)) < thresholds[column]) return 0;
  const around = PLACES.filter((one) => thresholds[one] < thresholds[column])
    .map(ends)
    .filter((places) => places.every((place) => place >= 0))
    .map(withError);
  return Math.min(L, ...around);
}

const PLACES = ['level', 'inner', 'outer'] as const;
type Place = (typeof PLACES)[number];

/** Numbers of every run with a ± each. */
function judgedOf(runs: readonly Run[], input: TumorInput, scale: number, { map }: Problem): Quantity[] {
  const { K, fatal } = input;
  const quantities: Quantity[] = [];
  const add = (name: string, numbers: Numbers, unit: string, further = 0) => {
    const { value, uncertainty } = judged(numbers, maxMagnitude(numbers), further);
    quantities.push(quantity(name, value, unit, uncertainty));
  };
  for (const [name, column] of [
    ['', 'level'],
    ['_t1gd', 'inner'],
    ['_t2', 'outer'],
  ] as const) {
    const places = runs.map((run) => last(run.column(column)));
    // Below the threshold everywhere nothing is to be seen: radius 0.
    if (places.every((place) => place < 0))
      quantities.push(quantity(`radius${name}_end`, 0, 'cm', unseenOf(runs, input, column)));
    else if (places.every((place) => place >= 0)) {
      add(`radius${name}_end`, places, 'cm');
      const areas = places.map((radius) => Math.PI * radius * radius);
      if (map) add(`area${name}_end`, areas, 'cm^2');
    }
  }
  const masses = runs.map((run) => last(run.column('mass')) * K);
  add('cells_end', masses, '1');
  const arrivals = runs.map(({ level, column }) => arrivalOf(level.times, column('inner'), fatal));
  // Extrapolation takes 4/3 of one and 1/3 of another.
  const doubt = (5 / 3) * Math.max(...arrivals.map((arrival) => arrival?.doubt ?? 0));
  const times = arrivals.flatMap((arrival) => (arrival === undefined ? [] : [arrival.time]));
  if (times.length === runs.length && scale > 0) add('time_to_fatal', times, 'day', doubt);
  return quantities;
}

/** Closed forms, and what the plan chose. */
function factsOf({ rho, t_end: end, D_grey, D_white }: TumorInput, problem: Problem): Quantity[] {
  const { fastest: D, tFrom, dt, levels, white, map } = problem;
  const rounding = 1e-14;
  const closed = (name: string, value: number, unit: string) => quantity(name, value, unit, rounding * Math.abs(value));
  return [
    closed('c_limit', asymptoticSpeed(D, rho), 'cm/day'),
    ...(rho >= MIN_RHO
      ? [
          ...(rho * tFrom >= 1 ? [closed('c_bramson_mean', bramsonMean(D, rho, tFrom, end), 'cm/day')] : []),
          closed('doubling_time', Math.LN2 / rho, 'day'),
          closed('D_over_rho', D / rho, 'cm^2'),
        ]
      : []),
    ...(white[1] > white[0] || map?.hasWhite ? [closed('D_white_over_grey', D_white / D_grey, '1')] : []),
    exactly('t_from', tFrom, 'day'),
    exactly('dt', dt, 'day'),
    exactly('steps', levels[0]?.steps ?? 0, '1'),
    exactly('cell', levels[0]?.width ?? 0, 'cm'),
  ];
}

function notesOf(
  input: TumorInput,
  { fastest, white, map }: Problem,
  speed: number,
  { isRegular, relative }: { readonly isRegular: boolean; readonly relative: number },
): string[] {
  const notes: string[] = [];
  const limit = asymptoticSpeed(fastest, input.rho);
  if (speed < limit && input.rho >= MIN_RHO && input.therapy === undefined)
    notes.push('A front from a bounded start is slower than 2 √(D ρ) at any time; it approaches that as 1/t.');
  if (map ? map.hasWhite && map.hasGrey : white[1] > white[0] && white[1] - white[0] < input.L)
    notes.push('c_limit and c_bramson are of the faster tissue.');
  if (map) notes.push('Radii are those of discs whose areas are equal to those above the thresholds.');
  if (!isRegular) notes.push('The speeds on the grids do not converge with an order. Take more cells.');
  if (relative > MAX_BOUND) notes.push(`The ± is above ${100 * MAX_BOUND} % of the speed. Take more cells.`);
  return notes;
}
