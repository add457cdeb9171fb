// Cache of the contracts of each machine in memory, compiled and with their windows. A runtime is rebuilt from the
// database whenever another node may have changed the machine.

import { LRUCache } from 'lru-cache';
import type { NewRow, Row } from '../../chain/row.ts';
import { type CompiledContract, compileContract } from '../../contracts/compiled.ts';
import type { CountedEvent, Windows } from '../../contracts/contract-state.ts';
import { createReadings, type RunningContract, subscribedEvents } from '../../contracts/execution.ts';
import { readingAsEvent, subjectOf } from '../../contracts/oracle.ts';
import type { OracleReadings } from '../../contracts/oracle-readings.ts';
import { type SenderFields, sentByOf } from '../../contracts/parties/sent-by.ts';
import { addToWindows, createWindows, nextWake, withPendingCheck } from '../../contracts/transition-function.ts';
import type { Evaluate } from '../../contracts/typed-expressions.ts';
import { MAX_SAMPLES } from '../../contracts/window.ts';
import { countedSpans, windowsAcrossStates, windowsCheckedOnExpiry } from '../../contracts/windows/named-windows.ts';
import type { ContractRepository, StoredContract } from '../../storage/contracts/contracts.ts';
import type { TokenBalanceRepository } from '../../storage/contracts/token-balances.ts';
import type { Executor } from '../../storage/database/sql.ts';
import type { Write } from '../../storage/database/writer.ts';
import type { AuditRepository } from '../../storage/machines/audit.ts';
import { RetryNextFlush } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import { OracleRepository } from '../../storage/oracles/oracles.ts';
import type { KeptSamples } from './kept-samples.ts';
import { auditClockPeriod, type LiveContract, type Runtime } from './live-contract.ts';
import type { ReadingPayload } from './reading-payload.ts';
import { findReadings } from './readings.ts';

export interface RuntimesOptions {
  readonly contracts: ContractRepository;
  readonly tokenBalances: TokenBalanceRepository;
  readonly audit: AuditRepository;
  /** Samples of machines with sealed payloads; without them, windows are empty after a restart. */
  readonly keptSamples?: KeptSamples;
  readonly evaluate: Evaluate;
}

const MAX_RUNTIMES = 2_000;
const MAX_DEFINITIONS = 2_000;

export class RuntimeCache {
  readonly #options: RuntimesOptions;
  readonly #runtimes = new LRUCache<string, Runtime>({ max: MAX_RUNTIMES });
  readonly #compiled = new LRUCache<string, CompiledContract>({ max: MAX_DEFINITIONS });

  constructor(options: RuntimesOptions) {
    this.#options = options;
  }

  /**
   * Returns the cached runtime of this epoch, or builds it from the database.
   *
   * @param isFirst  whether this is the machine's first change in the flush, so that the database is up to date
   * @throws RetryNextFlush if a runtime must be built and the database is not up to date
   */
  async get(machine: Machine, on: Executor, epoch: number, isFirst: boolean): Promise<Runtime> {
    const cached = this.#runtimes.get(machine.id);
    if (cached?.epoch === epoch) return cached;
    if (!isFirst) throw new RetryNextFlush();
    const runtime = await this.#read(machine, on, epoch);
    this.#runtimes.set(machine.id, runtime);
    return runtime;
  }

  evict(machineId: string): void {
    this.#runtimes.delete(machineId);
  }

  /** Returns the writes that keep sealed samples, so that windows can be refilled after a restart. */
  sampleWrites(machine: Machine, runtime: Runtime, rows: readonly NewRow[]): Write[] {
    return this.#options.keptSamples?.writesFor(machine, runtime, rows) ?? [];
  }

  createLive(stored: StoredContract, windows?: Windows, oracleReadings?: OracleReadings): LiveContract {
    const contract = this.compile(stored);
    const readings = oracleReadings ?? createReadings(contract);
    const running = { contract, state: stored.state, windows: windows ?? createWindows(contract), readings };
    return { stored, running, subscribedEvents: subscribedEvents(contract) };
  }

  compile({
    definition,
    definitionHash,
    parameters,
  }: Pick<StoredContract, 'definition' | 'definitionHash' | 'parameters'>): CompiledContract {
    const key = `${definitionHash} ${JSON.stringify(parameters)}`;
    const cached = this.#compiled.get(key);
    if (cached) return cached;
    const compiled = compileContract(definition, parameters);
    this.#compiled.set(key, compiled);
    return compiled;
  }

  /** Builds a runtime of these contracts outside the cache, for a dry run to change. */
  async buildDetached(machine: Machine, stored: readonly StoredContract[], on: Executor): Promise<Runtime> {
    return this.#build(machine, stored, on, 0);
  }

