// Builds the solution of a motion from its runs: peak stress or phase speed with its ±, the budget of energy, the crack.

import { bound, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Quantity, Solution } from '../definition.ts';
import { at, maxMagnitude } from '../parts/arrays.ts';
import { exactly, field, quantity, rounded, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { recordedTimes } from '../parts/sampling.ts';
import type { Plot } from '../plot.ts';
import { branchCount, crackSpeed } from './crack.ts';
import type { FractureFace } from './face.ts';
import type { FractureInput } from './inputs.ts';
import { type MotionProblem, motionOf } from './motion.ts';
import { energyDrift, frequencyOf, type MotionRun, momentumDrift, readMotion } from './motion-run.ts';
import { placesOf } from './places.ts';
import { barPeak, frontOvershoot, phaseSpeed, rayleighSpeed, stripStrain } from './reference.ts';
import { reachOf } from './stencil.ts';

/** The ± is this times the largest change to the other lattices. */
const RESERVE = 2;
const ROUNDING = 1e-10;
/** Part of a cell by which sides and notches may be out of place, on the shorter side. */
const MISPLACED = 0.25;
/** Largest relative ± of a converged value. */
const MAX_BOUND = 0.5;
/** Of the budget of energy: bonds of a bar do not turn, those of a plate do. */
const ENERGY_BOUND = { bar: 1e-9, plate: 1e-4 } as const;
const MOMENTUM_BOUND = 1e-9;

export function motionSolutionOf(outputs: readonly KernelOutput<FractureFace>[], input: FractureInput): Solution {
  const problem = motionOf(input);
  const runs = problem.lattices.map((lattice, i) => readMotion(outputOf(outputs, i), lattice));
  const [own] = runs;
  if (own === undefined) throw new Error('The problem has no lattice.');
  const isWave = input.load === 'wave';
  const judged = isWave ? phaseSpeedOf(input, problem, runs) : peakOf(input, problem, runs);
  const { value, reference, budget, basis, further } = judged;
  // Nothing has reached the middle yet if the value is 0.
  const relative = value > 0 ? budget.uncertainty / value : 1;
  const open = runs.reduce((sum, { statistic }) => sum + statistic('open'), 0);
  return {
    value,
    ...budget,
    bound: relative,
    converged: open === 0 && relative <= MAX_BOUND,
    witness: { method: basis, reference, scale: Math.max(value, Number.MIN_VALUE) },
    invariants: invariantsOf(input, problem, own),
    ...arraysOf(input, problem, own, outputOf(outputs, 0).views.frames ?? new Float64Array()),
    quantities: [
      ...further,
      exactly('dt', own.lattice.dt, 's'),
      exactly('dt_limit', problem.dtMax, 's'),
      exactly('steps', own.lattice.steps, '1'),
      rounded('s0', problem.s0, '1'),
      exactly('horizon', problem.horizon, 'm'),
      rounded('bar_speed', problem.speed, 'm/s'),
      ...(isWave ? [] : failureOf(problem, runs)),
      ...(problem.isBar ? [] : crackOf(input, problem, runs, outputOf(outputs, 0).views.frames)),
    ],
    operatorInputs: {},
    functional: value,
    notes: notesOf(input, problem, runs, open, relative),
  };
}

/** The largest distance of the first number from the others. */
const spreadOf = ([own = Number.NaN, ...others]: readonly number[]): number =>
  Math.max(...others.map((other) => Math.abs(other - own)));

function peakOf(input: FractureInput, problem: MotionProblem, runs: readonly MotionRun[]) {
  const { E, strain, stress, nx, ny } = input;
  const { isBar, length, horizon, speed, tEnd, ramp, s0 } = problem;
  const peaks = runs.map(({ statistic }) => E * statistic('peak'));
  const [value = Number.NaN, fine = Number.NaN] = peaks;
  const closed = closedPeak();
  const reference = Number.isNaN(closed) ? fine : closed;
  const budget = uncertain([
    bound(
      'discretisation',
      RESERVE * spreadOf(peaks),
      isBar ? 'other lattices, one of half the horizon' : 'two other lattices',
    ),
    ...(isBar
      ? [bound('model', frontOvershoot(horizon, speed * tEnd, speed * ramp) * value, 'overshoot of a dispersive front')]
      : [bound('model', (MISPLACED / Math.min(nx, ny)) * value, 'a quarter of a cell on the shorter side')]),
    bound('rounding', ROUNDING * value, 'sums over the bonds'),
  ]);
  const [first] = runs;
  const when = (run: MotionRun) => run.statistic('peakStep') * run.lattice.dt;
  return {
    value,
    reference,
    budget,
    basis: Number.isNaN(closed)
      ? 'the same body on 5/4 of the points, with the same horizon in metres'
      : 'waves of a local bar from both ends, by d’Alembert',
    further: [
      quantity(
        'peak_time',
        first ? when(first) : Number.NaN,
        's',
        RESERVE * spreadOf(runs.map(when)) + (first?.lattice.dt ?? 0),
      ),
    ],
  };

  /** NaN where no closed form is known. */
  function closedPeak(): number {
    if (!isBar) return Number.NaN;
    if (input.load === 'release') return strain < s0 ? E * strain : Number.NaN;
    const load = input.load === 'grips' ? 'grips' : 'stress';
    const amount = load === 'grips' ? strain : stress / E;
    return E * barPeak({ load, amount, ramp, tEnd, passage: length / speed }, s0);
  }
}

function phaseSpeedOf(input: FractureInput, { horizon, speed }: MotionProblem, runs: readonly MotionRun[]) {
  const k = (2 * Math.PI * input.waves) / input.width;
  const speeds = runs.map((run) => frequencyOf(run) / k);
  const [value = Number.NaN] = speeds;
  const turn = value * k * (runs[0]?.lattice.dt ?? 0);
  const reference = speed * phaseSpeed(k * horizon);
  const budget = uncertain([
    bound(
      'discretisation',
      RESERVE * spreadOf(speeds) + (turn * turn * value) / 12,
      'two other lattices, and the step',
    ),
    bound('rounding', ROUNDING * value, 'amplitudes at equal times'),
  ]);
  const period = 1 / (input.width / input.waves);
  return {
    value,
    reference,
    budget,
    basis: 'dispersion of the endless peridynamic bar: 2 √(γ + ln kδ − Ci kδ) / kδ times √(E/ρ)',
    further: [
      quantity('frequency', value * period, 'Hz', budget.uncertainty * period),
      quantity('phase_speed_ratio', value / speed, '1', budget.uncertainty / speed),
    ],
  };
}

function invariantsOf(input: FractureInput, { isBar }: MotionProblem, own: MotionRun): Solution['invariants'] {
  const value = Math.max(...own.of('kinetic').map((kinetic, i) => kinetic + at(own.of('bonds'), i)));
  const energy = {
    name: 'energy_budget',
    label: 'kinetic, strain and fracture energy change by the work',
    value,
    drift: energyDrift(own),
    bound: isBar ? ENERGY_BOUND.bar : ENERGY_BOUND.plate,
  };
  if (input.load !== 'stress' && input.load !== 'wave') return [energy];
  const momentum = {
    name: 'momentum',
    label: 'no net force moves the body',
    value: maxMagnitude(own.of('momentum')),
    drift: momentumDrift(own),
    bound: MOMENTUM_BOUND,
  };
  return [energy, momentum];
}

/** Time of the first failure, and its height in a bar. */
function failureOf({ isBar }: MotionProblem, runs: readonly MotionRun[]): Quantity[] {
  const broken = exactly('broken_bonds', runs[0]?.statistic('rounds') ?? Number.NaN, '1');
  if (!runs.every(({ statistic }) => statistic('rounds') > 0)) return [broken];
  const times = runs.map(({ statistic, lattice }) => statistic('firstStep') * lattice.dt);
  const step = Math.max(...runs.map(({ lattice }) => lattice.dt));
  const places = runs.map(({ statistic, lattice }) => statistic('firstY') * lattice.spacing);
  const cell = Math.max(...runs.map(({ lattice }) => lattice.spacing * lattice.horizon));
  return [
    broken,
    quantity('failure_time', at(times, 0), 's', RESERVE * spreadOf(times) + step),
    ...(isBar ? [quantity('failure_y', at(places, 0), 'm', RESERVE * spreadOf(places) + cell)] : []),
  ];
}

function crackOf(
  { E, rho, width }: FractureInput,
  { notch, horizon, surfaceEnergy, length }: MotionProblem,
  runs: readonly MotionRun[],
  frames: Float64Array = new Float64Array(),
): Quantity[] {
  const speedOf = ({ lattice, times, of }: MotionRun) =>
    crackSpeed(times, of('tip', lattice.spacing), lattice.spacing, width - 2 * horizon);
  const speeds = runs.map(speedOf);
  const losses = runs.map((run) =>
    at(run.of('lost', E * run.lattice.spacing * run.lattice.spacing), run.times.length - 1),
  );
  const tips = runs.map(({ lattice, times, of }) => at(of('tip', lattice.spacing), times.length - 1));
  const [own] = runs;
  if (own === undefined) return [];
  const { rows, columns } = own.lattice;
  const first = Math.round(at(own.of('tip'), 0));
  const last = frames.subarray(frames.length - rows * columns);
  const cell = Math.max(...runs.map(({ lattice }) => lattice.spacing));
  return [
    rounded('rayleigh_speed', rayleighSpeed(E, rho), 'm/s', 64),
    ...(surfaceEnergy === undefined ? [] : [rounded('G0', surfaceEnergy, 'J/m^2')]),
    ...(surfaceEnergy === undefined || notch === 0
      ? []
      : [rounded('strain_clamped_strip', stripStrain(E, surfaceEnergy, length), '1')]),
    quantity('fracture_energy', at(losses, 0), 'J/m', RESERVE * spreadOf(losses)),
    quantity('crack_tip', at(tips, 0), 'm', RESERVE * spreadOf(tips) + cell),
    exactly('branches', branchCount(last, rows, columns, first, reachOf(own.lattice)), '1'),
    ...(speeds.every(Number.isFinite)
      ? [quantity('crack_speed', at(speeds, 0), 'm/s', RESERVE * spreadOf(speeds))]
      : []),
  ];
}

function arraysOf(input: FractureInput, problem: MotionProblem, own: MotionRun, frames: Float64Array) {
  const { isBar, length } = problem;
  const { lattice, times, of } = own;
  const { E } = input;
  const isWave = input.load === 'wave';
  const energy = E * (isBar ? lattice.spacing : lattice.spacing * lattice.spacing);
  const unit = isBar ? 'J/m^2' : 'J/m';
  const frameTimes = recordedTimes(lattice.steps, lattice.frameEvery, lattice.dt);
  const shape = isBar ? [lattice.rows] : [lattice.rows, lattice.columns];
  return {
    series: [
      series('t', 's', times),
      series('elongation', 'm', of('strain', length)),
      series('stress', 'Pa', of('stress', E)),
      series('kinetic', unit, of('kinetic', energy)),
      series('strain_energy', unit, of('bonds', energy)),
      series('fracture', unit, of('lost', energy)),
      series('work', unit, of('work', energy)),
      ...(isWave ? [series('amplitude', '1', of('amplitude', amplitudeFactor(lattice.rows, input.waves)))] : []),
      ...(isBar
        ? []
        : [
            series('x', 'm', placesOf(lattice.columns, lattice.spacing)),
            series('tip', 'm', of('tip', lattice.spacing)),
          ]),
      series('y', 'm', placesOf(lattice.rows, lattice.spacing)),
      series('frame_t', 's', frameTimes),
    ],
    fields: [field('damage', '1', [frameTimes.length, ...shape], frames)],
    plots: plotsOf(isBar, isWave),
  };
}

/** From the product with the profile, rows cos²(…) / k² on average, to the strain. */
function amplitudeFactor(rows: number, waves: number): number {
  const k = (2 * Math.PI * waves) / rows;
  return (2 * k * k) / rows;
}

function plotsOf(isBar: boolean, isWave: boolean): Plot[] {
  const damage: Plot = isBar
    ? { kind: 'line', title: 'Damage', x: 'y', y: ['damage'], time: 'frame_t' }
    : { kind: 'field', title: 'Damage', x: 'x', y: 'y', time: 'frame_t', values: 'damage' };
  const energies: Plot = {
    kind: 'line',
    title: 'Budget of energy',
    x: 't',
    y: ['work', 'kinetic', 'strain_energy', 'fracture'],
  };
  if (isWave) return [{ kind: 'line', title: 'Strain of the wave', x: 't', y: ['amplitude'] }, energies];
  return [
    damage,
    { kind: 'line', title: 'Stress through the middle', x: 't', y: ['stress'] },
    energies,
    ...(isBar ? [] : [{ kind: 'line', title: 'Tip of the crack', x: 't', y: ['tip'] } as const]),
  ];
}

function notesOf(
  input: FractureInput,
  problem: MotionProblem,
  runs: readonly MotionRun[],
  open: number,
  relative: number,
): string[] {
  const notes: string[] = [];
  if (open > 0) notes.push('relaxIters were spent before the release. Take more.');
  if (relative > MAX_BOUND) notes.push(`The ± is above ${100 * MAX_BOUND} % of the value. Take more points.`);
  const [own] = runs;
  if (problem.isBar || own === undefined) return notes;
  const { lattice, times, of } = own;
  const speed = crackSpeed(times, of('tip', lattice.spacing), lattice.spacing, input.width - 2 * problem.horizon);
  if (speed > rayleighSpeed(input.E, input.rho))
    notes.push('The tip is faster than Rayleigh waves: damage ahead joined it, so this is no speed of one crack.');
  return notes;
}
