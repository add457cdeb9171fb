// The motion of a request: its lattices with their time steps, and what drives it.

import { cos } from '../../core/elementary.ts';
import { unstableError, validationError } from '../parts/errors.ts';
import { recordInterval } from '../parts/sampling.ts';
import type { FractureInput } from './inputs.ts';
import { type Lattice, type Problem, problemOf } from './problem.ts';
import { rayleighSpeed } from './reference.ts';
import { gripRows, neighboursOf, stableStep } from './stencil.ts';

export const LOADS = ['static', 'grips', 'stress', 'release', 'wave'] as const;
const DEFAULT_COURANT = 0.5;
const MAX_STEPS = 200_000;
/** Bonds by steps of all lattices: a few seconds. */
const MAX_WORK = 8e8;
const MAX_HISTORY = 200;
const MAX_FRAMES = 20;
/** Records in a period of a wave, and periods. */
const PER_PERIOD = 16;
const MAX_PERIODS = 40;
/** Of the stress on ends. */
const MAX_STRAIN = 0.1;
/** Points in a wavelength. */
const PER_WAVE = 8;

export interface MovingLattice extends Lattice {
  /** In m. */
  readonly spacing: number;
  /** In s. */
  readonly dt: number;
  readonly steps: number;
  readonly historyEvery: number;
}

export interface MotionProblem extends Omit<Problem, 'lattices'> {
  readonly lattices: readonly MovingLattice[];
  readonly hasGrips: boolean;
  /** √(E/ρ). */
  readonly speed: number;
  /** Along the pull. */
  readonly length: number;
  readonly tEnd: number;
  readonly ramp: number;
  readonly dtMax: number;
  readonly work: number;
}

/** @throws DomainError VALIDATION_FAILED, UNSTABLE_SCHEME */
export function motionOf(input: FractureInput): MotionProblem {
  const problem = problemOf(input);
  const { isBar } = problem;
  refuseUnfit(input, problem);
  const [own] = problem.lattices;
  if (own === undefined) throw new Error('The problem has no lattice.');
  const hasGrips = input.load !== 'stress';
  const speed = Math.sqrt(input.E / input.rho);
  const length = isBar ? input.width : own.rows * problem.spacing;
  const tEnd = input.t_end ?? defaultEnd(input, length, speed);
  const ramp = rampOf(input, problem, tEnd, speed);
  const dtMax = (stableStep(own, hasGrips) * problem.spacing) / speed;
  if (input.dt !== undefined && input.dt > dtMax)
    throw unstableError(
      'dt',
      `dt is ${input.dt} s; velocity Verlet is stable up to ${dtMax} s on this lattice.`,
      'UNSTABLE_SCHEME',
      { dt_max: dtMax },
    );
  const courant = input.dt === undefined ? DEFAULT_COURANT : input.dt / dtMax;
  // A bar is judged on half of the horizon, too: its answer is that of a local bar.
  const halved = { ...own, rows: 2 * own.rows };
  const shapes = isBar && input.load !== 'wave' ? [...problem.lattices, halved] : problem.lattices;
  const lattices = shapes.map((lattice): MovingLattice => {
    const spacing = input.width / (isBar ? lattice.rows : lattice.columns);
    const limit = (courant * stableStep(lattice, hasGrips) * spacing) / speed;
    const steps = Math.max(1, Math.ceil((tEnd / limit) * (1 - 1e-12)));
    return { ...lattice, spacing, dt: tEnd / steps, steps, loadSteps: 1, ...recordsOf(input, steps, tEnd, speed) };
  });
  const work = lattices.reduce((sum, lattice) => sum + lattice.steps * bondsOf(lattice, hasGrips), 0);
  limitWork(lattices, work, tEnd);
  return { ...problem, lattices, hasGrips, speed, length, tEnd, ramp, dtMax, work };
}

export const bondsOf = (lattice: Lattice, hasGrips: boolean): number =>
  lattice.columns * (lattice.rows + gripRows(lattice, hasGrips)) * neighboursOf(lattice).length;

