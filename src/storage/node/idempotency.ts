// Idempotency keys: a write that is sent twice is made once. The first sender claims the key; later ones get its
// answer.
//
// The claim is a lease, which ends early if its node dies: a repetition then takes the key over at once. Every effect of
// a call stores what it returned in its own transaction. The repetition runs the same code, and each effect that was
// made before returns what it returned then, so that the call continues where the first attempt ended and nothing is
// done twice. An attempt that has lost its key cannot make another effect.

import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { DomainError } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
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

export interface LeaseName {
  readonly principal: string;
  readonly key: string;
  /** Unique to the attempt. */
  readonly owner: string;
}

/** A claimed key; its holder must complete or abandon it. */
export interface Lease extends LeaseName {
  /** Outcomes of the effects that earlier attempts made, sealed, oldest first. */
  readonly outcomes: readonly Uint8Array[];
}

/** Encrypts outcomes: rows of private machines and new API keys are among them. */
export interface OutcomeBox {
  seal(outcome: Uint8Array): Uint8Array;
  open(sealed: Uint8Array): Uint8Array;
}

interface RecordedEffect {
  readonly effect: string;
  readonly outcome: unknown;
}

/** A call in progress under its lease. */
export interface LeasedCall {
  readonly lease: Lease;
  readonly box: OutcomeBox;
  /** Effects of earlier attempts that this one has not reached yet, oldest first. */
  readonly earlier: RecordedEffect[];
  isOpen: boolean;
}

/** An effect and what it returns to its caller, to be marked in its transaction. */
export interface Effect {
  readonly call: LeasedCall;
  /** Kind of the effect and what it is about; the repetition must come to the same one. */
  readonly effect: string;
  readonly outcome: unknown;
}

/** Calls in progress. Work that outlives its call's answer does not belong to the call. */
const calls = new AsyncLocalStorage<LeasedCall>();

/** Runs a call under its lease; its effects are marked with `markEffects`. */
export async function withLease<Answer>(lease: Lease, box: OutcomeBox, run: () => Promise<Answer>): Promise<Answer> {
  const earlier = lease.outcomes.map((sealed) => deserialize(box.open(sealed)) as RecordedEffect);
  const call: LeasedCall = { lease, box, earlier, isOpen: true };
  try {
    return await calls.run(call, run);
  } finally {
    call.isOpen = false;
  }
}

/** The call in progress, if it carries an Idempotency-Key. */
export function currentCall(): LeasedCall | undefined {
  const call = calls.getStore();
  return call?.isOpen === true ? call : undefined;
}

/**
 * What this effect of the call in progress returned in an earlier attempt; undefined if it has not been made. The caller
 * vouches that the effect returns an `Outcome`.
 *
 * @throws DomainError IDEMPOTENCY_ANSWER_LOST if the earlier attempt made another effect at this point
 */
export function earlierOutcome<Outcome>(effect: string): Outcome | undefined {
  const call = currentCall();
  const recorded = call?.earlier.shift();
  if (call === undefined || recorded === undefined) return undefined;
  if (recorded.effect !== effect) throw answerLost(call.lease.key);
  return recorded.outcome as Outcome;
}

/**
 * Records, in the transaction of these effects, what they return.
 *
 * @throws DomainError IDEMPOTENCY_IN_FLIGHT if a key was already taken over, so that the transaction is rolled back
 */
export async function markEffects(effects: readonly Effect[], on: Executor): Promise<void> {
  const held = [...groupBy(effects, ({ call }) => call.lease.owner).values()].flatMap((made) =>
    made.slice(0, 1).map(({ call: { lease, box } }) => ({ ...lease, outcomes: framed(box, made) })),
  );
  if (held.length === 0) return;
  const marked = await rows<{ owner: string }>(
    on,
    `update idempotency as held set has_effect = true, outcomes = held.outcomes || decode(made.outcomes, 'base64')
     from unnest(?::text[], ?::text[], ?::uuid[], ?::text[]) as made (principal, key, owner, outcomes)
     where held.principal = made.principal and held.key = made.key and held.owner = made.owner returning held.owner`,
    [
      held.map(({ principal }) => principal),
      held.map(({ key }) => key),
      held.map(({ owner }) => owner),
      held.map(({ outcomes }) => outcomes ?? null),
    ],
  );
  const stillHeld = new Set(marked.map(({ owner }) => owner));
  const lost = held.find(({ owner }) => !stillHeld.has(owner));
  if (lost !== undefined) throw inFlight(lost.key, 1);
}

