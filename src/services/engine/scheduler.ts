// Scheduler: polls four times a tick for machines with due timers, and has the engine wake them.
//
// Several nodes share the timers: each fires those of the machines that it owns (services/node/owners). The next owner
// of a machine loses no timer, since timers are absolute ticks in the database.

import { type Clock, TICK_NS, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { TimerRepository } from '../../storage/contracts/timers.ts';
import type { MachineOwners } from '../node/owners/machine-owners.ts';
import type { ContractEngine } from './engine.ts';

export interface SchedulerOptions {
  readonly engine: ContractEngine;
  readonly timers: TimerRepository;
  readonly owners: MachineOwners;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** The first poll is at the start of the tick. */
const POLLS_PER_TICK = 4n;
/** Timers per batch. All due timers of a machine are handled in one wake. */
const BATCH_SIZE = 500;
/** Maximum delay before a failing machine is retried. */
const MAX_BACKOFF_TICKS = 64;

export class Scheduler {
  readonly #options: SchedulerOptions;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #isStopped = false;
  /** Backoff of machines whose wake failed, so that they do not delay others. */
  readonly #backoffs = new Map<string, { readonly failures: number; readonly untilTick: number }>();
  /** Ticks by which the oldest due timer is late. */
  #lagTicks = 0;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  get lagTicks(): number {
    return this.#lagTicks;
  }

  /** The shards whose timers this node fires. */
  get shards(): readonly number[] {
    return this.#isStopped ? [] : this.#options.owners.shards;
  }

  start(): void {
    const interval = TICK_NS / POLLS_PER_TICK;
    const untilNext = interval - ((this.#options.clock.now() % TICK_NS) % interval);
    this.#timer = setTimeout(
      () => {
        void this.poll();
        this.start();
      },
      Math.ceil(Number(untilNext) / 1e6),
    ).unref();
  }

  /** Polls once, or waits for the poll in progress. Never rejects. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll()
      .catch(this.#options.onError)
      .finally(() => {
        this.#polling = undefined;
      });
    return this.#polling;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#polling;
    await this.#options.owners.leave();
  }

  async #poll(): Promise<void> {
    const { timers, engine, clock, owners } = this.#options;
    // Neither fires nor renews, so that another node takes the timers over. The clock itself reports the fault.
    if (clock.fault?.() !== undefined) return;
    await owners.renewIfDue();
    while (this.shards.length > 0) {
      const now = tickOf(clock.now());
      // Machines that wait for a solver or their allowance are due as well; they must not fill the batch.
      const except = [...engine.waiting, ...this.#backingOff(now)];
      const { machines: due, isCut } = await timers.due(this.shards, now, BATCH_SIZE, except);
      this.#lagTicks = due[0] === undefined ? 0 : now - due[0].fireTick;
      if (due.length === 0) return;
      const woken = await Promise.allSettled(
        due.map(({ machineId }) => owners.during(machineId, () => engine.wake(machineId))),
      );
      for (const [i, { machineId }] of due.entries()) this.#recordOutcome(machineId, woken[i], now);
      // A failed machine stays due; polling again at once would retry it without a pause.
      if (!isCut || woken.some(({ status }) => status === 'rejected')) return;
    }
  }

  #recordOutcome(id: string, outcome: PromiseSettledResult<unknown> | undefined, now: number): void {
    if (outcome?.status !== 'rejected') {
      this.#backoffs.delete(id);
      return;
    }
    const { reason } = outcome;
    this.#options.onError(reason);
    // Temporary, and not caused by this machine.
    if (reason instanceof DomainError && ['STORAGE_UNAVAILABLE', 'QUEUE_FULL', 'RATE_LIMITED'].includes(reason.code))
      return;
    const failures = (this.#backoffs.get(id)?.failures ?? 0) + 1;
    this.#backoffs.set(id, { failures, untilTick: now + Math.min(2 ** failures, MAX_BACKOFF_TICKS) });
  }

  #backingOff(now: number): string[] {
    // A machine that is no longer due after its backoff was repaired or stopped elsewhere.
    for (const [id, { untilTick }] of this.#backoffs) {
      if (untilTick + MAX_BACKOFF_TICKS < now) this.#backoffs.delete(id);
    }
    return [...this.#backoffs].flatMap(([id, { untilTick }]) => (untilTick > now ? [id] : []));
  }
}
