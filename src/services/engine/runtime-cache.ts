// Cache of the contracts of each machine in memory, compiled and with their windows, limited in bytes.
//
// A runtime is loaded before its change enters the group commit, so that a long load delays nobody else. Inside, only the
// numbers of changes are compared: if another node, or a change meanwhile, made it stale, the change is taken again.

import type { NewRow } from '../../chain/row.ts';
import type { CompiledContract } from '../../contracts/compiled.ts';
import type { Windows } from '../../contracts/contract-state.ts';
import type { OracleReadings } from '../../contracts/oracle-readings.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { StoredContract } from '../../storage/contracts/contracts.ts';
import type { Executor } from '../../storage/database/sql.ts';
import type { Write } from '../../storage/database/writer.ts';
import { RetryNextFlush } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import { CompiledContracts } from './compiled-contracts.ts';
import { InstanceLoader, type InstanceNeeds, type InstanceSources } from './instance-loader.ts';
import type { LiveContract, Runtime } from './live-contract.ts';
import { RuntimeBytes } from './runtime-bytes.ts';
import { RuntimeLoader, type RuntimeLoaderOptions } from './runtime-loader.ts';

export interface RuntimesOptions extends RuntimeLoaderOptions, InstanceSources {
  /** Limits of the cache; `LIMITS.contracts.runtimes` by default. */
  readonly limits?: Partial<RuntimeLimits>;
}

export interface RuntimeLimits {
  /** Bytes of all runtimes, by estimate. */
  readonly bytes: number;
  /** Changes that wait for loads. */
  readonly waiting: number;
}

/** A change needs a runtime that is not in memory, or no longer agrees with its machine. */
export class RuntimeMissing extends DomainError {
  constructor() {
    super('CONFLICT', 'The contracts of the machine are not in memory.');
  }
}

export class RuntimeCache {
  readonly #options: RuntimesOptions;
  readonly #limits: RuntimeLimits;
  readonly #compiled = new CompiledContracts();
  readonly #loader: RuntimeLoader;
  readonly #instances: InstanceLoader;
  /** The least recently used first. */
  readonly #runtimes = new Map<string, Runtime>();
  readonly #bytes = new RuntimeBytes();
  readonly #loading = new Map<string, Promise<void>>();
  /** Changes in progress, by machine id; these runtimes stay. */
  readonly #holders = new Map<string, number>();
  #waiting = 0;

