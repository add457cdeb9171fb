// Running a solver's record: parse, plan, run, collect. Used by the library, the CLI and the browser;
// the server does the same steps one by one, with stamps between them.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { KernelImage, KernelOutput, KernelRunner, RunControls } from '../kernels/abi.ts';
import { LocalRunner } from '../kernels/local-runner.ts';
import type { Law, Plan, Solution, SolverDefinition, Work } from './definition.ts';
import { bindInput } from './request.ts';

/** Fraction of all runs of a plan, by their share of steps; a later run counts as one. */
function shareOf({ runs }: Work, index: number, onProgress: RunControls['onProgress']): RunControls['onProgress'] {
  if (!onProgress) return undefined;
  const steps = runs.map((run) => (typeof run === 'function' ? 1 : run.steps));
  const total = steps.reduce((sum, one) => sum + one, 0) || 1;
  const before = steps.slice(0, index).reduce((sum, one) => sum + one, 0);
  const own = steps[index] ?? 0;
  return (fraction) => onProgress((before + fraction * own) / total);
}

/**
 * Refuse what would cost too much, before anything is started.
 *
 * @throws DomainError BUDGET_EXCEEDED with the estimate
 */
export function assertBudget(plan: Omit<Plan, 'runs'>): void {
  const { budgetNs, memoryBytes } = LIMITS.kernel;
  const facts = { estimate_seconds: plan.estimateNs / 1e9, estimate_bytes: plan.estimateBytes };
  if (!(plan.estimateNs <= budgetNs)) {
    const seconds = (plan.estimateNs / 1e9).toPrecision(3);
    throw new DomainError(
      'BUDGET_EXCEEDED',
      `This run would take about ${seconds} s of one core; at most ${budgetNs / 1e9} s are allowed.`,
      { facts },
    );
  }
  if (!(plan.estimateBytes <= memoryBytes)) {
    throw new DomainError(
      'BUDGET_EXCEEDED',
      `This run would take about ${plan.estimateBytes} bytes; at most ${memoryBytes} are allowed.`,
      { facts },
    );
  }
}

/** Run all runs of a plan in order. @throws DomainError as KernelRunner.run */
export async function runPlan(
  plan: Work,
  image: KernelImage,
  runner: KernelRunner,
  controls: RunControls = {},
): Promise<KernelOutput[]> {
  const outputs: KernelOutput[] = [];
  for (const [index, planned] of plan.runs.entries()) {
    const run = typeof planned === 'function' ? planned(outputs) : planned;
    const onProgress = shareOf(plan, index, controls.onProgress);
    outputs.push(await runner.run(image, run, { ...controls, ...(onProgress ? { onProgress } : {}) }));
  }
  return outputs;
}

export interface SolveControls extends RunControls {
  /** Of operators whose laws join the equations of an open solver. */
  readonly laws?: readonly Law[];
}

let here: LocalRunner | undefined;

/**
 * Solve in this thread, with the kernel of this build.
 *
 * @param input  the solver's own fields; defaults are filled in
 * @param controls.laws  refused by a solver whose chain is fixed
 * @throws DomainError VALIDATION_FAILED, BUDGET_EXCEEDED, and whatever the solver's plan refuses
 */
export async function solveHere(
  solver: SolverDefinition,
  input: object,
  { laws = [], ...controls }: SolveControls = {},
): Promise<Solution> {
  const { record, parsed } = bindInput(solver, input, laws);
  const plan = record.plan(parsed);
  assertBudget(plan);
  const { loadKernel } = await import('#load-kernel');
  here ??= new LocalRunner();
  return record.collect(await runPlan(plan, await loadKernel(solver.id), here, controls), parsed);
}
