// Runs a computation in this process, without a seal, and saves it as a result file that svc replay re-runs.

import { writeFileSync } from 'node:fs';
import type { RunControls } from '../kernels/abi.ts';
import { loadKernel } from '../kernels/load-node.ts';
import { LocalRunner } from '../kernels/local-runner.ts';
import type { Computation } from '../protocol/computation.ts';
import { type PureFields, pureFields } from '../protocol/pure-fields.ts';
import { resultFileOf } from '../protocol/result-file.ts';
import type { Solution } from '../solvers/definition.ts';
import { assertBudget, runPlan } from '../solvers/run.ts';

export interface LocalRun {
  readonly solution: Solution;
  /** With the bytes of all arrays. */
  readonly pure: PureFields;
  readonly kernel: string;
}

/** @throws DomainError BUDGET_EXCEEDED, and the errors of the plan and the kernel */
export async function runHere(computation: Computation, controls: RunControls = {}): Promise<LocalRun> {
  const plan = computation.plan();
  assertBudget(plan);
  const image = await loadKernel(computation.kernel);
  const executed = await runPlan(plan, image, new LocalRunner(), controls);
  const solution = computation.collect(executed.outputs);
  const { pure } = pureFields(computation, { kernelSha256: image.sha256, ...executed }, solution, true);
  return { solution, pure, kernel: computation.kernel };
}

/** @param inputUnits  units of the inputs, for readers of the file */
export function saveResult(
  path: string,
  { solution, pure, kernel }: LocalRun,
  inputUnits: Readonly<Record<string, string>>,
): void {
  const file = resultFileOf({ solution, pure, kernel, runArrays: [], envelope: undefined, inputUnits });
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
}
