// Outbox of webhook deliveries: written with the fire, claimed by dispatchers, and settled when delivered or given up.
//
// A dispatcher claims a delivery by moving its next attempt past the longest time that an attempt can take, in a
// transaction that skips locked rows. Nobody else claims it meanwhile, and if the dispatcher dies, it is due again by
// itself.

import { LIMITS } from '../../core/limits.ts';
import { boundedPage } from '../database/bounded-page.ts';
import { decodeCursor, encodeCursor, type Page } from '../database/cursor.ts';
import type { Database } from '../database/database.ts';
import { type Binding, type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export interface OutboxEntry {
  readonly id: string;
  readonly machineId: string;
  readonly contractId: string;
  readonly url: string;
  readonly body: string;
  readonly svcond: number;
}

/** The deliveries of one machine to one host. */
export interface Lane {
  readonly machineId: string;
  readonly host: string;
}

export interface DueDelivery extends Lane {
  readonly id: string;
}

/** A delivery that this dispatcher has claimed for one attempt. */
export interface ClaimedDelivery extends DueDelivery {
  readonly url: string;
  readonly body: string;
  /** Number of the attempt; counts from 1 and never repeats. */
  readonly attempt: number;
  /** Number of the last attempt. */
  readonly finalAttempt: number;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

export interface StoredDelivery {
  readonly id: string;
  readonly contractId: string;
  readonly url: string;
  readonly body: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptTick: number | undefined;
  readonly lastError: string | undefined;
  readonly deliveredSvcond: number | undefined;
  readonly createdSvcond: number;
}

interface DeliveryRow {
  readonly id: string;
  readonly contract_id: string;
  readonly url: string;
  readonly body: string;
  readonly attempts: number;
  readonly next_attempt_tick: number | null;
  readonly last_error: string | null;
  readonly delivered_svcond: number | null;
  readonly created_svcond: number;
}

const COLUMNS =
  'id, contract_id, url, body, attempts, next_attempt_tick, last_error, delivered_svcond, created_svcond' as const;

const CONDITIONS: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'next_attempt_tick is not null',
  delivered: 'next_attempt_tick is null and delivered_svcond is not null',
  dead: 'next_attempt_tick is null and delivered_svcond is null',
};

export const outboxRows: Writer<OutboxEntry> = {
  async write(entries, on) {
    const column = <T>(read: (one: OutboxEntry) => T) => entries.map(read);
    await rows(
      on,
      `insert into outbox (id, machine_id, contract_id, url, host, body, attempts, final_attempt, next_attempt_tick,
         created_svcond)
       select id, machine_id, contract_id, url, host, body, 0, ?, svcond, svcond
       from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::bigint[])
         as new (id, machine_id, contract_id, url, host, body, svcond)`,
      [
        LIMITS.webhooks.attempts,
        column(({ id }) => id),
        column(({ machineId }) => machineId),
        column(({ contractId }) => contractId),
        column(({ url }) => url),
        column(({ url }) => URL.parse(url)?.host ?? ''),
        column(({ body }) => body),
        column(({ svcond }) => String(svcond)),
      ],
    );
  },
};

/** Settled deliveries that become due again, with as many attempts as new ones. */
export const redeliveries: Writer<{ readonly machineId: string; readonly id: string; readonly tick: number }> = {
  async write(all, on) {
    for (const { machineId, id, tick } of all) {
      await rows(
        on,
        `update outbox set next_attempt_tick = ?, final_attempt = attempts + ?, delivered_svcond = null,
           last_error = null
         where machine_id = ? and id = ? and next_attempt_tick is null`,
        [tick, LIMITS.webhooks.attempts, machineId, id],
      );
    }
  },
};

const FIRST_LANE: Lane = { machineId: '00000000-0000-0000-0000-000000000000', host: '' };

export interface ClaimOptions {
  readonly now: number;
  /** Tick at which claimed deliveries are due again, unless they are settled before. */
  readonly until: number;
  /** Lane to start after; the earlier lanes and this one come last. */
  readonly after?: Lane | undefined;
  readonly exceptHosts: readonly string[];
  readonly exceptMachines: readonly string[];
  /** Maximum number of deliveries per lane and in all that are offered to `choose`. */
  readonly perLane: number;
  readonly limit: number;
  /** Selects which of the due deliveries to claim. */
  readonly choose: (due: readonly DueDelivery[]) => readonly DueDelivery[];
}

export class OutboxRepository {
  readonly #knex: Executor;
  readonly #transaction: Database['transaction'];

  constructor(knex: Executor, transaction: Database['transaction']) {
    this.#knex = knex;
    this.#transaction = transaction;
  }

  async hasDue(now: number, on: Executor = this.#knex): Promise<boolean> {
    return (await rows(on, 'select 1 from outbox where next_attempt_tick <= ? limit 1', [now])).length === 1;
  }

  /** Claims some of the due deliveries, lane by lane. */
  async claimDue({ now, until, after = FIRST_LANE, choose, ...options }: ClaimOptions): Promise<ClaimedDelivery[]> {
    if (!(await this.hasDue(now))) return [];
    return this.#transaction(async (on) => {
      const due = await this.#due({ now, after, ...options }, on);
      const missing = options.limit - due.length;
      if (missing > 0 && after !== FIRST_LANE) {
        const seen = new Set(due.map(({ id }) => id));
        const fromStart = await this.#due({ now, after: FIRST_LANE, ...options }, on);
        due.push(...fromStart.filter(({ id }) => !seen.has(id)).slice(0, missing));
      }
      const chosen = choose(due);
      if (chosen.length === 0) return [];
      return rows<ClaimedDelivery>(
        on,
        `update outbox set attempts = attempts + 1, next_attempt_tick = ? where id = any(?::uuid[])
         returning id, machine_id as "machineId", host, url, body, attempts as "attempt",
           final_attempt as "finalAttempt"`,
        [until, chosen.map(({ id }) => id)],
      );
    });
  }

  /** Steps from lane to lane along the index, however many deliveries each has. Skips archived machines. */
  async #due(
    {
      now,
      after,
      exceptHosts,
      exceptMachines,
      perLane,
      limit: most,
    }: Omit<ClaimOptions, 'until' | 'choose' | 'after'> & { readonly after: Lane },
    on: Executor,
  ): Promise<DueDelivery[]> {
    return rows(
      on,
      `with recursive lane (machine_id, host) as (
         (select machine_id, host from outbox
          where next_attempt_tick is not null and (machine_id, host) > (?::uuid, ?::text)
          order by machine_id, host limit 1)
         union all
         select further.machine_id, further.host from lane cross join lateral (
           select machine_id, host from outbox
           where next_attempt_tick is not null and (machine_id, host) > (lane.machine_id, lane.host)
           order by machine_id, host limit 1) as further
       )
       select due.id, lane.machine_id as "machineId", lane.host from lane cross join lateral (
         select id from outbox where machine_id = lane.machine_id and host = lane.host and next_attempt_tick <= ?
         order by next_attempt_tick limit ? for update skip locked) as due
       where lane.host <> all(?::text[]) and lane.machine_id <> all(?::uuid[])
         and (select status from machine where id = lane.machine_id) <> 'archived'
       limit ?`,
      [after.machineId, after.host, now, perLane, exceptHosts, exceptMachines, most],
    );
  }

  async markDelivered(id: string, tick: number, on: Executor = this.#knex): Promise<void> {
    await rows(
      on,
      `update outbox set delivered_svcond = ?, next_attempt_tick = null, last_error = null
       where id = ? and delivered_svcond is null`,
      [tick, id],
    );
  }

  /**
   * Records a failed attempt, unless the delivery was claimed again or delivered meanwhile. Without `next` it is dead.
   */
  async markFailed(
    { id, attempt }: ClaimedDelivery,
    error: string,
    next: number | undefined,
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(
      on,
      `update outbox set next_attempt_tick = ?, last_error = ?
       where id = ? and attempts = ? and next_attempt_tick is not null`,
      [next ?? null, error, id, attempt],
    );
  }

  async get(machineId: string, id: string, on: Executor = this.#knex): Promise<StoredDelivery | undefined> {
    const [row] = await rows<DeliveryRow>(on, `select ${COLUMNS} from outbox where machine_id = ? and id = ?`, [
      machineId,
      id,
    ]);
    return row && fromRow(row);
  }

  /** Newest first. */
  async list(
    machineId: string,
    page: {
      readonly status?: DeliveryStatus | undefined;
      readonly limit: number;
      readonly cursor?: string | undefined;
    },
    on: Executor = this.#knex,
  ): Promise<Page<StoredDelivery>> {
    const conditions = ['machine_id = ?'];
    const bindings: Binding[] = [machineId];
    if (page.status !== undefined) conditions.push(CONDITIONS[page.status]);
    if (page.cursor !== undefined) {
      conditions.push('id < ?');
      bindings.push(decodeCursor(page.cursor));
    }
    const query = `select ${COLUMNS} from outbox where ${conditions.join(' and ')}`;
    const bounds = { order: 'id desc', bytes: 'octet_length(body)', maxBytes: LIMITS.pageBytes, maxRows: page.limit };
    const { rows: found, isCut } = await boundedPage<DeliveryRow>(on, query, bindings, bounds);
    const last = found.at(-1);
    return { rows: found.map(fromRow), nextCursor: isCut && last ? encodeCursor(last.id) : undefined };
  }

  /**
   * Removes settled deliveries of before a tick.
   *
   * @returns number of removed deliveries; call again while it is `limit`
   */
  async removeBefore(tick: number, limit: number, on: Executor = this.#knex): Promise<number> {
    const removed = await rows(
      on,
      `delete from outbox where next_attempt_tick is null and id in (
         select id from outbox where created_svcond < ? and next_attempt_tick is null order by created_svcond limit ?
       ) returning 1`,
      [tick, limit],
    );
    return removed.length;
  }
}

function fromRow(row: DeliveryRow): StoredDelivery {
  const isSettled = row.next_attempt_tick === null;
  return {
    id: row.id,
    contractId: row.contract_id,
    url: row.url,
    body: row.body,
    status: isSettled ? (row.delivered_svcond === null ? 'dead' : 'delivered') : 'pending',
    attempts: row.attempts,
    nextAttemptTick: row.next_attempt_tick ?? undefined,
    lastError: row.last_error ?? undefined,
    deliveredSvcond: row.delivered_svcond ?? undefined,
    createdSvcond: row.created_svcond,
  };
}
