// Leases on the shards of timers, which divide the work among nodes. They do not prevent a timer from firing twice: the
// head of the chain and the key of a fire do, so a node that resumes after its lease has ended does no harm.

import { type Executor, rows, stamp } from '../database/sql.ts';

export class ShardLeaseRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /**
   * Renews the leases of this node, takes free or expired shards up to its share, and releases those beyond it.
   *
   * @returns the shards that it holds until `untilMs`
   */
  async renew(
    owner: string,
    shards: number,
    nowMs: number,
    untilMs: number,
    on: Executor = this.#knex,
  ): Promise<number[]> {
    const [now, until] = [stamp(nowMs), stamp(untilMs)];
    await rows(
      on,
      `insert into shard_lease (shard, owner, fence, expires_at)
       select shard, ?, 0, ?::timestamptz from generate_series(0, ? - 1) as shard on conflict (shard) do nothing`,
      [owner, now, shards],
    );
    const [{ others } = { others: 0 }] = await rows<{ others: number }>(
      on,
      'select count(distinct owner) as others from shard_lease where expires_at > ? and owner <> ?',
      [now, owner],
    );
    const share = Math.ceil(shards / (others + 1));
    await rows(on, 'update shard_lease set expires_at = ? where owner = ? and expires_at > ?', [until, owner, now]);
    const [{ held } = { held: 0 }] = await rows<{ held: number }>(
      on,
      'select count(*) as held from shard_lease where owner = ? and expires_at > ?',
      [owner, now],
    );
    if (held > share) {
      await rows(
        on,
        `update shard_lease set expires_at = ? where shard in (
           select shard from shard_lease where owner = ? and expires_at > ? order by shard desc limit ?)`,
        [now, owner, now, held - share],
      );
    } else if (held < share) {
      await rows(
        on,
        `update shard_lease set owner = ?, expires_at = ?, fence = fence + 1 where shard in (
           select shard from shard_lease where expires_at <= ? order by shard limit ? for update skip locked)`,
        [owner, until, now, share - held],
      );
    }
    const mine = await rows<{ shard: number }>(
      on,
      'select shard from shard_lease where owner = ? and expires_at > ? order by shard',
      [owner, now],
    );
    return mine.map(({ shard }) => shard);
  }

  /** Ends all leases of this node now. */
  async release(owner: string, nowMs: number, on: Executor = this.#knex): Promise<void> {
    await rows(on, 'update shard_lease set expires_at = ? where owner = ?', [stamp(nowMs), owner]);
  }
}
