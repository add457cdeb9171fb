// Computes one operator in the browser exactly as POST /api/svc/compute does: same binding, kernel and fields.

import { DomainError } from '../../core/errors.ts';
import type { KernelRunner, RunControls } from '../../kernels/abi.ts';
import type { KernelLoader } from '../../kernels/loader.ts';
import { definitionOf, type SealedDefinition } from '../../operators/definition.ts';
import { namedByCaller } from '../../operators/selection.ts';
import { bindComputation, givenBy } from '../../protocol/chain-request.ts';
import { requestedPoints, sharedBy } from '../../protocol/sweep/law-request.ts';
import { bindLawSweep } from '../../protocol/sweep/law-sweep.ts';
import { lawsOf } from '../../protocol/words/definitions.ts';
import { inputUnitsOf } from '../../protocol/words/inputs.ts';
import { assertBudget, runPlan } from '../../solvers/run.ts';
import type { RunResult, Tasks } from './messages.ts';
import { runResultOf } from './run-result.ts';

interface ComputeDependencies {
  readonly loadKernel: KernelLoader['loadKernel'];
  readonly runner: KernelRunner;
  /** KO42, the first operator of every chain. */
  readonly pulse: SealedDefinition;
}

/** @throws DomainError as the service does; VALIDATION_FAILED for inputs its dimensional gate rejects */
export async function computeInBrowser(
  { operator, domain, quantities, points: asked = {} }: Tasks['compute']['request'],
  { loadKernel, runner, pulse }: ComputeDependencies,
  controls: RunControls,
): Promise<RunResult> {
  const begin = performance.now();
  const given = givenBy(quantities);
  const request = {
    domain,
    definitions: [pulse, definitionOf(operator)],
    selection: namedByCaller([operator]),
    given,
    detail: undefined,
    solveFor: quantities.solve_for,
  };
  const points = requestedPoints(asked, given);
  const bound =
    points === undefined
      ? bindComputation(request)
      : bindLawSweep({ ...request, given: sharedBy(points, given), points });
  if (bound.kind === 'gate') throw new DomainError('VALIDATION_FAILED', `${bound.gate.reason}.`);
  const { computation } = bound;
  const plan = computation.plan();
  assertBudget(plan);
  const image = await loadKernel(computation.kernel);
  const executed = await runPlan(plan, image, runner, controls);
  const solution = computation.collect(executed.outputs);
  return runResultOf(computation, { kernelSha256: image.sha256, ...executed }, solution, begin, (pure) =>
    inputUnitsOf({ ...pure }, lawsOf({ ...pure }, { law: () => undefined }), undefined),
  );
}
