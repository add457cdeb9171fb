// Nodes that run on one database, with the address at which each takes calls for its machines.

import { type Executor, rows, stamp } from '../database/sql.ts';

export interface LiveNode {
  /** Of one run of a node. */
  readonly id: string;
  /** Address for the other nodes; null if the node takes no calls. */
  readonly url: string | null;
  /** Format of the messages that it understands. */
  readonly format: number;
  /** Whether it gives its machines away because it stops. */
  readonly isLeaving: boolean;
}

/** How long the row of a dead node stays, for people who look. */
const KEPT_MS = 3_600_000;

export class LiveNodeRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** States that a node is alive until `untilMs`. @returns all nodes that are alive at `nowMs` */
  async beat(
    { id, url, format, isLeaving }: LiveNode,
    nowMs: number,
    untilMs: number,
    on: Executor = this.#knex,
  ): Promise<readonly LiveNode[]> {
    await rows(
      on,
      `insert into live_node (id, url, format, is_leaving, expires_at) values (?, ?, ?, ?, ?)
       on conflict (id) do update set url = excluded.url, format = excluded.format, is_leaving = excluded.is_leaving,
         expires_at = excluded.expires_at`,
      [id, url, format, isLeaving, stamp(untilMs)],
    );
    return this.alive(nowMs, on);
  }

  /** Nodes that are alive at `nowMs`, in the order of their ids. */
  async alive(nowMs: number, on: Executor = this.#knex): Promise<readonly LiveNode[]> {
    return rows(
      on,
      `select id, url, format, is_leaving as "isLeaving" from live_node where expires_at > ? order by id`,
      [stamp(nowMs)],
    );
  }

  /**
   * Whether a node has certainly ended: PostgreSQL has no session of its name, and has one of the name of this node, which
   * a pooler would hide.
   */
  async hasEnded(session: string, own: string, on: Executor = this.#knex): Promise<boolean> {
    const found = await rows<{ name: string }>(
      on,
      'select distinct application_name as name from pg_stat_activity where application_name in (?, ?)',
      [session, own],
    );
    return found.length === 1 && found[0]?.name === own;
  }

  /** Removes a node that has ended, and those that have been dead for long. */
  async remove(id: string, nowMs: number, on: Executor = this.#knex): Promise<void> {
    await rows(on, 'delete from live_node where id = ? or expires_at < ?', [id, stamp(nowMs - KEPT_MS)]);
  }
}
