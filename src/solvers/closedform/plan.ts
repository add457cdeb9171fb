// The kernel runs of a problem and their estimated cost: the closed form, and Runge–Kutta with N and 2 N steps.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { CLOSEDFORM_FACE, type ClosedformFace } from './face.ts';
import type { ClosedformInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

export function planOf(input: ClosedformInput): Plan<ClosedformFace> {
  const problem = problemOf(input);
  const { samples, stepsPerSample } = problem;
  const steps = stepsPerSample * (samples - 1);
  return {
    runs: [runOf(problem, 0, 1), runOf(problem, 1, 1), runOf(problem, 1, 2)],
    // Measured by bench/closedform.ts: a sample with its ±, and a step.
    estimateNs: 150_000 + 1_500 * samples + 3 * 70 * steps,
    estimateBytes: INSTANCE_BYTES + 8 * 5 * samples,
  };
}

function runOf(problem: Problem, byRungeKutta: 0 | 1, factor: 1 | 2): KernelRun<ClosedformFace> {
  const { samples, a, b, c, constant, cosine, sine, omega, phi0, dphi0, t, pole } = problem;
  const stepsPerSample = factor * problem.stepsPerSample;
  return {
    parameters: {
      byRungeKutta,
      samples,
      stepsPerSample,
      a,
      b,
      c,
      constant,
      cosine,
      sine,
      omega,
      phi0,
      dphi0,
      tEnd: t,
      pole,
    },
    steps: byRungeKutta === 1 ? stepsPerSample * (samples - 1) : samples,
    outputs: ['history'],
    statistics: CLOSEDFORM_FACE.statistics,
  };
}
