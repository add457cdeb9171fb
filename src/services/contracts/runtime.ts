// The contracts of a machine in memory: compiled, with their windows. It follows from the database and is built anew
// whenever the database may know better.

import { LRUCache } from 'lru-cache';
import type { NewRow, Row } from '../../chain/row.ts';
import { type CompiledContract, compileContract } from '../../contracts/compiled.ts';
import { heardAs, subjectOf } from '../../contracts/oracle.ts';
import { emptyReadings, heardNames, type Running } from '../../contracts/progress.ts';
import { emptyWindows, mindingIn, nextWake, observe, owing } from '../../contracts/react.ts';
import type { Windows } from '../../contracts/reaction.ts';
import type { Readings } from '../../contracts/readings.ts';
import type { Evaluate } from '../../contracts/typed.ts';
import { MOST_SAMPLES } from '../../contracts/window.ts';
import type { ContractRepository, StoredContract } from '../../storage/contracts/contracts.ts';
import type { Executor } from '../../storage/database/sql.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import { Later, type Write } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import { OracleRepository } from '../../storage/oracles/oracles.ts';
import { findReadings, type ReadingPayload } from '../oracles/rows.ts';
import type { KeptSamples } from './kept-samples.ts';

/** One contract at work. */
export interface Live {
  stored: StoredContract;
  running: Running;
  /** Names of the events that it hears. */
  listens: ReadonlySet<string>;
  /** The version whose definition the database has. */
  writtenVersion?: number;
  /** The version whose oracle the database knows of. */
  registered?: number;
  /** How far a version has read another machine, perhaps in a change that is still to be written. */
  followed?: { readonly versionNo: number; readonly seq: number };
}

export interface Runtime {
  readonly epoch: number;
  readonly contracts: Map<string, Live>;
  /** By `token\0holder`. */
  readonly balances: Map<string, number>;
  /** Tick of the newest row of the audit clock. */
  stampedAt: number | undefined;
}

export interface RuntimesOptions {
  readonly contracts: ContractRepository;
  readonly audit: AuditRepository;
  /** Where payloads are sealed: without them, windows begin empty after a restart. */
  readonly keptSamples?: KeptSamples;
  readonly evaluate: Evaluate;
}

const KEPT_MACHINES = 2_000;
const KEPT_DEFINITIONS = 2_000;

export class Runtimes {
  readonly #options: RuntimesOptions;
  readonly #runtimes = new LRUCache<string, Runtime>({ max: KEPT_MACHINES });
  readonly #compiled = new LRUCache<string, CompiledContract>({ max: KEPT_DEFINITIONS });

  constructor(options: RuntimesOptions) {
    this.#options = options;
  }

  /**
   * What is in memory if it is of this epoch, else what the database says.
   *
   * @param isFirst  the database knows everything that was decided about the machine
   * @throws Later if it does not
   */
  async of(machine: Machine, on: Executor, epoch: number, isFirst: boolean): Promise<Runtime> {
    const known = this.#runtimes.get(machine.id);
    if (known?.epoch === epoch) return known;
    if (!isFirst) throw new Later();
    const runtime = await this.#read(machine, on, epoch);
    this.#runtimes.set(machine.id, runtime);
    return runtime;
  }

  forget(machineId: string): void {
    this.#runtimes.delete(machineId);
  }

  /** What is to be written beside rows so that windows can be filled from them again. */
  samplesOf(machine: Machine, runtime: Runtime, rows: readonly NewRow[]): Write[] {
    return this.#options.keptSamples?.writesFor(machine, runtime, rows) ?? [];
  }

  liveOf(stored: StoredContract, windows?: Windows, given?: Readings): Live {
    const contract = this.compiled(stored);
    const readings = given ?? emptyReadings(contract);
    const running = { contract, state: stored.state, windows: windows ?? emptyWindows(contract), readings };
    return { stored, running, listens: heardNames(contract) };
  }

