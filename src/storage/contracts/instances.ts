// Instances of contracts by key, in their present state.

import type { ContractState } from '../../contracts/contract-state.ts';
import type { KeptWindows } from '../../contracts/windows/kept-windows.ts';
import { boundedPage } from '../database/bounded-page.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';
import { collectionsText, stateText, storedState } from './stored-state.ts';

export type InstanceStatus = 'active' | 'completed' | 'failed';

export interface StoredInstance {
  readonly machineId: string;
  readonly contractId: string;
  readonly key: string;
  readonly status: InstanceStatus;
  /** The version of the contract that decides it until it is touched next. */
  readonly versionNo: number;
  readonly state: ContractState;
  /** Samples of its windows, if there are any. */
  readonly windows?: KeptWindows | undefined;
  readonly nextFire: number | undefined;
  /** Tick at which the key began. */
  readonly createdSvcond: number;
  readonly updatedSvcond: number;
  /** As of a contract. */
  readonly isOfStranger?: boolean | undefined;
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
  /** The last place seen. */
  readonly after?: InstancePlace | undefined;
}

/** A place in a list of instances. */
export type InstancePlace = Pick<StoredInstance, 'key' | 'nextFire'>;

/** @returns with `next`, there may be more after this place */
interface FoundInstances {
  readonly rows: readonly StoredInstance[];
  readonly next: InstancePlace | undefined;
}

/**
 * Instances that a page looks at for a filter that has no index of its own, or for the second of two. A page that finds
 * fewer says where to go on.
 */
const LOOKED_AT = 2_000;

interface InstanceRow {
  readonly key: string;
  readonly status: InstanceStatus;
  readonly version_no: number;
  readonly state: string;
  readonly collections: string | null;
  readonly next_fire: number | null;
  readonly created_svcond: number;
  readonly updated_svcond: number;
}

const COLUMNS = 'key, status, version_no, state, collections, next_fire, created_svcond, updated_svcond';
const OF_CONTRACT = 'from contract_instance where machine_id = ? and contract_id = ?';

export interface InstanceChange extends StoredInstance {
  /** As of a contract. */
  readonly hasNewCollections: boolean;
}

/** Instances, new or changed. */
export const instanceRows: Writer<InstanceChange> = {
  async write(all, on) {
    // Of several changes of one instance in a flush, the last one is written.
    const changes = new Map<string, InstanceChange>();
    for (const one of all) {
      const place = `${one.machineId}\0${one.contractId}\0${one.key}`;
      const hasNewCollections = one.hasNewCollections || changes.get(place)?.hasNewCollections === true;
      changes.set(place, { ...one, hasNewCollections });
    }
    const instances = [...changes.values()];
    const column = <T>(read: (one: InstanceChange) => T) => instances.map(read);
    await rows(
      on,
      `insert into contract_instance (machine_id, contract_id, key, status, version_no, state, collections, current_state,
         next_fire, created_svcond, updated_svcond)
       select * from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[], ?::text[],
         ?::bigint[], ?::bigint[], ?::bigint[])
       on conflict (machine_id, contract_id, key) do update set status = excluded.status,
         version_no = excluded.version_no, state = excluded.state,
         collections = coalesce(excluded.collections, contract_instance.collections),
         current_state = excluded.current_state, next_fire = excluded.next_fire, created_svcond = excluded.created_svcond,
         updated_svcond = excluded.updated_svcond`,
      [
        column(({ machineId }) => machineId),
        column(({ contractId }) => contractId),
        column(({ key }) => key),
        column(({ status }) => status),
        column(({ versionNo }) => String(versionNo)),
        column(stateText),
        column(({ state, hasNewCollections }) => collectionsText(state, hasNewCollections)) as string[],
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

  /**
   * A page of the instances of a contract, in the order of their keys; of those that are due, in the order of their
   * timers. An index finds those that are due, or else in a state, or of a status; any further filter is tried on up to
   * 2,000 of these, so that a page may be short, or empty, though more follow.
   */
  async page(
    machineId: string,
    contractId: string,
    { limit, maxBytes, after, dueBefore, state, status, updatedSince }: InstancePage,
    on: Executor = this.#knex,
  ): Promise<FoundInstances> {
    const isDue = dueBefore !== undefined;
    const order = isDue ? 'next_fire, key' : 'key';
    const filters: readonly Condition[] = [
      ...(dueBefore === undefined ? [] : [{ sql: 'next_fire < ?', bindings: [dueBefore] }]),
      ...(state === undefined ? [] : [{ sql: 'current_state = ?', bindings: [state] }]),
      ...(status === undefined ? [] : [{ sql: 'status = ?', bindings: [status] }]),
    ];
    const changed = updatedSince === undefined ? [] : [{ sql: 'updated_svcond >= ?', bindings: [updatedSince] }];
    const further = [...filters.slice(1), ...changed];
    const first = [...filters.slice(0, 1), ...(after === undefined ? [] : [behind(after, isDue)])];
    const source = `${OF_CONTRACT}${first.map(({ sql }) => ` and ${sql}`).join('')}`;
    const bindings = [machineId, contractId, ...first.flatMap((one) => one.bindings)];
    const query =
      further.length === 0
        ? `select ${COLUMNS} ${source}`
        : `select ${COLUMNS} from (select ${COLUMNS}, current_state ${source} order by ${order} limit ${LOOKED_AT}) as looked_at
           where ${further.map(({ sql }) => sql).join(' and ')}`;
    const bounds = {
      order,
      bytes: 'octet_length(state) + coalesce(octet_length(collections), 0)',
      maxBytes,
      maxRows: limit,
    };
    const all = [...bindings, ...further.flatMap((one) => one.bindings)];
    const { rows: found, isCut } = await boundedPage<InstanceRow>(on, query, all, bounds);
    const instances = found.map((row) => fromRow(machineId, contractId, row));
    if (isCut || further.length === 0) return { rows: instances, next: isCut ? instances.at(-1) : undefined };
    const [last] = await rows<Pick<InstanceRow, 'key' | 'next_fire'>>(
      on,
      `select key, next_fire ${source} order by ${order} offset ${LOOKED_AT - 1} limit 1`,
      bindings,
    );
    return { rows: instances, next: last && { key: last.key, nextFire: last.next_fire ?? undefined } };
  }
}

interface Condition {
  readonly sql: string;
  readonly bindings: readonly (string | number)[];
}

const behind = ({ key, nextFire }: InstancePlace, isDue: boolean): Condition =>
  isDue ? { sql: '(next_fire, key) > (?, ?)', bindings: [nextFire ?? 0, key] } : { sql: 'key > ?', bindings: [key] };

function fromRow(machineId: string, contractId: string, row: InstanceRow): StoredInstance {
  const { windows, stranger: isOfStranger, ...state } = storedState(row);
  return {
    machineId,
    contractId,
    key: row.key,
    status: row.status,
    versionNo: row.version_no,
    state,
    windows,
    isOfStranger,
    nextFire: row.next_fire ?? undefined,
    createdSvcond: row.created_svcond,
    updatedSvcond: row.updated_svcond,
  };
}