function refuseUnfit(input: FractureInput, { isBar, s0 }: Problem): void {
  const { load, sf, waves, N, strain } = input;
  if (sf !== undefined && sf !== s0)
    throw validationError('sf', `sf is ${sf} for load ${load}, whose bonds are brittle; leave it out.`);
  const drawn = input.stress / input.E;
  if (load === 'stress' && drawn > MAX_STRAIN)
    throw validationError(
      'stress',
      `stress is ${input.stress} Pa; at most ${MAX_STRAIN * input.E} Pa, a strain of ${MAX_STRAIN}, is allowed.`,
      'OUT_OF_RANGE',
      { max: MAX_STRAIN * input.E },
    );
  if (load === 'release' && strain >= s0)
    throw validationError('strain', `strain is ${strain}; a body is held below s0, ${s0}.`, 'OUT_OF_RANGE', { s0 });
  if (load !== 'wave') return;
  if (!isBar) throw validationError('load', 'load is wave for a plate; a ring is a bar. Take mode bar.');
  const max = Math.floor(N / PER_WAVE);
  if (waves > max)
    throw validationError('waves', `waves is ${waves}; ${N} points hold at most ${max}.`, 'OUT_OF_RANGE', { max });
}

/** Time for a few passages of waves, or of a crack. */
function defaultEnd({ load, width, waves, E, rho }: FractureInput, length: number, speed: number): number {
  if (load === 'wave') return (4 * width) / (waves * speed);
  if (load === 'grips') return (12 * length) / speed;
  if (load === 'stress') return (4 * Math.max(length, width)) / speed;
  return (1.5 * width) / rayleighSpeed(E, rho);
}

function rampOf(input: FractureInput, { horizon }: Problem, tEnd: number, speed: number): number {
  const { ramp, load } = input;
  if (load === 'release' || load === 'wave') {
    if (ramp !== undefined) throw validationError('ramp', `ramp is given for load ${load}, where nothing rises.`);
    return 0;
  }
  if (ramp === undefined) return Math.min(0.25 * tEnd, (10 * horizon) / speed);
  if (ramp > tEnd)
    throw validationError('ramp', `ramp is ${ramp} s; it ends by t_end, ${tEnd} s.`, 'OUT_OF_RANGE', { max: tEnd });
  return ramp;
}

function recordsOf({ load, width, waves }: FractureInput, steps: number, tEnd: number, speed: number) {
  const frameEvery = recordInterval(steps, MAX_FRAMES);
  if (load !== 'wave') return { frameEvery, historyEvery: recordInterval(steps, MAX_HISTORY) };
  const period = width / (waves * speed);
  const max = MAX_PERIODS * period;
  if (tEnd > max)
    throw validationError('t_end', `t_end is ${tEnd} s; ${MAX_PERIODS} periods end at ${max} s.`, 'OUT_OF_RANGE', {
      max,
    });
  const min = 0.5 * period;
  if (tEnd < min)
    throw validationError('t_end', `t_end is ${tEnd} s; half a period of ${min} s is the least.`, 'OUT_OF_RANGE', {
      min,
    });
  return { frameEvery, historyEvery: Math.max(1, Math.floor(((steps / tEnd) * period) / PER_PERIOD)) };
}

function limitWork(lattices: readonly MovingLattice[], work: number, tEnd: number): void {
  const steps = Math.max(...lattices.map((lattice) => lattice.steps));
  const share = Math.min(MAX_WORK / work, MAX_STEPS / steps);
  if (share < 1)
    throw validationError(
      't_end',
      `t_end is ${tEnd} s, which takes ${steps} steps; ${share * tEnd} s is the most on this lattice. Take fewer points.`,
      'OUT_OF_RANGE',
      { max: share * tEnd },
    );
}

/** Displacements of a ring for strain 1, in cells. */
export function profileOf({ rows }: Lattice, waves: number): Float64Array {
  const k = (2 * Math.PI * waves) / rows;
  return Float64Array.from({ length: rows }, (_, i) => cos(k * (i + 0.5)) / k);
}
