// Leases on shards: each names the node that owns the machines of a shard, and until when. The fence rises with every
// change of hands. They do not prevent a fork or a timer that fires twice: the head of the chain and the key of a fire
// do, so a node that resumes after its lease has ended does no harm.

import { type Executor, rows, stamp } from '../database/sql.ts';

export interface ShardLease {
  readonly shard: number;
  readonly owner: string;
  /** Number of times that the shard has changed hands. */
  readonly fence: number;
  readonly expiresMs: number;
}

export class ShardLeaseRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /**
   * Extends the leases of this node that have not ended. Shards without a row get one that has.
   *
   * @returns the leases of all shards
   */
  async renew(
    owner: string,
    shards: number,
    nowMs: number,
    untilMs: number,
    on: Executor = this.#knex,
  ): Promise<readonly ShardLease[]> {
    const [now, until] = [stamp(nowMs), stamp(untilMs)];
    await rows(on, 'update shard_lease set expires_at = ? where owner = ? and expires_at > ?', [until, owner, now]);
    const found = await this.all(on);
    if (found.length >= shards) return found;
    await rows(
      on,
      `insert into shard_lease (shard, owner, fence, expires_at)
       select shard, ?, 0, ?::timestamptz from generate_series(0, ? - 1) as shard on conflict (shard) do nothing`,
      [owner, now, shards],
    );
    return this.all(on);
  }

  async all(on: Executor = this.#knex): Promise<readonly ShardLease[]> {
    return rows(on, 'select shard, owner, fence, expires_at as "expiresMs" from shard_lease order by shard');
  }

  /** Takes those of these shards whose lease has ended. @returns the taken ones */
  async take(
    owner: string,
    shards: readonly number[],
    nowMs: number,
    untilMs: number,
    on: Executor = this.#knex,
  ): Promise<readonly number[]> {
    if (shards.length === 0) return [];
    const taken = await rows<{ shard: number }>(
      on,
      `update shard_lease set owner = ?, expires_at = ?, fence = fence + 1 where shard in (
         select shard from shard_lease where shard = any(?::smallint[]) and expires_at <= ? for update skip locked)
       returning shard`,
      [owner, stamp(untilMs), shards.map(String), stamp(nowMs)],
    );
    return taken.map(({ shard }) => shard);
  }

  /** Ends the leases of a node now: on these shards, or on all. */
  async release(owner: string, nowMs: number, shards?: readonly number[], on: Executor = this.#knex): Promise<void> {
    await rows(
      on,
      `update shard_lease set expires_at = ? where owner = ? and expires_at > ?
         and (?::smallint[] is null or shard = any(?::smallint[]))`,
      [stamp(nowMs), owner, stamp(nowMs), shards?.map(String) ?? null, shards?.map(String) ?? null],
    );
  }
}
