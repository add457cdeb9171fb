// Checks the instances of the contracts of one machine against its chain: that they were spawned, their versions, states
// and fires, their timers, and how many each contract counts.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import { STRANGER_SOURCE } from '../../chain/tally.ts';
import { type CompiledContract, compileContract } from '../../contracts/compiled.ts';
import type { ContractState } from '../../contracts/contract-state.ts';
import type { Collections } from '../../contracts/data/collections.ts';
import { Definition, type Scalars } from '../../contracts/definition.ts';
import { ChainedInstances } from '../../contracts/instances/chained-instances.ts';
import { createWindows, nextWake } from '../../contracts/transition-function.ts';
import { restoredWindows } from '../../contracts/windows/kept-windows.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { StoredState } from '../../storage/contracts/stored-state.ts';
import type { ContractInspection, InspectedContract, InspectedInstance } from '../../storage/fsck/contracts.ts';
import type { ReportFault } from './faults.ts';
import type { PartiesCheck } from './parties.ts';
import { tryParseJson } from './rows.ts';
import { changeFault } from './times.ts';

interface Counted {
  active: number;
  finished: number;
  /** Tick of the first timer. */
  first: number;
}

export class InstancesCheck {
  readonly #machineId: string;
  readonly #nowMs: number;
  readonly #inspection: Pick<ContractInspection, 'contracts' | 'keyedDefinitions' | 'instances'>;
  readonly #report: ReportFault;
  readonly #parties: Pick<PartiesCheck, 'instanceFault'>;
  readonly #chained = new Map<string, ChainedInstances>();
  /** Initial states by contract and version. */
  readonly #initials = new Map<string, Map<unknown, unknown>>();
  readonly #keys = new Map<string, string>();
  /** Versions with windows, by contract and number. */
  readonly #windowed = new Map<string, CompiledContract>();
  #unreadable = 0;

  constructor(
    machineId: string,
    nowMs: number,
    inspection: ContractInspection,
    report: ReportFault,
    parties: Pick<PartiesCheck, 'instanceFault'>,
  ) {
    this.#parties = parties;
    this.#machineId = machineId;
    this.#nowMs = nowMs;
    this.#inspection = inspection;
    this.#report = report;
  }

