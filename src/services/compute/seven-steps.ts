// The seven steps from a request to a sealed envelope, for solvers and operators.

import { type Clock, isoFromNs } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { KernelOutput, KernelRunner } from '../../kernels/abi.ts';
import type { LinkedBytes } from '../../protocol/array-results.ts';
import { COMPUTE } from '../../protocol/chain-computation.ts';
import type { Bound, Computation } from '../../protocol/computation.ts';
import { buildBody, type Envelope } from '../../protocol/envelope.ts';
import { buildGate, type GateAnswer } from '../../protocol/gate.ts';
import type { Issuer } from '../../protocol/issuer.ts';
import { assertPrecision, pureFields } from '../../protocol/pure-fields.ts';
import { statementOf } from '../../protocol/seal.ts';
import { STEPS, Stamper } from '../../protocol/stamps.ts';
import type { Solution } from '../../solvers/definition.ts';
import { assertBudget, runPlan } from '../../solvers/run.ts';
import { earlierOutcome, markCurrentEffect } from '../../storage/node/idempotency.ts';
import type { Storage } from '../../storage/storage.ts';
import type { KernelArchive } from '../node/kernel-archive.ts';
import type { KeyRing } from '../node/key-ring.ts';
import type { Sealer } from '../node/sealer.ts';
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

export interface Call {
  /** Key prefix in the receipt. */
  readonly keyPrefix: string;
  /** Caller, for fair scheduling in the pool. */
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly onProgress: ((fraction: number) => void) | undefined;
  /** Tokens billed for a result; gates and refusals cost none. */
  readonly tokens: number;
  /** Library and folder to file the run in; undefined does not file it. */
  readonly file: { readonly accountId: string; readonly folder: string | undefined } | undefined;
}

export interface SevenStepsOptions {
  readonly clock: Clock;
  readonly kernels: KernelArchive;
  readonly keyRing: KeyRing;
  readonly sealer: Sealer;
  readonly verdicts: Pick<VerdictPool, 'collectInWorker'>;
  /** The worker pool. */
  readonly runner: KernelRunner;
  /** Runs on the request thread, for work that is shorter than the hand-over to a worker. */
  readonly inlineRunner: KernelRunner;
  readonly storage: Pick<Storage, 'runs' | 'fields' | 'transaction'>;
  readonly newId: () => string;
}

/** Name of a filed run among the effects of a call. */
const FILED_RUN = 'run';
const MS_PER_DAY = 86_400_000;

export class SevenSteps {
  readonly #options: SevenStepsOptions;

  constructor(options: SevenStepsOptions) {
    this.#options = options;
  }

  /**
   * @throws DomainError BUDGET_EXCEEDED, PRECISION_REFUSED (strict), and the errors of the request, its plan and the
   *   pool
   */
  async run({ kernel, select, isStrict, isSelfContained }: Request, call: Call): Promise<Envelope | GateAnswer> {
    const { clock, kernels, keyRing, sealer, newId } = this.#options;
    const { keyPrefix, owner, signal, onProgress, tokens, file } = call;
    const filed = file && earlierOutcome<Envelope>(FILED_RUN);
    if (filed !== undefined) return filed;
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
    const plan = computation.plan();
    assertBudget(plan);

    stamper.mark('COMPUTE');
    const { runs, outputs } = await runPlan(plan, image, this.#runnerFor(plan.estimateNs), {
      signal,
      owner,
      ...(onProgress ? { onProgress } : {}),
    });

    stamper.mark('VERIFY');
    const solution = await this.#collect(computation, outputs, plan.estimateNs, call);
    const executed = { kernelSha256: image.sha256, runs, outputs };
    const { pure, linked } = pureFields(computation, executed, solution, isSelfContained);
    if (isStrict) assertPrecision(pure);

    stamper.mark('PULSE');
    stamper.mark('RETURN');
    const runId = file === undefined ? undefined : newId();
    const body = buildBody(pure, solution, stamper.finish(), issuer, { notes, tokens, runId });
    if (isSelfContained) assertSmallEnough(body);
    const envelope = { ...body, seal: await sealer.seal(statementOf({ ...body })) };
    if (linked.length > 0 || file !== undefined) await this.#store(envelope, linked, file);
    return envelope;
  }

  /** The second witness of a long law takes as long as the law, so it does not run on the request thread. */
  async #collect(
    computation: Computation,
    outputs: readonly KernelOutput[],
    estimateNs: number,
    { signal, owner: caller }: Call,
  ): Promise<Solution> {
    return computation.id === COMPUTE && estimateNs > LIMITS.kernel.inlineNs
      ? this.#options.verdicts.collectInWorker(computation, outputs, { signal, caller })
      : computation.collect(outputs);
  }

  #runnerFor(estimateNs: number): KernelRunner {
    const { runner, inlineRunner } = this.#options;
    return estimateNs <= LIMITS.kernel.inlineNs ? inlineRunner : runner;
  }

  /** Stores linked arrays first: a filed envelope must not have broken links. */
  async #store(envelope: Envelope, linked: readonly LinkedBytes[], file: Call['file']): Promise<void> {
    const { storage, clock } = this.#options;
    const { run_id: runId, solver, svcond, value, unit } = envelope;
    const nowMs = Date.parse(isoFromNs(clock.now()));
    await storage.transaction(async (trx) => {
      for (const { bytes } of linked) await storage.fields.put(bytes, nowMs + LIMITS.fieldDays * MS_PER_DAY, trx);
      if (runId === undefined || file === undefined) return;
      const text = JSON.stringify(envelope);
      const { accountId, folder } = file;
      await storage.runs.insert(
        accountId,
        { id: runId, folder, solver, envelope: text, valueText: String(value), unit, svcond, createdMs: nowMs },
        trx,
      );
      await markCurrentEffect(FILED_RUN, envelope, trx);
    });
  }
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
