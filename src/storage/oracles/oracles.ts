// State of the oracles of contracts. Their readings are rows of the chain.

import type { Reading } from '../../contracts/oracle.ts';
import { shardOf } from '../contracts/timers.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

interface Place {
  readonly machineId: string;
  readonly contractId: string;
}

export type OracleWrite = Place &
  (
    | {
        readonly act: 'registered';
        readonly versionNo: number;
        readonly kind: string;
        /** What is measured; another subject resets the newest readings and the cursor. */
        readonly subject: string;
        readonly askedBy: string;
        readonly sinceSeq: number;
        readonly every: number | undefined;
        readonly svcond: number;
      }
    | { readonly act: 'removed' }
    | {
        readonly act: 'read';
        readonly seq: number;
        readonly status: Reading['status'];
        /** Number of the last row read, if the oracle reads another machine. */
        readonly cursorSeq?: number | undefined;
      }
  );

export interface StoredOracle extends Place {
  /** What is measured. */
  readonly subject: string;
  readonly sinceSeq: number;
  readonly readings: number;
  readonly outOfRange: number;
  readonly stale: number;
  readonly newestSeq: number | null;
  readonly newestOkSeq: number | null;
  readonly dueTick: number | null;
  readonly polls: number;
  readonly failed: number;
  /** Of the last poll; null where that succeeded. */
  readonly lastError: string | null;
}

/** A poll that is due, and that this node has claimed. */
export interface DuePoll extends Place {
  readonly versionNo: number;
  readonly cursorSeq: number | null;
  /** ZID that deployed the version. */
  readonly askedBy: string;
}

const COLUMNS = `machine_id as "machineId", contract_id as "contractId", subject, since_seq as "sinceSeq", readings,
  out_of_range as "outOfRange", stale, newest_seq as "newestSeq", newest_ok_seq as "newestOkSeq", due_tick as "dueTick",
  polls, failed, last_error as "lastError"`;
const MAX_ERROR_LENGTH = 200;

/** One writer for all writes, so that a reading after a registration in the same flush is counted after it. */
export const oracleRows: Writer<OracleWrite> = {
  async write(writes, on) {
    for (const write of writes) {
      const { machineId, contractId } = write;
      if (write.act === 'registered') await register(write, on);
      else if (write.act === 'removed') {
        await rows(on, 'delete from oracle where machine_id = ? and contract_id = ?', [machineId, contractId]);
      } else {
        const { seq, status, cursorSeq } = write;
        await rows(
          on,
          `update oracle set readings = readings + 1, newest_seq = ?, cursor_seq = coalesce(?::bigint, cursor_seq),
             out_of_range = out_of_range + ?, stale = stale + ?, newest_ok_seq = coalesce(?::bigint, newest_ok_seq)
           where machine_id = ? and contract_id = ?`,
          [
            seq,
            cursorSeq ?? null,
            status === 'out_of_range' ? 1 : 0,
            status === 'stale' ? 1 : 0,
            status === 'ok' ? seq : null,
            machineId,
            contractId,
          ],
        );
      }
    }
  },
};

/** A version that was registered before changes nothing. */
async function register(write: Extract<OracleWrite, { act: 'registered' }>, on: Executor): Promise<void> {
  const { machineId, contractId, versionNo, kind, subject, askedBy, sinceSeq, every, svcond } = write;
  await rows(
    on,
    `insert into oracle (machine_id, contract_id, version_no, shard, kind, subject, asked_by, since_seq, readings,
       out_of_range, stale, every_ticks, due_tick, polls, failed)
     values (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?::bigint, ?::bigint, 0, 0)
     on conflict (machine_id, contract_id) do update set version_no = excluded.version_no, kind = excluded.kind,
       subject = excluded.subject, every_ticks = excluded.every_ticks, due_tick = excluded.due_tick,
       asked_by = case when oracle.subject = excluded.subject then oracle.asked_by else excluded.asked_by end,
       since_seq = case when oracle.subject = excluded.subject then oracle.since_seq else excluded.since_seq end,
       newest_seq = case when oracle.subject = excluded.subject then oracle.newest_seq end,
       newest_ok_seq = case when oracle.subject = excluded.subject then oracle.newest_ok_seq end,
       cursor_seq = case when oracle.subject = excluded.subject then oracle.cursor_seq end
     where oracle.version_no < excluded.version_no`,
    [
      machineId,
      contractId,
      versionNo,
      shardOf(machineId),
      kind,
      subject,
      askedBy,
      sinceSeq,
      every ?? null,
      every === undefined ? null : svcond,
    ],
  );
}

export class OracleRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async ofMachine(machineId: string, on: Executor = this.#knex): Promise<StoredOracle[]> {
    return rows(on, `select ${COLUMNS} from oracle where machine_id = ? order by contract_id`, [machineId]);
  }

  /** Number of the last row read of another machine, as the open transaction sees it. */
  async cursor(machineId: string, contractId: string, on: Executor): Promise<number | undefined> {
    const [row] = await rows<{ cursor: number | null }>(
      on,
      'select cursor_seq as cursor from oracle where machine_id = ? and contract_id = ?',
      [machineId, contractId],
    );
    return row?.cursor ?? undefined;
  }

  /** Claims due polls of these shards, longest overdue first. Each is due again after its period. */
  async claimDue(shards: readonly number[], now: number, limit: number, on: Executor = this.#knex): Promise<DuePoll[]> {
    return rows(
      on,
      `update oracle set due_tick = ? + every_ticks, polls = polls + 1
       where (machine_id, contract_id) in (
         select oracle.machine_id, oracle.contract_id from oracle
         join machine on machine.id = oracle.machine_id and machine.status = 'active'
         join contract on contract.machine_id = oracle.machine_id and contract.id = oracle.contract_id
           and contract.status = 'active'
         where oracle.shard = any(?::smallint[]) and oracle.due_tick <= ?
         order by oracle.due_tick limit ? for update of oracle skip locked)
       returning machine_id as "machineId", contract_id as "contractId", version_no as "versionNo",
         cursor_seq as "cursorSeq", asked_by as "askedBy"`,
      [now, shards.map(String), now, limit],
    );
  }

  /** @param error  why the poll failed, if it did */
  async recordPoll(
    { machineId, contractId }: Place,
    error: string | undefined,
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(on, 'update oracle set failed = failed + ?, last_error = ? where machine_id = ? and contract_id = ?', [
      error === undefined ? 0 : 1,
      error?.slice(0, MAX_ERROR_LENGTH) ?? null,
      machineId,
      contractId,
    ]);
  }

  /** Records that the rows up to `seq` are read. The cursor never decreases, and only this version may set it. */
  async advance({ machineId, contractId, versionNo }: DuePoll, seq: number, on: Executor = this.#knex): Promise<void> {
    await rows(
      on,
      `update oracle set cursor_seq = greatest(coalesce(cursor_seq, -1), ?)
       where machine_id = ? and contract_id = ? and version_no = ?`,
      [seq, machineId, contractId, versionNo],
    );
  }
}
