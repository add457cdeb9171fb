// Solves in the browser exactly as the solver's route does: same binding, kernel and fields.

import { systemClock } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { KernelRunner, RunControls } from '../../kernels/abi.ts';
import type { KernelLoader } from '../../kernels/loader.ts';
import { definitionOf } from '../../operators/definition.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import { solverComputation } from '../../protocol/computation.ts';
import { bindSolverSweep, hasPoints } from '../../protocol/sweep/solver-request.ts';
import { inputUnitsOf } from '../../protocol/words/inputs.ts';
import { withClock } from '../../solvers/clock-input.ts';
import { withComputedLaws } from '../../solvers/computed-laws.ts';
import { bindSolverBody } from '../../solvers/request.ts';
import { assertBudget, runPlan } from '../../solvers/run.ts';
import { computeLawOnNode } from './law-on-node.ts';
import { LiveRunner } from './live-runner.ts';
import { loadSolver } from './load-solver.ts';
import type { LiveFrame, RunResult, Tasks } from './messages.ts';
import { runResultOf } from './run-result.ts';

interface SolveDependencies {
  readonly loadKernel: KernelLoader['loadKernel'];
  readonly runner: KernelRunner;
  readonly onFrame: (frame: LiveFrame) => void;
}

/** @throws DomainError as the service does; BUDGET_EXCEEDED for more than the request's `maxEstimateMs` */
export async function solveInBrowser(
  request: Tasks['solve']['request'],
  { loadKernel, runner, onFrame }: SolveDependencies,
  controls: RunControls,
): Promise<RunResult> {
  const begin = performance.now();
  const loaded = await loadSolver(request.solver);
  if (!loaded) throw new DomainError('NOT_FOUND', `Solver ${request.solver} not found.`);
  const { solver, definitions } = loaded;
  const laws = (request.laws ?? []).filter(({ id }) => id !== PULSE_OPERATOR).map(definitionOf);
  const all = [...definitions, ...laws];
  const computed = await withComputedLaws(solver, request.input, computeLawOnNode);
  const input = withClock(solver, computed, () => systemClock().now());
  const isSweep = hasPoints(solver, input);
  const bound = isSweep
    ? bindSolverSweep(solver, input, { laws, definitions: all })
    : bindSolverBody(solver, input, laws);
  if (bound.kind === 'gate')
    throw new DomainError('VALIDATION_FAILED', `${request.solver} does not accept ${bound.unrecognised}.`);
  const computation =
    'computation' in bound
      ? bound.computation
      : solverComputation(solver, { input: bound.input, consts: {}, definitions: all });
  const plan = computation.plan();
  assertBudget(plan);
  if (plan.estimateNs > (request.maxEstimateMs ?? Number.POSITIVE_INFINITY) * 1e6) {
    const seconds = (plan.estimateNs / 1e9).toPrecision(2);
    throw new DomainError('BUDGET_EXCEEDED', `This experiment takes about ${seconds} s.`);
  }
  const image = await loadKernel(solver.id);
  const canDraw = solver.live !== undefined && !isSweep;
  const solverRunner = canDraw ? new LiveRunner(solver.live, computation.input, onFrame) : runner;
  const executed = await runPlan(plan, image, solverRunner, controls);
  const solution = computation.collect(executed.outputs);
  return runResultOf(computation, { kernelSha256: image.sha256, ...executed }, solution, begin, (pure) =>
    inputUnitsOf({ ...pure }, [], solver),
  );
}
