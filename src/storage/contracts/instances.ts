// Instances of contracts by key, in their present state.

import type { ContractState } from '../../contracts/contract-state.ts';
import { type BoundedPage, boundedPage } from '../database/bounded-page.ts';
import { type Binding, type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export type InstanceStatus = 'active' | 'completed' | 'failed';

export interface StoredInstance {
  readonly machineId: string;
  readonly contractId: string;
  readonly key: string;
  readonly status: InstanceStatus;
  /** The version of the contract that decides it until it is touched next. */
  readonly versionNo: number;
  readonly state: ContractState;
  readonly nextFire: number | undefined;
  /** Tick at which the key began. */
  readonly createdSvcond: number;
  readonly updatedSvcond: number;
}

/** Selects instances of a list; an absent field selects all. */
export interface InstanceFilter {
  readonly status?: InstanceStatus | undefined;
  readonly state?: string | undefined;
  readonly dueBefore?: number | undefined;
  readonly updatedSince?: number | undefined;
}

interface InstancePage extends InstanceFilter {
  readonly limit: number;
  readonly maxBytes: number;
  /** The last key seen. */
  readonly after?: string | undefined;
}

interface InstanceRow {
  readonly key: string;
  readonly status: InstanceStatus;
  readonly version_no: number;
  readonly state: string;
  readonly next_fire: number | null;
  readonly created_svcond: number;
  readonly updated_svcond: number;
}

const COLUMNS = 'key, status, version_no, state, next_fire, created_svcond, updated_svcond';
const OF_CONTRACT = 'from contract_instance where machine_id = ? and contract_id = ?';

/** Instances, new or changed. */
export const instanceRows: Writer<StoredInstance> = {
  async write(all, on) {
    // Of several changes of one instance in a flush, the last one is written.
    const last = new Map(all.map((one) => [`${one.machineId}\0${one.contractId}\0${one.key}`, one] as const));
    const instances = [...last.values()];
    const column = <T>(read: (one: StoredInstance) => T) => instances.map(read);
    await rows(
      on,
      `insert into contract_instance (machine_id, contract_id, key, status, version_no, state, current_state, next_fire,
         created_svcond, updated_svcond)
       select * from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[], ?::bigint[],
         ?::bigint[], ?::bigint[])
       on conflict (machine_id, contract_id, key) do update set status = excluded.status,
         version_no = excluded.version_no, state = excluded.state, current_state = excluded.current_state,
         next_fire = excluded.next_fire, created_svcond = excluded.created_svcond,
         updated_svcond = excluded.updated_svcond`,
      [
        column(({ machineId }) => machineId),
        column(({ contractId }) => contractId),
        column(({ key }) => key),
        column(({ status }) => status),
        column(({ versionNo }) => String(versionNo)),
        column(({ state }) => JSON.stringify(state)),
        column(({ state }) => state.state),
        column(({ nextFire }) => (nextFire === undefined ? null : String(nextFire))) as string[],
        column(({ createdSvcond }) => String(createdSvcond)),
        column(({ updatedSvcond }) => String(updatedSvcond)),
      ],
    );
  },
};

export class InstanceRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Those of these keys that there are. */
  async byKeys(
    machineId: string,
    contractId: string,
    keys: readonly string[],
    on: Executor = this.#knex,
  ): Promise<StoredInstance[]> {
    const query = `select ${COLUMNS} ${OF_CONTRACT} and key = any(?::text[])`;
    const found = await rows<InstanceRow>(on, query, [machineId, contractId, keys]);
    return found.map((row) => fromRow(machineId, contractId, row));
  }

  /** Those with the earliest timers, in their order. */
  async earliest(
    machineId: string,
    contractId: string,
    limit: number,
    on: Executor = this.#knex,
  ): Promise<StoredInstance[]> {
    const query = `select ${COLUMNS} ${OF_CONTRACT} and next_fire is not null order by next_fire limit ?`;
    const found = await rows<InstanceRow>(on, query, [machineId, contractId, limit]);
    return found.map((row) => fromRow(machineId, contractId, row));
  }

  /** A page of the instances of a contract, in the order of their keys. */
  async page(
    machineId: string,
    contractId: string,
    { limit, maxBytes, after, ...filter }: InstancePage,
    on: Executor = this.#knex,
  ): Promise<BoundedPage<StoredInstance>> {
    const conditions: readonly (readonly [condition: string, binding: Binding | undefined])[] = [
      ['key > ?', after],
      ['status = ?', filter.status],
      ['current_state = ?', filter.state],
      ['next_fire < ?', filter.dueBefore],
      ['updated_svcond >= ?', filter.updatedSince],
    ];
    const given = conditions.filter(([, binding]) => binding !== undefined);
    const query = `select ${COLUMNS} ${OF_CONTRACT}${given.map(([condition]) => ` and ${condition}`).join('')}`;
    const bindings = [machineId, contractId, ...given.map(([, binding]) => binding as Binding)];
    const bounds = { order: 'key', bytes: 'octet_length(state)', maxBytes, maxRows: limit };
    const page = await boundedPage<InstanceRow>(on, query, bindings, bounds);
    return { ...page, rows: page.rows.map((row) => fromRow(machineId, contractId, row)) };
  }
}

const fromRow = (machineId: string, contractId: string, row: InstanceRow): StoredInstance => ({
  machineId,
  contractId,
  key: row.key,
  status: row.status,
  versionNo: row.version_no,
  state: JSON.parse(row.state) as ContractState,
  nextFire: row.next_fire ?? undefined,
  createdSvcond: row.created_svcond,
  updatedSvcond: row.updated_svcond,
});
