// Paths of Heston's variance: the runs of a request, and what half of the steps in time changes.

import type { KernelOutput, KernelRun } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import { outputOf } from '../parts/outputs.ts';
import { type Estimate, Sums } from './estimates.ts';
import type { QuantFace } from './face.ts';
import type { Heston } from './heston.ts';
import type { QuantInput } from './inputs.ts';
import type { Problem } from './problem.ts';

/** Nanoseconds of a step in time of a path and of its mirror image: measured. */
export const STEP_NS = 30;

/** The parameters of the kernel that state the variance. */
export const hestonParameters = ({ v0, kappa, theta, sigmaV, rho }: Heston) => ({ v0, kappa, theta, sigmaV, rho });

const otherSteps = (steps: number): number => (steps > 1 ? steps >> 1 : 2);

/** With the steps that are asked for, and with half of them and another seed. */
export function pathsRuns(
  input: QuantInput,
  heston: Heston,
  { terms, control, isAntithetic }: Problem,
  { samples, groupBlocks }: { readonly samples: number; readonly groupBlocks: number },
  centres: Float64Array,
  steps: number,
): readonly KernelRun<QuantFace>[] {
  const { seed, time_steps: timeSteps } = input;
  const run = (own: { readonly timeSteps: number; readonly seed: number }): KernelRun<QuantFace> => ({
    parameters: {
      ...hestonParameters(heston),
      payoff: input.style === 'digital' ? 1 : 0,
      phi: terms.phi,
      strike: terms.strike,
      discount: terms.discount,
      spot: terms.forward,
      maturity: input.T,
      dates: 1,
      control: control === 'none' ? 0 : 1,
      isAntithetic: Number(isAntithetic),
      samples,
      isSobol: Number(input.sampler === 'sobol'),
      groupBlocks,
      ...own,
    },
    inputs: { centres },
    steps,
    outputs: ['records'],
    statistics: ['uncorrected'],
  });
  const other = seed < Number.MAX_SAFE_INTEGER ? seed + 1 : seed - 1;
  return [run({ timeSteps, seed }), run({ timeSteps: otherSteps(timeSteps), seed: other })];
}

/** Whether a path has left the mean that the control assumes. */
export const isUncorrected = ({ statistics }: KernelOutput<QuantFace>): boolean => (statistics.uncorrected ?? 0) > 0;

/** What the other number of steps changes, and the standard error of that. */
export interface StepChange {
  readonly value: number;
  readonly error: number;
}

/** @param price  with the steps that are asked for */
export function stepChange(
  outputs: readonly KernelOutput<QuantFace>[],
  { sampler }: QuantInput,
  { control }: Problem,
  centre: number,
  price: Estimate,
): StepChange {
  const output = outputOf(outputs, 1);
  const rows = rowsOf(output.views.records ?? new Float64Array(), output.columns.record);
  const other = new Sums(rows, sampler === 'sobol', control !== 'none' && !isUncorrected(output)).estimate(
    'price',
    centre,
  );
  const error = Math.sqrt(price.error * price.error + other.error * other.error);
  return { value: Math.abs(other.value - price.value), error };
}
