// Builds the contracts of a machine in memory from the database: their states, token balances, windows and readings.
//
// It reads outside any transaction, in short statements, and first the number of the machine's changes. Every change of
// what it reads raises that number, so the runtime is whole if the number is still the same when it is used.

import { subjectOf } from '../../contracts/oracle.ts';
import { nextWake, withPendingCheck } from '../../contracts/transition-function.ts';
import { windowsCheckedOnExpiry } from '../../contracts/windows/named-windows.ts';
import { LIMITS } from '../../core/limits.ts';
import type { ContractRepository, ListedContract, StoredContract } from '../../storage/contracts/contracts.ts';
import type { TokenBalance, TokenBalanceRepository } from '../../storage/contracts/token-balances.ts';
import { Batcher } from '../../storage/database/batcher.ts';
import type { Database } from '../../storage/database/database.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { inTurns } from '../../storage/database/turns.ts';
import type { Machine, MachineRepository } from '../../storage/machines/machines.ts';
import { OracleRepository } from '../../storage/oracles/oracles.ts';
import type { CompiledContracts } from './compiled-contracts.ts';
import { auditClockPeriod, type LiveContract, type Runtime, seatsAsRead } from './live-contract.ts';
import { findReadings } from './readings.ts';
import { nextTurn } from './recent-rows.ts';
import { fillWindows, type WindowSources } from './window-loader.ts';

export interface RuntimeLoaderOptions extends WindowSources {
  readonly database: Pick<Database, 'knex'>;
  readonly machines: MachineRepository;
  readonly contracts: ContractRepository;
  readonly tokenBalances: TokenBalanceRepository;
}

/** What most machines need, read for many at once. Undefined where one statement did not hold all of it. */
interface Base {
  readonly machine: Machine;
  readonly contracts: readonly ListedContract[] | undefined;
  readonly balances: readonly TokenBalance[] | undefined;
}

/** Statements of all loads at a time; the other connections of the pool are for changes and requests. */
const STATEMENTS = 3;
const MACHINES_PER_STATEMENT = 64;
const CONTRACTS_PER_STATEMENT = 256;
const BALANCES_PER_STATEMENT = 1_000;
const PAGE = { limit: CONTRACTS_PER_STATEMENT, maxBytes: LIMITS.pageBytes };
/** Contracts compiled before others get a turn. */
const COMPILED_PER_TURN = 4;

export class RuntimeLoader {
  readonly #options: RuntimeLoaderOptions;
  readonly #compiled: CompiledContracts;
  readonly #reads: Executor;
  readonly #bases: Batcher<string, Base | undefined>;

  constructor(options: RuntimeLoaderOptions, compiled: CompiledContracts) {
    this.#options = options;
    this.#compiled = compiled;
    this.#reads = inTurns(options.database.knex, STATEMENTS);
    this.#bases = new Batcher((ids) => this.#readBases(ids), MACHINES_PER_STATEMENT);
  }

  /** @returns undefined if there is no such machine, or it is archived; it may have changed since if its number differs */
  async load(machineId: string): Promise<Runtime | undefined> {
    const base = await this.#bases.load(machineId);
    if (base === undefined || base.machine.status === 'archived') return undefined;
    const on = this.#reads;
    const listed = base.contracts ?? (await this.#allContracts(machineId, on));
    const stored = await this.#defined(listed, on);
    return stored && this.#build(base.machine, stored, base.balances ?? (await this.#allBalances(machineId, on)), on);
  }

  /** The same, of the machine as an open transaction has it. */
  async loadWithin(machine: Machine, on: Executor): Promise<Runtime> {
    const stored = await this.#options.contracts.ofMachine(machine.id, on);
    const running = stored.filter(({ status }) => status !== 'completed' && status !== 'frozen');
    return this.#build(machine, running, await this.#options.tokenBalances.list(machine.id, on), on);
  }

  /** Builds a runtime of these contracts, for a dry run to change. */
  async buildDetached(machine: Machine, stored: readonly StoredContract[], on: Executor): Promise<Runtime> {
    const running = stored.filter(({ status }) => status !== 'frozen');
    const balances = await this.#options.tokenBalances.list(machine.id, on);
    // Segments hold what the definitions that stand have counted; these may be others.
    const { segments: _, ...sources } = this.#options;
    return this.#build(machine, running, balances, on, sources);
  }

  async #readBases(ids: readonly string[]): Promise<(Base | undefined)[]> {
    const { machines, contracts, tokenBalances } = this.#options;
    const on = this.#reads;
    // The numbers of changes first: what is read after them may be newer, which shows, but never older.
    const found = new Map((await machines.byIds(ids, false, on)).map((machine) => [machine.id, machine]));
    const [listed, balances] = await Promise.all([
      contracts.runningPage(ids, PAGE, on),
      tokenBalances.firstOf(ids, BALANCES_PER_STATEMENT, on),
    ]);
    const contractsOf = wholeByMachine(listed.rows, listed.isCut);
    const balancesOf = wholeByMachine(balances, balances.length === BALANCES_PER_STATEMENT);
    return ids.map((id) => {
      const machine = found.get(id);
      return machine && { machine, contracts: contractsOf(id), balances: balancesOf(id) };
    });
  }

