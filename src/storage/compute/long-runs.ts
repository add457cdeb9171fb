// Long runs: asked by one node, computed by any. A node holds a run under a lease, which it renews; of a node that has died
// or was paused, the run is another's, and only the holder of now can store the answer. Times are the database's.

import { type Executor, rows } from '../database/sql.ts';

export interface AskedRun {
  readonly id: string;
  readonly tenant: string;
  /** Kernel and revision that compute it; nodes that have others leave it. */
  readonly edition: string;
  readonly request: Uint8Array;
}

/** A run that a node computes. */
export interface HeldRun {
  readonly id: string;
  readonly holder: string;
  /** Number of nodes that have begun it, this one included. */
  readonly attempts: number;
}

export interface TakenRun extends HeldRun {
  readonly tenant: string;
  readonly request: Uint8Array;
}

export interface TakeOptions {
  readonly holder: string;
  readonly editions: readonly string[];
  readonly leaseMs: number;
  /** How long a run must have waited. */
  readonly waitedMs: number;
  /** Only these; all if undefined. */
  readonly ids?: readonly string[] | undefined;
}

/** Why a run was not stored. */
export type Refusal = 'tenant' | 'all';

const HELD = 'id = ? and holder = ? and attempts = ? and answer is null';
const IN_MS = `now() + ? * interval '1 millisecond'`;

export class LongRunRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /**
   * Stores a run, unless it is stored already. In a transaction nobody sees it before the commit.
   *
   * @param limits  open runs of its tenant, and of all; several at once may exceed them by their number
   * @returns the limit that is reached; undefined if the run is stored
   */
  async ask(
    { id, tenant, edition, request }: AskedRun,
    limits: { readonly perTenant: number; readonly all: number },
    keptMs: number,
    on: Executor = this.#knex,
  ): Promise<Refusal | undefined> {
    const [found] = await rows<{ own: number; all: number; is_stored: boolean }>(
      on,
      `with open as materialized (select id, tenant from long_run where answer is null and expires_at > now()),
         counted as (select count(*)::int as all, (count(*) filter (where tenant = ?))::int as own from open),
         stored as (insert into long_run (id, tenant, edition, request, created_at, expires_at)
           select ?::uuid, ?, ?, ?, now(), ${IN_MS} from counted where counted.own < ? and counted.all < ?
           on conflict (id) do update set request = excluded.request, created_at = excluded.created_at, attempts = 0,
             holder = null, lease_until = null, fraction = 0, answer = null, expires_at = excluded.expires_at
             where long_run.expires_at <= now())
       select counted.own, counted.all,
         exists (select 1 from long_run where id = ?::uuid and expires_at > now()) as is_stored from counted`,
      [tenant, id, tenant, edition, request, keptMs, limits.perTenant, limits.all, id],
    );
    if (found === undefined || found.is_stored) return undefined;
    if (found.own >= limits.perTenant) return 'tenant';
    return found.all >= limits.all ? 'all' : undefined;
  }

  /** Takes the oldest run that nobody computes, of a tenant of which the fewest are computed. */
  async take(
    { holder, editions, leaseMs, waitedMs, ids }: TakeOptions,
    on: Executor = this.#knex,
  ): Promise<TakenRun | undefined> {
    const [taken] = await rows<TakenRun>(
      on,
      `update long_run as taken set holder = ?, attempts = attempts + 1, fraction = 0, lease_until = ${IN_MS}
       where id = (
         select id from long_run as asked
         where answer is null and (lease_until is null or lease_until < now()) and expires_at > now()
           and edition = any(?::text[]) and created_at <= now() - ? * interval '1 millisecond'
           and (?::uuid[] is null or id = any(?::uuid[]))
         order by (select count(*) from long_run as other
           where other.tenant = asked.tenant and other.answer is null and other.lease_until >= now()), created_at, id
         limit 1 for update skip locked)
       returning id, holder, attempts, tenant, request`,
      [holder, leaseMs, editions, waitedMs, ids ?? null, ids ?? null],
    );
    return taken;
  }

  /** Extends the lease. @returns false if the run is another node's by now, or was removed */
  async renew(
    { id, holder, attempts }: HeldRun,
    fraction: number,
    leaseMs: number,
    on: Executor = this.#knex,
  ): Promise<boolean> {
    const renewed = await rows(
      on,
      `update long_run set fraction = ?, lease_until = ${IN_MS} where ${HELD} returning 1`,
      [fraction, leaseMs, id, holder, attempts],
    );
    return renewed.length === 1;
  }

  /** Stores the answer, which is kept for a while. @returns false if the run is another node's by now, or was removed */
  async answer(
    { id, holder, attempts }: HeldRun,
    answer: Uint8Array,
    keptMs: number,
    on: Executor = this.#knex,
  ): Promise<boolean> {
    const answered = await rows(
      on,
      `update long_run set answer = ?, fraction = 1, lease_until = null, expires_at = ${IN_MS} where ${HELD} returning 1`,
      [answer, keptMs, id, holder, attempts],
    );
    return answered.length === 1;
  }

  /** Gives a run back that this node cannot compute now; its attempt does not count. */
  async giveBack({ id, holder, attempts }: HeldRun, pauseMs: number, on: Executor = this.#knex): Promise<void> {
    await rows(on, `update long_run set holder = null, attempts = attempts - 1, lease_until = ${IN_MS} where ${HELD}`, [
      pauseMs,
      id,
      holder,
      attempts,
    ]);
  }

  /** Undefined if it was removed. */
  async find(
    id: string,
    on: Executor = this.#knex,
  ): Promise<{ readonly fraction: number; readonly answer: Uint8Array | null } | undefined> {
    return (
      await rows<{ fraction: number; answer: Uint8Array | null }>(
        on,
        'select fraction, answer from long_run where id = ? and expires_at > now()',
        [id],
      )
    )[0];
  }

  async remove(id: string, on: Executor = this.#knex): Promise<void> {
    await rows(on, 'delete from long_run where id = ?', [id]);
  }

  /** @returns number of removed runs; call again while it is `limit` */
  async removeExpired(limit: number, on: Executor = this.#knex): Promise<number> {
    const removed = await rows(
      on,
      'delete from long_run where id in (select id from long_run where expires_at <= now() limit ?) returning 1',
      [limit],
    );
    return removed.length;
  }
}
