// Contracts, versions, fires and token balances, read for inspection: see machines.ts.

import { type Binding, type Executor, rows } from '../database/sql.ts';

export interface InspectedContract {
  readonly id: string;
  readonly name: string;
  readonly template_id: string | null;
  readonly status: string;
  readonly version_no: number;
  readonly definition: string;
  readonly definition_hash: string;
  readonly actual_hash: string;
  readonly parameters: string;
  readonly state: string;
  readonly collections: string | null;
  readonly current_state: string;
  readonly fire_count: string;
  readonly next_fire: string | null;
  readonly held_next_fire: string | null;
  readonly held_at: string | null;
  readonly created_svcond: string;
  readonly updated_svcond: string;
  /** Shard and tick of its timer, if it has one. */
  readonly shard: number | null;
  readonly fire_tick: string | null;
}

export interface InspectedVersion {
  readonly contract_id: string;
  readonly no: number;
  /** The definition of version 1; null for later ones. */
  readonly first_definition: string | null;
  readonly definition_hash: string;
  readonly actual_hash: string;
  readonly parameters: string;
  readonly svcond: string;
  readonly actor: string;
  readonly reason: string;
}

export interface InspectedFire {
  readonly contract_id: string;
  readonly version_no: number;
  readonly transition: string;
  readonly entry: string;
  readonly occurrence: string;
  readonly seq: string;
  readonly svcond: string;
  readonly from_state: string;
  readonly to_state: string;
  readonly engine: number;
  readonly instance: string | null;
}

export interface InspectedInstance {
  readonly contract_id: string;
  readonly key: string;
  readonly status: string;
  readonly version_no: number;
  readonly state: string;
  readonly collections: string | null;
  readonly current_state: string;
  readonly next_fire: string | null;
  readonly created_svcond: string;
  readonly updated_svcond: string;
}

const INSTANCES_PER_PAGE = 500;

const HASH_OF_DEFINITION = `encode(sha256(convert_to(definition, 'UTF8')), 'hex') as actual_hash`;

export class ContractInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  contracts(machineId: string): Promise<InspectedContract[]> {
    return rows(
      this.#on,
      `select id, name, template_id, status, version_no, definition, encode(definition_hash, 'hex') as definition_hash,
         ${HASH_OF_DEFINITION}, parameters, state, collections, current_state, fire_count::text, next_fire::text,
         held_next_fire::text, held_at::text, created_svcond::text, updated_svcond::text, timer.shard,
         timer.fire_tick::text
       from contract left join timer on timer.machine_id = contract.machine_id and timer.contract_id = contract.id
       where contract.machine_id = ? order by id`,
      [machineId],
    );
  }

  versions(machineId: string): Promise<InspectedVersion[]> {
    return rows(
      this.#on,
      `select contract_id, no, case no when 1 then definition end as first_definition,
         encode(definition_hash, 'hex') as definition_hash, ${HASH_OF_DEFINITION}, parameters,
         svcond::text, actor, reason
       from contract_version where machine_id = ? order by contract_id, no`,
      [machineId],
    );
  }

  /** The definitions of versions with instances. */
  keyedDefinitions(
    machineId: string,
  ): Promise<
    { readonly contract_id: string; readonly no: number; readonly definition: string; readonly parameters: string }[]
  > {
    return rows(
      this.#on,
      `select contract_id, no, definition, parameters from contract_version
       where machine_id = ? and strpos(definition, '"key":"event.') > 0`,
      [machineId],
    );
  }

  /** The next instances of all contracts, after one. */
  instances(machineId: string, after?: Pick<InspectedInstance, 'contract_id' | 'key'>): Promise<InspectedInstance[]> {
    return rows(
      this.#on,
      `select contract_id, key, status, version_no, state, collections, current_state, next_fire::text,
         created_svcond::text, updated_svcond::text
       from contract_instance where machine_id = ?${after === undefined ? '' : ' and (contract_id, key) > (?, ?)'}
       order by contract_id, key limit ${INSTANCES_PER_PAGE}`,
      [machineId, ...(after === undefined ? [] : [after.contract_id, after.key])],
    );
  }

  fires(machineId: string, from: number, to: number): Promise<InspectedFire[]> {
    return this.#fires(machineId, 'seq between ? and ?', [from, to]);
  }

  /** Fires whose row is not among the `count` rows of the chain. */
  impossibleFires(machineId: string, count: number): Promise<InspectedFire[]> {
    return this.#fires(machineId, 'seq not between 0 and ?', [count - 1]);
  }

  #fires(machineId: string, condition: string, bindings: readonly Binding[]): Promise<InspectedFire[]> {
    return rows(
      this.#on,
      `select contract_id, version_no, transition, entry::text, occurrence, seq::text, svcond::text, from_state,
         to_state, engine, instance
       from fire where machine_id = ? and ${condition}`,
      [machineId, ...bindings],
    );
  }

  balances(machineId: string): Promise<{ readonly token: string; readonly holder: string; readonly amount: string }[]> {
    return rows(this.#on, 'select token, holder, amount::text from token_balance where machine_id = ?', [machineId]);
  }
}
