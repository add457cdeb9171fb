// The seven steps, from what was asked to the sealed envelope: the same for solvers and for operators.

import { type Clock, isoFromNs } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import type { KernelRunner } from '../../kernels/abi.ts';
import type { Bound } from '../../protocol/computation.ts';
import { buildEnvelope, type Envelope, type Issuer } from '../../protocol/envelope.ts';
import { buildGate, type GateAnswer } from '../../protocol/gate.ts';
import { assertPrecision, type LinkedBytes, pureFields } from '../../protocol/pure-fields.ts';
import { STEPS, Stamper } from '../../protocol/stamps.ts';
import { assertBudget, runPlan } from '../../solvers/run.ts';
import { noteEffectsHere } from '../../storage/node/idempotency.ts';
import type { Storage } from '../../storage/storage.ts';
import type { KernelArchive } from '../node/kernel-archive.ts';
import type { KeyRing } from '../node/key-ring.ts';

/** Both throw whatever refuses. */
export interface Request {
  /** Slug of the kernel. */
  readonly kernel: string;
  /** SELECT; what it answers is BIND. */
  select(): () => Bound;
  /** Refuse what has not converged. */
  readonly isStrict: boolean;
}

export interface Call {
  /** In whose name the receipt is signed. */
  readonly keyPrefix: string;
  /** Who asks, for a fair share of the pool. */
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly onProgress: ((fraction: number) => void) | undefined;
  /** Tokens that a result costs; gates and refusals cost none. */
  readonly tokens: number;
  /** In whose library the run is filed, if it is. */
  readonly file: { readonly accountId: string; readonly folder: string | undefined } | undefined;
}

export interface SevenStepsParts {
  readonly clock: Clock;
  readonly kernels: KernelArchive;
  readonly keyRing: KeyRing;
  /** The pool, and the thread that answers requests: for what takes less time than being handed to a worker. */
  readonly runner: KernelRunner;
  readonly quickRunner: KernelRunner;
  readonly storage: Pick<Storage, 'runs' | 'fields' | 'transaction'>;
  readonly newId: () => string;
}

const MS_PER_DAY = 86_400_000;

export class SevenSteps {
  readonly #parts: SevenStepsParts;

  constructor(parts: SevenStepsParts) {
    this.#parts = parts;
  }

  /** @throws DomainError BUDGET_EXCEEDED, PRECISION_REFUSED (strict), and whatever the request, its plan or the pool refuses */
  async run({ kernel, select, isStrict }: Request, call: Call): Promise<Envelope | GateAnswer> {
    const { clock, kernels, keyRing, newId } = this.#parts;
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
    const work = computation.plan();
    assertBudget(work);

    stamper.mark('COMPUTE');
    const outputs = await runPlan(work, image, this.#runnerFor(work.estimateNs), {
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
    if (linked.length > 0 || file !== undefined) await this.#keep(envelope, linked, file);
    return envelope;
  }

  #runnerFor(estimateNs: number): KernelRunner {
    const { runner, quickRunner } = this.#parts;
    return estimateNs <= LIMITS.kernel.quickNs ? quickRunner : runner;
  }

  /** Linked bytes first: a filed envelope must never link to nothing. */
  async #keep(envelope: Envelope, linked: readonly LinkedBytes[], file: Call['file']): Promise<void> {
    const { storage, clock } = this.#parts;
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
      await noteEffectsHere(trx);
    });
  }
}
