// Replay: run the kernel bytes of a sealed envelope again and compare every bit.

import { canonicalJson } from '../core/canonical-json.ts';
import { EXPRESSION_KERNEL } from '../expressions/evaluate.ts';
import type { KernelImage, KernelRunner, RunControls } from '../kernels/abi.ts';
import type { SealedDefinition } from '../operators/definition.ts';
import { assertBudget, runPlan } from '../solvers/run.ts';
import type { Solution, SolverDefinition, Work } from '../solvers/solver.ts';
import { COMPUTE } from './chain-computation.ts';
import type { Computation } from './computation.ts';
import { compare, type Difference } from './difference.ts';
import { type Body, bodyOf, type IssuedFields, timedFields } from './envelope.ts';
import { type PureFields, pureFields } from './pure-fields.ts';
import { refusedBy, restoreComputation } from './restore.ts';
import { type Claim, checkSeal, type PublicJwk } from './seal.ts';
import type { Stamps } from './stamps.ts';
import { assertEnvelope, isRecord, readStamps, refuse, type Shaped, type Untrusted } from './untrusted.ts';

export interface ReplayReport {
  readonly ok: true;
  /** True if every claim holds. */
  readonly equal: boolean;
  readonly kernel_sha256: string;
  readonly first_difference?: Difference;
  /** Whether the definitions in the receipt are still those of the registry, where there is one to ask. */
  readonly registry?: RegistryReport;
  readonly claims: readonly Claim[];
}

export interface RegistryReport {
  readonly same: boolean;
  /** Operators that are defined otherwise today, or no longer at all. */
  readonly changed: readonly string[];
}

export interface ReplayTools {
  /** @throws DomainError KERNEL_UNAVAILABLE */
  kernel(sha256: string, slug: string): Promise<KernelImage>;
  solver(id: string): SolverDefinition | undefined;
  /** Today's definition of an operator, for whoever holds the registry; nothing is computed with it. */
  readonly definition?: (id: string) => SealedDefinition | undefined;
  readonly runner: KernelRunner;
  /** Keys obtained elsewhere; without them the seal proves consistency, not origin. */
  readonly trusted?: readonly PublicJwk[];
}

/** The seal alone: who signed, and is anything changed since? Nothing is computed. */
export function verifyEnvelope(envelope: Untrusted, trusted?: readonly PublicJwk[]): Claim[] {
  const shaped = assertEnvelope(envelope);
  const { seal, ...body } = shaped;
  return checkSeal(body as unknown as Parameters<typeof checkSeal>[0], seal, trusted);
}

/**
 * @throws DomainError VALIDATION_FAILED for what is no envelope, KERNEL_UNAVAILABLE without the bytes, and whatever stops a
 *   run: BUDGET_EXCEEDED, QUEUE_FULL, OUT_OF_TIME, CANCELLED
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
  stored: Shaped,
  solver: SolverDefinition | undefined,
  image: KernelImage,
  tools: ReplayTools,
  controls: RunControls,
): Promise<Difference | undefined> {
  // What the seal has signed: canonical JSON has no −0, so one that stands in the envelope is a difference.
  const signed = JSON.parse(canonicalJson(stored)) as Shaped;
  const made = restoreComputation(solver, stored, signed);
  if ('field' in made) return made;
  // Another solver's kernel would refuse the parameters, which looks like our defect and is the sender's.
  if (image.slug !== made.kernel)
    return { field: 'kernel_sha256', stored: stored.kernel_sha256, recomputed: `a kernel of ${made.kernel}` };
  const stamps = readStamps(stored.stamps);
  if (!stamps)
    return { field: 'stamps', stored: stored.stamps, recomputed: 'seven times in nanoseconds that never fall' };
  const recomputed = await recompute(made, image, stamps, signed, tools, controls);
  if ('field' in recomputed) return recomputed;
  const { seal: _, ...body } = stored;
  return compare(body, recomputed, '');
}

async function recompute(
  computation: Computation,
  image: KernelImage,
  stamps: Stamps,
  signed: Shaped,
  { runner }: ReplayTools,
  controls: RunControls,
): Promise<Body | Difference> {
  let work: Work;
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
    // A solver's own defects are not the sender's fault; what a chain refuses is.
    if (computation.id !== COMPUTE) throw error;
    return refusedBy(error, 'value', signed.value);
  }
  // What the node and the call added cannot be recomputed; the seal answers for it.
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
