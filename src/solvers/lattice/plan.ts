// The kernel runs of a problem: Runge–Kutta with N and 2 N steps, and DOP853 with its error controlled.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import type { LatticeFace } from './face.ts';
import type { LatticeInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

export const RUNS = { coarse: 0, fine: 1, controlled: 2 } as const;
/** Of DOP853, absolute in each phase. */
const TOLERANCE = 1e-13;
const TOPOLOGIES = { chain: 0, ring: 1, all: 2 } as const;

export function planOf(input: LatticeInput): Plan<LatticeFace> {
  const problem = problemOf(input);
  const { stepsPerSample, samples, omega } = problem;
  const steps = 3 * stepsPerSample * (samples - 1);
  return {
    runs: [runOf(problem, 0, 1), runOf(problem, 0, 2), runOf(problem, 1, 1)],
    // Measured by bench/lattice.ts: a step of n nodes by Runge–Kutta; DOP853 takes about as long as the coarser run.
    estimateNs: 200_000 + steps * 70 * omega.length + samples * 4_000,
    estimateBytes: INSTANCE_BYTES + 8 * 9 * samples,
  };
}

function runOf(problem: Problem, isAdaptive: 0 | 1, factor: 1 | 2): KernelRun<LatticeFace> {
  const { relative, theta0, K, topology, tMax, samples } = problem;
  const stepsPerSample = factor * problem.stepsPerSample;
  const nodes = relative.length;
  const of = (values: readonly number[], index: number) => (index < nodes ? at(values, index) : 0);
  return {
    parameters: {
      isAdaptive,
      nodes,
      topology: TOPOLOGIES[topology],
      coupling: K,
      tEnd: tMax,
      samples,
      stepsPerSample,
      tolerance: TOLERANCE,
      omega1: of(relative, 0),
      omega2: of(relative, 1),
      omega3: of(relative, 2),
      omega4: of(relative, 3),
      omega5: of(relative, 4),
      theta1: of(theta0, 0),
      theta2: of(theta0, 1),
      theta3: of(theta0, 2),
      theta4: of(theta0, 3),
      theta5: of(theta0, 4),
    },
    steps: isAdaptive === 1 ? samples - 1 : stepsPerSample * (samples - 1),
    outputs: ['history'],
  };
}
