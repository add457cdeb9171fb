// The seven steps from a request to a sealed envelope, for solvers and operators.

import { type Clock, isoFromNs } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import type { KernelRunner } from '../../kernels/abi.ts';
import type { Bound } from '../../protocol/computation.ts';
import { buildEnvelope, type Envelope } from '../../protocol/envelope.ts';
import { buildGate, type GateAnswer } from '../../protocol/gate.ts';
import type { Issuer } from '../../protocol/issuer.ts';
import { assertPrecision, type LinkedBytes, pureFields } from '../../protocol/pure-fields.ts';
import { STEPS, Stamper } from '../../protocol/stamps.ts';
import { assertBudget, runPlan } from '../../solvers/run.ts';
import { markCurrentEffects } from '../../storage/node/idempotency.ts';
import type { Storage } from '../../storage/storage.ts';
import type { KernelArchive } from '../node/kernel-archive.ts';
import type { KeyRing } from '../node/key-ring.ts';

/** A computation to run. `select` and the function it returns may throw refusals. */
export interface Request {
  /** Slug of the kernel. */
  readonly kernel: string;
  /** The SELECT step; the returned function is the BIND step. */
  select(): () => Bound;
  /** Reject unconverged results. */
  readonly isStrict: boolean;
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
  /** The worker pool. */
  readonly runner: KernelRunner;
  /** Runs on the request thread, for work that is shorter than the hand-over to a worker. */
  readonly inlineRunner: KernelRunner;
  readonly storage: Pick<Storage, 'runs' | 'fields' | 'transaction'>;
  readonly newId: () => string;
}

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
  async run({ kernel, select, isStrict }: Request, call: Call): Promise<Envelope | GateAnswer> {
    const { clock, kernels, keyRing, newId } = this.#options;
    const { keyPrefix, owner, signal, onProgress, tokens, file } = call;
    const issuer: Issuer = { keyPrefix, receipts: keyRing.receipts, signer: keyRing.signer };
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
    const outputs = await runPlan(plan, image, this.#runnerFor(plan.estimateNs), {
      signal,
      owner,
      ...(onProgress ? { onProgress } : {}),
    });

    stamper.mark('VERIFY');
    const solution = computation.collect(outputs);
    const { pure, linked } = pureFields(computation, image.sha256, solution);
    if (isStrict) assertPrecision(pure);

    stamper.mark('PULSE');
    stamper.mark('RETURN');
    const runId = file === undefined ? undefined : newId();
    const facts = { notes, tokens, runId, phi0: computation.phi0 };
    const envelope = buildEnvelope(pure, solution, stamper.finish(), issuer, facts);
    if (linked.length > 0 || file !== undefined) await this.#store(envelope, linked, file);
    return envelope;
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
      await markCurrentEffects(trx);
    });
  }
}
