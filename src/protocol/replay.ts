// Replay: runs the kernel of a sealed envelope again and compares every bit.

import { canonicalJson } from '../core/canonical-json.ts';
import { EXPRESSION_KERNEL } from '../expressions/evaluate.ts';
import type { KernelImage, KernelRunner, RunControls } from '../kernels/abi.ts';
import type { SealedDefinition } from '../operators/definition.ts';
import type { Solution, SolverDefinition, StagedPlan } from '../solvers/definition.ts';
import { assertBudget, runPlan } from '../solvers/run.ts';
import { COMPUTE } from './chain-computation.ts';
import type { Computation } from './computation.ts';
import { compare, type Difference } from './difference.ts';
import { type Body, bodyOf, type IssuedFields, timedFields } from './envelope.ts';
import { type PureFields, pureFields } from './pure-fields.ts';
import { refusedBy, restoreComputation } from './restore.ts';
import { type Claim, checkSeal, type PublicJwk } from './seal.ts';
import type { Stamps } from './stamps.ts';
import { assertEnvelope, type EnvelopeShape, isRecord, readStamps, refuse, type Untrusted } from './untrusted.ts';

export interface ReplayReport {
  readonly ok: true;
  /** True if every claim holds. */
  readonly equal: boolean;
  readonly kernel_sha256: string;
  readonly first_difference?: Difference;
  /** Whether the definitions of the receipt equal those of the registry, if there is one. */
  readonly registry?: RegistryReport;
  readonly claims: readonly Claim[];
}

export interface RegistryReport {
  readonly same: boolean;
  /** Operators whose definition has changed or is missing. */
  readonly changed: readonly string[];
}

export interface ReplayTools {
  /** @throws DomainError KERNEL_UNAVAILABLE */
  kernel(sha256: string, slug: string): Promise<KernelImage>;
  solver(id: string): SolverDefinition | undefined;
  /** Current definition of an operator in the registry, if there is one; it is compared and never computed with. */
  readonly definition?: (id: string) => SealedDefinition | undefined;
  readonly runner: KernelRunner;
  /** Keys obtained from elsewhere; without them, the seal proves consistency but not origin. */
  readonly trusted?: readonly PublicJwk[];
}

/** Checks the seal alone: the signer, and that nothing was changed since. Nothing is computed. */
export function verifyEnvelope(envelope: Untrusted, trusted?: readonly PublicJwk[]): Claim[] {
  const shaped = assertEnvelope(envelope);
  const { seal, ...body } = shaped;
  return checkSeal(body as unknown as Parameters<typeof checkSeal>[0], seal, trusted);
}

/**
 * @throws DomainError VALIDATION_FAILED unless it is an envelope, KERNEL_UNAVAILABLE without the bytes of its kernel,
 *   and the codes that stop a run: BUDGET_EXCEEDED, QUEUE_FULL, OUT_OF_TIME, CANCELLED
 */
export async function replayEnvelope(
  envelope: Untrusted,
  tools: ReplayTools,
  controls: RunControls = {},
): Promise<ReplayReport> {
  const stored = assertEnvelope(envelope);
  const solver = tools.solver(stored.solver);
  if (!solver && stored.solver !== COMPUTE) refuse('solver', `There is no solver ${JSON.stringify(stored.solver)}.`);
  const image = await tools.kernel(stored.kernel_sha256, solver?.id ?? EXPRESSION_KERNEL);
  const claims = verifyEnvelope(envelope, tools.trusted);
  const difference = await firstDifference(stored, solver, image, tools, controls);
  claims.push(
    difference ? { claim: 'replay', ok: false, reason: `${difference.field} differs.` } : { claim: 'replay', ok: true },
  );
  const registry = tools.definition && compareWithRegistry(stored.definitions, tools.definition);
  return {
    ok: true,
    equal: claims.every((claim) => claim.ok),
    kernel_sha256: image.sha256,
    ...(difference === undefined ? {} : { first_difference: difference }),
    ...(registry === undefined ? {} : { registry }),
    claims,
  };
}

function compareWithRegistry(
  definitions: readonly unknown[],
  find: (id: string) => SealedDefinition | undefined,
): RegistryReport {
  const changed = definitions.flatMap((definition) => {
    const id = isRecord(definition) ? String(definition.id) : '';
    return compare(definition, find(id), '') === undefined ? [] : [id];
  });
  return { same: changed.length === 0, changed };
}

async function firstDifference(
  stored: EnvelopeShape,
  solver: SolverDefinition | undefined,
  image: KernelImage,
  tools: ReplayTools,
  controls: RunControls,
): Promise<Difference | undefined> {
  // The seal signs canonical JSON, which has no −0, so a −0 in the envelope is a difference.
  const signed = JSON.parse(canonicalJson(stored)) as EnvelopeShape;
  const restored = restoreComputation(solver, stored, signed);
  if ('field' in restored) return restored;
  // The kernel of another solver would refuse the parameters, which would look like an error of this node.
  if (image.slug !== restored.kernel)
    return { field: 'kernel_sha256', stored: stored.kernel_sha256, recomputed: `a kernel of ${restored.kernel}` };
  const stamps = readStamps(stored.stamps);
  if (!stamps)
    return { field: 'stamps', stored: stored.stamps, recomputed: 'seven times in nanoseconds that never fall' };
  const recomputed = await recompute(restored, image, stamps, signed, tools, controls);
  if ('field' in recomputed) return recomputed;
  const { seal: _, ...body } = stored;
  return compare(body, recomputed, '');
}

async function recompute(
  computation: Computation,
  image: KernelImage,
  stamps: Stamps,
  signed: EnvelopeShape,
  { runner }: ReplayTools,
  controls: RunControls,
): Promise<Body | Difference> {
  let work: StagedPlan;
  try {
    work = computation.plan();
  } catch (error) {
    return refusedBy(error, 'inputs', signed.inputs);
  }
  assertBudget(work);
  const outputs = await runPlan(work, image, runner, controls);
  let solution: Solution;
  let pure: PureFields;
  try {
    solution = computation.collect(outputs);
    ({ pure } = pureFields(computation, image.sha256, solution));
  } catch (error) {
    // A chain refuses what the sender changed. An error of a solver is a defect, and not the sender's fault.
    if (computation.id !== COMPUTE) throw error;
    return refusedBy(error, 'value', signed.value);
  }
  // Fields that the node added cannot be recomputed; only the seal covers them.
  const { svcProof, version, keyPrefix, epoch, notes, billing, run_id, public_key } = signed as unknown as IssuedFields;
  const issued = {
    svcProof,
    version,
    keyPrefix,
    epoch,
    notes,
    billing,
    ...(run_id === undefined ? {} : { run_id }),
    public_key,
  };
  return bodyOf(pure, solution, timedFields(pure, stamps, computation.phi0), stamps, issued);
}
