// Seats of accounts in contracts and instances, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';

export interface InspectedSeat {
  readonly contract_id: string;
  /** Empty for a seat in the contract. */
  readonly instance: string;
  readonly zid: string;
  readonly key_id: string;
  readonly party: string;
  readonly status: string;
}

/** A contract, or an instance of one. */
export type SeatedPlace = Pick<InspectedSeat, 'contract_id' | 'instance'>;

const COLUMNS = 'seat.contract_id, seat.instance, seat.zid, seat.key_id, seat.party, seat.status';

export class SeatInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  in(machineId: string, places: readonly SeatedPlace[]): Promise<InspectedSeat[]> {
    return rows(
      this.#on,
      `select ${COLUMNS} from contract_seat as seat
       join unnest(?::uuid[], ?::text[]) as place (contract_id, instance)
         on seat.contract_id = place.contract_id and seat.instance = place.instance
       where seat.machine_id = ?`,
      [places.map(({ contract_id }) => contract_id), places.map(({ instance }) => instance), machineId],
    );
  }

  /** Seats in instances that do not exist. */
  strays(machineId: string): Promise<InspectedSeat[]> {
    return rows(
      this.#on,
      `select ${COLUMNS} from contract_seat as seat where machine_id = ? and instance <> '' and not exists (
         select 1 from contract_instance as one where one.machine_id = seat.machine_id
           and one.contract_id = seat.contract_id and one.key = seat.instance)`,
      [machineId],
    );
  }
}
