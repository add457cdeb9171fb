// What POST /api/svc/compute does with one operator, done here: the same binding, kernel and fields.

import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { KernelRunner, RunControls } from '../../kernels/abi.ts';
import type { KernelLoader } from '../../kernels/loader.ts';
import { definitionOf, type SealedDefinition } from '../../operators/definition.ts';
import { namedByCaller } from '../../operators/selection.ts';
import { bindComputation, givenBy } from '../../protocol/chain-request.ts';
import { pureFields } from '../../protocol/pure-fields.ts';
import { assertBudget, runPlan } from '../../solvers/run.ts';
import type { Solved, Work } from './messages.ts';

interface Tools {
  readonly loadKernel: KernelLoader['loadKernel'];
  readonly runner: KernelRunner;
  /** KO42, which stands first in every chain. */
  readonly pulse: SealedDefinition;
}

/** @throws DomainError as the service refuses; VALIDATION_FAILED too for what meets its dimensional gate */
export async function computeHere(
  { operator, domain, quantities }: Work['compute']['ask'],
  { loadKernel, runner, pulse }: Tools,
  controls: RunControls,
): Promise<Solved> {
  const begin = performance.now();
  const bound = bindComputation({
    domain,
    definitions: [pulse, definitionOf(operator)],
    selection: namedByCaller([operator]),
    given: givenBy(quantities),
    detail: undefined,
  });
  if (bound.kind === 'gate') throw new DomainError('VALIDATION_FAILED', `${bound.gate.reason}.`);
  const { computation } = bound;
  const work = computation.plan();
  assertBudget(work);
  const image = await loadKernel(computation.kernel);
  const solution = computation.collect(await runPlan(work, image, runner, controls));
  const { pure } = pureFields(computation, image.sha256, solution);
  return { solution, pure, sha256: sha256Hex(canonicalJson(pure)), elapsedMs: performance.now() - begin };
}
