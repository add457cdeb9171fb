// The kernel runs of a problem: the closed form up to where the guard stands and over a whole turn, the same at the limits
// of the states, and Runge–Kutta with N and 2 N steps.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { TWO_PI } from '../parts/angle.ts';
import type { ProtectFace } from './face.ts';
import { OK_FROM } from './guard.ts';
import type { ProtectInput } from './inputs.ts';
import { problemOf } from './problem.ts';

/** Of the way to where the guard stands, and of a whole turn. */
const SAMPLES = { way: 33, turn: 129 } as const;
/** 1,280 and 2,560 steps: about 10⁻¹⁴ of a turn's largest value. */
const STEPS_PER_SAMPLE = 40;

export const RUNS = { closed: 0, coarse: 1, fine: 2, turn: 3, ok: 4, down: 5 } as const;

export function planOf(input: ProtectInput): Plan<ProtectFace> {
  const { mu, angle } = problemOf(input);
  const { theta: end } = angle;
  return {
    runs: [
      closedForm(mu, end, SAMPLES.way),
      rungeKutta(mu, end, STEPS_PER_SAMPLE),
      rungeKutta(mu, end, 2 * STEPS_PER_SAMPLE),
      closedForm(mu, TWO_PI, SAMPLES.turn),
      closedForm(2 * OK_FROM - 1, TWO_PI, SAMPLES.turn),
      closedForm(-1, TWO_PI, SAMPLES.turn),
    ],
    // Measured by bench/protect.ts: a run, and a step.
    estimateNs: 6 * 40_000 + 40 * 3 * STEPS_PER_SAMPLE * SAMPLES.way,
    estimateBytes: INSTANCE_BYTES,
  };
}

function closedForm(mu: number, end: number, samples: number): KernelRun<ProtectFace> {
  const parameters = { byRungeKutta: 0, mu, end, samples, stepsPerSample: 1 };
  return { parameters, steps: samples, outputs: ['history'] };
}

function rungeKutta(mu: number, end: number, stepsPerSample: number): KernelRun<ProtectFace> {
  const { way: samples } = SAMPLES;
  const parameters = { byRungeKutta: 1, mu, end, samples, stepsPerSample };
  return { parameters, steps: stepsPerSample * (samples - 1), outputs: ['history'] };
}
