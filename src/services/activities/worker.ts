// Performs the activities that contracts have started: computes laws and solvers in the pools, sends requests, and records
// what became of each in one change of its machine, which settles the activity (storage/contracts/activities.ts).
//
// Each node works for the machines that it owns, and machines take turns. A try counts before it begins, so that one which
// ends the node counts too; one that a node ends in order does not. Of two nodes that perform the same activity one records its result: the other finds it settled.

import { SYSTEM_ACTOR } from '../../chain/row.ts';
import { type CallOutcome, failedCall, resultOf } from '../../contracts/calls/result.ts';
import type { ComputeCall, StartedCall } from '../../contracts/contract-state.ts';
import { keyFields } from '../../contracts/instances/keys.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError, type ErrorCode } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import {
  type ActivityRepository,
  type PendingActivity,
  settledActivities,
} from '../../storage/contracts/activities.ts';
import { into } from '../../storage/database/writer.ts';
import type { MachineRepository } from '../../storage/machines/machines.ts';
import type { ChangeHandler, ContractEngine } from '../engine/engine.ts';
import type { SolverOutcome } from '../engine/solver-guards.ts';
import type { MachineOwners } from '../node/owners/machine-owners.ts';
import { WakingPoll } from '../node/waking-poll.ts';
import { type RequestOptions, sendRequest, type Tried } from './request.ts';

export interface ActivityWorkerOptions extends RequestOptions {
  readonly engine: ContractEngine;
  readonly activities: ActivityRepository;
  readonly machines: MachineRepository;
  readonly owners: Pick<MachineOwners, 'during'>;
  /** Runs a law or a solver, sealed. */
  readonly seal: (call: ComputeCall, machineId: string, name: string) => Promise<SolverOutcome>;
  /** Shards of the machines that this node works for. */
  readonly shards: () => readonly number[];
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const POLL_INTERVAL_MS = 500;
const MACHINES_PER_POLL = 100;
/** Ticks until a result is offered again to a machine that could not take it. */
const OFFER_TICKS = 8;

/** Errors by which a contract cannot bear a result, now or later. */
const UNBEARABLE: ReadonlySet<string> = new Set(['BUDGET_EXCEEDED', 'CONFLICT']);
/** Errors of a node that ends: the try is another node's. */
const ENDING: ReadonlySet<ErrorCode> = new Set(['SHUTTING_DOWN', 'CANCELLED']);

export class ActivityWorker {
  readonly #options: ActivityWorkerOptions;
  readonly #polling: WakingPoll;
  readonly #stopping = new AbortController();
  readonly #inFlight = new Map<string, { readonly machineId: string; readonly done: Promise<void> }>();
  #lastMachine: string | undefined;

  constructor(options: ActivityWorkerOptions) {
    this.#options = options;
    const { onError } = options;
    this.#polling = new WakingPoll({ intervalMs: POLL_INTERVAL_MS, work: () => this.#startDue(), onError });
  }

  start(): void {
    this.#polling.start();
  }

  /** Polls soon, since a change has started activities. */
  wake(): void {
    this.#polling.wake();
  }