  constructor(options: RuntimesOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS.contracts.runtimes, ...options.limits };
    this.#loader = new RuntimeLoader(options, this.#compiled);
    this.#instances = new InstanceLoader(options, this.#compiled);
  }

  /** Number of runtimes in memory, and an estimate of their bytes. */
  get size(): { readonly count: number; readonly bytes: number } {
    return { count: this.#runtimes.size, bytes: this.#bytes.total };
  }

  /**
   * Waits until the contracts of a machine are in memory, and keeps them there until released. There are none of a
   * machine that does not exist.
   *
   * @returns releases them
   * @throws DomainError QUEUE_FULL, STORAGE_UNAVAILABLE
   */
  async hold(machineId: string): Promise<() => void> {
    this.#holders.set(machineId, (this.#holders.get(machineId) ?? 0) + 1);
    try {
      if (!this.#runtimes.has(machineId)) await this.#waitFor(machineId);
    } catch (error) {
      this.#release(machineId);
      throw error;
    }
    return () => this.#release(machineId);
  }

  /** Reads the instances that a change needs into the contracts in memory. @returns lets go of them */
  async holdInstances(machineId: string, needs: InstanceNeeds, tick: number): Promise<() => void> {
    const runtime = this.#runtimes.get(machineId);
    return runtime === undefined ? () => undefined : this.#instances.load(machineId, runtime, needs, tick);
  }

  /** The same within the transaction of the change. */
  async readInstances(machineId: string, runtime: Runtime, needs: InstanceNeeds, tick: number, on: Executor) {
    return this.#instances.load(machineId, runtime, needs, tick, on);
  }

  #release(machineId: string): void {
    const holders = (this.#holders.get(machineId) ?? 0) - 1;
    if (holders > 0) this.#holders.set(machineId, holders);
    else this.#holders.delete(machineId);
    if (holders <= 0) this.#shrink();
  }

  async #waitFor(machineId: string): Promise<void> {
    const { waiting } = this.#limits;
    if (this.#waiting >= waiting) {
      const message = `${waiting} changes are waiting for contracts to be loaded; try again.`;
      throw new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 1 });
    }
    this.#waiting++;
    try {
      await (this.#loading.get(machineId) ?? this.#load(machineId));
    } finally {
      this.#waiting--;
    }
  }

  #load(machineId: string): Promise<void> {
    const loading = this.#loader
      .load(machineId)
      .then((runtime) => {
        if (runtime !== undefined) this.#keep(machineId, runtime);
      })
      .finally(() => this.#loading.delete(machineId));
    this.#loading.set(machineId, loading);
    return loading;
  }

  /**
   * Returns the runtime in memory if it agrees with the machine.
   *
   * @throws RuntimeMissing
   */
  get(machine: Machine, epoch: number): Runtime {
    const cached = this.#agreeing(machine, epoch);
    if (cached !== undefined) return cached;
    throw new RuntimeMissing();
  }

  /**
   * The same, or reads it within the transaction of the change, which always succeeds but delays the others.
   *
   * @param isFirst  whether this is the machine's first change in the flush, so that the database is up to date
   * @throws RetryNextFlush if a runtime must be built and the database is not up to date
   */
  async getOrRead(machine: Machine, on: Executor, epoch: number, isFirst: boolean): Promise<Runtime> {
    const cached = this.#agreeing(machine, epoch);
    if (cached !== undefined) return cached;
    if (!isFirst) throw new RetryNextFlush();
    const runtime = await this.#loader.loadWithin(machine, on);
    runtime.epoch = epoch;
    this.#keep(machine.id, runtime);
    return runtime;
  }

  #agreeing({ id, changes }: Machine, epoch: number): Runtime | undefined {
    const cached = this.#runtimes.get(id);
    if (cached === undefined) return undefined;
    if (cached.epoch !== epoch && cached.changes !== changes) {
      // One that is ahead of the ledger's copy of the machine stays; the ledger finds out.
      if (cached.changes < changes) this.evict(id);
      return undefined;
    }
    cached.epoch = epoch;
    this.#runtimes.delete(id);
    this.#runtimes.set(id, cached);
    return cached;
  }

  #keep(machineId: string, runtime: Runtime): void {
    this.evict(machineId);
    this.#runtimes.set(machineId, runtime);
    this.#bytes.measure(machineId, runtime);
    this.#shrink();
  }

  /** Tells of a change of a runtime that is committed. @param machine  as it is after the change */
  committed({ id, changes }: Machine, runtime: Runtime): void {
    runtime.changes = changes;
    if (this.#runtimes.get(id) !== runtime) return;
    this.#bytes.measure(id, runtime);
    this.#shrink();
  }

  #shrink(): void {
    if (this.#bytes.total <= this.#limits.bytes) return;
    for (const id of this.#runtimes.keys()) {
      if (!this.#holders.has(id)) this.evict(id);
      if (this.#bytes.total <= this.#limits.bytes) return;
    }
  }

  evict(machineId: string): void {
    this.#runtimes.delete(machineId);
    this.#bytes.forget(machineId);
  }

  /** Forgets the runtimes of these machines, except those in use. */
  evictAll(isGone: (machineId: string) => boolean): void {
    for (const id of [...this.#runtimes.keys()]) if (isGone(id) && !this.#holders.has(id)) this.evict(id);
  }

  /** Returns the writes that keep samples, so that windows can be refilled after a restart. */
  sampleWrites(machine: Machine, runtime: Runtime, rows: readonly NewRow[], svcond: number): Write[] {
    const { keptSamples, segments } = this.#options;
    return [
      ...(keptSamples?.writesFor(machine, runtime, rows) ?? []),
      ...(segments?.writesFor(machine, runtime, rows, svcond) ?? []),
    ];
  }

  createLive(stored: StoredContract, windows?: Windows, oracleReadings?: OracleReadings): LiveContract {
    return this.#compiled.createLive(stored, windows, oracleReadings);
  }

  /** A contract that begins: its windows are empty, and lack nothing. */
  createNew(stored: StoredContract): LiveContract {
    const live = this.createLive(stored);
    this.#options.segments?.begin(live.running.windows);
    return live;
  }

  compile(stored: Pick<StoredContract, 'definition' | 'definitionHash' | 'parameters'>): CompiledContract {
    return this.#compiled.compile(stored);
  }

  /** Builds a runtime of these contracts outside the cache, for a dry run to change. */
  async buildDetached(machine: Machine, stored: readonly StoredContract[], on: Executor): Promise<Runtime> {
    return this.#loader.buildDetached(machine, stored, on);
  }
}
