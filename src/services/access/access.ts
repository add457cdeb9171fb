// Who is asking: a raw key becomes a principal, or a refusal.

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Clock, isoFromMs } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { ApiKey, KeyRepository, Scope, Tier } from '../../storage/access/keys.ts';
import type { Share, ShareRepository } from '../../storage/access/shares.ts';
import { prefixOf, SHARE_SCHEME } from './key-format.ts';

export type { Scope, Tier };

export interface Principal {
  readonly accountId: string;
  /** Of the account, once it has an identity. */
  readonly zid?: string | undefined;
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly scope: Scope;
  readonly tier: Tier;
  readonly isDemo: boolean;
  /** Of a share token or a read pass: the id of the one machine that it opens, for reading and nothing else. */
  readonly readsMachine?: string;
}

export interface AccessOptions {
  readonly keys: Pick<KeyRepository, 'byHash' | 'touch'>;
  /** Without them no share token is known. */
  readonly shares?: Pick<ShareRepository, 'byHash'>;
  readonly clock: Clock;
  /** Noting the last use is no reason to refuse a call: its failures come here. */
  readonly onTouchFailed: (error: unknown) => void;
}

interface CachedKey {
  readonly key: ApiKey;
  readonly principal: Principal;
  readonly readMs: number;
}

const CACHED_KEYS = 10_000;
/** The account of guests: none has this id. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
/** How long another process may still accept a key after its revocation; in this process it ends at once. */
export const CACHED_MS = 15_000;
/** `last_used_at` is written at most this often. */
export const TOUCH_EVERY_MS = 60_000;

export class AccessService {
  readonly #keys: AccessOptions['keys'];
  readonly #shares: AccessOptions['shares'];
  readonly #clock: Clock;
  readonly #onTouchFailed: AccessOptions['onTouchFailed'];
  /** By the hash of the key, so that no raw key stays in memory. */
  readonly #cache = new LRUCache<string, CachedKey>({ max: CACHED_KEYS });
  #revocations = 0;
  #lastUsed = new Map<string, number>();
  #touchedMs: number;
  #touching: Promise<void> = Promise.resolve();

  constructor({ keys, shares, clock, onTouchFailed }: AccessOptions) {
    this.#keys = keys;
    this.#shares = shares;
    this.#clock = clock;
    this.#onTouchFailed = onTouchFailed;
    this.#touchedMs = this.#nowMs();
  }

  /** @throws DomainError KEY_INVALID, KEY_REVOKED, KEY_EXPIRED */
  async authenticate(raw: string): Promise<Principal> {
    const nowMs = this.#nowMs();
    const keyPrefix = prefixOf(raw);
    if (keyPrefix === undefined) {
      throw new DomainError('KEY_INVALID', 'That is not a key of this service: its form or its checksum is wrong.');
    }
    if (keyPrefix.startsWith(SHARE_SCHEME)) return this.#guest(raw, keyPrefix, nowMs);
    const { key, principal } = await this.#find(hashKey(raw), keyPrefix, nowMs);
    if (key.revokedMs !== undefined) throw new DomainError('KEY_REVOKED', `The key ${keyPrefix}… was revoked.`);
    if (key.expiresMs !== undefined && key.expiresMs <= nowMs) {
      throw new DomainError('KEY_EXPIRED', `The key ${keyPrefix}… expired at ${isoFromMs(key.expiresMs)}.`);
    }
    this.#lastUsed.set(key.id, nowMs);
    if (nowMs - this.#touchedMs >= TOUCH_EVERY_MS) void this.flush();
    return principal;
  }

  /** Read from the database each time: a token ends at once on every node. */
  async #guest(raw: string, keyPrefix: string, nowMs: number): Promise<Principal> {
    const share = await this.#shares?.byHash(hashKey(raw));
    if (share === undefined) throw new DomainError('KEY_INVALID', `The token ${keyPrefix}… is not known here.`);
    if (share.revokedMs !== undefined) throw new DomainError('KEY_REVOKED', `The token ${keyPrefix}… was disabled.`);
    if (share.expiresMs !== undefined && share.expiresMs <= nowMs) {
      throw new DomainError('KEY_EXPIRED', `The token ${keyPrefix}… expired at ${isoFromMs(share.expiresMs)}.`);
    }
    return guestOf(share, keyPrefix);
  }

  /** Call after a revocation is stored: no key is then answered from memory that was read before it. */
  forgetAll(): void {
    this.#revocations++;
    this.#cache.clear();
  }

  /** Writes the last uses that are still held in memory. Never rejects. */
  flush(): Promise<void> {
    this.#touchedMs = this.#nowMs();
    const used = this.#lastUsed;
    this.#lastUsed = new Map();
    this.#touching = this.#touching.then(() => this.#keys.touch(used)).catch(this.#onTouchFailed);
    return this.#touching;
  }

  async #find(hash: Buffer, keyPrefix: string, nowMs: number): Promise<CachedKey> {
    const name = hash.toString('base64url');
    const cached = this.#cache.get(name);
    if (cached && nowMs - cached.readMs < CACHED_MS) return cached;
    const revocations = this.#revocations;
    const key = await this.#keys.byHash(hash);
    if (!key) throw new DomainError('KEY_INVALID', `The key ${keyPrefix}… is not known here.`);
    const found = { key, principal: principalOf(key), readMs: nowMs };
    // A revocation that came while the row was read may not be in the row.
    if (revocations === this.#revocations) this.#cache.set(name, found);
    return found;
  }

  #nowMs(): number {
    return Number(this.#clock.now() / 1_000_000n);
  }
}

/** What is stored of a key. 256 random bits need no slow hash. */
export function hashKey(raw: string): Buffer {
  return createHash('sha256').update(raw).digest();
}

/** Whoever may read one machine, and is nobody otherwise. */
export function guestOf({ machineId, id }: Pick<Share, 'machineId' | 'id'>, keyPrefix: string): Principal {
  return {
    accountId: NOBODY,
    keyId: id,
    keyPrefix,
    scope: 'read',
    tier: 'free',
    isDemo: false,
    readsMachine: machineId,
  };
}

function principalOf(key: ApiKey & { readonly zid?: string | undefined }): Principal {
  const { accountId, zid, id, keyPrefix, scope, tier } = key;
  return { accountId, zid, keyId: id, keyPrefix, scope, tier, isDemo: tier === 'demo' };
}
