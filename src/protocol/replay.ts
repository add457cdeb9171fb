// Replay of a receipt: each of its claims is checked by itself.
//
//   kernel   the archived kernel, given the runs as executed, leaves the same outputs; no code of the day takes part
//   plan     the inputs give these runs; compared within a revision of the solver
//   answer   the outputs give this value, ±, results, quantities, arrays, invariants; compared within a revision
//   stamps   R_t, masterSum and their kin follow from the recorded stamps
//   laws     the definitions are those of a registry that this project holds or held

import { canonicalJson } from '../core/canonical-json.ts';
import { isRecord } from '../core/record.ts';
import { EXPRESSION_KERNEL } from '../expressions/evaluate.ts';
import type { KernelImage, KernelRunner, RunControls } from '../kernels/abi.ts';
import type { Registration } from '../operators/registration.ts';
import type { SolverDefinition } from '../solvers/definition.ts';
import { arraysFault } from './array-results.ts';
import { COMPUTE, COMPUTE_REVISION } from './chain-computation.ts';
import type { Computation } from './computation.ts';
import { compareStored, type Difference } from './difference.ts';
import { headlineSeries, timedFields } from './envelope.ts';
import { type NamedReceipt, namedReceipts } from './inner-receipts.ts';
import { claimOf, isDifference, type Outcome, refusedBy } from './outcome.ts';
import { type Executed, type PureFields, pureFields } from './pure-fields.ts';
import { attempt, planOf, replayRuns } from './replay-runs.ts';
import { restoreComputation } from './restore.ts';
import { type Claim, checkSeal } from './seal.ts';
import { answerFields, timedFieldsOf } from './sealed-fields.ts';
import type { PublicJwk } from './signing.ts';
import { rtCorrelation } from './stamps.ts';
import { assertEnvelope, assertReplayable, type ResultShape, readStamps, type Untrusted } from './untrusted.ts';

export interface ReplayReport {
  readonly ok: true;
  /** True if no claim fails. Claims that were not compared do not count. */
  readonly equal: boolean;
  readonly kernel_sha256: string;
  readonly revision: RevisionReport;
  readonly first_difference?: Difference;
  readonly laws: LawsReport;
  readonly claims: readonly Claim[];
}

/** The revision of the receipt and that of this program, with what this program derives if they differ. */
export interface RevisionReport {
  readonly sealed: number;
  /** Missing if this program has no such solver. */
  readonly current?: number;
  /** Derived by the current revision from the same outputs, to be read beside the receipt. */
  readonly derived?: Pick<PureFields, 'value' | 'unit' | 'uncertainty'>;
}

/** Whether the definitions of the receipt are laws that this project has registered. */
export interface LawsReport {
  readonly verdict: Registration;
  readonly by_id: Readonly<Record<string, Registration>>;
}

export interface ReplayTools {
  /** @throws DomainError KERNEL_UNAVAILABLE */
  kernel(sha256: string, slug: string): Promise<KernelImage>;
  solver(id: string): SolverDefinition | undefined;
  /** Whether a registry of this project holds or held this definition. */
  registration(definition: unknown): Registration;
  readonly runner: KernelRunner;
  /** Keys obtained from elsewhere; without them, the seal proves consistency but not origin. */
  readonly trusted?: readonly PublicJwk[];
}

/** Checks the seal alone: the signer, and that nothing was changed since. Nothing is computed. */
export function verifyEnvelope(envelope: Untrusted, trusted?: readonly PublicJwk[]): Claim[] {
  return checkSeal(assertEnvelope(envelope), trusted);
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
  const shaped = assertEnvelope(envelope);
  return replay(shaped, checkSeal(shaped, tools.trusted), tools, controls);
}

/**
 * Re-runs a result that nobody sealed, which holds the pure fields of an envelope.
 *
 * @throws DomainError  as `replayEnvelope`
 */
export async function replayResult(
  result: Untrusted,
  tools: ReplayTools,
  controls: RunControls = {},
): Promise<ReplayReport> {
  const shaped = assertReplayable(result);
  const fault = arraysFault(shaped);
  const arrays = claimOf('arrays', fault === undefined ? undefined : { fault });
  return replay(shaped, [arrays], tools, controls);
}

