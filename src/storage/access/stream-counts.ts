// Numbers of open streams by name, a caller or a tenant, of each node of a database.

import type { Database } from '../database/database.ts';
import { type Executor, rows, stamp } from '../database/sql.ts';

/** What a node has of a name: streams that are open, and those that wait to be opened. */
export interface StreamDemand {
  readonly name: string;
  /** Of all nodes together. */
  readonly limit: number;
  readonly open: number;
  readonly waiting: number;
}

export class StreamCountRepository {
  readonly #database: Pick<Database, 'knex' | 'transaction'>;

  constructor(database: Pick<Database, 'knex' | 'transaction'>) {
    this.#database = database;
  }

  /**
   * Writes the counts of a node until `endsMs`. Of the waiting streams it counts as many as the limit allows beside those
   * of the other nodes. Open ones are counted in any case.
   *
   * @returns how many may be opened, in the order of the demands, which have different names
   */
  async count(node: string, demands: readonly StreamDemand[], nowMs: number, endsMs: number): Promise<number[]> {
    const asked = demands.filter(({ waiting }) => waiting > 0).map(({ name }) => name);
    const counted = await this.#database.transaction(async (on) => {
      // Two nodes that ask for one name take turns, in one order of the names. The next statement sees what the other wrote.
      if (asked.length > 0)
        await rows(
          on,
          `select pg_advisory_xact_lock(hashtextextended(name, ${LOCK_SEED}))
           from (select unnest(?::text[]) as name order by name) as asked`,
          [asked],
        );
      return rows<{ name: string; streams: number }>(
        on,
        `insert into stream_count (name, node, streams, ends_at)
         select name, ?::text, open + greatest(0, least(waiting, most - open - (
           select coalesce(sum(streams), 0) from stream_count as other
           where other.name = demand.name and other.node <> ? and other.ends_at > ?
         ))), ?::timestamptz
         from unnest(?::text[], ?::int[], ?::int[], ?::int[]) as demand (name, most, open, waiting)
         on conflict (name, node) do update set streams = excluded.streams, ends_at = excluded.ends_at
         returning name, streams`,
        [
          ...[node, node, stamp(nowMs), stamp(endsMs)],
          demands.map(({ name }) => name),
          ...[
            demands.map(({ limit }) => `${limit}`),
            demands.map(({ open }) => `${open}`),
            demands.map(({ waiting }) => `${waiting}`),
          ],
        ],
      );
    });
    const streams = new Map(counted.map((row) => [row.name, row.streams]));
    return demands.map(({ name, open }) => (streams.get(name) ?? open) - open);
  }

  /** Removes counts that have ended. @returns their number; call again while it is `limit` */
  async removeEnded(nowMs: number, limit: number, on: Executor = this.#database.knex): Promise<number> {
    const removed = await rows(
      on,
      `delete from stream_count where (name, node) in (
         select name, node from stream_count where ends_at <= ? order by name, node limit ? for update skip locked
       ) returning 1`,
      [stamp(nowMs), limit],
    );
    return removed.length;
  }

  /** Removes all counts of a node that stops. */
  async removeNode(node: string): Promise<void> {
    await rows(this.#database.knex, 'delete from stream_count where node = ?', [node]);
  }
}

/** Separates these advisory locks from others of the database. */
const LOCK_SEED = 7_301;
