// Asks the oracles that are asked by the clock: web servers, operators, other machines. Of several nodes each asks for the
// contracts whose timers it looks after, and a question is taken before it is asked, so that two nodes never ask it at once.
//
// What fails writes nothing into the chain: it is counted, and the age of the last reading goes on rising.

import { SYSTEM_ACTOR } from '../../chain/row.ts';
import { type CompiledOracle, readingOf } from '../../contracts/oracle.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { ContractRepository } from '../../storage/contracts/contracts.ts';
import type { DuePoll, OracleRepository } from '../../storage/oracles/oracles.ts';
import type { ContractEngine } from '../contracts/engine.ts';
import type { Live } from '../contracts/runtime.ts';
import type { Session } from '../contracts/session.ts';
import type { Outbound } from '../node/outbound.ts';
import { type Followed, type MachineReader, readHttp, readMachine, readOperator } from './sources.ts';

export interface OraclePollerOptions extends MachineReader {
  readonly engine: ContractEngine;
  readonly contracts: ContractRepository;
  readonly oracles: OracleRepository;
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** Those that this node looks after now. */
  readonly shards: () => readonly number[];
  readonly onFailed: (error: unknown) => void;
}

const LOOK_EVERY_MS = 500;
const MOST_UNDER_WAY = 32;

export class OraclePoller {
  readonly #options: OraclePollerOptions;
  readonly #underWay = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(options: OraclePollerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  /** Begins to ask whatever is due and there is room for. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(this.#options.onFailed)
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** Everything that is under way has been answered. */
  async settled(): Promise<void> {
    await this.#looking;
    await Promise.all(this.#underWay);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.settled();
  }

  async #look(): Promise<void> {
    const { oracles, shards, clock } = this.#options;
    const mine = shards();
    const room = MOST_UNDER_WAY - this.#underWay.size;
    if (this.#stopping.signal.aborted || mine.length === 0 || room <= 0) return;
    for (const due of await oracles.claim(mine, tickOf(clock.now()), room)) {
      const asking = this.#ask(due).finally(() => this.#underWay.delete(asking));
      this.#underWay.add(asking);
    }
  }

  async #ask(due: DuePoll): Promise<void> {
    const { oracles, onFailed } = this.#options;
    try {
      await this.#read(due);
      await oracles.settle(due, undefined);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      if (!(error instanceof DomainError)) onFailed(error);
      const reason = error instanceof DomainError ? `${error.code}: ${error.message}` : 'INTERNAL';
      await oracles.settle(due, reason).catch(onFailed);
    }
  }

  async #read(due: DuePoll): Promise<void> {
    const { contracts, machines, engine, outbound, oracles } = this.#options;
    const { machineId, contractId } = due;
    const stored = await contracts.get(machineId, contractId);
    // Another version is asked when its own time has come.
    if (stored?.versionNo !== due.versionNo) return;
    const { oracle } = engine.runtimes.compiled(stored);
    if (oracle === undefined) return;
    switch (oracle.kind) {
      case 'http': {
        const [machine] = await machines.byIds([machineId], false);
        if (machine === undefined) return;
        const read = await readHttp(outbound, oracle, machine.settings, this.#stopping.signal);
        await this.#record(due, (session, live) => {
          session.read(live, readingOf(oracle, { ...read, tick: session.tick }));
        });
        break;
      }
      case 'operator':
        await this.#record(due, (session, live) => {
          const { contract, state } = live.running;
          const read = readOperator(oracle, contract, state.context, session.world);
          session.read(live, readingOf(oracle, { ...read, tick: session.tick }));
        });
        break;
      case 'machine': {
        const { found, cursor } = await readMachine(this.#options, oracle, due.cursorSeq ?? undefined, due.askedBy);
        if (await this.#follow(due, oracle, found)) await oracles.advance(due, cursor);
        break;
      }
    }
  }

  /** @returns false if the contract does not follow any more: then what was found is still to be read */
  async #follow(due: DuePoll, oracle: CompiledOracle, found: readonly Followed[]): Promise<boolean> {
    if (found.length === 0) return true;
    const { oracles } = this.#options;
    const source = oracle.machine ?? '';
    return this.#record(due, async (session, live, on) => {
      // Another node may have been here meanwhile, or a question that took longer than its period.
      const written = (await oracles.cursor(due.machineId, due.contractId, on)) ?? -1;
      const { versionNo, seq: own } = live.followed ?? {};
      const seen = versionNo === due.versionNo ? Math.max(written, own ?? -1) : written;
      for (const { seq, tick, value } of found) {
        if (seq <= seen) continue;
        // Clocks of nodes may differ by a little; a reading is never of the future.
        const told = { value, source, tick: Math.min(tick, session.tick) };
        session.read(live, readingOf(oracle, told, session.tick), { followed: { machine: source, seq } }, seq);
      }
    });
  }

  /** @returns false if the contract has changed or stopped meanwhile: then nothing was written */
  async #record(
    { machineId, contractId, versionNo }: DuePoll,
    work: (session: Session, live: Live, on: Parameters<OracleRepository['cursor']>[2]) => void | Promise<void>,
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
