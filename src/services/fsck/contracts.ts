// The contracts of one machine against its chain: what put them into force, what moved them, what they hold.
//
// Rows whose payload is gone or sealed say nothing; what would follow from them is then left open.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import type { Definition } from '../../contracts/definition.ts';
import type { ContractState, TokenMove } from '../../contracts/reaction.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { shardOf } from '../../storage/contracts/contracts.ts';
import type {
  InspectedContract,
  InspectedFire,
  InspectedMachine,
  InspectedVersion,
} from '../../storage/fsck/machines.ts';
import type { Find, FsckCode } from './faults.ts';
import { parsed } from './rows.ts';

/** What the chain says about one version. */
interface SaidVersion {
  readonly hash: unknown;
  readonly act: unknown;
  readonly svcond: number;
  readonly actor: string;
}

/** What the chain says about one contract. */
interface Said {
  readonly deployed: Readonly<Record<string, unknown>>;
  readonly svcond: number;
  readonly versions: Map<number, SaidVersion>;
  /** The newest act that decides whether it runs, and the newest of all. */
  act: { readonly name: string; readonly svcond: number };
  lastAct: string;
  fires: number;
  /** Tick of the newest refusal for an action that failed: of a contract that failed, the last one of all. */
  failedAt: number | undefined;
}

const DECIDING = new Set(['deployed', 'paused', 'resumed', 'frozen']);

export class ContractsCheck {
  readonly #machine: InspectedMachine;
  readonly #find: Find;
  readonly #said = new Map<string, Said>();
  readonly #balances = new Map<string, number>();
  #unreadActs = 0;
  #unreadTransitions = 0;
  #unreadRefusals = 0;

  constructor(machine: InspectedMachine, find: Find) {
    this.#machine = machine;
    this.#find = find;
  }

  /** @param fires  those that name this row */
  see(row: Row, fires: readonly InspectedFire[]): void {
    const isTransition = row.type === 'transition';
    for (const fire of isTransition ? fires.slice(1) : fires)
      this.#fireFault(fire, `Row ${row.seq} is ${isTransition ? 'the transition of another fire' : row.type}.`, 'seq');
    if (row.type === 'contract') this.#act(row);
    if (isTransition) this.#transition(row, fires[0]);
    if (row.type === 'refused') this.#refusal(row);
  }

  finish(contracts: readonly InspectedContract[], versions: readonly InspectedVersion[]): void {
    const byContract = Map.groupBy(versions, (one) => one.contract_id);
    for (const version of versions) this.#checkVersion(version);
    for (const contract of contracts) {
      const own = byContract.get(contract.id) ?? [];
      this.#checkContract(contract, own);
      this.#checkState(contract);
      this.#checkTimer(contract);
    }
    for (const id of this.#said.keys()) {
      if (!contracts.some((one) => one.id === id))
        this.#find('contract', { id }, 'SAID', 'The chain deployed this contract, and it is not there.', 'id');
    }
  }

  checkBalances(
    balances: readonly { readonly token: string; readonly holder: string; readonly amount: string }[],
  ): void {
    if (this.#unreadTransitions > 0) return;
    const left = new Map(this.#balances);
    for (const { token, holder, amount } of balances) {
      const key = `${token}\0${holder}`;
      const sum = left.get(key);
      left.delete(key);
      if (sum === undefined) this.#find('token_balance', { token, holder }, 'BALANCE', 'No transition moved this.');
      else if (String(sum) !== amount)
        this.#find(
          'token_balance',
          { token, holder },
          'BALANCE',
          `amount is ${amount}; the moves add up to ${sum}.`,
          'amount',
        );
    }
    for (const [key, sum] of left) {
      const [token = '', holder = ''] = key.split('\0');
      this.#find('token_balance', { token, holder }, 'BALANCE', `The moves add up to ${sum}; there is no balance.`);
    }
  }

  #act(row: Row): void {
    const { contract, act, version, definition_hash: hash, ...rest } = payloadOf(row);
    if (typeof contract !== 'string' || typeof act !== 'string') {
      this.#unreadActs++;
      return;
    }
    const { svcond, actor } = row;
    let said = this.#said.get(contract);
    if (said === undefined) {
      said = {
        deployed: rest,
        svcond,
        versions: new Map(),
        act: { name: act, svcond },
        lastAct: act,
        fires: 0,
        failedAt: undefined,
      };
      this.#said.set(contract, said);
    }
    if (typeof version === 'number' && hash !== undefined) said.versions.set(version, { hash, act, svcond, actor });
    if (DECIDING.has(act)) said.act = { name: act, svcond };
    said.lastAct = act;
  }

