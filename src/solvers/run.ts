// Runs a solver: parse, plan, run, collect. Used by the library, the CLI and the browser. The server runs the same
// steps separately, with timestamps between them.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from '../kernels/abi.ts';
import { LocalRunner } from '../kernels/local-runner.ts';
import { accelerateRun } from './accelerate.ts';
import { type Law, type Plan, runAt, type Solution, type SolverDefinition, type StagedPlan } from './definition.ts';
import { bindInput } from './request.ts';

/** Maps the fraction of one run to that of the plan, weighted by steps; a dependent run counts as one step. */
function planFraction({ runs }: StagedPlan, index: number): (fraction: number) => number {
  const steps = runs.map((run) => (typeof run === 'function' ? 1 : run.steps));
  const total = steps.reduce((sum, count) => sum + count, 0) || 1;
  const before = steps.slice(0, index).reduce((sum, count) => sum + count, 0);
  const current = steps[index] ?? 0;
  return (fraction) => (before + fraction * current) / total;
}

type Observers = Pick<RunControls, 'onProgress' | 'watch'>;

/** The observers of a plan as those of one of its runs. */
function observersOf({ onProgress, watch }: Observers, toPlan: (fraction: number) => number): Observers {
  return {
    ...(onProgress ? { onProgress: (fraction) => onProgress(toPlan(fraction)) } : {}),
    ...(watch
      ? {
          watch: {
            viewOf: (run) => watch.viewOf(run),
            onFrame: (frame, run, fraction) => watch.onFrame(frame, run, toPlan(fraction)),
          },
        }
      : {}),
  };
}

/**
 * Rejects a plan that exceeds the time or memory budget, before anything runs.
 *
 * @param advice  a sentence on what would fit
 * @throws DomainError BUDGET_EXCEEDED with the estimate
 */
export function assertBudget(plan: Omit<Plan, 'runs'>, advice?: string): void {
  const { budgetNs, memoryBytes } = LIMITS.kernel;
  const totalNs = plan.estimateNs + (plan.collectNs ?? 0);
  const facts = { estimate_seconds: totalNs / 1e9, estimate_bytes: plan.estimateBytes };
  const next = advice === undefined ? '' : ` ${advice}`;
  if (!(totalNs <= budgetNs)) {
    const seconds = (totalNs / 1e9).toPrecision(3);
    throw new DomainError(
      'BUDGET_EXCEEDED',
      `Time limit of ${budgetNs / 1e9} s on one core exceeded: this run would take about ${seconds} s.${next}`,
      { facts },
    );
  }
  if (!(plan.estimateBytes <= memoryBytes)) {
    throw new DomainError(
      'BUDGET_EXCEEDED',
      `Memory limit of ${memoryBytes} bytes exceeded: this run would need about ${plan.estimateBytes} bytes.${next}`,
      { facts },
    );
  }
}

/** The runs of a plan as executed, and their outputs. */
export interface ExecutedPlan {
  readonly runs: readonly KernelRun[];
  readonly outputs: readonly KernelOutput[];
}

/** Runs all runs of a plan in order. @throws DomainError as KernelRunner.run */
export async function runPlan(
  plan: StagedPlan,
  image: KernelImage,
  runner: KernelRunner,
  controls: RunControls = {},
): Promise<ExecutedPlan> {
  if (plan.isParallel === true) return runInParallel(plan, image, runner, controls);
  const runs: KernelRun[] = [];
  const outputs: KernelOutput[] = [];
  for (let index = 0; ; index++) {
    const run = runAt(plan, index, outputs);
    if (run === undefined) break;
    const observers = observersOf(controls, planFraction(plan, index));
    runs.push(run);
    outputs.push(await runner.run(image, run, { accelerate: accelerateRun, ...controls, ...observers }));
  }
  return { runs, outputs };
}

/** Runs of one plan at the same time: as many as a pool has workers, so that others wait for none of them. */
const MAX_PARALLEL = 4;

/** Independent runs; the first failure stops the others. */
async function runInParallel(
  plan: StagedPlan,
  image: KernelImage,
  runner: KernelRunner,
  { onProgress, watch, signal, ...controls }: RunControls,
): Promise<ExecutedPlan> {
  const runs = plan.runs.map((run) => {
    if (typeof run === 'function') throw new Error('A run of a parallel plan depends on no other.');
    return run;
  });
  const outputs = new Array<KernelOutput>(runs.length);
  const fractions = new Float64Array(runs.length);
  const total = runs.reduce((sum, { steps }) => sum + steps, 0) || 1;
  const toPlan = (index: number) => (fraction: number) => {
    fractions[index] = fraction;
    return runs.reduce((sum, { steps }, at) => sum + steps * (fractions[at] ?? 0), 0) / total;
  };
  const stop = new AbortController();
  const signals = signal === undefined ? [stop.signal] : [stop.signal, signal];
  const own = { accelerate: accelerateRun, ...controls, signal: AbortSignal.any(signals) };
  let next = 0;
  const work = async () => {
    for (let index = next++; index < runs.length; index = next++) {
      const run = runs[index] as KernelRun;
      const observers = { ...(onProgress ? { onProgress } : {}), ...(watch ? { watch } : {}) };
      outputs[index] = await runner.run(image, run, { ...own, ...observersOf(observers, toPlan(index)) });
      onProgress?.(toPlan(index)(1));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, runs.length) }, work));
  } catch (error) {
    stop.abort();
    throw error;
  }
  return { runs, outputs };
}

export interface SolveControls extends RunControls {
  /** Laws that are added to the equations of an open solver. */
  readonly laws?: readonly Law[];
}

let localRunner: LocalRunner | undefined;

/**
 * Solves in this thread with the kernel of this build.
 *
 * @param input  the solver's own fields, defaults may be omitted
 * @param controls.laws  rejected by a solver with a fixed chain
 * @throws DomainError VALIDATION_FAILED, BUDGET_EXCEEDED, and the errors of the solver's plan
 */
export async function solveHere(
  solver: SolverDefinition,
  input: object,
  { laws = [], ...controls }: SolveControls = {},
): Promise<Solution> {
  const { definition, parsed } = bindInput(solver, input, laws);
  const plan = definition.plan(parsed);
  assertBudget(plan);
  const { loadKernel } = await import('#load-kernel');
  localRunner ??= new LocalRunner();
  const { outputs } = await runPlan(plan, await loadKernel(solver.id), localRunner, controls);
  return definition.collect(outputs, parsed);
}