async function replay(
  stored: ResultShape,
  sealClaims: readonly Claim[],
  tools: ReplayTools,
  controls: RunControls,
): Promise<ReplayReport> {
  const solver = tools.solver(stored.solver);
  const isCompute = stored.solver === COMPUTE;
  const image = await tools.kernel(stored.kernel_sha256, isCompute ? EXPRESSION_KERNEL : stored.solver);
  // The seal signs canonical JSON, which has no −0, so the values of that are computed with.
  const signed = JSON.parse(canonicalJson(stored)) as ResultShape;
  const current = isCompute ? COMPUTE_REVISION : solver?.revision;
  const isSame = current === stored.revision;
  const restore = () => restoreComputation(solver, stored, signed);
  const restored = current === undefined ? undefined : isSame ? restore() : attempt(restore);
  const computation = restored && 'plan' in restored ? restored : undefined;
  const runs = await replayRuns(stored, planOf(computation, isSame), image, tools.runner, controls);
  const compared = isSame
    ? compareWithin(stored, restored, runs.plan, runs.executed)
    : {
        ...acrossRevisions(stored, current, restored),
        derived: attempt(() => derive(computation, runs.plan, runs.executed))?.shown,
      };
  const laws = lawsReport(stored.definitions, tools);
  const inner = solver?.laws === undefined ? [] : await innerOutcomes(solver, signed, tools, controls);
  const outcomes: readonly (readonly [string, Outcome])[] = [
    ['kernel', kernelOutcome(stored, image, computation) ?? runs.kernel],
    ['plan', compared.plan],
    ['answer', compared.answer],
    ...(Array.isArray(stored.stamps) ? [['stamps', stampsOutcome(stored, stored.stamps)] as const] : []),
    ['laws', lawsOutcome(laws)],
    ...inner,
  ];
  const claims = [...sealClaims, ...outcomes.map(([claim, outcome]) => claimOf(claim, outcome))];
  const difference = outcomes.map(([, outcome]) => outcome).find(isDifference);
  return {
    ok: true,
    equal: claims.every((claim) => claim.ok !== false),
    kernel_sha256: image.sha256,
    revision: {
      sealed: stored.revision,
      ...(current === undefined ? {} : { current }),
      ...('derived' in compared && compared.derived ? { derived: compared.derived } : {}),
    },
    ...(difference === undefined ? {} : { first_difference: difference }),
    laws,
    claims,
  };
}

/** Whether results that entered the inputs are those of their receipts, which replay themselves. */
async function innerOutcomes(
  solver: SolverDefinition,
  stored: ResultShape,
  tools: ReplayTools,
  controls: RunControls,
): Promise<readonly (readonly [string, Outcome])[]> {
  const named = attempt(() => namedReceipts(solver, stored)) ?? {
    notCompared: 'Its inputs are not those of the solver.',
  };
  if (!Array.isArray(named)) return [['receipts', named as Outcome]];
  if (named.length === 0) return [];
  for (const { label, receipt } of named as readonly NamedReceipt[]) {
    if (receipt.solver !== COMPUTE) return [['receipts', { fault: `${label}: its receipt is not that of a law.` }]];
    const report = await replayEnvelope(receipt, tools, controls);
    const broken = report.claims.find(({ ok }) => ok === false);
    if (broken !== undefined)
      return [['receipts', { fault: `${label}: ${broken.claim}: ${broken.reason ?? 'does not hold'}` }]];
  }
  return [['receipts', undefined]];
}

/** Whether the kernel is the one that the receipt names, and one of its solver. */
function kernelOutcome(stored: ResultShape, image: KernelImage, computation: Computation | undefined): Outcome {
  const { kernel_sha256 } = stored;
  if (image.sha256 !== kernel_sha256)
    return { field: 'kernel_sha256', stored: kernel_sha256, recomputed: image.sha256 };
  const slug = computation?.kernel ?? (stored.solver === COMPUTE ? EXPRESSION_KERNEL : stored.solver);
  return image.slug === slug
    ? undefined
    : { field: 'kernel_sha256', stored: kernel_sha256, recomputed: `a kernel of ${slug}` };
}

interface Compared {
  readonly plan: Outcome;
  readonly answer: Outcome;
}

