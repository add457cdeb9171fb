// The scheduler: looks for machines with contracts whose time has come, four times a tick, and lets the engine wake them.
//
// Several nodes share the timers by leases on shards. A node that stops renewing loses them after LEASE_MS, and whoever
// takes them over finds every timer where it was, since timers are absolute ticks in the database.

import { type Clock, TICK_NS, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { type ContractRepository, SHARDS } from '../../storage/contracts/contracts.ts';
import type { LeaseRepository } from '../../storage/node/leases.ts';
import type { ContractEngine } from './engine.ts';

export interface SchedulerOptions {
  readonly engine: ContractEngine;
  readonly contracts: ContractRepository;
  readonly leases: LeaseRepository;
  readonly clock: Clock;
  /** This process, among those on one database. */
  readonly owner: string;
  /** How long a node that died keeps its share; LEASE_MS by default. */
  readonly leaseMs?: number | undefined;
  readonly onFailed: (error: unknown) => void;
}

/** The first look of a tick is at its beginning. */
const LOOKS_PER_TICK = 4n;
const LEASE_MS = 6_000;
const RENEWALS_PER_LEASE = 3;
/** Machines. All that is due of one is looked at together. */
const AT_ONCE = 500;
/** A machine that fails again and again is left alone for so many ticks at most. */
const LONGEST_PAUSE_TICKS = 64;

export class Scheduler {
  readonly #options: SchedulerOptions;
  #shards: readonly number[] = [];
  #renewedMs = Number.NEGATIVE_INFINITY;
  #heldUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isStopped = false;
  /** Machines whose timers could not be looked at: what is wrong with them must not keep others from their turn. */
  readonly #failing = new Map<string, { readonly times: number; readonly until: number }>();
  /** Ticks between the time of the last looked-at timer and its turn. */
  #lagTicks = 0;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  get lagTicks(): number {
    return this.#lagTicks;
  }

  /** The shards that this node looks after now. */
  get shards(): readonly number[] {
    return !this.#isStopped && this.#nowMs() < this.#heldUntilMs ? this.#shards : [];
  }

  start(): void {
    const part = TICK_NS / LOOKS_PER_TICK;
    const untilNext = part - ((this.#options.clock.now() % TICK_NS) % part);
    this.#timer = setTimeout(
      () => {
        void this.look();
        this.start();
      },
      Math.ceil(Number(untilNext) / 1e6),
    ).unref();
  }

  /** Looks once, or waits for the look under way. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(this.#options.onFailed)
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#options.leases.release(this.#options.owner, this.#nowMs()).catch(this.#options.onFailed);
  }

  async #look(): Promise<void> {
    const { contracts, engine, clock } = this.#options;
    await this.#renew();
    while (!this.#isStopped && this.#shards.length > 0 && this.#nowMs() < this.#heldUntilMs) {
      const now = tickOf(clock.now());
      // Machines that wait for a solver are due as well, and must not stand in the way of others.
      const due = await contracts.due(this.#shards, now, AT_ONCE, [...engine.solving, ...this.#pausedAt(now)]);
      this.#lagTicks = due[0] === undefined ? 0 : now - due[0].fireTick;
      if (due.length === 0) return;
      const woken = await Promise.allSettled(due.map(({ machineId }) => engine.wake(machineId)));
      for (const [i, { machineId }] of due.entries()) this.#note(machineId, woken[i], now);
      // What fails stays due; it must not be tried again and again without a pause.
      if (due.length < AT_ONCE || woken.some(({ status }) => status === 'rejected')) return;
    }
  }

  #note(id: string, outcome: PromiseSettledResult<unknown> | undefined, now: number): void {
    if (outcome?.status !== 'rejected') {
      this.#failing.delete(id);
      return;
    }
    const { reason } = outcome;
    this.#options.onFailed(reason);
    // That is nothing about this machine, and it passes.
    if (reason instanceof DomainError && ['STORAGE_UNAVAILABLE', 'QUEUE_FULL'].includes(reason.code)) return;
    const times = (this.#failing.get(id)?.times ?? 0) + 1;
    this.#failing.set(id, { times, until: now + Math.min(2 ** times, LONGEST_PAUSE_TICKS) });
  }

  #pausedAt(now: number): string[] {
    // What was not due again after its pause has been mended or ended elsewhere.
    for (const [id, { until }] of this.#failing) if (until + LONGEST_PAUSE_TICKS < now) this.#failing.delete(id);
    return [...this.#failing].flatMap(([id, { until }]) => (until > now ? [id] : []));
  }

  async #renew(): Promise<void> {
    const { leases, owner } = this.#options;
    const nowMs = this.#nowMs();
    const { leaseMs = LEASE_MS } = this.#options;
    if (nowMs - this.#renewedMs < leaseMs / RENEWALS_PER_LEASE) return;
    this.#shards = await leases.hold(owner, SHARDS, nowMs, nowMs + leaseMs);
    this.#renewedMs = nowMs;
    this.#heldUntilMs = nowMs + leaseMs;
  }

  #nowMs(): number {
    return Number(this.#options.clock.now() / 1_000_000n);
  }
}