  compiled({
    definition,
    definitionHash,
    parameters,
  }: Pick<StoredContract, 'definition' | 'definitionHash' | 'parameters'>): CompiledContract {
    const key = `${definitionHash} ${JSON.stringify(parameters)}`;
    const known = this.#compiled.get(key);
    if (known) return known;
    const compiled = compileContract(definition, parameters);
    this.#compiled.set(key, compiled);
    return compiled;
  }

  /** These contracts as they would stand in memory, kept nowhere: what a dry run may change as it likes. */
  async apart(machine: Machine, stored: readonly StoredContract[], on: Executor): Promise<Runtime> {
    return this.#build(machine, stored, on, 0);
  }

  async #read(machine: Machine, on: Executor, epoch: number): Promise<Runtime> {
    return this.#build(machine, await this.#options.contracts.ofMachine(machine.id, on), on, epoch);
  }

  async #build(machine: Machine, stored: readonly StoredContract[], on: Executor, epoch: number): Promise<Runtime> {
    const balances = await this.#options.contracts.balances(machine.id, on);
    const runtime: Runtime = {
      epoch,
      contracts: new Map(stored.filter(({ status }) => status !== 'frozen').map((one) => [one.id, this.liveOf(one)])),
      balances: new Map(balances.map(({ token, holder, amount }) => [`${token}\0${holder}`, amount])),
      stampedAt: undefined,
    };
    for (const live of runtime.contracts.values()) live.writtenVersion = live.stored.versionNo;
    await this.#fillWindows(machine, runtime, on);
    if (auditRate(runtime.contracts.values()) !== undefined) {
      const newest = { type: 'stamp', order: 'newest first', limit: 1 } as const;
      runtime.stampedAt = (await this.#options.audit.select(machine.id, machine.head.slug, newest, on))[0]?.svcond;
    }
    await this.#fillReadings(machine, runtime, on);
    for (const live of runtime.contracts.values()) keepPromise(live);
    return runtime;
  }

  /** What conditions still see of the oracles. */
  async #fillReadings(machine: Machine, { contracts }: Runtime, on: Executor): Promise<void> {
    const lives = [...contracts.values()].filter(({ running }) => running.contract.oracle !== undefined);
    if (lives.length === 0) return;
    const stored = await new OracleRepository(on).ofMachine(machine.id, on);
    const found = await findReadings(this.#options, machine, lives, stored, on);
    for (const live of lives) {
      const { id, versionNo } = live.stored;
      live.registered = versionNo;
      const { oracle } = live.running.contract;
      const known = stored.find(({ contractId }) => contractId === id);
      // A definition that is only tried may be about something else.
      if (oracle === undefined || known?.subject !== subjectOf(oracle)) continue;
      for (const reading of found.get(id) ?? []) live.running.readings?.add(reading);
    }
  }

  /** The events that windows still hold, in the order in which they came. */
  async #fillWindows(machine: Machine, { contracts }: Runtime, on: Executor): Promise<void> {
    const { audit, keptSamples, evaluate } = this.#options;
    const { slug, svcond: now } = machine.head;
    let longest = 0;
    const names = new Set<string>();
    for (const { running } of contracts.values()) {
      for (const { trigger } of running.contract.transitions) {
        if (trigger.kind !== 'on_aggregate') continue;
        longest = Math.max(longest, trigger.within);
        names.add(trigger.event);
      }
    }
    if (longest === 0) return;
    const recent = { since: Math.max(0, now - longest), order: 'newest first', limit: MOST_SAMPLES } as const;
    const found = [
      // By name: what is rare on a busy machine is not to be lost among the rest.
      ...(await audit.select(machine.id, slug, { type: 'event', names: [...names], ...recent }, on)),
      ...(await audit.select(machine.id, slug, { type: 'emit', names: [...names], ...recent }, on)),
    ];
    if ([...contracts.values()].some(hearsReadings)) {
      found.push(...(await audit.select(machine.id, slug, { type: 'reading', ...recent }, on)));
    }
    found.sort((a, b) => a.seq - b.seq);
    const isSealed = found.some(({ sealed }) => sealed);
    const kept = isSealed ? await keptSamples?.read(machine.id, recent.since, on) : undefined;
    const deployed = deploymentsIn(await audit.select(machine.id, slug, { type: 'contract', ...recent }, on));
    for (const { type, seq, svcond, payload_text } of found) {
      const text = payload_text ?? kept?.get(seq);
      if (text === undefined) continue;
      const said = JSON.parse(text) as unknown;
      for (const live of contracts.values()) {
        const event = eventOf(live, type, said);
        // What happened before the contract was there it has not heard.
        const isEarly = svcond < live.stored.createdSvcond || seq < (deployed.get(live.stored.id) ?? 0);
        if (event === undefined || isEarly) continue;
        const { running } = live;
        observe(running.contract, sinceOf(running, seq), { ...event, tick: svcond }, evaluate);
      }
    }
    for (const { running } of contracts.values()) for (const window of running.windows.values()) window.expire(now);
  }
}

