// Fires: the transitions that contracts have made, each with the row of the chain that records it.

import type { EngineEdition } from '../../contracts/engine-edition.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

/** A fire as it is written. */
export interface NewFire extends StoredFire {
  readonly engine: EngineEdition;
}

export interface StoredFire {
  readonly machineId: string;
  readonly contractId: string;
  readonly versionNo: number;
  readonly transition: string;
  readonly entry: number;
  readonly occurrence: string;
  readonly seq: number;
  readonly svcond: number;
  readonly from: string;
  readonly to: string;
  /** Key of the instance, if one fired. */
  readonly instance?: string | undefined;
}

const COLUMNS = `version_no as "versionNo", transition, entry, occurrence, seq, svcond, from_state as "from",
  to_state as "to", instance`;

type FireColumns = Omit<StoredFire, 'machineId' | 'contractId' | 'instance'> & { readonly instance: string | null };

const fromRow = (machineId: string, contractId: string, { instance, ...row }: FireColumns): StoredFire => ({
  ...row,
  machineId,
  contractId,
  ...(instance === null ? {} : { instance }),
});

/** An occurrence that was fired before breaks the transaction, so that no node fires it twice. */
export const fireRows: Writer<NewFire> = {
  async write(fires, on) {
    const column = <T>(read: (one: NewFire) => T) => fires.map(read);
    await rows(
      on,
      `insert into fire (machine_id, contract_id, version_no, transition, entry, occurrence, seq, svcond, from_state,
         to_state, engine, instance)
       select * from unnest(?::uuid[], ?::uuid[], ?::int[], ?::text[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[],
         ?::text[], ?::text[], ?::smallint[], ?::text[])`,
      [
        column(({ machineId }) => machineId),
        column(({ contractId }) => contractId),
        column(({ versionNo }) => String(versionNo)),
        column(({ transition }) => transition),
        column(({ entry }) => String(entry)),
        column(({ occurrence }) => occurrence),
        column(({ seq }) => String(seq)),
        column(({ svcond }) => String(svcond)),
        column(({ from }) => from),
        column(({ to }) => to),
        column(({ engine }) => String(engine)),
        column(({ instance }) => instance ?? null) as string[],
      ],
    );
  },
};

export class FireRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Newest first, those before row `before`. */
  async list(
    machineId: string,
    contractId: string,
    limit: number,
    before?: number,
    on: Executor = this.#knex,
  ): Promise<StoredFire[]> {
    const found = await rows<FireColumns>(
      on,
      `select ${COLUMNS} from fire where machine_id = ? and contract_id = ? and seq < ? order by seq desc limit ?`,
      [machineId, contractId, before ?? Number.MAX_SAFE_INTEGER, limit],
    );
    return found.map((row) => fromRow(machineId, contractId, row));
  }

  /** Of one instance: newest first, those before row `before`. */
  async ofInstance(
    machineId: string,
    contractId: string,
    instance: string,
    { limit, before }: { readonly limit: number; readonly before?: number | undefined },
    on: Executor = this.#knex,
  ): Promise<StoredFire[]> {
    const found = await rows<FireColumns>(
      on,
      `select ${COLUMNS} from fire where machine_id = ? and contract_id = ? and instance = ? and seq < ?
       order by seq desc limit ?`,
      [machineId, contractId, instance, before ?? Number.MAX_SAFE_INTEGER, limit],
    );
    return found.map((row) => fromRow(machineId, contractId, row));
  }

  /** Fires of rows `first` to `last`, oldest first. */
  async range(
    machineId: string,
    contractId: string,
    { first, last, limit }: { readonly first: number; readonly last: number; readonly limit: number },
    on: Executor = this.#knex,
  ): Promise<StoredFire[]> {
    const found = await rows<FireColumns>(
      on,
      `select ${COLUMNS} from fire where machine_id = ? and contract_id = ? and seq between ? and ?
       order by seq limit ?`,
      [machineId, contractId, first, last, limit],
    );
    return found.map((row) => fromRow(machineId, contractId, row));
  }

  /**
   * Row of the newest fire in rows `first` to `last` that at least `count` others follow.
   *
   * @returns undefined if there are no more than `count`
   */
  async seqBehind(
    machineId: string,
    contractId: string,
    { first, last }: { readonly first: number; readonly last: number },
    count: number,
    on: Executor = this.#knex,
  ): Promise<number | undefined> {
    const [row] = await rows<{ seq: number }>(
      on,
      `select seq from fire where machine_id = ? and contract_id = ? and seq between ? and ?
       order by seq desc offset ? limit 1`,
      [machineId, contractId, first, last, count],
    );
    return row?.seq;
  }

  /** 99th percentile of the delay of timers that fired after tick `since`, in ticks; 0 if none did. */
  async timerLag(machineId: string, since: number): Promise<number> {
    const [{ lag } = { lag: 0 }] = await rows<{ lag: number | null }>(
      this.#knex,
      `select percentile_disc(0.99) within group (order by svcond - substr(occurrence, 2)::bigint) as lag
       from fire where machine_id = ? and svcond > ? and occurrence like 't%'`,
      [machineId, since],
    );
    return lag ?? 0;
  }
}
