// The seven steps from a request to a sealed envelope, for solvers and operators.

import { type Clock, isoFromNs } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { KernelImage, KernelRunner, Watch } from '../../kernels/abi.ts';
import { type Answer, answerOf } from '../../protocol/answer.ts';
import type { ArrayResult, LinkedBytes } from '../../protocol/array-results.ts';
import type { Bound, Computation } from '../../protocol/computation.ts';
import { buildBody, type Envelope } from '../../protocol/envelope.ts';
import { buildGate, type GateAnswer } from '../../protocol/gate.ts';
import type { Issuer } from '../../protocol/issuer.ts';
import { lawsOf } from '../../protocol/laws.ts';
import { assertPrecision, type Executed, type PureFields } from '../../protocol/pure-fields.ts';
import { statementOf } from '../../protocol/seal.ts';
import { STEPS, Stamper } from '../../protocol/stamps.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { StagedPlan } from '../../solvers/definition.ts';
import { assertBudget, runPlan } from '../../solvers/run.ts';
import type { AccountMacs } from '../../storage/access/account-macs.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { earlierOutcome, markCurrentEffect } from '../../storage/node/idempotency.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../access/access.ts';
import type { RateLimiter } from '../access/rate-limit.ts';
import type { FreeSpace } from '../node/free-space.ts';
import type { KernelArchive } from '../node/kernel-archive.ts';
import type { KeyRing } from '../node/key-ring.ts';
import type { Sealer } from '../node/sealer.ts';
import type { FieldStore } from './field-store.ts';
import type { VerdictPool } from './verdict-pool.ts';

/** A computation to run. `select` and the function it returns may throw refusals. */
export interface Request {
  /** Slug of the kernel. */
  readonly kernel: string;
  /** The SELECT step; the returned function is the BIND step. */
  select(): () => Bound;
  /** Reject unconverged results. */
  readonly isStrict: boolean;
  /** Hold the bytes of all arrays in the envelope. */
  readonly isSelfContained: boolean;
}

/** What a result is billed by. */
export interface Billed {
  /** Points of a sweep; 1 otherwise. */
  readonly points: number;
}

export interface Call {
  /** Key prefix in the receipt. */
  readonly keyPrefix: string;
  /** Whose share of the pools the call uses. */
  readonly tenant: string;
  readonly signal: AbortSignal;
  readonly onProgress: ((fraction: number) => void) | undefined;
  /** Called when the computation is bound and within the budget; returns what is watched of its runs. */
  readonly watch?: ((computation: Computation) => Watch | undefined) | undefined;
  /** Tokens billed for a result; gates and refusals cost none. */
  readonly tokens: (result: Billed) => number;
  /** Whose library and which folder to file the run in; undefined does not file it. */
  readonly file: { readonly principal: Principal; readonly folder: string | undefined } | undefined;
  /** Receipts of results that entered the inputs. */
  readonly receipts?: readonly Untrusted[];
  /** Id in the envelope of a run that somebody else files. */
  readonly runId?: string | undefined;
  /** Has a long run computed by any node; undefined if that is not possible now. */
  readonly elsewhere?: ((kernelSha256: string, runId: string | undefined) => Promise<Envelope | undefined>) | undefined;
}

export interface SevenStepsOptions {
  readonly clock: Clock;
  readonly kernels: KernelArchive;
  readonly keyRing: KeyRing;
  readonly sealer: Sealer;
  readonly verdicts: Pick<VerdictPool, 'answerInWorker' | 'computeInWorker' | 'planInWorker'>;
  /** The worker pool. */
  readonly runner: KernelRunner;
  /** Runs on the request thread, for work that is shorter than the hand-over to a worker. */
  readonly inlineRunner: KernelRunner;
  readonly storage: Pick<Storage, 'transaction' | 'keys'>;
  readonly accountMacs: Pick<AccountMacs, 'file'>;
  readonly fieldStore: Pick<FieldStore, 'keep'>;
  readonly rateLimit: Pick<RateLimiter, 'assertMayStore' | 'countStored'>;
  readonly freeSpace: Pick<FreeSpace, 'assertNotLow'>;
  readonly newId: () => string;
}

/** Name of a filed run among the effects of a call. */
const FILED_RUN = 'run';