/** The same for one effect of the call in progress. */
export async function markCurrentEffect(effect: string, outcome: unknown, on: Executor): Promise<void> {
  const call = currentCall();
  if (call !== undefined) await markEffects([{ call, effect, outcome }], on);
}

const LENGTH_BYTES = 4;

/**
 * Sealed outcomes, each after its length, as base64; undefined if one cannot be restored as it was, because it holds a
 * function or an instance of a class.
 */
function framed(box: OutcomeBox, made: readonly Effect[]): string | undefined {
  const frames: Uint8Array[] = [];
  for (const { effect, outcome } of made) {
    const bytes = restorable({ effect, outcome });
    if (bytes === undefined) return undefined;
    const sealed = box.seal(bytes);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(sealed.length);
    frames.push(length, sealed);
  }
  return Buffer.concat(frames).toString('base64');
}

function restorable(recorded: RecordedEffect): Buffer | undefined {
  try {
    const bytes = serialize(recorded);
    return isDeepStrictEqual(deserialize(bytes), recorded) ? bytes : undefined;
  } catch {
    return undefined; // a function
  }
}

/** @throws RangeError if a frame is longer than the rest */
export function unframed(bytes: Buffer): Uint8Array[] {
  const outcomes: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + LENGTH_BYTES + bytes.readUInt32BE(at);
    outcomes.push(bytes.subarray(at + LENGTH_BYTES, end));
    at = end;
  }
  return outcomes;
}

export type Claim =
  | { readonly kind: 'claimed'; readonly lease: Lease }
  | { readonly kind: 'done'; readonly answer: StoredAnswer };

/** Longer than the longest computation may wait and take. */
export const LEASE_MS = 3 * LIMITS.kernel.deadlineMs;
const RETENTION_MS = LIMITS.idempotencyHours * 3_600_000;
const MAX_ATTEMPTS = 5;

interface StoredRow {
  readonly route: string;
  readonly body_sha256: Buffer;
  readonly state: 'in_flight' | 'done';
  readonly lease_until: number;
  /** Cannot be taken over: an effect returned something that cannot be restored. */
  readonly is_lost: boolean;
  readonly is_orphaned: boolean;
  readonly status: number | null;
  readonly headers: string | null;
  readonly body: Uint8Array | null;
}

/** How other nodes find out whether the node that runs a call is alive. */
export interface Holder {
  /** Unique to this run of the node. */
  readonly name: string;
  /** PostgreSQL: a session of the node has this name. Embedded: the database has one node, so every other is dead. */
  readonly kind: 'embedded' | 'postgresql';
}

export class IdempotencyRepository {
  readonly #knex: Executor;
  readonly #holder: Holder | undefined;

