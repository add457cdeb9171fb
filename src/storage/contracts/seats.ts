// Seats: the accounts and developer keys that act for a party of a contract or of an instance, found by account.

import type { AccountSeat } from '../../contracts/parties/seats.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';
import type { MachineStatus } from '../machines/machines.ts';
import type { ContractStatus } from './contracts.ts';

/** All seats of a contract, or of an instance, after a change. */
export interface SeatChange {
  readonly machineId: string;
  readonly contractId: string;
  /** Undefined for those of the contract. */
  readonly instance: string | undefined;
  readonly status: ContractStatus;
  readonly seats: readonly AccountSeat[];
}

/** A place in the list of an account. */
export interface SeatPlace {
  readonly machineId: string;
  readonly contractId: string;
  /** Empty for a seat in a contract. */
  readonly instance: string;
  readonly keyId: string;
}

export interface ListedSeat extends SeatPlace {
  readonly party: string;
  readonly status: ContractStatus;
  readonly slug: string;
  readonly machineStatus: MachineStatus;
  readonly isPublic: boolean;
  /** Name of the contract. */
  readonly name: string;
  /** State of the instance, or of the contract. */
  readonly currentState: string;
  readonly nextFire: number | undefined;
  readonly updatedSvcond: number;
}

interface SeatPage {
  /** Developer key of the caller. */
  readonly keyId: string | undefined;
  readonly machineId?: string | undefined;
  readonly status?: ContractStatus | undefined;
  readonly limit: number;
  readonly after?: SeatPlace | undefined;
}

interface SeatRow {
  readonly machine_id: string;
  readonly contract_id: string;
  readonly instance: string;
  readonly key_id: string;
  readonly party: string;
  readonly status: ContractStatus;
  readonly slug: string;
  readonly machine_status: MachineStatus;
  readonly is_public: boolean;
  readonly name: string;
  readonly current_state: string;
  readonly next_fire: number | null;
  readonly updated_svcond: number;
}

/** Seats of contracts and instances whose bindings or status have changed. */
export const seatRows: Writer<SeatChange> = {
  async write(all, on) {
    // Of several changes of one place in a flush, the last one is written.
    const last = new Map(all.map((one) => [`${one.contractId}\0${one.instance ?? ''}`, one] as const));
    const changes = [...last.values()];
    const seats = changes.flatMap((change) => change.seats.map((seat) => ({ ...change, ...seat })));
    const placeOf = <Of extends SeatChange>(of: readonly Of[]) => [
      of.map(({ machineId }) => machineId),
      of.map(({ contractId }) => contractId),
      of.map(({ instance = '' }) => instance),
    ];
    await rows(
      on,
      `delete from contract_seat
       using unnest(?::uuid[], ?::uuid[], ?::text[]) as changed (machine_id, contract_id, instance)
       where contract_seat.machine_id = changed.machine_id and contract_seat.contract_id = changed.contract_id
         and contract_seat.instance = changed.instance`,
      placeOf(changes),
    );
    if (seats.length === 0) return;
    await rows(
      on,
      `insert into contract_seat (machine_id, contract_id, instance, zid, key_id, party, status)
       select * from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
       on conflict do nothing`,
      [
        ...placeOf(seats),
        seats.map(({ zid }) => zid),
        seats.map(({ keyId }) => keyId),
        seats.map(({ party }) => party),
        seats.map(({ status }) => status),
      ],
    );
  },
};

export class SeatRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Seats of an account, by machine, contract and instance. */
  async page(
    zid: string,
    { keyId, machineId, status, limit, after }: SeatPage,
    on: Executor = this.#knex,
  ): Promise<ListedSeat[]> {
    const place = 'machine_id, contract_id, instance, key_id';
    const conditions = [
      { sql: 'zid = ?', bindings: [zid] },
      { sql: `key_id in ('', ?)`, bindings: [keyId ?? ''] },
      ...(status === undefined ? [] : [{ sql: 'status = ?', bindings: [status] }]),
      ...(machineId === undefined ? [] : [{ sql: 'machine_id = ?', bindings: [machineId] }]),
      ...(after === undefined
        ? []
        : [
            {
              sql: `(${place}) > (?, ?, ?, ?)`,
              bindings: [after.machineId, after.contractId, after.instance, after.keyId],
            },
          ]),
    ];
    const found = await rows<SeatRow>(
      on,
      `select seat.*, machine.slug, machine.status as machine_status, machine.is_public, contract.name,
         case when seat.instance = '' then contract.current_state else one.current_state end as current_state,
         case when seat.instance = '' then contract.next_fire else one.next_fire end as next_fire,
         case when seat.instance = '' then contract.updated_svcond else one.updated_svcond end as updated_svcond
       from (select ${place}, party, status from contract_seat
             where ${conditions.map(({ sql }) => sql).join(' and ')} order by ${place} limit ?) as seat
       join machine on machine.id = seat.machine_id
       join contract on contract.machine_id = seat.machine_id and contract.id = seat.contract_id
       left join contract_instance as one on seat.instance <> '' and one.machine_id = seat.machine_id
         and one.contract_id = seat.contract_id and one.key = seat.instance
       order by seat.machine_id, seat.contract_id, seat.instance, seat.key_id`,
      [...conditions.flatMap(({ bindings }) => bindings), limit],
    );
    return found.map((row) => ({
      machineId: row.machine_id,
      contractId: row.contract_id,
      instance: row.instance,
      keyId: row.key_id,
      party: row.party,
      status: row.status,
      slug: row.slug,
      machineStatus: row.machine_status,
      isPublic: row.is_public,
      name: row.name,
      currentState: row.current_state,
      nextFire: row.next_fire ?? undefined,
      updatedSvcond: row.updated_svcond,
    }));
  }
}