  async #allContracts(machineId: string, on: Executor): Promise<ListedContract[]> {
    const all: ListedContract[] = [];
    for (;;) {
      const page = await this.#options.contracts.runningPage([machineId], { ...PAGE, after: all.at(-1)?.id }, on);
      all.push(...page.rows);
      if (!page.isCut) return all;
    }
  }

  async #allBalances(machineId: string, on: Executor): Promise<TokenBalance[]> {
    const all: TokenBalance[] = [];
    for (;;) {
      const last = all.at(-1);
      const after = last && ([last.token, last.holder] as const);
      const page = await this.#options.tokenBalances.page(machineId, { limit: BALANCES_PER_STATEMENT, after }, on);
      all.push(...page);
      if (page.length < BALANCES_PER_STATEMENT) return all;
    }
  }

  /** Adds the definitions, which many contracts share. @returns undefined if one has changed meanwhile */
  async #defined(listed: readonly ListedContract[], on: Executor): Promise<StoredContract[] | undefined> {
    const stored: StoredContract[] = [];
    for (const contract of listed) {
      const known = this.#compiled.definition(contract.definitionHash);
      const read = known ?? (await this.#options.contracts.get(contract.machineId, contract.id, on));
      if (read === undefined || ('definitionHash' in read && read.definitionHash !== contract.definitionHash)) return;
      const { definition, definitionText } = read;
      if (known === undefined) this.#compiled.keepDefinition(contract.definitionHash, { definition, definitionText });
      stored.push({ ...contract, definition, definitionText });
    }
    return stored;
  }

  async #build(
    machine: Machine,
    stored: readonly StoredContract[],
    balances: readonly TokenBalance[],
    on: Executor,
    sources: WindowSources = this.#options,
  ): Promise<Runtime> {
    const runtime: Runtime = {
      epoch: undefined,
      changes: machine.changes,
      contracts: new Map(),
      balances: new Map(balances.map(({ token, holder, amount }) => [`${token}\0${holder}`, amount])),
      stampedAt: undefined,
      segments: undefined,
      unsegmented: 0,
    };
    for (const [i, contract] of stored.entries()) {
      if (i % COMPILED_PER_TURN === COMPILED_PER_TURN - 1) await nextTurn();
      runtime.contracts.set(contract.id, this.#compiled.createLive(contract));
    }
    for (const live of runtime.contracts.values()) {
      live.writtenVersion = live.stored.versionNo;
      live.writtenSeats = seatsAsRead(live.stored);
      live.writtenCollections = live.stored.state.collections;
    }
    await fillWindows(sources, machine, runtime, on);
    if (auditClockPeriod(runtime.contracts.values()) !== undefined) {
      const newest = { type: 'stamp', order: 'newest first', limit: 1 } as const;
      runtime.stampedAt = (await this.#options.audit.select(machine.id, machine.head.slug, newest, on))[0]?.svcond;
    }
    await this.#fillReadings(machine, runtime, on);
    for (const live of runtime.contracts.values()) restoreOverdueCheck(live);
    return runtime;
  }

  /** Loads the oracle readings that conditions can still see. */
  async #fillReadings(machine: Machine, { contracts }: Runtime, on: Executor): Promise<void> {
    const lives = [...contracts.values()].filter(({ running }) => running.contract.oracle !== undefined);
    if (lives.length === 0) return;
    const stored = await new OracleRepository(on).ofMachine(machine.id, on);
    const found = await findReadings(this.#options, machine, lives, stored, on);
    for (const live of lives) {
      const { id, versionNo } = live.stored;
      live.oracleVersion = versionNo;
      const { oracle } = live.running.contract;
      const known = stored.find(({ contractId }) => contractId === id);
      // A what-if definition may measure another subject.
      if (oracle === undefined || known?.subject !== subjectOf(oracle)) continue;
      for (const reading of found.get(id) ?? []) live.running.readings?.add(reading);
    }
  }
}

/** Rows by machine, of a page in the order of machine ids: a machine with which a cut page ends, or after it, has none. */
function wholeByMachine<Of extends { readonly machineId: string }>(page: readonly Of[], isCut: boolean) {
  const byMachine = new Map<string, Of[]>();
  for (const one of page) {
    const others = byMachine.get(one.machineId);
    if (others === undefined) byMachine.set(one.machineId, [one]);
    else others.push(one);
  }
  const last = isCut ? (page.at(-1)?.machineId ?? '') : undefined;
  return (id: string): readonly Of[] | undefined =>
    last !== undefined && id >= last ? undefined : (byMachine.get(id) ?? []);
}

/**
 * Restores the window check that was due when the contract was last stored. Samples that expired before the stored
 * `nextFire` have been checked. Later ones may be too old to be loaded; then a check is pending since `nextFire`.
 */
function restoreOverdueCheck({ stored: { nextFire }, running, instances }: LiveContract): void {
  const { contract, state, windows } = running;
  if (nextFire === undefined || instances !== undefined) return;
  for (const { key } of windowsCheckedOnExpiry(contract, state.state)) windows.get(key)?.expire(nextFire - 1);
  if ((nextWake(contract, state, windows) ?? Number.POSITIVE_INFINITY) <= nextFire) return;
  running.state = withPendingCheck(contract, state, nextFire);
}