  /** Starts nothing more, ends requests, and waits for what is in flight. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#polling.stop();
    await Promise.all([...this.#inFlight.values()].map(({ done }) => done));
  }

  get #tick(): number {
    return tickOf(this.#options.clock.now());
  }

  /** @returns whether there is more to do at once */
  async #startDue(): Promise<boolean> {
    const { activities, shards, clock } = this.#options;
    const { inFlight: max, ofMachine } = LIMITS.contracts.calls;
    const ownShards = shards();
    // A clock that is not trusted starts nothing.
    if (ownShards.length === 0 || clock.fault?.() !== undefined) return false;
    const machines = await activities.machines(ownShards, this.#lastMachine, MACHINES_PER_POLL);
    for (const machineId of machines) {
      // The next poll goes on here; whatever ends asks for it.
      if (this.#inFlight.size >= max || this.#polling.isStopped) return false;
      // Those in flight are still due, and count.
      for (const activity of await activities.dueOf(machineId, this.#tick, ofMachine)) this.#begin(activity);
      this.#lastMachine = machineId;
    }
    if (machines.length === MACHINES_PER_POLL) return true;
    this.#lastMachine = undefined;
    return false;
  }

  #begin(activity: PendingActivity): void {
    const { machineId, seq, no } = activity;
    const key = `${machineId} ${seq} ${no}`;
    if (this.#inFlight.has(key)) return;
    const done = this.#run(activity)
      .catch(this.#options.onError)
      .finally(() => {
        this.#inFlight.delete(key);
        this.wake();
      });
    this.#inFlight.set(key, { machineId, done });
  }

  async #run(activity: PendingActivity): Promise<void> {
    const { activities, onError } = this.#options;
    const call = JSON.parse(activity.call) as StartedCall;
    const kept = activity.outcome === null ? undefined : (JSON.parse(activity.outcome) as CallOutcome);
    const tries = kept === undefined ? Math.min(activity.attempts + 1, call.tries) : activity.attempts;
    let outcome = kept;
    if (outcome === undefined) {
      if (!(await activities.begin(activity))) return;
      const tried = await this.#try(activity, call);
      if (tried === undefined) return activities.giveBack(activity);
      if (!tried.isFinal && tries < call.tries)
        return activities.defer(activity, this.#tick + delayOf(call, tries), null);
      outcome = tried.outcome;
    }
    try {
      if (await this.#settle(activity, call, outcome, tries)) return;
    } catch (error) {
      if (!(error instanceof DomainError)) onError(error);
    }
    // Paused meanwhile, or busy: what became of it is kept, so that it is not done again.
    await activities.defer(activity, this.#tick + OFFER_TICKS, JSON.stringify(outcome));
  }

  /** Undefined if this node ends meanwhile. */
  async #try(activity: PendingActivity, call: StartedCall): Promise<Tried | undefined> {
    const { machines, onError } = this.#options;
    const { machineId, seq, no, attempts } = activity;
    if (attempts >= call.tries) {
      const reason = 'Its last try ended with the node that made it.';
      return { outcome: failedCall('INTERRUPTED', reason), isFinal: true };
    }
    try {
      if (call.http === undefined) return await this.#compute(call, machineId, `${machineId} ${seq} ${no}`);
      const [machine] = await machines.byIds([machineId], false);
      if (machine === undefined) throw new Error(`Machine ${machineId} is missing.`);
      const id = sha256Hex(`svc-activity\0${machineId}\0${seq}\0${no}`).slice(0, 32);
      return await sendRequest(this.#options, call.http, machine, id, this.#stopping.signal);
    } catch (error) {
      if (this.#stopping.signal.aborted) return undefined;
      if (!(error instanceof DomainError)) onError(error);
      if (error instanceof DomainError && ENDING.has(error.code)) return undefined;
      const { code, message } =
        error instanceof DomainError ? error : { code: 'INTERNAL', message: 'A fault of the node.' };
      return { outcome: failedCall(code, message), isFinal: false };
    }
  }

  /** @throws DomainError for errors that do not depend on the inputs */
  async #compute(
    { operator, solver, inputs = {}, unit: asked }: StartedCall,
    machineId: string,
    name: string,
  ): Promise<Tried> {
    const called = { ...(operator === undefined ? { solver: solver ?? '' } : { operator }), inputs };
    const found = await this.#options.seal(called, machineId, name);
    if ('refusal' in found) {
      const { code, message } = found.refusal;
      return { outcome: failedCall(code, message), isFinal: true };
    }
    const { unit } = found;
    if (unit === asked) return { outcome: { kind: 'computed', ...found }, isFinal: true };
    const reason = `The value is in ${unit}; the activity asks for ${asked}.`;
    return { outcome: failedCall('UNIT_MISMATCH', reason), isFinal: true };
  }

  /**
   * Records what became of an activity, and tells its contract.
   *
   * @returns false if the contract is paused or has failed meanwhile
   * @throws DomainError if the machine cannot take it now
   */
  async #settle(activity: PendingActivity, call: StartedCall, outcome: CallOutcome, tries: number): Promise<boolean> {
    const isLast = outcome.kind === 'failed' && outcome.code === 'HOP_LIMIT';
    // Beyond the limit nothing is caused any more, or it would go on for ever.
    if (isLast) return this.#refuse(activity, outcome, tries);
    try {
      return await this.#tell(activity, call, outcome, tries);
    } catch (error) {
      if (!(error instanceof DomainError) || !UNBEARABLE.has(error.code)) throw error;
      return this.#refuse(activity, failedCall(error.code, error.message), tries);
    }
  }

  #tell(activity: PendingActivity, call: StartedCall, outcome: CallOutcome, tries: number): Promise<boolean> {
    const { machineId, seq, no, contractId, hops } = activity;
    const instance = activity.instance ?? undefined;
    const { name, payload: told, evidence } = resultOf(call, outcome, tries);
    const { activities } = this.#options;
    const work: ChangeHandler<boolean> = async (session, runtime, machine, on) => {
      if (!(await activities.isPending(activity, on))) return true;
      const live = runtime.contracts.get(contractId);
      const status = live?.stored.status;
      if (machine.status !== 'active' || status === 'paused' || status === 'failed') return false;
      const payload = { ...told, ...(live === undefined ? {} : keyFields(live.stored.definition, name, instance)) };
      if (activity.isOfStranger) session.markStranger();
      const of = instance === undefined ? { to: contractId } : { to: contractId, instance };
      const number = session.addRow('event', 'call', { name, payload, ...of, call: { seq, no, tries, ...evidence } });
      session.writes.push(into(settledActivities, { machineId, seq, no, settledSeq: number }));
      session.deliver({ name, payload, number, to: contractId, isOutcome: true, hops });
      return true;
    };
    return this.#change(machineId, work);
  }

  /** Records that there is no result that the contract could hear. */
  #refuse(
    activity: PendingActivity,
    { code, reason }: { readonly code: string; readonly reason: string },
    tries: number,
  ) {
    const { machineId, seq, no, contractId: contract, instance, transition } = activity;
    const { activities } = this.#options;
    const work: ChangeHandler<boolean> = async (session, _runtime, _machine, on) => {
      if (!(await activities.isPending(activity, on))) return true;
      if (activity.isOfStranger) session.markStranger();
      const of = instance === null ? { contract } : { contract, instance };
      const row = { ...of, transition, code, reason, call: { seq, no, tries } };
      const settledSeq = session.addRow('refused', 'call', row);
      session.writes.push(into(settledActivities, { machineId, seq, no, settledSeq }));
      return true;
    };
    return this.#change(machineId, work);
  }

  #change(machineId: string, work: ChangeHandler<boolean>): Promise<boolean> {
    const { engine, owners } = this.#options;
    return owners.during(machineId, async () => (await engine.change(machineId, SYSTEM_ACTOR, work)).answer);
  }
}

/** Ticks from a try to the next: twice as long after each, up to a day. @param tries  that have been made */
function delayOf({ backoff }: StartedCall, tries: number): number {
  return Math.min(LIMITS.contracts.calls.maxDelayTicks, backoff * 2 ** (tries - 1));
}
