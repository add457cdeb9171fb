// Replay: run the kernel bytes of a sealed envelope again and compare every bit.

import { canonicalJson } from '../core/canonical-json.ts';
import { DomainError } from '../core/errors.ts';
import type { KernelImage, KernelRunner, RunControls } from '../kernels/abi.ts';
import { assertBudget, runPlan } from '../solvers/run.ts';
import type { Plan, SolverDefinition } from '../solvers/solver.ts';
import { type Body, bodyOf, type EquationPrinter, type IssuedFields, pureFields, timedFields } from './envelope.ts';
import { type Claim, checkSeal, type PublicJwk } from './seal.ts';
import { STEPS, type Stamps } from './stamps.ts';

/** Something a stranger sent that says it is an envelope. */
export type Untrusted = Readonly<Record<string, unknown>>;

export interface Difference {
  /** A path such as `series[1].data[17]`. */
  readonly field: string;
  readonly stored: unknown;
  readonly recomputed: unknown;
}

export interface ReplayReport {
  readonly ok: true;
  /** True if every claim holds. */
  readonly equal: boolean;
  readonly kernel_sha256: string;
  readonly first_difference?: Difference;
  readonly claims: readonly Claim[];
}

export interface ReplayTools {
  /** @throws DomainError KERNEL_UNAVAILABLE */
  kernel(sha256: string, slug: string): Promise<KernelImage>;
  solver(id: string): SolverDefinition | undefined;
  readonly runner: KernelRunner;
  readonly printEquation: EquationPrinter;
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
  if (!solver) refuse('solver', `There is no solver ${JSON.stringify(stored.solver)}.`);
  const image = await tools.kernel(stored.kernel_sha256, stored.solver);
  const claims = verifyEnvelope(envelope, tools.trusted);
  const difference = await firstDifference(stored, solver, image, tools, controls);
  claims.push(
    difference ? { claim: 'replay', ok: false, reason: `${difference.field} differs.` } : { claim: 'replay', ok: true },
  );
  return {
    ok: true,
    equal: claims.every((claim) => claim.ok),
    kernel_sha256: image.sha256,
    ...(difference === undefined ? {} : { first_difference: difference }),
    claims,
  };
}

async function firstDifference(
  stored: Shaped,
  solver: SolverDefinition,
  image: KernelImage,
  tools: ReplayTools,
  controls: RunControls,
): Promise<Difference | undefined> {
  // What the seal has signed: canonical JSON has no −0, so one that stands in the envelope is a difference.
  const signed = JSON.parse(canonicalJson(stored)) as Shaped;
  const parsed = solver.inputs.safeParse(signed.inputs);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') ?? '';
    return {
      field: path ? `inputs.${path}` : 'inputs',
      stored: stored.inputs,
      recomputed: 'inputs that the solver accepts',
    };
  }
  // Another solver's kernel would refuse the parameters, which looks like our defect and is the sender's.
  if (image.slug !== solver.id)
    return { field: 'kernel_sha256', stored: stored.kernel_sha256, recomputed: `a kernel of ${solver.id}` };
  const stamps = readStamps(stored.stamps);
  if (!stamps)
    return { field: 'stamps', stored: stored.stamps, recomputed: 'seven times in nanoseconds that never fall' };
  let plan: Plan;
  try {
    plan = solver.plan(parsed.data);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { field: 'inputs', stored: stored.inputs, recomputed: `inputs that the solver accepts: ${error.message}` };
  }
  assertBudget(plan);
  const solution = solver.collect(await runPlan(plan, image, tools.runner, controls), parsed.data);
  const { pure } = pureFields({
    solver,
    kernelSha256: image.sha256,
    input: parsed.data,
    consts: signed.consts,
    solution,
    printEquation: tools.printEquation,
  });
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
  const recomputed: Body = bodyOf(pure, solution, timedFields(pure, stamps), stamps, issued);
  const { seal: _, ...body } = stored;
  return compare(body, recomputed, '');
}

/** First difference in the order of `recomputed`, then names that only `stored` has. Numbers are compared by their bits. */
export function compare(stored: unknown, recomputed: unknown, path: string): Difference | undefined {
  if (typeof recomputed !== 'object' || recomputed === null || typeof stored !== 'object' || stored === null) {
    return Object.is(stored, recomputed) ? undefined : { field: path, stored, recomputed };
  }
  if (Array.isArray(recomputed) !== Array.isArray(stored)) return { field: path, stored, recomputed };
  const isArray = Array.isArray(recomputed);
  const at = (name: string) => (isArray ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
  const before = stored as Record<string, unknown>;
  const after = recomputed as Record<string, unknown>;
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name)) return { field: at(name), stored: undefined, recomputed: after[name] };
    const difference = compare(before[name], after[name], at(name));
    if (difference) return difference;
  }
  const extra = Object.keys(before).find((name) => !Object.hasOwn(after, name));
  return extra === undefined ? undefined : { field: at(extra), stored: before[extra], recomputed: undefined };
}

interface Shaped extends Untrusted {
  readonly solver: string;
  readonly kernel_sha256: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly consts: Readonly<Record<string, number>>;
  readonly stamps: readonly string[];
}

function refuse(path: string, message: string): never {
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'NOT_AN_ENVELOPE', message }] });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Only as much as replay and seal need; everything else is compared, not believed. */
function assertEnvelope(envelope: Untrusted): Shaped {
  const { solver, kernel_sha256, inputs, consts, stamps, verification, value } = envelope;
  if (value === null)
    refuse('value', 'This is an answer of the dimensional gate: nothing was computed, so there is nothing to replay.');
  if (typeof solver !== 'string') refuse('solver', 'An envelope names its solver.');
  if (typeof kernel_sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(kernel_sha256))
    refuse('kernel_sha256', 'An envelope names its kernel by 64 lower-case hex digits.');
  if (!isRecord(inputs)) refuse('inputs', 'An envelope holds its inputs as an object.');
  if (!isRecord(consts) || Object.values(consts).some((one) => typeof one !== 'number'))
    refuse('consts', 'An envelope holds its consts as an object of numbers.');
  if (!Array.isArray(stamps)) refuse('stamps', 'An envelope holds seven stamps.');
  if (!isRecord(verification)) refuse('verification', 'An envelope holds its verification.');
  if (typeof value !== 'number') refuse('value', 'An envelope holds a number as its value.');
  try {
    canonicalJson(envelope);
  } catch {
    refuse('', 'This holds something that JSON cannot say.');
  }
  return envelope as unknown as Shaped;
}

const MAX_STAMP_DIGITS = 20;

function readStamps(stamps: readonly unknown[]): Stamps | undefined {
  if (stamps.length !== STEPS.length) return undefined;
  const read: bigint[] = [];
  for (const stamp of stamps) {
    if (typeof stamp !== 'string' || stamp.length > MAX_STAMP_DIGITS || !/^(0|[1-9][0-9]*)$/.test(stamp))
      return undefined;
    const ns = BigInt(stamp);
    if (ns < (read.at(-1) ?? 0n)) return undefined;
    read.push(ns);
  }
  return read;
}