export class SevenSteps {
  readonly #options: SevenStepsOptions;

  constructor(options: SevenStepsOptions) {
    this.#options = options;
  }

  /**
   * @throws DomainError BUDGET_EXCEEDED, PRECISION_REFUSED (strict), RATE_LIMITED, STORAGE_FULL and KEY_REVOKED for a run
   *   to be filed, and the errors of the request, its plan and the pool
   */
  async run({ kernel, select, isStrict, isSelfContained }: Request, call: Call): Promise<Envelope | GateAnswer> {
    const { clock, kernels, keyRing, sealer, newId, rateLimit, freeSpace } = this.#options;
    const { keyPrefix, tokens, file, receipts = [] } = call;
    const filed = file && earlierOutcome<Envelope>(FILED_RUN);
    if (filed !== undefined) return filed;
    if (file) {
      freeSpace.assertNotLow();
      rateLimit.assertMayStore(file.principal, call.tenant);
    }
    const issuer: Issuer = { keyPrefix, receipts: keyRing.receipts, publicKey: sealer.publicKey };
    const stamper = new Stamper(() => clock.now());

    stamper.mark('SELECT');
    const image = await kernels.current(kernel);
    const bind = select();

    stamper.mark('BIND');
    const bound = bind();
    if (bound.kind === 'gate') {
      for (const step of STEPS.slice(2)) stamper.mark(step);
      return buildGate(bound.gated, bound.gate, stamper.finish(), issuer);
    }
    const { computation, notes } = bound;

    stamper.mark('VALIDATE');
    const plan = computation.isWhole === true ? undefined : await this.#plan(computation, call);
    const runId = file === undefined ? call.runId : newId();
    if (plan !== undefined && plan.estimateNs > LIMITS.longRuns.estimateNs) {
      const envelope = await call.elsewhere?.(image.sha256, runId);
      if (envelope !== undefined && file !== undefined) await this.#file(envelope, file, call.tenant);
      if (envelope !== undefined) return envelope;
    }
    const { pure, linked, solution } =
      plan === undefined
        ? await this.#computeWhole(computation, image, stamper, isSelfContained, call)
        : await this.#compute(computation, plan, image, stamper, isSelfContained, call);
    if (isStrict) assertPrecision(pure);

    stamper.mark('PULSE');
    stamper.mark('RETURN');
    if (file !== undefined) await this.#assertNotRevoked(file.principal);
    const kept = await this.#keep(pure, linked, call.tenant, runId !== undefined);
    const billed = { points: pure.table?.shape[0] ?? 1 };
    const facts = { notes: [...notes, ...kept.notes], tokens: tokens(billed), runId, receipts };
    const body = buildBody(kept.pure, solution, stamper.finish(), issuer, facts);
    if (isSelfContained) assertSmallEnough(body);
    const envelope: Envelope = Object.assign(body, { seal: await sealer.seal(statementOf(body)) });
    if (file !== undefined) await this.#file(envelope, file, call.tenant);
    return envelope;
  }

