// Solvers in transitions. A solver may take seconds, and a decision of the ledger must not: so it runs outside, with the inputs
// that the decision came to, and the decision is taken again with the result at hand. Where the inputs have changed
// meanwhile, it does not fit, and is asked for anew.

import type { Definition } from '../../contracts/definition.ts';
import type { ComputeCall } from '../../contracts/reaction.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import type { Clock } from '../../core/clock.ts';
import { DomainError, type ErrorCode, type ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { didYouMean } from '../../core/nearest.ts';
import { utf8 } from '../../core/sha256.ts';
import { findSolver, SOLVERS } from '../../solvers/index.ts';
import type { FieldRepository } from '../../storage/compute/fields.ts';
import type { Principal } from '../access/access.ts';
import type { SolveService } from '../compute/solve.ts';

/** The sealed receipt of a solver's run, or where a long one is kept. */
export type SolverReceipt = object | { readonly sha256: string; readonly bytes: number };

/** What came of a run. A refusal is an answer like any other: the transition is refused with it. */
export type Solved = { readonly value: number; readonly receipt: SolverReceipt } | { readonly refusal: DomainError };

/** Ends a decision for which a result is missing. It is no refusal: no transition may take it for one. */
export class SolverNeeded extends Error {
  override readonly name = 'SolverNeeded';
  readonly call: ComputeCall;

  constructor(call: ComputeCall) {
    super(`${call.solver} has not run yet.`);
    this.call = call;
  }
}

const keyOf = ({ solver, inputs }: ComputeCall): string => canonicalJson({ solver, inputs });

/** What solvers have answered in the course of one change, by the solver and the very inputs. */
export class SolvedCalls {
  readonly #solved = new Map<string, Solved>();
  /** Calls of the decision that is being taken. */
  #asked = 0;
  /** The newest result and the place of its call, until a decision uses it. */
  #unused: { readonly key: string; readonly place: number } | undefined;
  /** How often a result came too late to be used, by the place of its call. */
  readonly #late = new Map<number, number>();
  /** From now on whatever is missing is refused. */
  isClosed = false;

  get size(): number {
    return this.#solved.size;
  }

  /** The decision is taken from its beginning. */
  begin(): void {
    this.#asked = 0;
  }

  /** What came of the call that was missing. */
  add(call: ComputeCall, solved: Solved): void {
    if (this.#unused !== undefined) {
      const { place } = this.#unused;
      this.#late.set(place, (this.#late.get(place) ?? 0) + 1);
    }
    const key = keyOf(call);
    this.#unused = { key, place: this.#asked };
    this.#solved.set(key, solved);
  }

  /** @throws SolverNeeded if it is not known, DomainError if the solver refused or its inputs do not stand still */
  value(call: ComputeCall): number {
    this.#asked++;
    const key = keyOf(call);
    const known = this.#solved.get(key);
    if (known === undefined) {
      const late = this.#late.get(this.#asked) ?? 0;
      if (!this.isClosed && late < LIMITS.contracts.solvers.mostLate) throw new SolverNeeded(call);
      const why = this.isClosed ? 'too many solvers are asked at once' : `its inputs changed ${late} times meanwhile`;
      throw new DomainError('CONFLICT', `${call.solver} was not run: ${why}.`);
    }
    if (this.#unused?.key === key) this.#unused = undefined;
    if ('refusal' in known) throw known.refusal;
    return known.value;
  }

  /** Of a run; undefined for what no solver computed. */
  receiptOf(call: ComputeCall): SolverReceipt | undefined {
    const known = this.#solved.get(keyOf(call));
    return known && 'receipt' in known ? known.receipt : undefined;
  }
}

export interface SolverGuardsOptions {
  readonly solve: SolveService;
  readonly fields: FieldRepository;
  readonly clock: Clock;
  /** Of one run, waiting included; LIMITS.contracts.solvers.deadlineMs by default. */
  readonly deadlineMs?: number | undefined;
}

/** Of the node, not of the inputs: tried again another time. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
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

  /** @throws DomainError what has nothing to do with the inputs */
  async run({ solver: id = '', inputs }: ComputeCall, machineId: string): Promise<Solved> {
    const solver = findSolver(id);
    if (solver === undefined) throw new Error(`The solver ${id} was deployed and is not there.`);
    const { deadlineMs = LIMITS.contracts.solvers.deadlineMs } = this.#options;
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const call = { principal: asMachine(machineId), signal, onProgress: undefined, isFiled: false };
      const answer = await this.#options.solve.run(solver, { inputs }, call);
      if (typeof answer.value !== 'number' || !Number.isFinite(answer.value)) {
        return { refusal: new DomainError('VALUE_UNDEFINED', `${id} has no finite value for these inputs.`) };
      }
      return { value: answer.value, receipt: await this.#kept(answer) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // What takes too long would take too long the next time as well.
      if (error.code === 'CANCELLED' && signal.aborted) {
        return { refusal: new DomainError('OUT_OF_TIME', `${id} did not finish in ${deadlineMs} ms.`) };
      }
      if (PASSING.has(error.code)) throw error;
      return { refusal: error };
    }
  }

  /** A long receipt is kept beside the chain under its SHA-256, for a while. */
  async #kept(receipt: object): Promise<SolverReceipt> {
    const { fields, clock } = this.#options;
    const text = canonicalJson(receipt);
    const bytes = utf8(text);
    if (bytes.length <= LIMITS.contracts.solvers.receiptBytes) return JSON.parse(text) as object;
    const nowMs = Number(clock.now() / MS_NS);
    const sha256 = await fields.put(bytes, nowMs + LIMITS.fieldDays * MS_PER_DAY);
    return { sha256, bytes: bytes.length };
  }
}

/** Who asks, for a fair share of the kernels; receipts are signed for everybody. */
function asMachine(machineId: string): Principal {
  return { accountId: '', keyId: machineId, keyPrefix: 'public', scope: 'write', tier: 'standard', isDemo: false };
}

/** What is wrong with the solvers that a definition asks. */
export function solverFaults({ transitions }: Definition): ErrorDetail[] {
  return transitions.flatMap(({ id, pre = [], post = [] }) => {
    const path = `transitions.${id}`;
    const asked = [...pre, ...post].flatMap((action) =>
      'compute' in action && action.compute.solver !== undefined ? [action.compute] : [],
    );
    const faults = asked.flatMap(({ solver: name = '', inputs }) => faultsOf(path, name, Object.keys(inputs)));
    const { perTransition } = LIMITS.contracts.solvers;
    if (asked.length > perTransition) {
      const message = `${path} asks ${asked.length} solvers; at most ${perTransition} are asked in a transition.`;
      faults.push({ path, code: 'SOLVER_GUARD', message });
    }
    return faults;
  });
}

function faultsOf(path: string, name: string, inputs: readonly string[]): ErrorDetail[] {
  const solver = findSolver(name);
  const fault = (code: string, text: string) => [{ path, code, message: `${path} ${text}` }];
  if (solver === undefined) {
    const known = SOLVERS.map(({ id }) => id);
    return fault('SOLVER_UNKNOWN', `asks the solver ${name}, which is not there.${didYouMean(name, known)}`);
  }
  if (solver.open)
    return fault('SOLVER_GUARD', `asks ${name}, which needs equations; a transition gives numbers only.`);
  const fields = Object.keys(solver.inputs.shape);
  return inputs
    .filter((input) => !fields.includes(input))
    .flatMap((input) =>
      fault('UNKNOWN_NAME', `gives ${name} the input ${input}, which it does not take.${didYouMean(input, fields)}`),
    );
}
