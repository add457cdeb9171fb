// A run of a motion: its history in the units of the problem, and the energies that should add up.

import { cos } from '../../core/elementary.ts';
import { DomainError } from '../../core/errors.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import { at, maxMagnitude } from '../parts/arrays.ts';
import type { FractureFace } from './face.ts';
import type { MovingLattice } from './motion.ts';

export type MotionColumn = FractureFace['columns']['motion'][number];

export interface MotionRun {
  readonly lattice: MovingLattice;
  readonly times: Float64Array;
  /** A column of the history times a factor. */
  readonly of: (name: MotionColumn, factor?: number) => Float64Array;
  readonly statistic: (name: FractureFace['statistics'][number]) => number;
}

/** @throws DomainError NUMERIC_OVERFLOW */
export function readMotion({ info, views, columns, statistics }: KernelOutput<FractureFace>, lattice: MovingLattice) {
  if (info !== INFO.ok)
    throw new DomainError('NUMERIC_OVERFLOW', 'The motion left the range of numbers. Take a smaller load or dt.');
  const rows = rowsOf(views.motion ?? new Float64Array(), columns.motion);
  const of = (name: MotionColumn, factor = 1) => rows.column(name).map((value) => factor * value);
  const statistic = (name: FractureFace['statistics'][number]) => statistics[name] ?? Number.NaN;
  return { lattice, times: of('step', lattice.dt), of, statistic } satisfies MotionRun;
}

/** How far the energies and the work drift apart, over the largest of them. */
export function energyDrift({ of }: MotionRun): number {
  const [kinetic, correction, bonds, lost, work] = (['kinetic', 'correction', 'bonds', 'lost', 'work'] as const).map(
    (name) => of(name),
  );
  if (!kinetic || !correction || !bonds || !lost || !work) return Number.NaN;
  const sum = kinetic.map((value, i) => value - at(correction, i) + at(bonds, i) + at(lost, i) - at(work, i));
  const largest = Math.max(...[kinetic, bonds, lost, work].map(maxMagnitude), Number.MIN_VALUE);
  return maxMagnitude(sum.map((value) => value - at(sum, 0))) / largest;
}

/** The largest momentum along the pull over that of all points at their root mean square speed. */
export function momentumDrift({ of, lattice }: MotionRun): number {
  const points = lattice.columns * lattice.rows;
  const largest = Math.sqrt(2 * maxMagnitude(of('kinetic')) * points);
  return maxMagnitude(of('momentum')) / Math.max(largest, Number.MIN_VALUE);
}

/**
 * Angular frequency of a standing wave by its amplitudes at equal times: a(t + τ) + a(t − τ) = 2 cos(ω τ) a(t) in the sense of
 * least squares.
 */
export function frequencyOf({ of, lattice }: MotionRun): number {
  const amplitudes = of('amplitude');
  const { steps, historyEvery, dt } = lattice;
  const whole = Math.floor(steps / historyEvery);
  let [above, below] = [0, 0];
  for (let i = 1; i < whole; i++) {
    above += at(amplitudes, i) * (at(amplitudes, i - 1) + at(amplitudes, i + 1));
    below += 2 * at(amplitudes, i) * at(amplitudes, i);
  }
  return arccosine(above / below) / (historyEvery * dt);
}

/** The angle from 0 to π with this cosine, by bisection to the last bit. */
function arccosine(value: number): number {
  let [low, high] = [0, Math.PI];
  for (let i = 0; i < 64; i++) {
    const middle = 0.5 * (low + high);
    if (cos(middle) > value) low = middle;
    else high = middle;
  }
  return high;
}