  /** @param holder  without it, only the lease's time counts */
  constructor(knex: Executor, holder?: Holder) {
    this.#knex = knex;
    this.#holder = holder;
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
      const outcomes = await this.#insert(request, owner, nowMs, on);
      if (outcomes !== undefined)
        return { kind: 'claimed', lease: { principal: request.principal, key: request.key, owner, outcomes } };
      const { condition, bindings } = this.#isOrphaned();
      const [row] = await rows<StoredRow>(
        on,
        `select route, body_sha256, state, lease_until, outcomes is null as is_lost, ${condition} as is_orphaned,
           status, headers, body
         from idempotency as held where principal = ? and key = ?`,
        [...bindings, request.principal, request.key],
      );
      // Without a row, the key was abandoned or removed between the two statements and is free again.
      if (row !== undefined) return answerOf(row, request, nowMs);
      if (attempt === MAX_ATTEMPTS) throw inFlight(request.key, 1);
    }
  }

  /**
   * Inserts a row, or takes over an expired one, or one of the same request whose lease has ended or whose node is dead.
   * One statement, so that only one of several concurrent callers succeeds.
   *
   * @returns outcomes of earlier attempts; undefined if the key is held
   */
  async #insert(
    request: IdempotentRequest,
    owner: string,
    nowMs: number,
    on: Executor,
  ): Promise<readonly Uint8Array[] | undefined> {
    const now = stamp(nowMs);
    const { condition, bindings } = this.#isOrphaned();
    // A session that others cannot see, behind a pooler for example, would look dead.
    const holder =
      this.#holder?.kind === 'postgresql'
        ? '(select application_name from pg_stat_activity where application_name = ?::text limit 1)'
        : '?::text';
    const [inserted] = await rows<{ outcomes: Buffer }>(
      on,
      `insert into idempotency as held
         (principal, key, route, body_sha256, state, owner, holder, lease_until, expires_at)
       values (?, ?, ?, ?, 'in_flight', ?, ${holder}, ?, ?)
       on conflict (principal, key) do update set route = excluded.route, body_sha256 = excluded.body_sha256,
         state = 'in_flight', owner = excluded.owner, holder = excluded.holder, lease_until = excluded.lease_until,
         expires_at = excluded.expires_at, status = null, headers = null, body = null,
         has_effect = held.has_effect and held.expires_at > ?,
         outcomes = case when held.expires_at > ? then held.outcomes else '' end
       where (held.state = 'done' or held.lease_until <= ? or ${condition}) and (held.expires_at <= ? or
         (held.state = 'in_flight' and held.outcomes is not null and held.route = excluded.route
           and held.body_sha256 = excluded.body_sha256))
       returning outcomes`,
      [
        request.principal,
        request.key,
        request.route,
        request.bodySha256,
        owner,
        this.#holder?.name ?? null,
        stamp(nowMs + LEASE_MS),
        stamp(nowMs + RETENTION_MS),
        now,
        now,
        now,
        ...bindings,
        now,
      ],
    );
    return inserted && unframed(inserted.outcomes);
  }

  /** Whether the node that runs the call of the row `held` is dead. */
  #isOrphaned(): { readonly condition: string; readonly bindings: readonly string[] } {
    if (this.#holder === undefined) return { condition: 'false', bindings: [] };
    const { kind, name } = this.#holder;
    return kind === 'embedded'
      ? { condition: 'coalesce(held.holder <> ?, false)', bindings: [name] }
      : {
          condition: `(held.holder is not null and not exists (
            select 1 from pg_stat_activity where application_name = held.holder))`,
          bindings: [],
        };
  }

  /**
   * Stores the answer. Pass the transaction that stores the effects, and roll it back on false.
   *
   * @returns false if the lease has ended and another caller has taken the key over, whose answer counts
   */
  async complete(lease: Lease, answer: StoredAnswer, on: Executor = this.#knex): Promise<boolean> {
    const done = await rows(
      on,
      `update idempotency set state = 'done', status = ?, headers = ?, body = ?, outcomes = ''
       where principal = ? and key = ? and owner = ? and state = 'in_flight' returning 1`,
      [answer.status, JSON.stringify(answer.headers), answer.body, lease.principal, lease.key, lease.owner],
    );
    return done.length === 1;
  }

  /**
   * Frees the key after a failure that a retry may not meet; after an effect, only the lease ends, and a retry continues.
   */
  async abandon(lease: LeaseName, nowMs: number, on: Executor = this.#knex): Promise<void> {
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
  if (row.state === 'in_flight' && row.is_lost && (row.lease_until <= nowMs || row.is_orphaned))
    throw answerLost(request.key);
  if (row.state === 'in_flight' || row.status === null || row.headers === null || row.body === null) {
    throw inFlight(request.key, Math.max(1, Math.ceil((row.lease_until - nowMs) / 1000)));
  }
  const headers = JSON.parse(row.headers) as Record<string, string>;
  return { kind: 'done', answer: { status: row.status, headers, body: row.body } };
}

function answerLost(key: string): DomainError {
  return new DomainError(
    'IDEMPOTENCY_ANSWER_LOST',
    `The first request with the Idempotency-Key ${key} changed something and ended without an answer. ` +
      'Read what there is now, then send with another key what is still wanted.',
  );
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
