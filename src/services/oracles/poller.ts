// Polls oracles that read on a schedule: web servers, operators, other machines. Each node polls for the shards it
// holds, and claims a poll before it starts, so that two nodes never run the same one.
//
// A failed poll writes no row; it is counted, and the last reading grows older.

import { SYSTEM_ACTOR } from '../../chain/row.ts';
import { type CompiledOracle, readingOf } from '../../contracts/oracle.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { ContractRepository } from '../../storage/contracts/contracts.ts';
import type { DuePoll, OracleRepository } from '../../storage/oracles/oracles.ts';
import type { ContractEngine } from '../engine/engine.ts';
import type { LiveContract } from '../engine/live-contract.ts';
import type { Session } from '../engine/session.ts';
import type { OutboundClient } from '../node/outbound.ts';
import { type FollowedEvent, type MachineReader, readFromHttp, readFromMachine, readFromOperator } from './sources.ts';

export interface OraclePollerOptions extends MachineReader {
  readonly engine: ContractEngine;
  readonly contracts: ContractRepository;
  readonly oracles: OracleRepository;
  readonly outbound: OutboundClient;
  readonly clock: Clock;
  /** Shards that this node holds a lease on. */
  readonly shards: () => readonly number[];
  readonly onError: (error: unknown) => void;
}

const POLL_INTERVAL_MS = 500;
const MAX_IN_FLIGHT = 32;

export class OraclePoller {
  readonly #options: OraclePollerOptions;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;

  constructor(options: OraclePollerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.poll(), POLL_INTERVAL_MS).unref();
  }

  /** Starts the polls that are due, up to MAX_IN_FLIGHT at a time. Never rejects. */
  poll(): Promise<void> {
    this.#polling ??= this.#pollDue()
      .catch(this.#options.onError)
      .finally(() => {
        this.#polling = undefined;
      });
    return this.#polling;
  }

  /** Resolves when all polls in flight have ended. */
  async settled(): Promise<void> {
    await this.#polling;
    await Promise.all(this.#inFlight);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.settled();
  }

  async #pollDue(): Promise<void> {
    const { oracles, shards, clock } = this.#options;
    const ownShards = shards();
    const capacity = MAX_IN_FLIGHT - this.#inFlight.size;
    if (this.#stopping.signal.aborted || ownShards.length === 0 || capacity <= 0) return;
    for (const due of await oracles.claimDue(ownShards, tickOf(clock.now()), capacity)) {
      const running = this.#runPoll(due).finally(() => this.#inFlight.delete(running));
      this.#inFlight.add(running);
    }
  }

  async #runPoll(due: DuePoll): Promise<void> {
    const { oracles, onError } = this.#options;
    try {
      await this.#read(due);
      await oracles.recordPoll(due, undefined);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      if (!(error instanceof DomainError)) onError(error);
      const reason = error instanceof DomainError ? `${error.code}: ${error.message}` : 'INTERNAL';
      await oracles.recordPoll(due, reason).catch(onError);
    }
  }

  async #read(due: DuePoll): Promise<void> {
    const { contracts, machines, engine, outbound, oracles } = this.#options;
    const { machineId, contractId } = due;
    const stored = await contracts.get(machineId, contractId);
    // A newer version is polled on its own schedule.
    if (stored?.versionNo !== due.versionNo) return;
    const { oracle } = engine.runtimes.compile(stored);
    if (oracle === undefined) return;
    switch (oracle.kind) {
      case 'http': {
        const [machine] = await machines.byIds([machineId], false);
        if (machine === undefined) return;
        const read = await readFromHttp(outbound, oracle, machine.settings, this.#stopping.signal);
        await this.#record(due, (session, live) => {
          session.recordReading(live, readingOf(oracle, { ...read, tick: session.tick }));
        });
        break;
      }
      case 'operator':
        await this.#record(due, (session, live) => {
          const { contract, state } = live.running;
          const read = readFromOperator(oracle, contract, state.context, session.environment);
          session.recordReading(live, readingOf(oracle, { ...read, tick: session.tick }));
        });
        break;
      case 'machine': {
        const { found, cursor } = await readFromMachine(this.#options, oracle, due.cursorSeq ?? undefined, due.askedBy);
        if (await this.#follow(due, oracle, found)) await oracles.advance(due, cursor);
        break;
      }
    }
  }

  /** @returns false if the contract no longer follows; then the events found have not been recorded */
  async #follow(due: DuePoll, oracle: CompiledOracle, found: readonly FollowedEvent[]): Promise<boolean> {
    if (found.length === 0) return true;
    const { oracles } = this.#options;
    const source = oracle.machine ?? '';
    return this.#record(due, async (session, live, on) => {
      // Another node, or a poll that took longer than its period, may have recorded some events meanwhile.
      const written = (await oracles.cursor(due.machineId, due.contractId, on)) ?? -1;
      const { versionNo, seq: pending } = live.followedCursor ?? {};
      const last = versionNo === due.versionNo ? Math.max(written, pending ?? -1) : written;
      for (const { seq, tick, value } of found) {
        if (seq <= last) continue;
        // Clocks of nodes may differ slightly; a reading must not be from the future.
        const input = { value, source, tick: Math.min(tick, session.tick) };
        session.recordReading(
          live,
          readingOf(oracle, input, session.tick),
          { followed: { machine: source, seq } },
          seq,
        );
      }
    });
  }

  /** @returns false if the contract has changed or stopped meanwhile; then nothing is written */
  async #record(
    { machineId, contractId, versionNo }: DuePoll,
    work: (session: Session, live: LiveContract, on: Parameters<OracleRepository['cursor']>[2]) => void | Promise<void>,
  ): Promise<boolean> {
    const { answer } = await this.#options.engine.change(machineId, SYSTEM_ACTOR, async (session, runtime, _, on) => {
      const live = runtime.contracts.get(contractId);
      if (live?.stored.versionNo !== versionNo || live.stored.status !== 'active') return false;
      await work(session, live, on);
      return true;
    });
    return answer;
  }
}
