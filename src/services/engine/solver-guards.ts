// Runs the solvers that transitions call, and the laws and solvers of activities. A solver may take seconds, but a ledger
// commit must not. So the attempt is aborted, the solver runs outside the commit, and the commit is retried with the
// result. If the inputs have changed meanwhile, the solver runs again. Activities run outside of any commit.

import type { RowReceipt } from '../../contracts/calls/result.ts';
import type { ComputeCall } from '../../contracts/contract-state.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import type { Clock } from '../../core/clock.ts';
import { DomainError, type ErrorCode } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { GateAnswer } from '../../protocol/gate.ts';
import { findSolver } from '../../solvers/index.ts';
import type { FieldRepository } from '../../storage/compute/fields.ts';
import type { Principal } from '../access/access.ts';
import type { ComputeService } from '../compute/compute.ts';
import type { SolveService } from '../compute/solve.ts';

/** Result of a computation. A refusal is a result, too: the same inputs would be refused again. */
export type SolverOutcome =
  | { readonly value: number; readonly unit: string; readonly uncertainty: number; readonly receipt: RowReceipt }
  | { readonly refusal: DomainError };

/** Aborts an attempt that lacks a solver result. Not a DomainError, so that no transition treats it as a refusal. */
export class MissingSolverResult extends Error {
  override readonly name = 'MissingSolverResult';
  readonly call: ComputeCall;

  constructor(call: ComputeCall) {
    super(`${call.solver} has not run yet.`);
    this.call = call;
  }
}

const keyOf = ({ solver, inputs }: ComputeCall): string => canonicalJson({ solver, inputs });

/** Solver results of one commit, by solver and exact inputs. */
export class SolverResults {
  readonly #outcomes = new Map<string, SolverOutcome>();
  /** Number of solver calls so far in this attempt. */
  #callCount = 0;
  /** The newest result and the position of its call, until an attempt uses it. */
  #unused: { readonly key: string; readonly position: number } | undefined;
  /** Number of results whose inputs changed before an attempt used them, by position of the call. */
  readonly #staleCounts = new Map<number, number>();
  /** Whether missing results are refused from now on. */
  isClosed = false;

  get size(): number {
    return this.#outcomes.size;
  }

  /** Starts a new attempt of the commit. */
  startAttempt(): void {
    this.#callCount = 0;
  }

  /** Adds the result of a missing call. */
  add(call: ComputeCall, outcome: SolverOutcome): void {
    if (this.#unused !== undefined) {
      const { position } = this.#unused;
      this.#staleCounts.set(position, (this.#staleCounts.get(position) ?? 0) + 1);
    }
    const key = keyOf(call);
    this.#unused = { key, position: this.#callCount };
    this.#outcomes.set(key, outcome);
  }

  /** @throws MissingSolverResult if the result is missing, DomainError if the solver refused or its inputs keep changing */
  value(call: ComputeCall): number {
    this.#callCount++;
    const key = keyOf(call);
    const outcome = this.#outcomes.get(key);
    if (outcome === undefined) {
      const staleCount = this.#staleCounts.get(this.#callCount) ?? 0;
      if (!this.isClosed && staleCount < LIMITS.contracts.solvers.maxStaleResults) throw new MissingSolverResult(call);
      const reason = this.isClosed
        ? 'too many solvers are asked at once'
        : `its inputs changed ${staleCount} times meanwhile`;
      throw new DomainError('CONFLICT', `${call.solver} was not run: ${reason}.`);
    }
    if (this.#unused?.key === key) this.#unused = undefined;
    if ('refusal' in outcome) throw outcome.refusal;
    return outcome.value;
  }

  /** Returns the receipt of a run; undefined if no solver computed the value. */
  receiptOf(call: ComputeCall): RowReceipt | undefined {
    const outcome = this.#outcomes.get(keyOf(call));
    return outcome && 'receipt' in outcome ? outcome.receipt : undefined;
  }
}

export interface SolverGuardsOptions {
  readonly solve: SolveService;
  readonly compute: ComputeService;
  readonly fields: FieldRepository;
  readonly clock: Clock;
  /** Timeout of one run, including its time in the queue; LIMITS.contracts.solvers.deadlineMs by default. */
  readonly deadlineMs?: number | undefined;
}

/** Errors of the node, not of the inputs; the call is retried later. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'QUEUE_FULL',
  'RATE_LIMITED',
  'SHUTTING_DOWN',
  'STORAGE_UNAVAILABLE',
  'KERNEL_UNAVAILABLE',
  'KERNEL_FAILED',
  'CANCELLED',
  'INTERNAL',
]);
const MS_NS = 1_000_000n;
const MS_PER_DAY = 86_400_000;

export class SolverGuards {
  readonly #options: SolverGuardsOptions;

  constructor(options: SolverGuardsOptions) {
    this.#options = options;
  }

  /**
   * @param name  under which a long run is computed once; undefined for a run of its own
   * @throws DomainError for errors that do not depend on the inputs
   */
  async run({ operator, solver, inputs }: ComputeCall, machineId: string, name?: string): Promise<SolverOutcome> {
    const id = operator ?? solver ?? '';
    const { deadlineMs = LIMITS.contracts.solvers.deadlineMs } = this.#options;
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const answer = await this.#answer(id, operator !== undefined, inputs, machineId, signal, name);
      const { value } = answer;
      if (typeof value !== 'number' || !Number.isFinite(value))
        return { refusal: new DomainError('VALUE_UNDEFINED', `${id} has no finite value for these inputs.`) };
      const { unit, uncertainty } = answer;
      return { value, unit, uncertainty, receipt: await this.#storeReceipt(answer) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // A retry would time out as well.
      if (error.code === 'CANCELLED' && signal.aborted) {
        return { refusal: new DomainError('OUT_OF_TIME', `${id} did not finish in ${deadlineMs} ms.`) };
      }
      if (TRANSIENT.has(error.code)) throw error;
      return { refusal: error };
    }
  }

  #answer(
    id: string,
    isLaw: boolean,
    inputs: ComputeCall['inputs'],
    machineId: string,
    signal: AbortSignal,
    name: string | undefined,
  ): Promise<Envelope | GateAnswer> {
    const { solve, compute } = this.#options;
    const principal = machinePrincipal(machineId);
    const call = { tenant: machineId, signal };
    if (isLaw) return compute.run({ domain: id, inputs }, principal, call, undefined);
    const solver = findSolver(id);
    if (solver === undefined) throw new Error(`Solver ${id} of a deployed contract not found.`);
    return solve.run(solver, { inputs }, { ...call, principal, onProgress: undefined, isFiled: false, name });
  }

  /** Stores a long receipt outside the chain under its SHA-256, for LIMITS.fieldDays. */
  async #storeReceipt(receipt: object): Promise<RowReceipt> {
    const { fields, clock } = this.#options;
    const text = canonicalJson(receipt);
    const bytes = utf8(text);
    if (bytes.length <= LIMITS.contracts.solvers.receiptBytes) return JSON.parse(text) as object;
    const nowMs = Number(clock.now() / MS_NS);
    const sha256 = await fields.put(bytes, nowMs + LIMITS.fieldDays * MS_PER_DAY);
    return { sha256, bytes: bytes.length };
  }
}

/** Principal of a machine, which gets a fair share of the kernels. Its receipts can be verified by anyone. */
function machinePrincipal(machineId: string): Principal {
  return { accountId: '', keyId: machineId, keyPrefix: 'public', scope: 'write', tier: 'standard', isDemo: false };
}
