// Idempotency keys: a write that is sent twice is made once. The first sender claims the key; later ones get its
// answer.
//
// The claim is a lease. A node that dies while it computes leaves its row in flight, and a repetition of the request
// takes the key over after the lease. If the first call had changed something, which the transaction of the change
// marks, nobody takes the key over: the answer is lost, but nothing is done twice.

import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { type Executor, rows, stamp } from '../database/sql.ts';

export interface IdempotentRequest {
  /** Owner of the key; equal keys of different principals are independent. */
  readonly principal: string;
  readonly key: string;
  readonly route: string;
  /** Hash of the body and of everything else that identifies the request. */
  readonly bodySha256: Uint8Array;
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A claimed key; its holder must complete or abandon it. */
export interface Lease {
  readonly principal: string;
  readonly key: string;
  readonly owner: string;
}

/** Calls in progress. Work that outlives its call's answer does not belong to the call. */
const calls = new AsyncLocalStorage<{ readonly lease: Lease; isOpen: boolean }>();

/** Runs a call under its lease; its changes are marked with `markEffects`. */
export async function withLease<Answer>(lease: Lease, run: () => Promise<Answer>): Promise<Answer> {
  const call = { lease, isOpen: true };
  try {
    return await calls.run(call, run);
  } finally {
    call.isOpen = false;
  }
}

/** The lease of the call in progress, if it carries an Idempotency-Key. */
export function currentLease(): Lease | undefined {
  const call = calls.getStore();
  return call?.isOpen === true ? call.lease : undefined;
}

/**
 * Marks, in the transaction of their changes, that these calls have an effect: their keys can no longer be taken over.
 *
 * @throws DomainError IDEMPOTENCY_IN_FLIGHT if a key was already taken over, so that the transaction is rolled back
 */
export async function markEffects(leases: readonly Lease[], on: Executor): Promise<void> {
  const held = [...new Map(leases.map((lease) => [lease.owner, lease])).values()];
  if (held.length === 0) return;
  const marked = await rows<{ owner: string }>(
    on,
    `update idempotency as held set has_effect = true
     from unnest(?::text[], ?::text[], ?::uuid[]) as made (principal, key, owner)
     where held.principal = made.principal and held.key = made.key and held.owner = made.owner returning held.owner`,
    [held.map(({ principal }) => principal), held.map(({ key }) => key), held.map(({ owner }) => owner)],
  );
  const stillHeld = new Set(marked.map(({ owner }) => owner));
  const lost = held.find(({ owner }) => !stillHeld.has(owner));
  if (lost !== undefined) throw inFlight(lost.key, 1);
}

/** The same for the call in progress. */
export async function markCurrentEffects(on: Executor): Promise<void> {
  const lease = currentLease();
  if (lease !== undefined) await markEffects([lease], on);
}

export type Claim =
  | { readonly kind: 'claimed'; readonly lease: Lease }
  | { readonly kind: 'done'; readonly answer: StoredAnswer };

/** Longer than the longest computation may take. */
export const LEASE_MS = 2 * LIMITS.kernel.deadlineMs;
const RETENTION_MS = LIMITS.idempotencyHours * 3_600_000;
const MAX_ATTEMPTS = 5;

interface StoredRow {
  readonly route: string;
  readonly body_sha256: Buffer;
  readonly state: 'in_flight' | 'done';
  readonly lease_until: number;
  readonly has_effect: boolean;
  readonly status: number | null;
  readonly headers: string | null;
  readonly body: Uint8Array | null;
}

export class IdempotencyRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /**
   * Claims the key for `owner`, or returns the stored answer. Other nodes must see the claim, so commit it at once.
   *
   * @param owner  a new UUID of this attempt
   * @throws DomainError IDEMPOTENCY_KEY_REUSED for another route or body, IDEMPOTENCY_IN_FLIGHT while another computes,
   *   IDEMPOTENCY_ANSWER_LOST if another changed something and ended without an answer
   */
  async claim(request: IdempotentRequest, owner: string, nowMs: number, on: Executor = this.#knex): Promise<Claim> {
    for (let attempt = 1; ; attempt++) {
      if (await this.#insert(request, owner, nowMs, on)) {
        return { kind: 'claimed', lease: { principal: request.principal, key: request.key, owner } };
      }
      const [row] = await rows<StoredRow>(
        on,
        `select route, body_sha256, state, lease_until, has_effect, status, headers, body from idempotency
         where principal = ? and key = ?`,
        [request.principal, request.key],
      );
      // Without a row, the key was abandoned or removed between the two statements and is free again.
      if (row !== undefined) return answerOf(row, request, nowMs);
      if (attempt === MAX_ATTEMPTS) throw inFlight(request.key, 1);
    }
  }

