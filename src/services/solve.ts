// A solver's route: the seven steps, from the body to the sealed envelope.

import { type Clock, isoFromNs } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import type { KernelRunner } from '../kernels/abi.ts';
import {
  assertPrecision,
  buildEnvelope,
  buildGate,
  type Envelope,
  type EquationPrinter,
  type GateAnswer,
  type Issuer,
  type LinkedBytes,
  pureFields,
} from '../protocol/envelope.ts';
import { STEPS, Stamper } from '../protocol/stamps.ts';
import { bindSolverBody, type SolverBody } from '../solvers/request.ts';
import { assertBudget, runPlan } from '../solvers/run.ts';
import type { SolverDefinition } from '../solvers/solver.ts';
import type { Storage } from '../storage/storage.ts';
import type { Principal } from './access.ts';
import type { KernelArchive } from './kernel-archive.ts';
import type { KeyRing } from './key-ring.ts';

export interface SolveCall {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly onProgress: ((fraction: number) => void) | undefined;
  /** File the run even without a folder: an Idempotency-Key came with it. */
  readonly isFiled: boolean;
}

export interface SolveParts {
  readonly clock: Clock;
  readonly kernels: KernelArchive;
  readonly keyRing: KeyRing;
  readonly runner: KernelRunner;
  readonly storage: Pick<Storage, 'runs' | 'fields' | 'transaction'>;
  readonly printEquation: EquationPrinter;
  readonly newId: () => string;
}

const MS_PER_DAY = 86_400_000;
/** A solver's call costs one token; refusals, gates and replays cost none. */
const TOKENS = 1;

export class SolveService {
  readonly #parts: SolveParts;

  constructor(parts: SolveParts) {
    this.#parts = parts;
  }

  /**
   * @throws DomainError VALIDATION_FAILED, BUDGET_EXCEEDED, PRECISION_REFUSED (strict), and whatever the solver's plan or
   *   the pool refuses
   */
  async run(solver: SolverDefinition, body: SolverBody, call: SolveCall): Promise<Envelope | GateAnswer> {
    const { clock, kernels, keyRing, runner, printEquation, newId } = this.#parts;
    const { principal, signal, onProgress } = call;
    const issuer: Issuer = { keyPrefix: principal.keyPrefix, receipts: keyRing.receipts, signer: keyRing.signer };
    const stamper = new Stamper(() => clock.now());

    stamper.mark('SELECT');
    const image = await kernels.current(solver.id);

    stamper.mark('BIND');
    const bound = bindSolverBody(solver, body);
    if (bound.kind === 'gate') {
      for (const step of STEPS.slice(2)) stamper.mark(step);
      const { unrecognised, accepted } = bound;
      return buildGate(solver, { unrecognised, accepted }, stamper.finish(), issuer);
    }

    stamper.mark('VALIDATE');
    const plan = solver.plan(bound.input as never);
    assertBudget(plan);

    stamper.mark('COMPUTE');
    const outputs = await runPlan(plan, image, runner, {
      signal,
      owner: principal.keyId,
      ...(onProgress ? { onProgress } : {}),
    });

    stamper.mark('VERIFY');
    const solution = solver.collect(outputs, bound.input as never);
    const { input, consts, notes } = bound;
    const { pure, linked } = pureFields({ solver, kernelSha256: image.sha256, input, consts, solution, printEquation });
    if (body.strict === true) assertPrecision(pure);

    stamper.mark('PULSE');
    stamper.mark('RETURN');
    const runId = body.folder !== undefined || call.isFiled ? newId() : undefined;
    const envelope = buildEnvelope(pure, solution, stamper.finish(), issuer, { notes, tokens: TOKENS, runId });
    await this.#keep(envelope, linked, body.folder, principal);
    return envelope;
  }

  /** Linked bytes first: a filed envelope must never link to nothing. */
  async #keep(
    envelope: Envelope,
    linked: readonly LinkedBytes[],
    folder: string | undefined,
    principal: Principal,
  ): Promise<void> {
    const { storage, clock } = this.#parts;
    const { run_id: runId } = envelope;
    if (linked.length === 0 && runId === undefined) return;
    const nowMs = Date.parse(isoFromNs(clock.now()));
    await storage.transaction(async (trx) => {
      for (const { bytes } of linked) await storage.fields.put(bytes, nowMs + LIMITS.fieldDays * MS_PER_DAY, trx);
      if (runId === undefined) return;
      const { solver, svcond, value, unit } = envelope;
      const text = JSON.stringify(envelope);
      await storage.runs.insert(
        principal.accountId,
        { id: runId, folder, solver, envelope: text, valueText: String(value), unit, svcond, createdMs: nowMs },
        trx,
      );
    });
  }
}