  #refusal(row: Row): void {
    if (row.payload_text === undefined) this.#unreadRefusals++;
    const { contract, code } = payloadOf(row);
    const said = typeof contract === 'string' ? this.#said.get(contract) : undefined;
    if (said && code === 'ACTION_FAILED') said.failedAt = row.svcond;
  }

  #transition(row: Row, fire: InspectedFire | undefined): void {
    const payload = payloadOf(row);
    if (row.payload_text === undefined) this.#unreadTransitions++;
    const { contract, tokens } = payload;
    const said = typeof contract === 'string' ? this.#said.get(contract) : undefined;
    if (said) said.fires++;
    for (const { token, holder, amount } of Array.isArray(tokens) ? (tokens as TokenMove[]) : []) {
      const key = `${token}\0${holder}`;
      this.#balances.set(key, (this.#balances.get(key) ?? 0) + amount);
    }
    if (fire === undefined) {
      this.#find('fire', { seq: row.seq }, 'FIRE', `Row ${row.seq} is a transition, and no fire names it.`, 'seq');
      return;
    }
    if (fire.svcond !== String(row.svcond))
      this.#fireFault(fire, `svcond is ${fire.svcond}; row ${row.seq} has ${row.svcond}.`, 'svcond');
    if (row.payload_text === undefined) return;
    const columns: [keyof InspectedFire, unknown][] = [
      ['contract_id', contract],
      ['version_no', payload.version],
      ['transition', payload.transition],
      ['entry', payload.entry],
      ['occurrence', payload.occurrence],
      ['from_state', payload.from],
      ['to_state', payload.to],
    ];
    for (const [column, value] of columns) {
      if (String(fire[column]) !== String(value))
        this.#fireFault(fire, `${column} is ${fire[column]}; row ${row.seq} says ${String(value)}.`, column);
    }
  }

  #fireFault(fire: InspectedFire, message: string, column: string): void {
    const { contract_id, transition, occurrence, seq } = fire;
    this.#find('fire', { contract_id, transition, occurrence, seq }, 'FIRE', message, column);
  }

  #checkVersion(version: InspectedVersion): void {
    const { contract_id, no, definition_hash, actual_hash, svcond, actor, reason } = version;
    const fault = (code: FsckCode, message: string, column: string) =>
      this.#find('contract_version', { contract_id, no }, code, message, column);
    if (definition_hash !== actual_hash)
      fault('DEFINITION', `The definition has the hash ${actual_hash}.`, this.#wrongOne(version));
    const said = this.#said.get(contract_id)?.versions.get(no);
    if (said === undefined) {
      if (this.#unreadActs === 0) fault('SAID', `No row of the chain put version ${no} into force.`, 'no');
      return;
    }
    const columns: [string, unknown, unknown][] = [
      ['definition_hash', definition_hash, said.hash],
      ['svcond', svcond, said.svcond],
      ['actor', actor, said.actor],
      ['reason', reason, said.act],
    ];
    for (const [column, value, expected] of columns) {
      if (String(value) !== String(expected))
        fault('SAID', `${column} is ${value}; the chain says ${String(expected)}.`, column);
    }
  }

  /** Of a definition and its hash, the one that the chain does not bear out. */
  #wrongOne({ contract_id, no, definition_hash }: InspectedVersion): string {
    const said = this.#said.get(contract_id)?.versions.get(no)?.hash;
    return said === undefined || said === definition_hash ? 'definition' : 'definition_hash';
  }

  #checkContract(contract: InspectedContract, versions: readonly InspectedVersion[]): void {
    const { id, name, template_id, version_no, definition_hash, actual_hash, created_svcond } = contract;
    const fault = this.#contractFault(contract);
    const newest = versions.at(-1);
    const own = versions.find(({ no }) => no === version_no);
    if (newest?.no !== version_no)
      fault('VERSION', `version_no is ${version_no}; the newest is ${newest?.no ?? 'none'}.`, 'version_no');
    if (definition_hash !== actual_hash) {
      const column = own === undefined || own.definition_hash === definition_hash ? 'definition' : 'definition_hash';
      fault('DEFINITION', `The definition has the hash ${actual_hash}.`, column);
    } else if (own !== undefined && own.definition_hash !== definition_hash) {
      fault('VERSION', `The definition is not that of version ${version_no}.`, 'definition');
    }
    if (own !== undefined && !isSameJson(own.parameters, contract.parameters)) {
      // Nothing says which of the two is right.
      const message = `Contract and version ${version_no} have different parameters.`;
      fault('VERSION', message, 'parameters');
      this.#find('contract_version', { contract_id: id, no: version_no }, 'VERSION', message, 'parameters');
    }
    const said = this.#said.get(id);
    if (said === undefined) {
      if (this.#unreadActs === 0) fault('SAID', 'No row of the chain deployed this contract.', 'id');
      return;
    }
    const { deployed } = said;
    if (String(said.svcond) !== created_svcond)
      fault('SAID', `created_svcond is ${created_svcond}; it was deployed at ${said.svcond}.`, 'created_svcond');
    if ((deployed.template_id ?? null) !== template_id)
      fault('SAID', 'template_id is not what the chain says.', 'template_id');
    // A later version may bear another name, which no row tells.
    if (version_no === 1 && deployed.name !== name) fault('SAID', 'name is not what the chain says.', 'name');
    for (const no of said.versions.keys()) {
      if (!versions.some((one) => one.no === no))
        this.#find(
          'contract_version',
          { contract_id: id, no },
          'SAID',
          'The chain put this version into force, and it is not there.',
          'no',
        );
    }
    this.#checkParameters(versions, said);
  }

  /** What was given at deployment; the row of the chain has the defaults beside it. */
  #checkParameters(versions: readonly InspectedVersion[], { deployed }: Said): void {
    const [first] = versions;
    if (first?.no !== 1) return;
    const given = parsed(first.parameters);
    const all = deployed.parameters as Readonly<Record<string, unknown>>;
    const isRight =
      typeof given === 'object' &&
      given !== null &&
      Object.entries(given).every(([key, value]) => all?.[key] === value);
    const key = { contract_id: first.contract_id, no: 1 };
    if (!isRight)
      this.#find('contract_version', key, 'SAID', 'The parameters are not those of the chain.', 'parameters');
  }

  #contractFault({ id }: InspectedContract): (code: FsckCode, message: string, column: string) => void {
    return (code, message, column) => this.#find('contract', { id }, code, message, column);
  }

  #checkState(contract: InspectedContract): void {
    const { id, status, current_state, fire_count, held_at, held_next_fire } = contract;
    const fault = this.#contractFault(contract);
    const state = stateOf(contract);
    const definition = parsed(contract.definition) as Definition | undefined;
    if (state === undefined || typeof definition?.states !== 'object') {
      fault('STATE', 'The state or the definition cannot be read.', state === undefined ? 'state' : 'definition');
      return;
    }
    if (state.state !== current_state)
      fault('STATE', `current_state is ${current_state}; the state says ${state.state}.`, 'current_state');
    if (!Object.hasOwn(definition.states, state.state)) fault('STATE', `There is no state ${state.state}.`, 'state');
    if (String(state.fires) !== fire_count)
      fault('STATE', `fire_count is ${fire_count}; the state counts ${state.fires}.`, 'fire_count');
    const said = this.#said.get(id);
    if (said === undefined || this.#unreadActs > 0) return;
    if (this.#unreadTransitions === 0 && said.fires !== state.fires)
      fault('STATE', `The state counts ${state.fires} fires; the chain has ${said.fires}.`, 'state');
    const { name: act } = said.act;
    const expected = act === 'frozen' || act === 'paused' ? act : state.lifecycle;
    if (status !== expected) fault('STATE', `status is ${status}; it follows that it is ${expected}.`, 'status');
    const held = act === 'paused' ? said.act.svcond : expected === 'failed' ? said.failedAt : undefined;
    const heldAt = held === undefined ? null : String(held);
    const isHeldKnown = expected !== 'failed' || this.#unreadRefusals === 0;
    if (isHeldKnown && held_at !== heldAt)
      fault('STATE', `held_at is ${held_at}; it follows that it is ${heldAt}.`, 'held_at');
    const due = act === 'paused' ? wakeOf(definition, state) : null;
    // A new version in the pause has other timers than those that were held.
    if (due !== undefined && (act !== 'paused' || said.lastAct === 'paused') && held_next_fire !== due)
      fault('STATE', `held_next_fire is ${held_next_fire}; it follows that it is ${due}.`, 'held_next_fire');
  }

  #checkTimer(contract: InspectedContract): void {
    const { id, status, next_fire, shard, fire_tick } = contract;
    const fault = this.#contractFault(contract);
    const state = stateOf(contract);
    const definition = parsed(contract.definition) as Definition | undefined;
    const due = status !== 'active' ? null : state && definition && wakeOf(definition, state);
    if (due !== undefined && next_fire !== due)
      fault('TIMER', `next_fire is ${next_fire}; the timers of the state say ${due}.`, 'next_fire');
    // Where the state does not say it, which of the two columns tells the truth nobody knows.
    else if (due === undefined && next_fire !== fire_tick)
      fault('TIMER', `next_fire is ${next_fire}; its timer says ${fire_tick}.`, 'next_fire');
    const key = { contract_id: id };
    const waitedFor = due === undefined ? next_fire : due;
    if (fire_tick !== waitedFor)
      this.#find('timer', key, 'TIMER', `fire_tick is ${fire_tick}; the contract waits for ${waitedFor}.`, 'fire_tick');
    const expected = shardOf(this.#machine.id);
    if (shard !== null && shard !== expected)
      this.#find('timer', key, 'TIMER', `shard is ${shard}; ${expected} is that of the machine.`, 'shard');
  }
}

function stateOf({ state }: InspectedContract): ContractState | undefined {
  const value = parsed(state) as ContractState | undefined;
  return typeof value?.state === 'string' && Array.isArray(value.timers) ? value : undefined;
}

/** When the contract wants to be looked at, as a column has it; undefined where that depends on what its windows hold. */
function wakeOf({ transitions }: Definition, state: ContractState): string | null | undefined {
  if (!Array.isArray(transitions)) return undefined;
  const isOpen = transitions.some(
    ({ trigger }) => trigger?.kind === 'on_aggregate' && trigger.evaluate === 'arrival_and_expiry',
  );
  if (isOpen) return undefined;
  const times = state.timers.map(({ due }) => due);
  if (typeof state.owed === 'number') times.push(state.owed);
  return times.length === 0 || state.lifecycle !== 'active' ? null : String(Math.min(...times));
}

function isSameJson(one: string, other: string): boolean {
  const [a, b] = [parsed(one), parsed(other)];
  return a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b);
}
