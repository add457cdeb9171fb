// Checks the contracts of one machine against its chain: versions, fires, state, timers and token balances.
//
// Rows with an erased or sealed payload confirm nothing; checks that depend on them are skipped.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import { STRANGER_SOURCE } from '../../chain/tally.ts';
import type { TokenMove } from '../../contracts/contract-state.ts';
import { emptyCollections, haveHash } from '../../contracts/data/collections.ts';
import type { Definition, Scalars } from '../../contracts/definition.ts';
import { fillParameters } from '../../contracts/parameters.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { groupBy } from '../../core/group-by.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { StoredState } from '../../storage/contracts/stored-state.ts';
import { timerShard } from '../../storage/contracts/timers.ts';
import type { InspectedContract, InspectedFire, InspectedVersion } from '../../storage/fsck/contracts.ts';
import type { InspectedMachine } from '../../storage/fsck/machines.ts';
import type { FsckCode, ReportFault } from './faults.ts';
import type { PartiesCheck } from './parties.ts';
import { tryParseJson } from './rows.ts';
import { changeFault } from './times.ts';

/** A version, according to the chain. */
interface ChainVersion {
  readonly hash: unknown;
  readonly act: unknown;
  readonly svcond: number;
  readonly actor: string;
}

/** A contract, according to the chain. */
interface ChainContract {
  /** Tick and payload of its deployment; undefined if that row cannot be read. */
  deployed: { readonly svcond: number; readonly payload: Readonly<Record<string, unknown>> } | undefined;
  readonly versions: Map<number, ChainVersion>;
  /** The newest act that decides whether it runs. */
  statusAct: { readonly name: string; readonly svcond: number };
  /** The newest act of any kind. */
  lastAct: string;
  fires: number;
  /** Whether the last transition is that of a stranger, or follows from such. */
  isOfStranger: boolean;
  /** Tick of the newest refusal for a failed action. For a failed contract, it is the tick at which it failed. */
  failedAt: number | undefined;
  /** Hash of the collections after the last transition that changed one, since the last version. */
  collections: unknown;
  /** What the newest version made of the state and the context by a migration, if nothing has fired since. */
  migrated: { readonly to: unknown; readonly contextHash: unknown } | undefined;
}

const STATUS_ACTS = new Set(['deployed', 'paused', 'resumed', 'frozen']);

export class ContractsCheck {
  readonly #machine: InspectedMachine;
  readonly #nowMs: number;
  readonly #report: ReportFault;
  readonly #parties: PartiesCheck;
  readonly #chainContracts = new Map<string, ChainContract>();
  readonly #balances = new Map<string, number>();
  #unreadableActs = 0;
  #unreadableTransitions = 0;
  #unreadableRefusals = 0;

  constructor(machine: InspectedMachine, nowMs: number, report: ReportFault, parties: PartiesCheck) {
    this.#machine = machine;
    this.#nowMs = nowMs;
    this.#report = report;
    this.#parties = parties;
  }

