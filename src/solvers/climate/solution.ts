// The solution from the runs: the depth at the probe with its ±, gauges, budgets, the front, and pictures.

import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Field, Invariant, Quantity, Solution } from '../definition.ts';
import { at, last, maxIncrease, maxMagnitude } from '../parts/arrays.ts';
import { unstableError } from '../parts/errors.ts';
import { exactly, field, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { Plot } from '../plot.ts';
import type { ClimateFace } from './face.ts';
import { volumeDoubt } from './grid.ts';
import type { ClimateInput } from './inputs.ts';
import { type Judge, judgeOf } from './judge.ts';
import { centersOf } from './live.ts';
import { type Problem, problemOf } from './problem.ts';

/** Maximum ± of a converged value, relative to the largest depth at the start. */
const MAX_BOUND = 0.25;

type Output = KernelOutput<ClimateFace>;
type Column = ClimateFace['columns']['history'][number];

const columnOf = ({ views, columns, statistics }: Output, name: Column): Float64Array =>
  rowsOf(views.history ?? new Float64Array(), columns.history)
    .column(name)
    .slice(0, statistics.samples ?? 0);

/** The depth at place k over the samples. */
function gaugeOf({ views, statistics }: Output, { places }: Problem, k: number): Float64Array {
  const all = views.gaugeDepths ?? new Float64Array();
  return Float64Array.from({ length: statistics.samples ?? 0 }, (_, row) => at(all, row * places.length + k));
}

export function solutionOf(outputs: readonly Output[], input: ClimateInput): Solution {
  const problem = problemOf(input);
  const runs = problem.runs.map((_, i) => outputOf(outputs, i));
  if (runs.some(({ info }) => info !== INFO.ok))
    throw unstableError(
      't_end',
      'The water became too fast before t_end. Take gentler data or a shorter time.',
      'NOT_FINITE',
    );
  const [own] = runs as [Output];
  const judge = judgeOf(problem, runs, input.t_end);
  const { exact, scale } = problem;
  const depths = problem.places.map(([x, y], k) => {
    const value = last(gaugeOf(own, problem, k));
    return { value, ...judge.depth(x, y, value) };
  });
  const [probe] = depths;
  if (probe === undefined) throw new Error('A problem has a probe.');
  const relative = probe.uncertainty / scale;
  return {
    value: probe.value,
    uncertainty: probe.uncertainty,
    budget: probe.budget,
    bound: relative,
    converged: relative <= MAX_BOUND,
    witness: {
      method: exact
        ? 'exact solution of the dam break (Stoker, Ritter)'
        : `a run of order 2 by ${problem.runs[3]?.scheme} on other cells, with steps of its own`,
      reference: probe.reference,
      scale,
      ...(judge.order === undefined ? {} : { observedOrder: judge.order }),
    },
    invariants: invariantsOf(problem, input, own),
    ...picturesOf(problem, input, own),
    quantities: [
      ...depths.slice(1).map(({ value, uncertainty }, k) => quantity(`gauge_${k + 1}_end`, value, 'm', uncertainty)),
      ...numbersOf(problem, input, runs, judge),
    ],
    operatorInputs: { OC1: { g: input.g, h: scale } },
    functional: last(columnOf(own, 'kinetic')) + last(columnOf(own, 'potential')),
    notes: notesOf(relative),
  };
}

function notesOf(relative: number): string[] {
  if (relative <= MAX_BOUND) return [];
  return [`The ± is above ${100 * MAX_BOUND} % of the largest depth: a bore is near, or cells are few.`];
}

function numbersOf(problem: Problem, input: ClimateInput, runs: readonly Output[], judge: Judge): Quantity[] {
  const { exact, runs: levels, places } = problem;
  const [own] = runs as [Output];
  const cell = levels[0].level.dx;
  const [x, y] = places[0] ?? [0, 0];
  const judged = (
    name: string,
    read: (output: Output) => number,
    unit: string,
    { floor = 0, known }: { readonly floor?: number; readonly known?: number | undefined } = {},
  ) => {
    const { value, error } = judge.number(read, known);
    return quantity(name, value, unit, error + floor);
  };
  const energy = (output: Output) => last(columnOf(output, 'kinetic')) + last(columnOf(output, 'potential'));
  const lost = (output: Output) =>
    at(columnOf(output, 'kinetic'), 0) + at(columnOf(output, 'potential'), 0) - energy(output);
  const energyUnit = problem.isLine ? 'm^4/s^2' : 'm^5/s^2';
  const { state } = levels[0];
  const contents = (output: Output) => last(columnOf(output, 'volume'));
  // What leaves and the level of a jet depend on the grid; other volumes stay what they were.
  const isOwn = problem.initial.jet === undefined && !Object.values(problem.sides).includes('open');
  const volume = quantity(
    'volume',
    contents(own),
    problem.isLine ? 'm^2' : 'm^3',
    1e-9 * contents(own) + startDoubt(problem, input, own) + (isOwn ? 0 : judge.number(contents).error),
  );
  const speed = (output: Output) => last(columnOf(output, 'speed'));
  // Rounded levels move waves by √(g/h), and change what friction and rotation do to all that moves.
  const speedFloor = problem.initial.isAtRest
    ? 0
    : 4 * state.quantum * (Math.sqrt(input.g / problem.scale) + speed(own) / problem.scale);
  const steady = 8 * maxMagnitude([at(columnOf(own, 'potential'), 0)]) * Number.EPSILON;
  return [
    volume,
    judged('energy_lost', lost, energyUnit, { floor: steady, known: exact && exact.loss * input.t_end }),
    judged('speed_max', speed, 'm/s', { floor: speedFloor, known: exact?.velocity }),
    ...(last(columnOf(own, 'front')) > 0
      ? [judged('front', (output) => last(columnOf(output, 'front')), 'm', { floor: frontFloor(problem, input, own) })]
      : []),
    ...(exact === undefined
      ? []
      : [
          quantity('exact_middle', exact.middle, 'm', 1e-13 * exact.middle),
          quantity('exact_velocity', exact.velocity, 'm/s', 1e-12 * exact.velocity),
          quantity('exact_front', problem.x0 + exact.front * input.t_end, 'm', 1e-12 * input.lx),
          quantity('l1_error', l1Of(problem, input, own), 'm^2', 1e-9 * problem.scale * input.lx),
        ]),
    exactly('steps', own.statistics.steps ?? Number.NaN, '1'),
    exactly('cell', cell, 'm'),
    exactly('probe_x', x, 'm'),
    ...(problem.isLine ? [] : [exactly('probe_y', y, 'm')]),
  ];
}

/** How far the volume at the start is from what is stated: exactly for a dam on a flat bed, else by the samples of cells. */
function startDoubt({ initial, runs, x0, isLine }: Problem, input: ClimateInput, own: Output): number {
  const { level, state } = runs[0];
  if (input.initial !== 'dam' || input.level !== undefined || initial.bed !== undefined)
    return volumeDoubt(initial, level, state);
  const stated = (input.depth * x0 + input.h_right * (input.lx - x0)) * (isLine ? 1 : input.ly);
  return Math.abs(at(columnOf(own, 'volume'), 0) - stated);
}

/** Two cells, or twice the distance to the exact front. */
function frontFloor({ exact, runs, x0, frontDepth }: Problem, { t_end, lx }: ClimateInput, own: Output): number {
  const cells = 2 * runs[0].level.dx;
  if (exact === undefined) return cells;
  let [low, high] = [0, lx];
  for (let i = 0; i < 100; i++) {
    const x = 0.5 * (low + high);
    if (exact.depthAt(x - x0, t_end) > frontDepth) low = x;
    else high = x;
  }
  return Math.max(cells, 2 * Math.abs(last(columnOf(own, 'front')) - low));
}

/** ∫|h − h_exact| dx by the centers. */
function l1Of({ exact, runs, x0 }: Problem, { t_end }: ClimateInput, { views }: Output): number {
  const { columns, dx } = runs[0].level;
  let sum = 0;
  for (let i = 0; i < columns; i++)
    sum += Math.abs(at(views.depth ?? [], i) - (exact?.depthAt((i + 0.5) * dx - x0, t_end) ?? Number.NaN));
  return sum * dx;
}

function invariantsOf(problem: Problem, { f, beta }: ClimateInput, own: Output): Invariant[] {
  const volume = columnOf(own, 'volume');
  const outflow = columnOf(own, 'outflow');
  const first = at(volume, 0);
  const passed = maxMagnitude(volume) + maxMagnitude(outflow);
  const drift = maxMagnitude(volume.map((v, i) => (v + at(outflow, i) - first) / passed));
  const energy = columnOf(own, 'kinetic').map((e, i) => e + at(columnOf(own, 'potential'), i));
  const isClosed = !Object.values(problem.sides).includes('open');
  const lowest = columnOf(own, 'lowest').reduce((least, h) => Math.min(least, h), Number.POSITIVE_INFINITY);
  const clipped = (own.statistics.clipped ?? Number.NaN) / first;
  const moved = maxMagnitude(columnOf(own, 'speed'));
  const size = maxMagnitude(energy);
  const isEven = isClosed && problem.initial.bed === undefined && f === 0 && beta === 0;
  return [
    { name: 'volume', label: 'the volume changes by what leaves alone', value: last(volume), drift, bound: 1e-12 },
    {
      name: 'depth',
      label: 'no depth is below 0, and none was lifted',
      value: lowest,
      drift: Math.max(clipped, -lowest),
      bound: 1e-12,
    },
    ...(isEven
      ? [
          {
            name: 'energy',
            label: 'the energy never grows',
            value: last(energy),
            drift: maxIncrease(energy) / size,
            bound: 1e-12,
          },
        ]
      : []),
    ...(problem.initial.isAtRest
      ? [{ name: 'rest', label: 'a lake at rest stays at rest', value: moved, drift: moved, bound: 0, unit: 'm/s' }]
      : []),
  ];
}

function picturesOf(problem: Problem, input: ClimateInput, own: Output) {
  const { isLine, runs, stride, exact, places, x0 } = problem;
  const { columns, rows, dx, dy } = runs[0].level;
  const { views, statistics } = own;
  const [h, q, r] = [views.depth, views.flowX, views.flowY].map((view) => view ?? new Float64Array());
  const bed = runs[0].state.bed;
  const speed = Float64Array.from({ length: columns * rows }, (_, k) => {
    const [depth, a, b] = [at(h ?? [], k), at(q ?? [], k), at(r ?? [], k)];
    return depth > problem.dryDepth ? Math.sqrt(a * a + b * b) / depth : 0;
  });
  const froude = speed.map((s, k) => (s === 0 ? 0 : s / Math.sqrt(input.g * at(h ?? [], k))));
  const t = columnOf(own, 't');
  const names = places.map((_, k) => (k === 0 ? 'probe' : `gauge_${k}`));
  const kept = (count: number) => Math.ceil(count / stride);
  const frames = (views.frames ?? new Float64Array()).slice(0, (statistics.frames ?? 0) * kept(columns) * kept(rows));
  const frameTimes = Float64Array.from({ length: statistics.frames ?? 0 }, (_, k) =>
    timeOfFrame(t, problem.frames, k, input.t_end),
  );
  const xs = centersOf(columns, dx);
  const budgets = [
    series('t', 's', t),
    ...names.map((name, k) => series(name, 'm', gaugeOf(own, problem, k))),
    series('kinetic', isLine ? 'm^4/s^2' : 'm^5/s^2', columnOf(own, 'kinetic')),
    series('potential', isLine ? 'm^4/s^2' : 'm^5/s^2', columnOf(own, 'potential')),
    series('outflow', isLine ? 'm^2' : 'm^3', columnOf(own, 'outflow')),
    series('front_x', 'm', columnOf(own, 'front')),
    series('x', 'm', xs),
    series('frame_t', 's', frameTimes),
    series(
      'frame_x',
      'm',
      xs.filter((_, i) => i % stride === 0),
    ),
  ];
  const shared: Plot[] = [
    { kind: 'line', title: 'Depth at the gauges', x: 't', y: names },
    { kind: 'line', title: 'Energy of motion and of height', x: 't', y: ['kinetic', 'potential'] },
    { kind: 'line', title: 'Front', x: 't', y: ['front_x'] },
  ];
  if (!isLine) {
    const ys = centersOf(rows, dy);
    const shape = [rows, columns];
    return {
      series: [
        ...budgets,
        series('y', 'm', ys),
        series(
          'frame_y',
          'm',
          ys.filter((_, j) => j % stride === 0),
        ),
      ],
      fields: [
        field('frames', 'm', [frameTimes.length, kept(rows), kept(columns)], frames),
        field('h', 'm', shape, h ?? new Float64Array()),
        field('speed', 'm/s', shape, speed),
        field('froude', '1', shape, froude),
      ],
      plots: [
        { kind: 'field', title: 'Depth', x: 'frame_x', y: 'frame_y', time: 'frame_t', values: 'frames' },
        { kind: 'field', title: 'Speed at the end', x: 'x', y: 'y', values: 'speed' },
        { kind: 'field', title: 'Froude number at the end', x: 'x', y: 'y', values: 'froude' },
        ...shared,
      ] satisfies Plot[],
    };
  }
  const profile: Field[] = [
    series(
      'level',
      'm',
      (h ?? new Float64Array()).map((depth, k) => depth + at(bed, k)),
    ),
    series('bed', 'm', bed),
    series('speed', 'm/s', speed),
    series('froude', '1', froude),
    ...(exact
      ? [
          series(
            'exact',
            'm',
            xs.map((x) => exact.depthAt(x - x0, input.t_end)),
          ),
        ]
      : []),
  ];
  return {
    series: [...budgets, ...profile],
    fields: [field('frames', 'm', [frameTimes.length, kept(columns)], frames)],
    plots: [
      { kind: 'line', title: 'Level at the end', x: 'x', y: ['level', exact ? 'exact' : 'bed'] },
      { kind: 'line', title: 'Depth', x: 'frame_x', y: ['frames'], time: 'frame_t' },
      { kind: 'field', title: 'Depth over place and time', x: 'frame_x', time: 'frame_t', values: 'frames' },
      { kind: 'line', title: 'Froude number at the end', x: 'x', y: ['froude'] },
      ...shared,
    ] satisfies Plot[],
  };
}

/** A frame is the first sample at or after its share of the time. */
function timeOfFrame(times: Float64Array, frames: number, index: number, end: number): number {
  let due = 0;
  let found = -1;
  for (const time of times) {
    if (time < end && time < (due * end) / frames) continue;
    found += 1;
    if (found === index) return time;
    due = Math.floor((time * frames) / end) + 1;
  }
  return end;
}