  /**
   * Inserts a row, or takes over an expired one or one of the same request whose lease has ended. One statement, so
   * that only one of several concurrent callers succeeds.
   */
  async #insert(request: IdempotentRequest, owner: string, nowMs: number, on: Executor): Promise<boolean> {
    const now = stamp(nowMs);
    const inserted = await rows(
      on,
      `insert into idempotency as held (principal, key, route, body_sha256, state, owner, lease_until, expires_at)
       values (?, ?, ?, ?, 'in_flight', ?, ?, ?)
       on conflict (principal, key) do update set route = excluded.route, body_sha256 = excluded.body_sha256,
         state = 'in_flight', owner = excluded.owner, lease_until = excluded.lease_until,
         expires_at = excluded.expires_at, status = null, headers = null, body = null, has_effect = false
       where (held.state = 'done' or held.lease_until <= ?) and (held.expires_at <= ? or
         (held.state = 'in_flight' and not held.has_effect and held.route = excluded.route
           and held.body_sha256 = excluded.body_sha256))
       returning 1`,
      [
        request.principal,
        request.key,
        request.route,
        request.bodySha256,
        owner,
        stamp(nowMs + LEASE_MS),
        stamp(nowMs + RETENTION_MS),
        now,
        now,
      ],
    );
    return inserted.length === 1;
  }

  /**
   * Stores the answer. Pass the transaction that stores the effects, and roll it back on false.
   *
   * @returns false if the lease has ended and another caller has taken the key over, whose answer counts
   */
  async complete(lease: Lease, answer: StoredAnswer, on: Executor = this.#knex): Promise<boolean> {
    const done = await rows(
      on,
      `update idempotency set state = 'done', status = ?, headers = ?, body = ?
       where principal = ? and key = ? and owner = ? and state = 'in_flight' returning 1`,
      [answer.status, JSON.stringify(answer.headers), answer.body, lease.principal, lease.key, lease.owner],
    );
    return done.length === 1;
  }

  /**
   * Frees the key after a failure that a retry may not meet; after an effect, the key stays and only the lease ends.
   */
  async abandon(lease: Lease, nowMs: number, on: Executor = this.#knex): Promise<void> {
    const held = `principal = ? and key = ? and owner = ? and state = 'in_flight'`;
    const { principal, key, owner } = lease;
    await rows(on, `update idempotency set lease_until = ? where ${held} and has_effect`, [
      stamp(nowMs),
      principal,
      key,
      owner,
    ]);
    await rows(on, `delete from idempotency where ${held} and not has_effect`, [principal, key, owner]);
  }

  /** @returns number of removed rows; call again while it is `limit` */
  async removeExpired(nowMs: number, limit: number, on: Executor = this.#knex): Promise<number> {
    const now = stamp(nowMs);
    const removed = await rows(
      on,
      `delete from idempotency where expires_at <= ? and (principal, key) in (
         select principal, key from idempotency where expires_at <= ? order by expires_at limit ?
       ) returning 1`,
      [now, now, limit],
    );
    return removed.length;
  }
}

function answerOf(row: StoredRow, request: IdempotentRequest, nowMs: number): Claim {
  if (row.route !== request.route || !row.body_sha256.equals(request.bodySha256)) {
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      `The Idempotency-Key ${request.key} was used for another request to ${row.route}; use a new key.`,
    );
  }
  if (row.state === 'in_flight' && row.has_effect && row.lease_until <= nowMs) {
    throw new DomainError(
      'IDEMPOTENCY_ANSWER_LOST',
      `The first request with the Idempotency-Key ${request.key} changed something and ended without an answer. ` +
        'Read what there is now, then send with another key what is still wanted.',
    );
  }
  if (row.state === 'in_flight' || row.status === null || row.headers === null || row.body === null) {
    throw inFlight(request.key, Math.max(1, Math.ceil((row.lease_until - nowMs) / 1000)));
  }
  const headers = JSON.parse(row.headers) as Record<string, string>;
  return { kind: 'done', answer: { status: row.status, headers, body: row.body } };
}

function inFlight(key: string, leaseSeconds: number): DomainError {
  return new DomainError(
    'IDEMPOTENCY_IN_FLIGHT',
    `The first request with the Idempotency-Key ${key} is still running.`,
    {
      retryAfterSeconds: Math.min(leaseSeconds, 5),
    },
  );
}