  /** @param fires  fires that name this row */
  visit(row: Row, fires: readonly InspectedFire[]): void {
    const isTransition = row.type === 'transition';
    for (const fire of isTransition ? fires.slice(1) : fires)
      this.#reportFire(
        fire,
        `Row ${row.seq} is ${isTransition ? 'the transition of another fire' : `of type ${row.type}`}.`,
        'seq',
      );
    if (row.type === 'contract') this.#act(row);
    if (isTransition) this.#transition(row, fires[0]);
    if (row.type === 'refused') this.#refusal(row);
    this.#parties.visit(row);
  }

  finish(contracts: readonly InspectedContract[], versions: readonly InspectedVersion[]): void {
    this.#parties.finish(contracts);
    const byContract = groupBy(versions, ({ contract_id }) => contract_id);
    for (const version of versions) this.#checkVersion(version);
    for (const contract of contracts) {
      this.#checkContract(contract, byContract.get(contract.id) ?? []);
      this.#checkState(contract);
      this.#checkTimer(contract);
    }
    for (const id of this.#chainContracts.keys()) {
      if (!contracts.some((contract) => contract.id === id))
        this.#report('contract', { id }, 'SAID', 'The chain deployed this contract, but it is missing.', 'id');
    }
  }

  checkBalances(
    balances: readonly { readonly token: string; readonly holder: string; readonly amount: string }[],
  ): void {
    if (this.#unreadableTransitions > 0) return;
    const unmatched = new Map(this.#balances);
    for (const { token, holder, amount } of balances) {
      const key = `${token}\0${holder}`;
      const sum = unmatched.get(key);
      unmatched.delete(key);
      if (sum === undefined)
        this.#report('token_balance', { token, holder }, 'BALANCE', 'No transition moved this token.');
      else if (String(sum) !== amount)
        this.#report(
          'token_balance',
          { token, holder },
          'BALANCE',
          `amount is ${amount}; the sum of the moves is ${sum}.`,
          'amount',
        );
    }
    for (const [key, sum] of unmatched) {
      const [token = '', holder = ''] = key.split('\0');
      this.#report(
        'token_balance',
        { token, holder },
        'BALANCE',
        `The balance is missing; the sum of the moves is ${sum}.`,
      );
    }
  }

  #act(row: Row): void {
    const payload = payloadOf(row);
    const { contract, act, version, definition_hash: hash } = payload;
    if (typeof contract !== 'string' || typeof act !== 'string') {
      this.#unreadableActs++;
      return;
    }
    const { svcond, actor } = row;
    let fromChain = this.#chainContracts.get(contract);
    if (fromChain === undefined) {
      fromChain = {
        deployed: undefined,
        versions: new Map(),
        statusAct: { name: act, svcond },
        lastAct: act,
        fires: 0,
        isOfStranger: false,
        failedAt: undefined,
        collections: undefined,
        migrated: undefined,
      };
      this.#chainContracts.set(contract, fromChain);
    }
    if (act === 'deployed') fromChain.deployed = { svcond, payload };
    if (typeof version === 'number' && hash !== undefined)
      fromChain.versions.set(version, { hash, act, svcond, actor });
    // A version may declare other collections; the next change of one states their hash again.
    if (typeof version === 'number') {
      const { migrate, to, context_hash: contextHash, collections } = payload;
      fromChain.collections = migrate === undefined ? undefined : collections;
      fromChain.migrated = migrate === undefined ? undefined : { to, contextHash };
    }
    if (STATUS_ACTS.has(act)) fromChain.statusAct = { name: act, svcond };
    if (payload.instance === undefined) fromChain.lastAct = act;
  }

  #refusal(row: Row): void {
    if (row.payload_text === undefined) this.#unreadableRefusals++;
    const { contract, code, instance } = payloadOf(row);
    const fromChain = typeof contract === 'string' ? this.#chainContracts.get(contract) : undefined;
    if (fromChain && code === 'ACTION_FAILED' && instance === undefined) fromChain.failedAt = row.svcond;
  }

  #transition(row: Row, fire: InspectedFire | undefined): void {
    const payload = payloadOf(row);
    if (row.payload_text === undefined) this.#unreadableTransitions++;
    const { contract, tokens } = payload;
    const fromChain = typeof contract === 'string' ? this.#chainContracts.get(contract) : undefined;
    if (fromChain) fromChain.fires++;
    if (fromChain) fromChain.migrated = undefined;
    if (fromChain && payload.instance === undefined) {
      fromChain.collections = payload.collections ?? fromChain.collections;
      fromChain.isOfStranger = row.source === STRANGER_SOURCE;
    }
    for (const { token, holder, amount } of Array.isArray(tokens) ? (tokens as TokenMove[]) : []) {
      const key = `${token}\0${holder}`;
      this.#balances.set(key, (this.#balances.get(key) ?? 0) + amount);
    }
    if (fire === undefined) {
      this.#report('fire', { seq: row.seq }, 'FIRE', `Row ${row.seq} is a transition, but its fire is missing.`, 'seq');
      return;
    }
    if (fire.svcond !== String(row.svcond))
      this.#reportFire(fire, `svcond is ${fire.svcond}; row ${row.seq} has ${row.svcond}.`, 'svcond');
    if (row.payload_text === undefined) return;
    const columns: [keyof InspectedFire, unknown][] = [
      ['contract_id', contract],
      ['version_no', payload.version],
      ['transition', payload.transition],
      ['entry', payload.entry],
      ['occurrence', payload.occurrence],
      ['from_state', payload.from],
      ['to_state', payload.to],
      // Rows from before editions name none.
      ['engine', payload.engine ?? 1],
      ['instance', payload.instance ?? null],
    ];
    for (const [column, value] of columns) {
      if (String(fire[column]) !== String(value))
        this.#reportFire(fire, `${column} is ${fire[column]}; row ${row.seq} says ${String(value)}.`, column);
    }
  }

  #reportFire(fire: InspectedFire, message: string, column: string): void {
    const { contract_id, transition, occurrence, seq } = fire;
    this.#report('fire', { contract_id, transition, occurrence, seq }, 'FIRE', message, column);
  }

  #checkVersion(version: InspectedVersion): void {
    const { contract_id, no, definition_hash, actual_hash, svcond, actor, reason } = version;
    const report = (code: FsckCode, message: string, column: string) =>
      this.#report('contract_version', { contract_id, no }, code, message, column);
    if (definition_hash !== actual_hash)
      report('DEFINITION', `The definition has the hash ${actual_hash}.`, this.#faultyColumn(version));
    const fromChain = this.#chainContracts.get(contract_id)?.versions.get(no);
    if (fromChain === undefined) {
      if (this.#unreadableActs === 0) report('SAID', `No row of the chain created version ${no}.`, 'no');
      return;
    }
    const columns: [string, unknown, unknown][] = [
      ['definition_hash', definition_hash, fromChain.hash],
      ['svcond', svcond, fromChain.svcond],
      ['actor', actor, fromChain.actor],
      ['reason', reason, fromChain.act],
    ];
    for (const [column, value, expected] of columns) {
      if (String(value) !== String(expected))
        report('SAID', `${column} is ${value}; the chain says ${String(expected)}.`, column);
    }
  }

  /** Returns the column, definition or its hash, that the chain contradicts. */
  #faultyColumn({ contract_id, no, definition_hash }: InspectedVersion): string {
    const fromChain = this.#chainContracts.get(contract_id)?.versions.get(no)?.hash;
    return fromChain === undefined || fromChain === definition_hash ? 'definition' : 'definition_hash';
  }

  #checkContract(contract: InspectedContract, versions: readonly InspectedVersion[]): void {
    const { id, version_no, definition_hash, actual_hash } = contract;
    const report = this.#contractReporter(contract);
    const changed = changeFault(contract, this.#nowMs);
    if (changed !== undefined) report('SAID', changed, 'updated_svcond');
    const newest = versions.at(-1);
    const current = versions.find(({ no }) => no === version_no);
    if (newest?.no !== version_no)
      report('VERSION', `version_no is ${version_no}; the newest is ${newest?.no ?? 'none'}.`, 'version_no');
    if (definition_hash !== actual_hash) {
      const column =
        current === undefined || current.definition_hash === definition_hash ? 'definition' : 'definition_hash';
      report('DEFINITION', `The definition has the hash ${actual_hash}.`, column);
    } else if (current !== undefined && current.definition_hash !== definition_hash) {
      report('VERSION', `The definition is not that of version ${version_no}.`, 'definition');
    }
    if (current !== undefined && !isSameJson(current.parameters, contract.parameters)) {
      // Either table may be wrong, so both are reported.
      const message = `Contract and version ${version_no} have different parameters.`;
      report('VERSION', message, 'parameters');
      this.#report('contract_version', { contract_id: id, no: version_no }, 'VERSION', message, 'parameters');
    }
    const fromChain = this.#chainContracts.get(id);
    if (fromChain?.deployed === undefined && this.#unreadableActs === 0)
      report('SAID', 'No row of the chain deployed this contract.', 'id');
    if (fromChain === undefined) return;
    if (fromChain.deployed !== undefined) this.#checkDeployment(contract, fromChain.deployed);
    for (const no of fromChain.versions.keys()) {
      if (!versions.some((version) => version.no === no))
        this.#report(
          'contract_version',
          { contract_id: id, no },
          'SAID',
          'The chain created this version, but it is missing.',
          'no',
        );
    }
    this.#checkParameters(versions, fromChain);
  }

  #checkDeployment(contract: InspectedContract, { svcond, payload }: NonNullable<ChainContract['deployed']>): void {
    const { name, template_id, version_no, created_svcond } = contract;
    const report = this.#contractReporter(contract);
    if (String(svcond) !== created_svcond)
      report('SAID', `created_svcond is ${created_svcond}; it was deployed at ${svcond}.`, 'created_svcond');
    if ((payload.template_id ?? null) !== template_id)
      report('SAID', 'template_id differs from the chain.', 'template_id');
    // A later version may have another name, which no row records.
    if (version_no === 1 && payload.name !== name) report('SAID', 'name differs from the chain.', 'name');
  }

  /** Checks the parameters of version 1. The chain row has them filled in: with defaults, and durations as ticks. */
  #checkParameters(versions: readonly InspectedVersion[], { deployed, versions: ofChain }: ChainContract): void {
    const [first] = versions;
    // A definition that is not that of the chain is reported elsewhere, and confirms nothing.
    if (deployed === undefined || first?.no !== 1 || ofChain.get(1)?.hash !== first.actual_hash) return;
    const definition = tryParseJson(first.first_definition ?? '') as Definition | undefined;
    const given = tryParseJson(first.parameters);
    if (definition === undefined || isSameParameters(definition, given, deployed.payload.parameters)) return;
    const key = { contract_id: first.contract_id, no: 1 };
    this.#report('contract_version', key, 'SAID', 'The parameters are not those of the chain.', 'parameters');
  }

  #contractReporter({ id }: InspectedContract): (code: FsckCode, message: string, column: string) => void {
    return (code, message, column) => this.#report('contract', { id }, code, message, column);
  }

  #checkState(contract: InspectedContract): void {
    const { id, status, current_state, fire_count, held_at, held_next_fire } = contract;
    const report = this.#contractReporter(contract);
    const state = stateOf(contract);
    const definition = tryParseJson(contract.definition) as Definition | undefined;
    if (state === undefined || typeof definition?.states !== 'object') {
      report('STATE', 'The state or the definition cannot be read.', state === undefined ? 'state' : 'definition');
      return;
    }
    if (state.state !== current_state)
      report('STATE', `current_state is ${current_state}; the state says ${state.state}.`, 'current_state');
    if (!Object.hasOwn(definition.states, state.state))
      report('STATE', `The definition has no state ${state.state}.`, 'state');
    if (String(state.fires) !== fire_count)
      report('STATE', `fire_count is ${fire_count}; the state counts ${state.fires}.`, 'fire_count');
    const fromChain = this.#chainContracts.get(id);
    if (fromChain === undefined || this.#unreadableActs > 0) return;
    if (this.#unreadableTransitions === 0 && fromChain.fires !== state.fires)
      report('STATE', `The state counts ${state.fires} fires; the chain has ${fromChain.fires}.`, 'state');
    if (this.#unreadableTransitions === 0 && (state.stranger !== undefined) !== fromChain.isOfStranger)
      report('STATE', 'The mark of a stranger is not what the source of the last transition says.', 'state');
    const held = this.#unreadableTransitions === 0 ? collectionsFault(contract, definition, fromChain) : undefined;
    if (held !== undefined) report('STATE', held, 'collections');
    const { migrated } = fromChain;
    if (this.#unreadableTransitions === 0 && migrated !== undefined) {
      if (state.state !== migrated.to)
        report('STATE', `The state is ${state.state}; the chain migrated it to ${String(migrated.to)}.`, 'state');
      if (sha256Hex(canonicalJson(state.context)) !== migrated.contextHash)
        report('STATE', 'The context is not that of the migration in the chain.', 'state');
    }
    const { name: act } = fromChain.statusAct;
    const expected = act === 'frozen' || act === 'paused' ? act : state.lifecycle;
    if (status !== expected) report('STATE', `status is ${status}; expected ${expected}.`, 'status');
    const heldTick =
      act === 'paused' ? fromChain.statusAct.svcond : expected === 'failed' ? fromChain.failedAt : undefined;
    const heldAt = heldTick === undefined ? null : String(heldTick);
    const isHeldKnown = expected !== 'failed' || this.#unreadableRefusals === 0;
    if (isHeldKnown && held_at !== heldAt) report('STATE', `held_at is ${held_at}; expected ${heldAt}.`, 'held_at');
    const due = act === 'paused' ? wakeTickOf(definition, state) : null;
    // A version created during the pause has other timers than those held.
    if (due !== undefined && (act !== 'paused' || fromChain.lastAct === 'paused') && held_next_fire !== due)
      report('STATE', `held_next_fire is ${held_next_fire}; expected ${due}.`, 'held_next_fire');
  }

  #checkTimer(contract: InspectedContract): void {
    const { id, status, next_fire, shard, fire_tick } = contract;
    const report = this.#contractReporter(contract);
    const state = stateOf(contract);
    const definition = tryParseJson(contract.definition) as Definition | undefined;
    const due = status !== 'active' ? null : state && definition && wakeTickOf(definition, state);
    if (due !== undefined && next_fire !== due)
      report('TIMER', `next_fire is ${next_fire}; the timers of the state say ${due}.`, 'next_fire');
    // The state does not determine it, and either column may be wrong; so both are reported.
    else if (due === undefined && next_fire !== fire_tick)
      report('TIMER', `next_fire is ${next_fire}; its timer says ${fire_tick}.`, 'next_fire');
    const key = { contract_id: id };
    const expectedTick = due === undefined ? next_fire : due;
    if (fire_tick !== expectedTick)
      this.#report('timer', key, 'TIMER', `fire_tick is ${fire_tick}; expected ${expectedTick}.`, 'fire_tick');
    const expected = timerShard(this.#machine.id, this.#machine.status === 'active');
    if (shard !== null && shard !== expected)
      this.#report('timer', key, 'TIMER', `shard is ${shard}; expected ${expected}.`, 'shard');
  }
}

function stateOf({ state }: InspectedContract): StoredState | undefined {
  const value = tryParseJson(state) as StoredState | undefined;
  return typeof value?.state === 'string' && Array.isArray(value.timers) ? value : undefined;
}

/** What is wrong with the collections that are stored. Those of a later version may have come with it. */
function collectionsFault(
  { collections: text }: InspectedContract,
  definition: Definition,
  { collections: hash, versions }: ChainContract,
): string | undefined {
  const collections = text === null ? null : tryParseJson(text);
  const empty = emptyCollections(definition);
  if (empty === undefined)
    return collections === null ? undefined : 'It has collections; its definition declares none.';
  if (hash !== undefined)
    return haveHash(collections, hash)
      ? undefined
      : 'The collections are not those of the last transition that changed one.';
  const isNew = versions.size === 1;
  return isNew && !isSameJson(text ?? '', JSON.stringify(empty))
    ? 'The collections are not empty; no transition has changed one.'
    : undefined;
}

/** Returns the tick of the next wake, as stored; undefined if it depends on the samples in windows. */
function wakeTickOf({ transitions, key }: Definition, state: StoredState): string | null | undefined {
  // Timers of instances: see instances.ts.
  if (!Array.isArray(transitions) || key !== undefined) return undefined;
  const dependsOnWindows = transitions.some(
    ({ trigger }) =>
      trigger?.kind === 'windows' || (trigger?.kind === 'on_aggregate' && trigger.evaluate === 'arrival_and_expiry'),
  );
  if (dependsOnWindows) return undefined;
  const times = state.timers.map(({ due }) => due);
  if (typeof state.pendingSince === 'number') times.push(state.pendingSince);
  return times.length === 0 || state.lifecycle !== 'active' ? null : String(Math.min(...times));
}

function isSameParameters({ parameters }: Definition, given: unknown, deployed: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const { values, faults } = fillParameters(parameters, given as Scalars);
  return faults.length === 0 && canonicalJson(values) === canonicalJson(deployed);
}

function isSameJson(first: string, second: string): boolean {
  const [a, b] = [tryParseJson(first), tryParseJson(second)];
  return a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b);
}