/** Compares plan and answer bit for bit, since the revision is the same. */
function compareWithin(
  stored: ResultShape,
  restored: Computation | Difference | undefined,
  plan: Outcome,
  executed: Executed | undefined,
): Compared {
  if (restored === undefined || 'field' in restored)
    return { plan: restored, answer: { notCompared: 'Its inputs give no runs here.' } };
  if (plan !== undefined) return { plan, answer: { notCompared: 'Its runs are not those of its inputs.' } };
  const derived = derive(restored, plan, executed);
  if (derived === undefined) return { plan, answer: { notCompared: 'Its kernel left no outputs here.' } };
  return { plan, answer: 'refusal' in derived ? derived.refusal : compareAnswer(stored, derived) };
}

function acrossRevisions(
  { solver, revision }: ResultShape,
  current: number | undefined,
  restored: Computation | Difference | undefined,
): Compared {
  const gone = restored && 'field' in restored ? ` ${restored.field}: ${String(restored.recomputed)}.` : '';
  const notCompared =
    current === undefined
      ? `This program has no solver ${solver.slice(0, 40)}.`
      : `Sealed by revision ${revision} of ${solver.slice(0, 40)}; this program has revision ${current}.${gone}`;
  return { plan: { notCompared }, answer: { notCompared } };
}

interface Derived {
  readonly pure: PureFields;
  readonly headline: ArrayLike<number>;
  readonly shown: Pick<PureFields, 'value' | 'unit' | 'uncertainty'>;
}

/** The answer of this program from the outputs, if its plan makes the same runs. */
function derive(
  computation: Computation | undefined,
  plan: Outcome,
  executed: Executed | undefined,
): (Derived & { readonly refusal?: never }) | { readonly refusal: Difference; readonly shown?: never } | undefined {
  if (computation === undefined || plan !== undefined || executed === undefined) return undefined;
  try {
    const solution = computation.collect(executed.outputs);
    const { pure } = pureFields(computation, executed, solution);
    const { value, unit, uncertainty } = pure;
    return { pure, headline: headlineSeries(solution), shown: { value, unit, uncertainty } };
  } catch (error) {
    // A chain refuses what the sender changed. An error of a solver is a defect, and not the sender's fault.
    if (computation.id !== COMPUTE) throw error;
    return { refusal: refusedBy(error, 'value', computation.input) };
  }
}

/** Compares the sealed fields that the receipt has; what came later is no difference. */
function compareAnswer(stored: ResultShape, { pure, headline }: Derived): Outcome {
  const stamps = Array.isArray(stored.stamps) ? readStamps(stored.stamps) : undefined;
  // Without valid stamps there is nothing to correlate with; the claim about the stamps fails.
  const { rtCorrelation: sealed } = stored.verification as { readonly rtCorrelation?: unknown };
  const correlation = stamps === undefined ? sealed : rtCorrelation(headline, stamps) + 0;
  const verification = { ...pure.verification, rtCorrelation: correlation };
  return compareStored(answerFields(stored), answerFields({ ...pure, verification }), '');
}

function stampsOutcome(stored: ResultShape, listed: readonly unknown[]): Outcome {
  const stamps = readStamps(listed);
  if (!stamps) return { field: 'stamps', stored: listed, recomputed: 'seven times in nanoseconds that never fall' };
  const { value, functional, phi0 } = stored;
  const recomputed = timedFields({ value, functional, phi0: typeof phi0 === 'number' ? phi0 : 0 }, stamps);
  return compareStored(timedFieldsOf(stored), recomputed, '');
}

/** Whether the laws of a receipt are, or once were, laws of this registry. Needs no kernel. */
export function lawsClaim({ definitions }: Untrusted, tools: Pick<ReplayTools, 'registration'>): Claim {
  return claimOf('laws', lawsOutcome(lawsReport(Array.isArray(definitions) ? definitions : [], tools)));
}

function lawsReport(definitions: readonly unknown[], { registration }: Pick<ReplayTools, 'registration'>): LawsReport {
  const entries = definitions.map(
    (one) => [isRecord(one) && typeof one.id === 'string' ? one.id : '', registration(one)] as const,
  );
  const has = (state: Registration) => entries.some(([, found]) => found === state);
  const verdict = has('not registered') ? 'not registered' : has('changed since') ? 'changed since' : 'registered';
  return { verdict, by_id: Object.fromEntries(entries) };
}

function lawsOutcome({ verdict, by_id }: LawsReport): Outcome {
  if (verdict !== 'not registered') return undefined;
  const ids = Object.keys(by_id).filter((id) => by_id[id] === 'not registered');
  return { fault: `No registry of this project has held this definition of ${ids.join(', ').slice(0, 200)}.` };
}