  /** Reads what is needed before the first row. */
  async begin(): Promise<void> {
    for (const { contract_id, no, definition, parameters } of await this.#inspection.keyedDefinitions(
      this.#machineId,
    )) {
      const { initial, key } = (tryParseJson(definition) ?? {}) as {
        readonly initial?: unknown;
        readonly key?: unknown;
      };
      if (typeof key === 'string') this.#keys.set(contract_id, key);
      const compiled = tryCompile(definition, parameters);
      if (compiled !== undefined) this.#windowed.set(`${contract_id} ${no}`, compiled);
      const versions = this.#initials.get(contract_id) ?? new Map();
      this.#initials.set(contract_id, versions.set(no, initial));
    }
  }

  /** The key of a contract with instances, as its definition names it. */
  keyOf(contract: string): string | undefined {
    return this.#keys.get(contract);
  }

  visit(row: Row): void {
    if (row.type !== 'contract' && row.type !== 'transition') return;
    if (row.payload_text === undefined) this.#unreadable++;
    const payload = payloadOf(row);
    const { contract, instance } = payload;
    if (typeof contract !== 'string' || typeof instance !== 'string') return;
    const fault = this.#chainedOf(contract).visit({ ...row, isOfStranger: row.source === STRANGER_SOURCE }, payload);
    if (fault !== undefined && this.#unreadable === 0)
      this.#report('audit', { seq: row.seq }, 'STATE', `Row ${row.seq} ${fault}.`, 'payload');
  }

  #chainedOf(contract: string): ChainedInstances {
    const known = this.#chained.get(contract);
    if (known !== undefined) return known;
    const chained = new ChainedInstances((no) => this.#initials.get(contract)?.get(no));
    this.#chained.set(contract, chained);
    return chained;
  }

  async finish(): Promise<void> {
    const counts = new Map<string, Counted>();
    for (let after: InspectedInstance | undefined; ; ) {
      const page = await this.#inspection.instances(this.#machineId, after);
      for (const one of page) this.#compare(one, counts);
      after = page.at(-1);
      if (after === undefined) break;
    }
    for (const [contract_id, chained] of this.#chained)
      for (const key of chained.keys)
        this.#report(
          'contract_instance',
          { contract_id, key },
          'SAID',
          'The chain spawned it, but it is missing.',
          'key',
        );
    for (const contract of await this.#inspection.contracts(this.#machineId)) this.#compareCounts(contract, counts);
  }

  #compare(one: InspectedInstance, counts: Map<string, Counted>): void {
    const { contract_id, key, status, version_no: versionNo, current_state, next_fire, created_svcond } = one;
    const report = (message: string, column: string, code: 'STATE' | 'SAID' | 'TIMER' = 'STATE') =>
      this.#report('contract_instance', { contract_id, key }, code, message, column);
    const changed = changeFault(one, this.#nowMs);
    if (changed !== undefined) report(changed, 'updated_svcond', 'SAID');
    const counted = counts.get(contract_id) ?? { active: 0, finished: 0, first: Number.POSITIVE_INFINITY };
    counts.set(contract_id, counted);
    const state = tryParseJson(one.state) as StoredState | undefined;
    if (typeof state?.state !== 'string' || !Array.isArray(state.timers)) {
      report('The state cannot be read.', 'state');
      return;
    }
    if (state.state !== current_state)
      report(`current_state is ${current_state}; the state says ${state.state}.`, 'current_state');
    if (state.lifecycle !== status) report(`status is ${status}; the state says ${state.lifecycle}.`, 'status');
    const windowed = this.#windowed.get(`${contract_id} ${versionNo}`);
    const held = windowFault(windowed, state.windows, Number(one.updated_svcond));
    if (held !== undefined) report(`The windows of ${key} ${held}.`, 'state');
    const due = status !== 'active' || held !== undefined ? null : dueOf(state, windowed);
    if (held === undefined && String(due) !== String(next_fire))
      report(`next_fire is ${next_fire}; the state says ${due}.`, 'next_fire', 'TIMER');
    counted[status === 'active' ? 'active' : 'finished']++;
    if (due !== null) counted.first = Math.min(counted.first, due);
    const bound = this.#parties.instanceFault(contract_id, key, state);
    if (bound !== undefined) report(bound, 'state');
    const isOfStranger = state.stranger !== undefined;
    const { collections: text } = one;
    const collections = (text === null ? undefined : (tryParseJson(text) ?? text)) as Collections | undefined;
    const whole = { ...state, collections };
    const stored = { key, versionNo, state: whole, createdSvcond: Number(created_svcond), isOfStranger };
    const fault = this.#chainedOf(contract_id).compare(stored, this.#unreadable === 0);
    if (fault !== undefined && (this.#unreadable === 0 || fault.column !== 'key'))
      report(fault.message, fault.column, fault.column === 'state' ? 'STATE' : 'SAID');
  }

  /** What a contract says of its instances; no timer of them may be earlier than its own. */
  #compareCounts({ id, state, next_fire, status }: InspectedContract, counts: ReadonlyMap<string, Counted>): void {
    const { instances } = (tryParseJson(state) ?? {}) as Partial<ContractState>;
    const { active, finished, first } = counts.get(id) ?? { active: 0, finished: 0, first: Number.POSITIVE_INFINITY };
    const report = (code: 'STATE' | 'TIMER', message: string, column: string) =>
      this.#report('contract', { id }, code, message, column);
    if (instances === undefined) {
      if (active + finished > 0) report('STATE', 'It has instances, but its state counts none.', 'state');
      return;
    }
    if (instances.active !== active || instances.finished !== finished) {
      const message = `The state counts ${instances.active} active and ${instances.finished} finished instances; there are ${active} and ${finished}.`;
      report('STATE', message, 'state');
    }
    if (status === 'active' && first < Number(next_fire ?? Number.POSITIVE_INFINITY))
      report('TIMER', `next_fire is ${next_fire}; the timer of an instance is due at ${first}.`, 'next_fire');
  }
}

/** A version whose instances have windows; undefined for others, and for one that does not compile. */
function tryCompile(definitionText: string, parametersText: string): CompiledContract | undefined {
  const definition = Definition.safeParse(tryParseJson(definitionText));
  if (!definition.success) return undefined;
  try {
    const contract = compileContract(definition.data, (tryParseJson(parametersText) ?? {}) as Scalars);
    return createWindows(contract).size === 0 ? undefined : contract;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** When an instance is due next: by its timers, or since a sample leaves a window. */
function dueOf(state: StoredState, contract: CompiledContract | undefined): number | null {
  if (contract !== undefined) return nextWake(contract, state, restoredWindows(contract, state.windows)) ?? null;
  return state.timers.length === 0 ? null : Math.min(...state.timers.map(({ due }) => due));
}

/** What is wrong with the samples that are stored of windows: their names, number, form or order. */
function windowFault(
  contract: CompiledContract | undefined,
  windows: StoredState['windows'],
  updated: number,
): string | undefined {
  const known = contract === undefined ? undefined : createWindows(contract);
  const { samples: max } = LIMITS.contracts.instances;
  for (const [key, { held } = { held: undefined }] of Object.entries(windows ?? {})) {
    if (known?.has(key) !== true) return `name ${key}, which its version does not have`;
    if (!Array.isArray(held) || held.length === 0 || held.length > max)
      return `hold no list of 1 to ${max} samples of ${key}`;
    let before = 0;
    for (const sample of held) {
      const [tick] = Array.isArray(sample) ? sample : [];
      if (!Number.isSafeInteger(tick) || tick < before || tick > updated) return `hold a sample of ${key} at ${tick}`;
      before = tick;
    }
  }
  return undefined;
}
