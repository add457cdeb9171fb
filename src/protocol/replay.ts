// Replay: runs the kernel of a sealed envelope again and compares every bit.

import { canonicalJson } from '../core/canonical-json.ts';
import { EXPRESSION_KERNEL } from '../expressions/evaluate.ts';
import type { KernelImage, KernelRunner, RunControls } from '../kernels/abi.ts';
import type { SealedDefinition } from '../operators/definition.ts';
import { onMachine } from '../solvers/accelerate.ts';
import type { Solution, SolverDefinition, StagedPlan } from '../solvers/definition.ts';
import { assertBudget, runPlan } from '../solvers/run.ts';
import { COMPUTE } from './chain-computation.ts';
import type { Computation } from './computation.ts';
import { compare, type Difference } from './difference.ts';
import { bodyOf, type IssuedFields, timedFields } from './envelope.ts';
import { type PureFields, pureFields } from './pure-fields.ts';
import { refusedBy, restoreComputation } from './restore.ts';
import { type Claim, checkSeal, type PublicJwk } from './seal.ts';
import {
  assertEnvelope,
  assertReplayable,
  type EnvelopeShape,
  isRecord,
  type ResultShape,
  readStamps,
  refuse,
  type Untrusted,
} from './untrusted.ts';

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
  const claims = verifyEnvelope(envelope, tools.trusted);
  return replay(assertReplayable(envelope) as EnvelopeShape, claims, compareEnvelope, tools, controls);
}

/**
 * Re-runs a result that nobody sealed, which holds the pure fields of an envelope. The only claim is that of the replay.
 *
 * @throws DomainError  as `replayEnvelope`
 */
export async function replayResult(
  result: Untrusted,
  tools: ReplayTools,
  controls: RunControls = {},
): Promise<ReplayReport> {
  return replay(assertReplayable(result), [], comparePure, tools, controls);
}

/** Finds the first difference between what is stored and what was computed again. */
type Comparison<Shape extends ResultShape> = (
  stored: Shape,
  signed: Shape,
  computation: Computation,
  recomputed: Recomputed,
) => Difference | undefined;

async function replay<Shape extends ResultShape>(
  stored: Shape,
  claims: Claim[],
  compareStored: Comparison<Shape>,
  tools: ReplayTools,
  controls: RunControls,
): Promise<ReplayReport> {
  const solver = tools.solver(stored.solver);
  if (!solver && stored.solver !== COMPUTE) refuse('solver', `There is no solver ${JSON.stringify(stored.solver)}.`);
  const image = await tools.kernel(stored.kernel_sha256, solver?.id ?? EXPRESSION_KERNEL);
  const difference = await firstDifference(stored, solver, image, compareStored, tools, controls);
  const all = [
    ...claims,
    difference ? { claim: 'replay', ok: false, reason: `${difference.field} differs.` } : { claim: 'replay', ok: true },
  ];
  const registry = tools.definition && compareWithRegistry(stored.definitions, tools.definition);
  return {
    ok: true,
    equal: all.every((claim) => claim.ok),
    kernel_sha256: image.sha256,
    ...(difference === undefined ? {} : { first_difference: difference }),
    ...(registry === undefined ? {} : { registry }),
    claims: all,
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

async function firstDifference<Shape extends ResultShape>(
  stored: Shape,
  solver: SolverDefinition | undefined,
  image: KernelImage,
  compareStored: Comparison<Shape>,
  tools: ReplayTools,
  controls: RunControls,
): Promise<Difference | undefined> {
  // The seal signs canonical JSON, which has no −0, so a −0 in the envelope is a difference.
  const signed = JSON.parse(canonicalJson(stored)) as Shape;
  const restored = restoreComputation(solver, stored, signed);
  if ('field' in restored) return restored;
  // The kernel of another solver would refuse the parameters, which would look like an error of this node.
  if (image.slug !== restored.kernel)
    return { field: 'kernel_sha256', stored: stored.kernel_sha256, recomputed: `a kernel of ${restored.kernel}` };
  const recomputed = await recompute(restored, image, signed, tools, controls);
  return 'field' in recomputed ? recomputed : compareStored(stored, signed, restored, recomputed);
}

interface Recomputed {
  readonly solution: Solution;
  readonly pure: PureFields;
}

async function recompute(
  computation: Computation,
  image: KernelImage,
  signed: ResultShape,
  { runner }: ReplayTools,
  controls: RunControls,
): Promise<Recomputed | Difference> {
  let work: StagedPlan;
  try {
    work = computation.plan();
  } catch (error) {
    return refusedBy(error, 'inputs', signed.inputs);
  }
  assertBudget(work);
  // The machine alone: what compiled expressions computed is compared with what they must equal.
  const outputs = await runPlan(work, image, runner, { ...controls, accelerate: onMachine });
  try {
    const solution = computation.collect(outputs);
    return { solution, pure: pureFields(computation, image.sha256, solution).pure };
  } catch (error) {
    // A chain refuses what the sender changed. An error of a solver is a defect, and not the sender's fault.
    if (computation.id !== COMPUTE) throw error;
    return refusedBy(error, 'value', signed.value);
  }
}

function comparePure(stored: ResultShape, _signed: ResultShape, _computation: Computation, { pure }: Recomputed) {
  return compare(stored, pure, '');
}

function compareEnvelope(
  stored: EnvelopeShape,
  signed: EnvelopeShape,
  { phi0 }: Computation,
  { pure, solution }: Recomputed,
): Difference | undefined {
  const stamps = readStamps(stored.stamps);
  if (!stamps)
    return { field: 'stamps', stored: stored.stamps, recomputed: 'seven times in nanoseconds that never fall' };
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
  const { seal: _, ...body } = stored;
  return compare(body, bodyOf(pure, solution, timedFields(pure, stamps, phi0), stamps, issued), '');
}
