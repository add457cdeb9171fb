// Claims *kernel* and *plan* of a replay: runs the kernel as the receipt says, and compares the runs with those that
// this program plans for the same inputs.

import { DomainError } from '../core/errors.ts';
import { mapValues } from '../core/map-values.ts';
import type { KernelImage, KernelOutput, KernelRun, KernelRunner, RunControls } from '../kernels/abi.ts';
import { runAt } from '../solvers/definition.ts';
import { assertBudget } from '../solvers/run.ts';
import type { NumericArray } from './array-digest.ts';
import type { Computation } from './computation.ts';
import { compare, type Difference } from './difference.ts';
import { arrayOf, type ExecutedRun, executionOf, parameterValue, type RunArray, runOutcome } from './executed-run.ts';
import { type Outcome, refusedBy } from './outcome.ts';
import type { Executed } from './pure-fields.ts';
import type { ResultShape } from './untrusted.ts';

export interface ReplayedRuns {
  readonly kernel: Outcome;
  /** Whether this program's plan makes the same runs, whatever its revision. */
  readonly plan: Outcome;
  /** Missing if a run could not be made. */
  readonly executed?: Executed;
}

export async function replayRuns(
  { runs: stored, outcomes }: ResultShape,
  plan: PlannedRuns,
  image: KernelImage,
  runner: KernelRunner,
  controls: RunControls,
): Promise<ReplayedRuns> {
  let planOutcome: Outcome = plan.outcome;
  let kernelOutcome: Outcome;
  const runs: KernelRun[] = [];
  const outputs: KernelOutput[] = [];
  for (const [index, executed] of stored.entries()) {
    const field = `runs[${index}]`;
    // Behind a run of another plan, this one may find outputs that it did not ask for.
    const planned = planOutcome === undefined ? plan.run(index, outputs) : attempt(() => plan.run(index, outputs));
    planOutcome ??= compareRuns(executed as ExecutedRun, planned, field);
    const run = runOf(executed as ExecutedRun, planned);
    if (run === undefined) {
      const notCompared = `The receipt holds only the hash of an array of ${field}, and this program makes another one.`;
      return { kernel: kernelOutcome ?? { notCompared }, plan: planOutcome };
    }
    try {
      // By the machine alone: what compiled expressions computed is compared with what they must equal.
      const output = await runner.run(image, run, controls);
      runs.push(run);
      outputs.push(output);
      const found = runOutcome(output, run.statistics ?? []);
      kernelOutcome ??= compare(outcomes[index], found, `outcomes[${index}]`);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'KERNEL_FAILED') throw error;
      return { kernel: kernelOutcome ?? refusal(field, executed, error), plan: planOutcome };
    }
  }
  const count = planOutcome === undefined ? plan.count(outputs) : undefined;
  if (count !== undefined && count !== stored.length)
    planOutcome = { field: 'runs.length', stored: stored.length, recomputed: count };
  return { kernel: kernelOutcome, plan: planOutcome, executed: { kernelSha256: image.sha256, runs, outputs } };
}

export interface PlannedRuns {
  readonly outcome: Outcome;
  /** The number of runs that this program makes, from the outputs of all; undefined if it makes none. */
  count(outputs: readonly KernelOutput[]): number | undefined;
  /** The run that this program makes here, from the outputs of earlier runs; undefined if it makes none. */
  run(index: number, before: readonly KernelOutput[]): KernelRun | undefined;
}

/** The result, or undefined if this program fails: the code of another revision must not fail a receipt. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const withoutPlan = (outcome: Outcome): PlannedRuns => ({ outcome, count: () => undefined, run: () => undefined });

/**
 * The runs that this program plans.
 *
 * @param computation  undefined if it has none for these inputs
 * @param isSame  whether the receipt is of its revision; otherwise its plan only helps, and never fails
 * @throws DomainError BUDGET_EXCEEDED
 */
export function planOf(computation: Computation | undefined, isSame: boolean): PlannedRuns {
  const none = withoutPlan({ notCompared: 'This program has no plan for these inputs.' });
  if (computation === undefined) return none;
  if (isSame) return ownPlan(computation);
  const plan = attempt(() => ownPlan(computation));
  if (plan === undefined) return none;
  return {
    outcome: plan.outcome,
    count: (outputs) => attempt(() => plan.count(outputs)),
    run: (index, before) => attempt(() => plan.run(index, before)),
  };
}

function ownPlan(computation: Computation): PlannedRuns {
  try {
    const plan = computation.plan();
    assertBudget(plan);
    return {
      outcome: undefined,
      count: (outputs) => plan.runs.length + (plan.further?.(outputs.slice(0, plan.runs.length)).length ?? 0),
      run: (index, before) => runAt(plan, index, before),
    };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'BUDGET_EXCEEDED') throw error;
    return withoutPlan(refusedBy(error, 'inputs', computation.input));
  }
}

function compareRuns(stored: ExecutedRun, planned: KernelRun | undefined, field: string): Difference | undefined {
  const [made] = planned === undefined ? [] : executionOf([planned], []).runs;
  return made === undefined
    ? { field, stored, recomputed: undefined }
    : compare(withoutBytes(stored), withoutBytes(made), field);
}

function withoutBytes({ parameters, inputs, steps, outputs, statistics }: ExecutedRun): ExecutedRun {
  const hashes = mapValues(inputs, ({ type, length, sha256 }): RunArray => ({ type, length, sha256 }));
  return { parameters, inputs: hashes, steps, outputs, statistics };
}

/** The run of the receipt, with missing arrays from the plan if they have the same hash. */
function runOf(executed: ExecutedRun, planned: KernelRun | undefined): KernelRun | undefined {
  const { parameters, steps, outputs, statistics } = executed;
  const made = planned && executionOf([planned], []).runs[0]?.inputs;
  const inputs: Record<string, NumericArray> = {};
  for (const [view, array] of Object.entries(executed.inputs)) {
    const isPlanned = made !== undefined && Object.hasOwn(made, view) && made[view]?.sha256 === array.sha256;
    const data = arrayOf(array) ?? (isPlanned ? planned?.inputs?.[view] : undefined);
    if (data === undefined) return undefined;
    inputs[view] = data;
  }
  return { parameters: mapValues(parameters, parameterValue), inputs, steps, outputs, statistics };
}

const refusal = (field: string, stored: unknown, { message }: DomainError): Difference => ({
  field,
  stored,
  recomputed: `a refusal: ${message}`,
});
