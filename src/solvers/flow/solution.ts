// Builds the solution from the runs on three grids: the velocity with its ±, profiles, the vortex, forces and pictures.

import { DomainError } from '../../core/errors.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { at, last, maxIncrease } from '../parts/arrays.ts';
import { exactly, field, quantity, rounded, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { tripleOf } from '../parts/refinement.ts';
import { recordedTimes } from '../parts/sampling.ts';
import type { Plot } from '../plot.ts';
import type { FlowFace } from './face.ts';
import {
  extremeOf,
  horizontalProfile,
  speedOf,
  streamfunctionOf,
  type Velocity,
  valueAt,
  verticalProfile,
  vortexOf,
  vorticityOf,
} from './fields.ts';
import type { FlowInput } from './inputs.ts';
import { type Judge, judgeOf } from './judge.ts';
import { centersOf } from './live.ts';
import { samplingOf } from './plan.ts';
import { type Level, type Problem, problemOf } from './problem.ts';
import { GHIA_Y, publishedCavity, startedPlates, taylorGreen } from './reference.ts';

/** Largest ± of a converged value over the speed. */
const MAX_BOUND = 0.25;
/** Largest h ∇·u over the speed: the direct projection, and where it iterates. */
const DIVERGENCE = { direct: 1e-12, iterated: 1e-8 } as const;
/** Pressure and friction grow without bound towards corners of solid cells, like r^(−0.455): their sums err by h^0.545. */
const FORCE_ORDER = 0.545;
/** Changes a second over speed²/size below which a flow is steady. */
const STEADY = 1e-3;

/** Decay of waves in a step below which their energy falls at every step. */
const RESOLVED = 0.1;

type Output = KernelOutput<FlowFace>;
type Column = FlowFace['columns']['history'][number];

/** A number of each grid's run. */
type Read = (run: Run) => number;

interface Run {
  readonly velocity: Velocity;
  history(name: Column): Float64Array;
}

function runOf(output: Output, level: Level): Run {
  const rows = rowsOf(output.views.history ?? new Float64Array(), output.columns.history);
  return {
    velocity: { level, u: output.views.u ?? new Float64Array(), v: output.views.v ?? new Float64Array() },
    history: (name) => rows.column(name),
  };
}

export function solutionOf(outputs: readonly Output[], input: FlowInput): Solution {
  const problem = problemOf(input);
  const { levels, scale, exact } = problem;
  const finished = levels.map((_, i) => outputOf(outputs, i));
  if (finished.some(({ info }) => info !== INFO.ok && info !== INFO.notConverged))
    throw new DomainError('NUMERIC_OVERFLOW', 'The velocity left the range of numbers. Take a smaller speed or force.');
  const open = finished.reduce((sum, { statistics }) => sum + (statistics.open ?? 0), 0);
  const [own, middle, coarse] = levels.map((level, i) => runOf(outputOf(outputs, i), level)) as [Run, Run, Run];
  const runs = [own, middle, coarse] as const;
  const judge = judgeOf(problem, [own.velocity, middle.velocity, coarse.velocity], input.scheme);
  const read: Read = problem.isExtreme ? uMin(input) : (run) => last(run.history('probeU'));
  const values = tripleOf(runs.map(read));
  const reference = exact ?? values[1];
  const budget = judge.of(values, scale, reference);
  const relative = budget.uncertainty / scale;
  return {
    value: values[0],
    ...budget,
    bound: budget.uncertainty / Math.max(scale, Math.abs(reference)),
    converged: open === 0 && judge.isRegular && relative <= MAX_BOUND,
    witness: {
      method: exact === undefined ? 'the same flow on two thirds of the cells and steps' : EXACT[input.case],
      reference,
      scale,
      ...(judge.order === undefined ? {} : { observedOrder: judge.order }),
    },
    invariants: invariantsOf(problem, input, own, outputOf(outputs, 0)),
    ...picturesOf(problem, input, own, outputOf(outputs, 0)),
    quantities: [
      ...numbersOf(problem, input, runs, judge),
      rounded('reynolds', problem.reynolds, '1'),
      rounded('courant', (scale * levels[0].dt) / levels[0].h, '1'),
      exactly('end_time', problem.end, 's'),
      ...(problem.isExtreme
        ? []
        : [exactly('probe_x', problem.probe[0], 'm'), exactly('probe_y', problem.probe[1], 'm')]),
    ],
    operatorInputs: lawInputs(problem, input),
    functional: last(own.history('kinetic')),
    notes: notesOf(judge, relative, open, isSteady(problem, input, own), input, problem.reynolds),
  };
}

const EXACT: Readonly<Record<FlowInput['case'], string>> = {
  cavity: '',
  channel: '',
  'taylor-green': 'closed form of decaying waves (Taylor & Green)',
  plates: 'series of the modes between plates',
};

const uMin =
  ({ speed }: FlowInput): Read =>
  ({ velocity }) =>
    extremeOf(verticalProfile(velocity, speed), 1);

function isSteady({ scale }: Problem, { size }: FlowInput, own: Run): boolean {
  return last(own.history('rate')) <= (STEADY * scale * scale) / size;
}

function lawInputs({ probe: [x, y], end }: Problem, input: FlowInput): Solution['operatorInputs'] {
  const { case: flow, kx, ky, mean_u, mean_v, speed, size, visc } = input;
  if (flow !== 'taylor-green' || kx !== ky || mean_u !== 0 || mean_v !== 0) return {};
  return { FL3: { U: speed, k: (2 * Math.PI * kx) / size, x, y, nu: visc, t: end } };
}

function numbersOf(problem: Problem, input: FlowInput, runs: readonly [Run, Run, Run], judge: Judge): Quantity[] {
  const { scale, end, probe } = problem;
  const { size, speed } = input;
  const judged = (name: string, of: Read, unit: string, size: number, exact?: number, highest?: number) => {
    const values = tripleOf(runs.map(of));
    return quantity(name, values[0], unit, judge.of(values, size, exact ?? values[1], highest).uncertainty);
  };
  const ofForce = (name: string, of: Read, unit: string, size: number) =>
    judged(name, of, unit, size, undefined, FORCE_ORDER);
  const energy = 0.5 * scale * scale;
  const kinetic: Read = (run) => last(run.history('kinetic'));
  const probedFrom = (exact?: number) => judged('probe_v', (run) => last(run.history('probeV')), 'm/s', scale, exact);
  const probed = probedFrom();
  switch (input.case) {
    case 'taylor-green': {
      const exact = taylorGreen(input, probe[0], probe[1], end);
      return [
        probedFrom(exact.v),
        judged('kinetic_energy', kinetic, 'm^2/s^2', energy, exact.kinetic),
        quantity('exact_u', exact.u, 'm/s', 1e-12 * scale),
        quantity('exact_kinetic_energy', exact.kinetic, 'm^2/s^2', 1e-12 * energy),
      ];
    }
    case 'plates':
      return [
        judged('kinetic_energy', kinetic, 'm^2/s^2', energy),
        ...(problem.exact === undefined ? [] : [quantity('exact_u', problem.exact, 'm/s', 1e-11 * scale)]),
      ];
    case 'channel':
      return [probed, judged('kinetic_energy', kinetic, 'm^2/s^2', energy), ...forcesOf(problem, input, ofForce)];
    case 'cavity': {
      const across: Read = ({ velocity }) => extremeOf(horizontalProfile(velocity), -1);
      const down: Read = ({ velocity }) => extremeOf(horizontalProfile(velocity), 1);
      const centre = (run: Run) => vortexOf(run.velocity, streamfunctionOf(run.velocity));
      return [
        ...(problem.isExtreme ? [] : [judged('u_min', uMin(input), 'm/s', scale), probed]),
        judged('v_max', across, 'm/s', scale),
        judged('v_min', down, 'm/s', scale),
        judged('psi_min', (run) => centre(run).psi, 'm^2/s', scale * size),
        judged('vortex_x', (run) => centre(run).x, 'm', size),
        judged('vortex_y', (run) => centre(run).y, 'm', size),
        judged('kinetic_energy', kinetic, 'm^2/s^2', energy),
        ...publishedOf(problem, speed, runs[0]),
      ];
    }
  }
}

/** Published numbers of the steady flow, in the units of this one, and the largest difference from Ghia's profile. */
function publishedOf({ reynolds, scale }: Problem, speed: number, own: Run): Quantity[] {
  const published = publishedCavity(reynolds);
  if (published === undefined) return [];
  const { uMin: u, vMax, vMin, ghia } = published;
  const told = (name: string, value: number | undefined) =>
    value === undefined ? [] : [exactly(name, value * speed, 'm/s')];
  const profile = verticalProfile(own.velocity, speed);
  const size = last(profile.places);
  const difference = ghia?.reduce(
    (most, value, k) => Math.max(most, Math.abs(valueAt(profile, at(GHIA_Y, k) * size) - value * speed)),
    0,
  );
  return [
    ...told('published_u_min', u),
    ...told('published_v_max', vMax),
    ...told('published_v_min', vMin),
    // Of the tabulated numbers, which have five decimals.
    ...(difference === undefined ? [] : [quantity('ghia_difference', difference, 'm/s', 1e-5 * scale)]),
  ];
}

function forcesOf(
  { levels, shape }: Problem,
  { speed }: FlowInput,
  judged: (name: string, of: Read, unit: string, size: number) => Quantity,
): Quantity[] {
  const { solid, columns, rows, h } = levels[0];
  if (shape === undefined || solid === undefined) return [];
  let front = 0;
  for (let j = 0; j < rows; j++) if (solid.subarray(j * columns, (j + 1) * columns).includes(1)) front++;
  const height = front * h;
  const pressure = 0.5 * speed * speed * height;
  const coefficient = (column: 'drag' | 'lift'): Read => {
    return (run) => last(run.history(column)) / pressure;
  };
  return [
    judged('drag', (run) => last(run.history('drag')), 'm^3/s^2', pressure),
    judged('lift', (run) => last(run.history('lift')), 'm^3/s^2', pressure),
    judged('drag_coefficient', coefficient('drag'), '1', 1),
    judged('lift_coefficient', coefficient('lift'), '1', 1),
    exactly('obstacle_height', height, 'm'),
  ];
}

function invariantsOf({ levels, scale, shape }: Problem, input: FlowInput, own: Run, output: Output): Invariant[] {
  const kinetic = own.history('kinetic');
  const wave = (2 * Math.PI) / input.size;
  const decay = input.visc * wave * wave * (input.kx * input.kx + input.ky * input.ky) * levels[0].dt;
  return [
    {
      name: 'divergence',
      label: 'no cell gains or loses fluid',
      value: output.statistics.divergence ?? Number.NaN,
      drift: (output.statistics.divergence ?? Number.NaN) / scale,
      bound: shape === undefined ? DIVERGENCE.direct : DIVERGENCE.iterated,
    },
    ...(input.case === 'taylor-green' && decay <= RESOLVED
      ? [
          {
            name: 'energy',
            label: 'the energy never grows',
            value: last(kinetic),
            drift: maxIncrease(kinetic) / at(kinetic, 0),
            bound: 1e-12,
          },
        ]
      : []),
  ];
}

function picturesOf(problem: Problem, input: FlowInput, own: Run, output: Output) {
  const { levels, isExtreme } = problem;
  const { columns, rows, h, steps, dt } = levels[0];
  const { recordEvery, frameEvery, stride } = samplingOf(levels[0]);
  const { velocity } = own;
  const frameTimes = recordedTimes(steps, frameEvery, dt);
  const [x, y] = [centersOf(columns, h), centersOf(rows, h)];
  const strided = (values: Float64Array) => values.filter((_, i) => i % stride === 0);
  const kept = (cells: number) => Math.ceil(cells / stride);
  const lid = input.case === 'cavity' || input.case === 'plates' ? input.speed : 0;
  const [vertical, horizontal] = [verticalProfile(velocity, lid), horizontalProfile(velocity)];
  const hasWalls = problem.sides[1] === 'wall';
  const ghia = input.case === 'cavity' ? publishedCavity(problem.reynolds)?.ghia : undefined;
  const isForced = problem.shape !== undefined;
  const shape = [rows, columns];
  const exactProfile =
    input.case === 'plates' && problem.exact !== undefined
      ? vertical.places.map((place) => startedPlates(input, place / input.size, problem.end) ?? Number.NaN)
      : undefined;
  return {
    series: [
      series('t', 's', recordedTimes(steps, recordEvery, dt)),
      series('kinetic', 'm^2/s^2', own.history('kinetic')),
      series('rate', 'm/s^2', own.history('rate')),
      series('probe', 'm/s', own.history('probeU')),
      ...(isForced
        ? [series('drag_t', 'm^3/s^2', own.history('drag')), series('lift_t', 'm^3/s^2', own.history('lift'))]
        : []),
      series('x', 'm', x),
      series('y', 'm', y),
      series('frame_t', 's', frameTimes),
      series('frame_x', 'm', strided(x)),
      series('frame_y', 'm', strided(y)),
      series(
        'corner_x',
        'm',
        Float64Array.from({ length: columns + 1 }, (_, i) => i * h),
      ),
      series(
        'corner_y',
        'm',
        Float64Array.from({ length: rows + 1 }, (_, j) => j * h),
      ),
      ...(hasWalls ? [series('middle_y', 'm', vertical.places), series('middle_u', 'm/s', vertical.values)] : []),
      ...(exactProfile ? [series('exact', 'm/s', exactProfile)] : []),
      ...(input.case === 'cavity'
        ? [series('middle_x', 'm', horizontal.places), series('middle_v', 'm/s', horizontal.values)]
        : []),
      ...(ghia
        ? [
            series(
              'ghia_y',
              'm',
              GHIA_Y.map((place) => place * input.size),
            ),
            series(
              'ghia_u',
              'm/s',
              ghia.map((value) => value * input.speed),
            ),
            series(
              'u_there',
              'm/s',
              GHIA_Y.map((place) => valueAt(vertical, place * input.size)),
            ),
          ]
        : []),
    ],
    fields: [
      field('frames', 'm/s', [frameTimes.length, kept(rows), kept(columns)], output.views.frames ?? new Float64Array()),
      field('speed', 'm/s', shape, speedOf(velocity)),
      field('vorticity', '1/s', shape, vorticityOf(velocity)),
      field('pressure', 'm^2/s^2', shape, output.views.pressure ?? new Float64Array()),
      field('psi', 'm^2/s', [rows + 1, columns + 1], streamfunctionOf(velocity)),
    ],
    plots: [
      { kind: 'field', title: 'Speed', x: 'frame_x', y: 'frame_y', time: 'frame_t', values: 'frames' },
      { kind: 'field', title: 'Streamfunction at the end', x: 'corner_x', y: 'corner_y', values: 'psi' },
      { kind: 'field', title: 'Vorticity at the end', x: 'x', y: 'y', values: 'vorticity' },
      { kind: 'field', title: 'Pressure over density at the end', x: 'x', y: 'y', values: 'pressure' },
      ...(hasWalls
        ? [
            {
              kind: 'line',
              title: 'u on the vertical through the middle',
              x: 'middle_y',
              y: exactProfile ? ['middle_u', 'exact'] : ['middle_u'],
            } as const,
          ]
        : []),
      ...(input.case === 'cavity'
        ? [{ kind: 'line', title: 'v on the horizontal through the middle', x: 'middle_x', y: ['middle_v'] } as const]
        : []),
      ...(ghia
        ? [{ kind: 'line', title: 'Ghia, Ghia & Shin, and here', x: 'ghia_y', y: ['ghia_u', 'u_there'] } as const]
        : []),
      ...(isForced ? [{ kind: 'line', title: 'Drag and lift', x: 't', y: ['drag_t', 'lift_t'] } as const] : []),
      { kind: 'line', title: 'Mean kinetic energy', x: 't', y: ['kinetic'] },
      { kind: 'line', title: isExtreme ? 'u in the middle' : 'u at the probe', x: 't', y: ['probe'] },
    ] satisfies Plot[],
  };
}

function notesOf(
  { isRegular, isLayerSeen }: Judge,
  relative: number,
  open: number,
  isAtRest: boolean,
  { case: flow, N }: FlowInput,
  reynolds: number,
): string[] {
  return [
    ...(open > 0 ? [`${open} projections spent iters without reaching their tolerance. Take more.`] : []),
    ...(isRegular ? [] : ['Grids of two thirds and four ninths of the cells do not converge. Take more cells.']),
    ...(isLayerSeen
      ? []
      : [`Layers beside walls are thinner than a cell at N ${N}. Take ${Math.ceil(Math.sqrt(reynolds))} or more.`]),
    ...(relative > MAX_BOUND ? [`The ± is above ${100 * MAX_BOUND} % of the speed. Take more cells or steps.`] : []),
    ...(flow === 'cavity' && !isAtRest
      ? ['The flow still changes at the end; published numbers are of the steady state. Take more steps.']
      : []),
  ];
}
