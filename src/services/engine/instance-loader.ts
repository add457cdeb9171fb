// Reads the instances that a change needs, before it enters the group commit.

import type { RunningContract } from '../../contracts/execution.ts';
import { keyOfEvent, keyRuleOf } from '../../contracts/instances/keys.ts';
import { restoredWindows } from '../../contracts/windows/kept-windows.ts';
import { LIMITS } from '../../core/limits.ts';
import type { StoredContract } from '../../storage/contracts/contracts.ts';
import type { InstanceRepository, StoredInstance } from '../../storage/contracts/instances.ts';
import type { ContractVersionRepository } from '../../storage/contracts/versions.ts';
import type { Executor } from '../../storage/database/sql.ts';
import type { CompiledContracts } from './compiled-contracts.ts';
import type { InstanceMissing, Instances } from './instances.ts';
import { type LiveContract, type Runtime, seatsAsRead } from './live-contract.ts';

export interface InstanceSources {
  readonly contractInstances: InstanceRepository;
  readonly contractVersions: ContractVersionRepository;
}

/** The instances that a change needs. */
export class InstanceNeeds {
  readonly #events: readonly NeededBy[];
  readonly #keys = new Map<string, Set<string>>();
  /** Whether those are needed whose timers are due. */
  readonly #isWake: boolean;
  #misses = 0;

  constructor(events: readonly NeededBy[] = [], isWake = false) {
    this.#events = events;
    this.#isWake = isWake;
  }

  /** Adds one that the change could not find. @returns false if it has missed too many */
  addMissing({ contract, key }: InstanceMissing): boolean {
    const keys = this.#keys.get(contract) ?? new Set();
    this.#keys.set(contract, keys.add(key));
    return ++this.#misses <= MAX_MISSES;
  }

  /** Keys of this contract that are not in memory. */
  keysOf({ stored, subscribedEvents }: LiveContract, instances: Instances<LiveContract>): string[] {
    const rule = keyRuleOf(stored.definition);
    const keys = new Set(this.#keys.get(stored.id));
    for (const { name, payload = {}, to } of rule === undefined ? [] : this.#events) {
      if ((to !== undefined && to !== stored.id) || !subscribedEvents.has(name)) continue;
      const key = rule && keyOfEvent(rule, payload);
      if (typeof key === 'string') keys.add(key);
    }
    return [...keys].filter((key) => !instances.has(key));
  }

  isDue({ bound }: Instances<LiveContract>, tick: number): boolean {
    return this.#isWake && bound !== undefined && bound <= tick;
  }
}

/** An event to be delivered. */
interface NeededBy {
  readonly name: string;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  readonly to?: string | undefined;
}

/** Cascades of events that each name another instance. */
const MAX_MISSES = 64;

export class InstanceLoader {
  readonly #sources: InstanceSources;
  readonly #compiled: CompiledContracts;

  constructor(sources: InstanceSources, compiled: CompiledContracts) {
    this.#sources = sources;
    this.#compiled = compiled;
  }

  /** Reads what is not in memory. @returns lets go of it */
  async load(
    machineId: string,
    { contracts }: Runtime,
    needs: InstanceNeeds,
    tick: number,
    on?: Executor,
  ): Promise<() => void> {
    const releases: (() => void)[] = [];
    const release = () => {
      for (const one of releases) one();
    };
    try {
      for (const live of contracts.values()) {
        const { instances } = live;
        if (instances === undefined) continue;
        releases.push(instances.beginReading());
        await this.#loadOf(machineId, live, instances, needs, tick, on);
      }
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  async #loadOf(
    machineId: string,
    parent: LiveContract,
    instances: Instances<LiveContract>,
    needs: InstanceNeeds,
    tick: number,
    on?: Executor,
  ): Promise<void> {
    const { contractInstances } = this.#sources;
    const { id } = parent.stored;
    const keys = needs.keysOf(parent, instances);
    const named = keys.length === 0 ? [] : await contractInstances.byKeys(machineId, id, keys, on);
    const found = new Map(named.map((one) => [one.key, one]));
    const isDue = needs.isDue(instances, tick);
    if (isDue) {
      const { dueAtOnce } = LIMITS.contracts.instances;
      const earliest = await contractInstances.earliest(machineId, id, dueAtOnce + 1, on);
      const due = earliest.slice(0, dueAtOnce).filter(({ nextFire = 0 }) => nextFire <= tick);
      for (const one of due) found.set(one.key, one);
      instances.noteEarliest(earliest[due.length]?.nextFire);
    }
    await this.#loadVersions(machineId, parent, instances, [...found.values()], on);
    for (const one of found.values()) instances.addRead(one.key, this.#live(parent, instances, one));
    for (const key of keys) if (!found.has(key)) instances.addRead(key, undefined);
  }

  async #loadVersions(
    machineId: string,
    { stored }: LiveContract,
    { versions }: Instances<LiveContract>,
    found: readonly StoredInstance[],
    on?: Executor,
  ): Promise<void> {
    const missing = found
      .map(({ versionNo }) => versionNo)
      .filter((no) => no !== stored.versionNo && !versions.has(no));
    for (const version of await this.#sources.contractVersions.byNumbers(machineId, stored.id, missing, on))
      versions.set(version.no, version);
  }

  #live(parent: LiveContract, { versions }: Instances<LiveContract>, found: StoredInstance): LiveContract {
    const { versionNo, status, state, windows, nextFire, createdSvcond, updatedSvcond, isOfStranger, key } = found;
    const version = versionNo === parent.stored.versionNo ? undefined : versions.get(versionNo);
    const of = version === undefined ? parent.stored : this.#ofVersion(parent.stored, version);
    const stored = { ...of, versionNo, status, state, nextFire, createdSvcond, updatedSvcond, isOfStranger };
    const contract = this.#compiled.compile(stored);
    const running = { contract, state, windows: restoredWindows(contract, windows) };
    const written = { writtenSeats: seatsAsRead(stored), writtenCollections: state.collections };
    return { ...instanceOf(parent, key, stored, running), ...written };
  }

  #ofVersion(
    stored: StoredContract,
    {
      definitionText,
      definitionHash,
      parameters,
    }: Pick<StoredContract, 'definitionText' | 'definitionHash' | 'parameters'>,
  ): StoredContract {
    const definition = this.#compiled.definition(definitionHash)?.definition ?? JSON.parse(definitionText);
    return { ...stored, definition, definitionText, definitionHash, parameters };
  }
}

/** An instance in memory. */
export const instanceOf = (
  parent: LiveContract,
  key: string,
  stored: StoredContract,
  running: RunningContract,
): LiveContract => ({
  stored: { ...stored, heldNextFire: undefined, heldAt: undefined },
  running,
  subscribedEvents: parent.subscribedEvents,
  instance: { key, parent },
});