  async #read(machine: Machine, on: Executor, epoch: number): Promise<Runtime> {
    const stored = await this.#options.contracts.ofMachine(machine.id, on);
    return this.#build(
      machine,
      stored.filter(({ status }) => status !== 'completed'),
      on,
      epoch,
    );
  }

  async #build(machine: Machine, stored: readonly StoredContract[], on: Executor, epoch: number): Promise<Runtime> {
    const balances = await this.#options.tokenBalances.list(machine.id, on);
    const runtime: Runtime = {
      epoch,
      contracts: new Map(
        stored.filter(({ status }) => status !== 'frozen').map((contract) => [contract.id, this.createLive(contract)]),
      ),
      balances: new Map(balances.map(({ token, holder, amount }) => [`${token}\0${holder}`, amount])),
      stampedAt: undefined,
    };
    for (const live of runtime.contracts.values()) live.writtenVersion = live.stored.versionNo;
    await this.#fillWindows(machine, runtime, on);
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

  /** Loads the events in the windows, in their original order. */
  async #fillWindows(machine: Machine, { contracts }: Runtime, on: Executor): Promise<void> {
    const { audit, keptSamples, evaluate } = this.#options;
    const { slug, svcond: now } = machine.head;
    let longestWindow = 0;
    const names = new Set<string>();
    for (const { running } of contracts.values()) {
      for (const { event, within } of countedSpans(running.contract)) {
        longestWindow = Math.max(longestWindow, within);
        names.add(event);
      }
    }
    if (longestWindow === 0) return;
    const recent = { since: Math.max(0, now - longestWindow), order: 'newest first', limit: MAX_SAMPLES } as const;
    const found = [
      // By name, so that frequent events of other names do not use up the limit.
      ...(await audit.select(machine.id, slug, { type: 'event', names: [...names], ...recent }, on)),
      ...(await audit.select(machine.id, slug, { type: 'emit', names: [...names], ...recent }, on)),
    ];
    if ([...contracts.values()].some(listensToReadings)) {
      found.push(...(await audit.select(machine.id, slug, { type: 'reading', ...recent }, on)));
    }
    found.sort((a, b) => a.seq - b.seq);
    const isSealed = found.some(({ sealed }) => sealed);
    const samples = isSealed ? await keptSamples?.read(machine.id, recent.since, on) : undefined;
    const deploymentSeqs = deploymentsIn(await audit.select(machine.id, slug, { type: 'contract', ...recent }, on));
    for (const { type, seq, svcond, actor, payload_text } of found) {
      const text = payload_text ?? samples?.get(seq);
      if (text === undefined) continue;
      const payload = JSON.parse(text) as unknown;
      for (const live of contracts.values()) {
        const event = eventOf(live, type, payload, actor);
        // Events from before the deployment do not count.
        const isEarly = svcond < live.stored.createdSvcond || seq < (deploymentSeqs.get(live.stored.id) ?? 0);
        if (event === undefined || isEarly) continue;
        const { running } = live;
        const counting = { ...running, windows: windowsCounting(running, seq) };
        addToWindows(counting, { ...event, tick: svcond, number: seq }, evaluate);
      }
    }
    for (const { running } of contracts.values()) for (const window of running.windows.values()) window.expire(now);
  }
}

/** Returns the number of the row that deployed each contract, by contract id. */
function deploymentsIn(rows: readonly Row[]): Map<string, number> {
  const payloads = rows.map(({ seq, payload_text: text }) => ({
    seq,
    ...(text ? (JSON.parse(text) as Deployment) : {}),
  }));
  return new Map(
    payloads.flatMap(({ seq, act, contract }) => (act === 'deployed' && contract ? [[contract, seq]] : [])),
  );
}

interface Deployment {
  readonly act?: string;
  readonly contract?: string;
}

const listensToReadings = ({ running: { contract } }: LiveContract) =>
  contract.oracle?.event !== undefined && contract.oracle.kind !== 'event';

interface EventPayload extends SenderFields {
  readonly name: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly contract?: string;
}

/** Returns the event that a row means to a contract, if the contract listens to it. */
function eventOf(
  { stored, running, subscribedEvents: names }: LiveContract,
  type: string,
  rowPayload: unknown,
  actor: string,
): Omit<CountedEvent, 'tick' | 'number'> | undefined {
  if (type === 'reading') {
    const { contract, svcond, ...reading } = rowPayload as ReadingPayload;
    const { oracle } = running.contract;
    const event = oracle && contract === stored.id ? readingAsEvent(oracle, { ...reading, tick: svcond }) : undefined;
    return event && { ...event, actor };
  }
  const { name, payload = {}, contract, to, ...fields } = rowPayload as EventPayload;
  const isForAnother = to !== undefined && to !== stored.id;
  if (!names.has(name) || contract === stored.id || isForAnother) return undefined;
  const isExternal = type === 'event';
  return { name, payload, actor: contract ?? actor, isExternal, ...sentByOf(fields, stored.id, actor) };
}

/**
 * Restores the window check that was due when the contract was last stored. Samples that expired before the stored
 * `nextFire` have been checked. Later ones may be too old to be loaded; then a check is pending since `nextFire`.
 */
function restoreOverdueCheck({ stored: { nextFire }, running }: LiveContract): void {
  const { contract, state, windows } = running;
  if (nextFire === undefined) return;
  for (const { key } of windowsCheckedOnExpiry(contract, state.state)) windows.get(key)?.expire(nextFire - 1);
  if ((nextWake(contract, state, windows) ?? Number.POSITIVE_INFINITY) <= nextFire) return;
  running.state = withPendingCheck(contract, state, nextFire);
}

/** Returns the windows in which a row counts. Windows since entry ignore rows up to the entry into the state. */
function windowsCounting({ contract, state, windows }: RunningContract, seq: number): Windows {
  return seq > state.enteredAt ? windows : windowsAcrossStates(contract, windows);
}
