// The output of a kernel run, as histories and arrays.

import { DomainError } from '../../core/errors.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import { unstableError } from '../parts/errors.ts';
import type { EvolveFace } from './face.ts';
import type { Records } from './observables.ts';

/** Relative rounding of sums over atoms and pairs, and of a total momentum. */
export const ROUNDING = 1e-12;

export interface Run {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly records: Records;
  readonly frames: Records;
  readonly trajectory: Float64Array;
  readonly distances: Float64Array;
  readonly correlations: Float64Array;
  readonly statistics: KernelOutput<EvolveFace>['statistics'];
}

/** @throws DomainError UNSTABLE_SCHEME if the run diverged, BUDGET_EXCEEDED if the neighbour list overflowed */
export function runOf(output: KernelOutput<EvolveFace>, dt: number): Run {
  if (output.info === INFO.nonFinite) {
    const message = `The run was no longer finite after step ${output.steps}: dtSim ${dt} is too long for this start.`;
    throw unstableError('dtSim', message, 'STEP_TOO_LONG');
  }
  if (output.info !== INFO.ok) {
    const message = `Neighbour list overflowed after step ${output.steps}: the atoms are denser than the list has memory for.`;
    throw new DomainError('BUDGET_EXCEEDED', message);
  }
  const { views, statistics, columns } = output;
  const none = new Float64Array();
  return {
    positions: views.positions ?? none,
    velocities: views.velocities ?? none,
    records: rowsOf(views.records ?? none, columns.record),
    frames: rowsOf(views.frames ?? none, columns.record),
    trajectory: views.trajectory ?? none,
    distances: views.distances ?? none,
    correlations: views.correlations ?? none,
    statistics,
  };
}

/** Potential and kinetic energy of all atoms in the last state. */
export const energiesAtEnd = ({ frames }: Run): readonly [number, number] => [
  frames.at(frames.count - 1, 'energy'),
  frames.at(frames.count - 1, 'kinetic'),
];
