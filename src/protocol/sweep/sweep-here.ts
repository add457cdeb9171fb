// Sweeps and samples of a solver in this thread, without a seal: for programs that use the package as a library.

import { LocalRunner } from '../../kernels/local-runner.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import type { Solution, SolverDefinition } from '../../solvers/definition.ts';
import type { SolverBody } from '../../solvers/request.ts';
import { assertBudget, runPlan, type SolveControls } from '../../solvers/run.ts';
import type { Table } from '../../solvers/table.ts';
import type { Computation } from '../computation.ts';
import { bindSolverSweep, hasPoints, invalid } from './solver-request.ts';

/** The solution of the last point of a sweep that has a value, or of the given inputs of samples, with all rows. */
export interface SweptSolution extends Solution {
  readonly table: Table;
}

export interface SweepControls extends Omit<SolveControls, 'laws'> {
  /** Laws that are added to the equations of an open solver: `definitionOf(findOperator('CM9'))`. */
  readonly laws?: readonly SealedDefinition[];
}

let localRunner: LocalRunner | undefined;

/** Runs a computation in this thread with the kernel of this build. @throws DomainError  BUDGET_EXCEEDED, as its plan */
export async function runComputationHere(computation: Computation, controls: SolveControls = {}): Promise<Solution> {
  const plan = computation.plan();
  assertBudget(plan);
  const { loadKernel } = await import('#load-kernel');
  localRunner ??= new LocalRunner();
  const { outputs } = await runPlan(plan, await loadKernel(computation.kernel), localRunner, controls);
  return computation.collect(outputs);
}

/**
 * Solves at every point of a sweep, or draws samples: `sweepHere(heat, { dim: 1, sweep: { nx: [16, 32, 64] } })`.
 *
 * @param body  as the route of the solver takes it: fields of the solver, and `sweep`, or `samples` with `uncertainties`
 * @throws DomainError VALIDATION_FAILED, BUDGET_EXCEEDED; the refusal of the first point if all are refused
 */
export async function sweepHere(
  solver: SolverDefinition,
  body: SolverBody,
  { laws = [], ...controls }: SweepControls = {},
): Promise<SweptSolution> {
  if (!hasPoints(solver, body))
    throw invalid('sweep', 'sweep is missing; {"name": [values]}, or samples, is expected.');
  const bound = bindSolverSweep(solver, body, { laws, definitions: laws });
  if (bound.kind === 'gate') {
    const accepted = Object.keys(bound.accepted).join(', ');
    const names = bound.unrecognised.join(', ');
    throw invalid(`inputs.${bound.unrecognised[0]}`, `${solver.id} takes no ${names}; it takes ${accepted}.`);
  }
  const solution = await runComputationHere(bound.computation, controls);
  if (solution.table === undefined) throw new Error('A sweep has a table.');
  return { ...solution, table: solution.table };
}
