// The runs of a request, compared: what all parts of the solution read.

import type { KernelOutput } from '../../kernels/abi.ts';
import { validationError } from '../parts/errors.ts';
import { outputOf } from '../parts/outputs.ts';
import { type Energy, energyAt } from './energy.ts';
import type { MultibodyFace } from './face.ts';
import type { MultibodyInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';
import { type Comparison, compare } from './reference.ts';
import { type Run, runOfOutput } from './runs.ts';

export interface Result {
  readonly problem: Problem;
  /** The run that is shown; the best of the adaptive ones, which it may be; and those that judge the best. */
  readonly main: Run;
  readonly best: Run;
  readonly witnesses: readonly [extrapolation: Run, third: Run];
  /** The best with another constant of gravity. */
  readonly varied: Run | undefined;
  readonly comparison: Comparison;
  /** The last sample that is predictable. */
  readonly last: number;
  readonly energies: readonly Energy[];
}

/** @throws DomainError VALIDATION_FAILED if nothing is predictable at the first sample */
export function resultOf(outputs: readonly KernelOutput<MultibodyFace>[], input: MultibodyInput): Result {
  const problem = problemOf(input);
  const runs = outputs.map((_, i) => runOfOutput(outputOf(outputs, i), problem));
  const [best, second, third, varied] = problem.fixed === undefined ? runs : runs.slice(1);
  const [main] = runs;
  if (main === undefined || best === undefined || second === undefined || third === undefined)
    throw new Error('The plan has three adaptive runs.');
  const witnesses = [second, third] as const;
  const comparison = compare(problem, main, best, witnesses, varied);
  if (comparison.kept < 2) {
    const until = problem.times[1] ?? problem.tEnd;
    const message = `tMax is ${problem.tEnd}; nothing is predictable at the first sample, ${until}: ask for a shorter time or more samples.`;
    throw validationError('tMax', message, 'NOT_PREDICTABLE', { until });
  }
  const last = comparison.kept - 1;
  const energies = Array.from({ length: comparison.kept }, (_, sample) => energyAt(problem, main, sample));
  return { problem, main, best, witnesses, varied, comparison, last, energies };
}