/** Numbers of the rows that deployed contracts, by contract. */
function deploymentsIn(rows: readonly Row[]): Map<string, number> {
  const said = rows.map(({ seq, payload_text: text }) => ({ seq, ...(text ? (JSON.parse(text) as Deployment) : {}) }));
  return new Map(said.flatMap(({ seq, act, contract }) => (act === 'deployed' && contract ? [[contract, seq]] : [])));
}

interface Deployment {
  readonly act?: string;
  readonly contract?: string;
}

const hearsReadings = ({ running: { contract } }: Live) =>
  contract.oracle?.event !== undefined && contract.oracle.kind !== 'event';

interface Said {
  readonly name: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly contract?: string;
}

/** The event that a row is to a contract that hears it. */
function eventOf(
  { stored, running, listens }: Live,
  type: string,
  said: unknown,
): Required<Omit<Said, 'contract'>> | undefined {
  if (type === 'reading') {
    const { contract, svcond, ...reading } = said as ReadingPayload;
    const { oracle } = running.contract;
    return oracle && contract === stored.id ? heardAs(oracle, { ...reading, tick: svcond }) : undefined;
  }
  const { name, payload = {}, contract } = said as Said;
  return listens.has(name) && contract !== stored.id ? { name, payload } : undefined;
}

/**
 * The stored time of the next look tells what has been looked at: samples that left before it were. Those that left since
 * may be too old to be read again, and then the look at that time is owed.
 */
function keepPromise({ stored: { nextFire }, running }: Live): void {
  const { contract, state, windows } = running;
  if (nextFire === undefined) return;
  for (const { id } of mindingIn(contract, state.state)) windows.get(id)?.expire(nextFire - 1);
  if ((nextWake(contract, state, windows) ?? Number.POSITIVE_INFINITY) <= nextFire) return;
  running.state = owing(contract, state, nextFire);
}

/** The windows that a row of this number counts in: those that begin with the entry ignore what led into the state. */
function sinceOf({ contract, state, windows }: Running, seq: number): Windows {
  if (seq > state.enteredAt) return windows;
  const kept = contract.transitions.filter(
    ({ trigger }) => trigger.kind === 'on_aggregate' && trigger.since === 'window',
  );
  return new Map(
    kept.flatMap(({ id }) =>
      windows.has(id) ? [[id, windows.get(id) as NonNullable<ReturnType<Windows['get']>>]] : [],
    ),
  );
}

/** Ticks from one row of the audit clock to the next: the least that an active contract asks for, if one has it on. */
export function auditRate(lives: Iterable<Live>): number | undefined {
  let least: number | undefined;
  for (const { stored } of lives) {
    const { audit_clock: clock } = stored.definition;
    if (stored.status === 'active' && clock?.on)
      least = Math.min(least ?? Number.POSITIVE_INFINITY, clock.tick_rate ?? 1);
  }
  return least;
}