  /** @throws DomainError BUDGET_EXCEEDED, and the errors of the plan */
  async #plan(computation: Computation, { signal, tenant }: Call): Promise<StagedPlan> {
    const plan =
      computation.isLongPlan === true
        ? await this.#options.verdicts.planInWorker(computation, { signal, tenant })
        : computation.plan();
    assertBudget(plan);
    return plan;
  }

  /** COMPUTE and VERIFY, of which the runs are made in the pool of kernels. */
  async #compute(
    computation: Computation,
    plan: StagedPlan,
    image: KernelImage,
    stamper: Stamper,
    isComplete: boolean,
    call: Call,
  ): Promise<Answer> {
    const { signal, onProgress, tenant } = call;
    const watch = call.watch?.(computation);

    stamper.mark('COMPUTE');
    const { runs, outputs } = await runPlan(plan, image, this.#runnerFor(plan.estimateNs), {
      signal,
      owner: tenant,
      ...(onProgress ? { onProgress } : {}),
      ...(watch ? { watch } : {}),
    });

    stamper.mark('VERIFY');
    const executed = { kernelSha256: image.sha256, runs, outputs };
    return this.#answer(computation, executed, plan, isComplete, call);
  }

  /** The same in one worker, with the plan. */
  async #computeWhole(
    computation: Computation,
    image: KernelImage,
    stamper: Stamper,
    isComplete: boolean,
    { signal, tenant, watch }: Call,
  ): Promise<Answer> {
    watch?.(computation);
    stamper.mark('COMPUTE');
    const answer = await this.#options.verdicts.computeInWorker(computation, image, isComplete, { signal, tenant });
    stamper.mark('VERIFY');
    return answer;
  }

  /** What takes longer than the hand-over to a worker does not run on the request thread. */
  async #answer(
    computation: Computation,
    executed: Executed,
    { estimateNs, collectNs = 0 }: StagedPlan,
    isComplete: boolean,
    { signal, tenant }: Call,
  ): Promise<Answer> {
    return Math.max(estimateNs, collectNs) > LIMITS.kernel.inlineNs
      ? this.#options.verdicts.answerInWorker(computation, executed, isComplete, { signal, tenant })
      : answerOf(computation, executed, isComplete);
  }

  #runnerFor(estimateNs: number): KernelRunner {
    const { runner, inlineRunner } = this.#options;
    return estimateNs <= LIMITS.kernel.inlineNs ? inlineRunner : runner;
  }

  /** Stores linked arrays first: an envelope must not have broken links. Without room it has none, and a note. */
  async #keep(
    pure: PureFields,
    linked: readonly LinkedBytes[],
    tenant: string,
    isFiled: boolean,
  ): Promise<{ readonly pure: PureFields; readonly notes: readonly string[] }> {
    if (linked.length === 0) return { pure, notes: [] };
    const refusal = await this.#options.fieldStore.keep(linked, tenant, isFiled ? 'filed' : 'unfiled');
    if (refusal === undefined) return { pure, notes: [] };
    const note = `Long arrays are not stored: ${refusal}. Their hashes stand here; self_contained: true holds the bytes.`;
    return { pure: withoutLinks(pure), notes: [note] };
  }

  async #file(envelope: Envelope, { principal, folder }: NonNullable<Call['file']>, tenant: string): Promise<void> {
    const { storage, accountMacs, clock, rateLimit } = this.#options;
    const { run_id: runId, solver, svcond, value, unit } = envelope;
    if (runId === undefined) return;
    const nowMs = Date.parse(isoFromNs(clock.now()));
    const text = JSON.stringify(envelope);
    rateLimit.countStored(principal, tenant, text.length);
    await storage.transaction(async (trx) => {
      await this.#assertNotRevoked(principal, trx);
      await accountMacs.file(
        principal.accountId,
        {
          id: runId,
          folder,
          solver,
          ...lawsOf(envelope),
          envelope: text,
          valueText: String(value),
          unit,
          svcond,
          createdMs: nowMs,
        },
        trx,
      );
      await markCurrentEffect(FILED_RUN, envelope, trx);
    });
  }

  /** A run that takes a minute files nothing with a key that was revoked meanwhile. @throws DomainError KEY_REVOKED */
  async #assertNotRevoked({ accountId, keyId, keyPrefix }: Principal, on?: Executor): Promise<void> {
    const key = await this.#options.storage.keys.find(accountId, keyId, on);
    if (key?.revokedMs === undefined) return;
    throw new DomainError('KEY_REVOKED', `The key ${keyPrefix}… was revoked during the run; nothing is filed.`);
  }
}

function withoutLinks(pure: PureFields): PureFields {
  const without = (arrays: readonly ArrayResult[]) => arrays.map(({ href: _, bytes: __, ...array }) => array);
  const { href: _, bytes: __, ...table } = pure.table ?? { shape: [] };
  return {
    ...pure,
    series: without(pure.series),
    fields: without(pure.fields),
    ...(pure.table === undefined ? {} : { table: table as typeof pure.table }),
  };
}

/** @throws DomainError BODY_TOO_LARGE */
function assertSmallEnough(body: object): void {
  const { length } = JSON.stringify(body);
  const { selfContainedBytes: max } = LIMITS;
  if (length <= max) return;
  throw new DomainError(
    'BODY_TOO_LARGE',
    `A self-contained receipt has at most ${max} bytes; this one has ${length}. Leave out self_contained (in the command line, add --linked), so that it links long arrays.`,
  );
}
