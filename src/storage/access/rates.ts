// Windows of rates that all nodes count together. A window belongs to a tenant and begins with its first charge.

import { type Executor, rows, stamp } from '../database/sql.ts';

/** What a tenant uses of a window; `share` is the part of its limit, and `endsMs` counts if this opens the window. */
export interface RateCharge {
  readonly name: string;
  readonly tenant: string;
  readonly share: number;
  readonly endsMs: number;
}

/** Use of a window by all nodes: 1 is the whole limit. */
export interface RateUse {
  readonly used: number;
  readonly endsMs: number;
}

/** Part of a share by which a sum may pass the limit: more than millions of additions are rounded. */
export const ROUNDING = 0.01;

interface WindowRow {
  readonly name: string;
  readonly tenant: string;
  readonly used: number;
  readonly ends_at: number;
}

/** Of a window that has ended, nothing is left. */
const CHARGED = `
  used = excluded.used + case when held.ends_at > ? then held.used else 0 end,
  ends_at = case when held.ends_at > ? then held.ends_at else excluded.ends_at end`;

export class RateRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Adds to several windows, beyond their limits too. @returns their uses, in the order of the charges */
  async add(charges: readonly RateCharge[], nowMs: number, on: Executor = this.#knex): Promise<RateUse[]> {
    const now = stamp(nowMs);
    // In one order on all nodes, so that two statements never wait for each other.
    const found = await rows<WindowRow>(
      on,
      `insert into rate_window as held (name, tenant, ends_at, used)
       select name, tenant, max(ends_at), sum(share)
       from unnest(?::text[], ?::text[], ?::timestamptz[], ?::float8[]) as charge (name, tenant, ends_at, share)
       group by name, tenant order by name, tenant
       on conflict (name, tenant) do update set ${CHARGED}
       returning name, tenant, used, ends_at`,
      [
        charges.map(({ name }) => name),
        charges.map(({ tenant }) => tenant),
        charges.map(({ endsMs }) => stamp(endsMs)),
        charges.map(({ share }) => String(share)),
        now,
        now,
      ],
    );
    const uses = new Map(found.map((row) => [keyOf(row), { used: row.used, endsMs: row.ends_at }]));
    return charges.map((charge) => {
      const use = uses.get(keyOf(charge));
      if (use === undefined) throw new Error(`The window ${charge.name} of ${charge.tenant} was not returned.`);
      return use;
    });
  }

  /** Adds to a window if its limit allows. */
  async take(
    { name, tenant, share, endsMs }: RateCharge,
    nowMs: number,
    on: Executor = this.#knex,
  ): Promise<RateUse & { readonly isExceeded: boolean }> {
    const now = stamp(nowMs);
    const [taken] = await rows<WindowRow>(
      on,
      `insert into rate_window as held (name, tenant, ends_at, used) values (?, ?, ?, ?)
       on conflict (name, tenant) do update set ${CHARGED}
       where held.ends_at <= ? or held.used + excluded.used <= 1 + excluded.used * ${ROUNDING}
       returning name, tenant, used, ends_at`,
      [name, tenant, stamp(endsMs), share, now, now, now],
    );
    if (taken !== undefined) return { used: taken.used, endsMs: taken.ends_at, isExceeded: false };
    const [full] = await rows<WindowRow>(
      on,
      'select name, tenant, used, ends_at from rate_window where name = ? and tenant = ?',
      [name, tenant],
    );
    return { used: 1, endsMs: full?.ends_at ?? endsMs, isExceeded: true };
  }

  async giveBack(
    { name, tenant, share }: Omit<RateCharge, 'endsMs'>,
    nowMs: number,
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(
      on,
      'update rate_window set used = greatest(0, used - ?) where name = ? and tenant = ? and ends_at > ?',
      [share, name, tenant, stamp(nowMs)],
    );
  }

  /** @returns number of removed windows; call again while it is `limit` */
  async removeEnded(nowMs: number, limit: number, on: Executor = this.#knex): Promise<number> {
    const removed = await rows(
      on,
      `delete from rate_window where (name, tenant) in (
         select name, tenant from rate_window where ends_at <= ? order by name, tenant limit ? for update skip locked
       ) returning 1`,
      [stamp(nowMs), limit],
    );
    return removed.length;
  }
}

const keyOf = ({ name, tenant }: { readonly name: string; readonly tenant: string }) => `${name} ${tenant}`;
