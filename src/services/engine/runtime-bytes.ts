// Estimates the memory of runtimes, in bytes of V8's heap on 64 bits; the test beside it compares it with the heap.

import type { ContractState } from '../../contracts/contract-state.ts';
import type { LiveContract, Runtime } from './live-contract.ts';

const OBJECT = 48;
const SLOT = 8;
const NUMBER = 16;
const RUNTIME = 500;
/** A contract's record and running state, without what its fields refer to. */
const CONTRACT = 500;
const BALANCE = 120;
/** An instance of a contract with a key, as measured (bench/instances.ts). */
const INSTANCE = 2_500;
/** A compiled contract, for each character of its definition. */
const COMPILED_PER_CHARACTER = 6;

/** Plain data. */
function dataBytes(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value === 'number') return NUMBER;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = OBJECT;
  if (Array.isArray(value)) for (const one of value) bytes += SLOT + dataBytes(one);
  else for (const key in value) bytes += SLOT + dataBytes((value as Record<string, unknown>)[key]);
  return bytes;
}

/** Adds up runtimes. What several of them share counts once. */
export class RuntimeBytes {
  /** Own bytes and shared parts of each runtime, by machine id. */
  readonly #measured = new Map<string, { own: number; shared: readonly object[] }>();
  readonly #shared = new Map<object, { readonly bytes: number; uses: number }>();
  readonly #states = new WeakMap<ContractState, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Counts a runtime, or counts it again after a change. */
  measure(machineId: string, runtime: Runtime): void {
    const measured = this.#measured.get(machineId) ?? { own: 0, shared: [] };
    const own = this.#own(runtime);
    this.#total += own - measured.own;
    const shared = isUnchanged(measured.shared, runtime) ? measured.shared : sharedParts(runtime);
    if (shared !== measured.shared) {
      for (const live of runtime.contracts.values()) this.#addShared(live);
      this.#dropShared(measured.shared);
    }
    this.#measured.set(machineId, { own, shared });
  }

  forget(machineId: string): void {
    const measured = this.#measured.get(machineId);
    if (measured === undefined) return;
    this.#measured.delete(machineId);
    this.#total -= measured.own;
    this.#dropShared(measured.shared);
  }

  #own({ contracts, balances }: Runtime): number {
    let bytes = RUNTIME + BALANCE * balances.size;
    for (const { running, stored, instances } of contracts.values()) {
      bytes += INSTANCE * (instances?.size ?? 0) + windowBytesOf(instances);
      bytes += CONTRACT + this.#stateBytes(running.state) + (running.readings?.bytes ?? 0);
      if (stored.state !== running.state) bytes += this.#stateBytes(stored.state);
      for (const window of running.windows.values()) bytes += window.bytes;
    }
    return bytes;
  }

  /** States are replaced, never changed, so each is measured once. */
  #stateBytes(state: ContractState): number {
    const known = this.#states.get(state);
    if (known !== undefined) return known;
    const bytes = dataBytes(state);
    this.#states.set(state, bytes);
    return bytes;
  }

  #addShared({ stored, running }: LiveContract): void {
    const { definition, definitionText } = stored;
    this.#add(definition, () => dataBytes(definition) + dataBytes(definitionText));
    this.#add(running.contract, () => dataBytes(stored.parameters) + COMPILED_PER_CHARACTER * definitionText.length);
  }

  #add(part: object, measure: () => number): void {
    const known = this.#shared.get(part);
    if (known !== undefined) {
      known.uses++;
      return;
    }
    const bytes = measure();
    this.#shared.set(part, { bytes, uses: 1 });
    this.#total += bytes;
  }

  #dropShared(parts: readonly object[]): void {
    for (const part of parts) {
      const known = this.#shared.get(part);
      if (known === undefined || --known.uses > 0) continue;
      this.#shared.delete(part);
      this.#total -= known.bytes;
    }
  }
}

const sharedParts = ({ contracts }: Runtime): object[] =>
  [...contracts.values()].flatMap(({ stored, running }) => [stored.definition, running.contract]);

function isUnchanged(parts: readonly object[], { contracts }: Runtime): boolean {
  if (parts.length !== 2 * contracts.size) return false;
  let i = 0;
  for (const { stored, running } of contracts.values()) {
    if (parts[i++] !== stored.definition || parts[i++] !== running.contract) return false;
  }
  return true;
}

/** Of the windows of instances in memory. */
function windowBytesOf(instances: LiveContract['instances']): number {
  let bytes = 0;
  for (const { running } of instances?.values() ?? [])
    for (const window of running.windows.values()) bytes += window.bytes;
  return bytes;
}
