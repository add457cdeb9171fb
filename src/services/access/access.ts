// Authentication: resolves a raw API key or share token to a principal, or rejects it.

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Clock, isoFromMs, TICK_SECONDS } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { ApiKey, KeyRepository, Scope, Tier } from '../../storage/access/keys.ts';
import type { Share, ShareRepository } from '../../storage/machines/access/shares.ts';
import { prefixOf, SHARE_SCHEME } from './key-format.ts';

export type { Scope, Tier };

export interface Principal {
  readonly accountId: string;
  /** ZID of the account, once it has an identity. */
  readonly zid?: string | undefined;
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly scope: Scope;
  readonly tier: Tier;
  readonly isDemo: boolean;
  readonly expiresMs?: number | undefined;
  /** Whose rate the key uses, if that is not its account; demo keys and share tokens use that of their address. */
  readonly tenant?: string | undefined;
  /** Set for share tokens and read passes: id of the only machine they may read. They may do nothing else. */
  readonly readableMachineId?: string;
}

export interface AccessOptions {
  readonly keys: Pick<KeyRepository, 'byHash' | 'touch'>;
  /** Without this repository every share token is rejected. */
  readonly shares?: Pick<ShareRepository, 'byHash'>;
  readonly clock: Clock;
  /** Receives failures to store the last use of a key, which never reject a call. */
  readonly onTouchError: (error: unknown) => void;
  /** Tells the other nodes that keys have changed. */
  readonly onKeyChange?: () => void;
}

interface CachedKey {
  readonly key: ApiKey;
  readonly principal: Principal;
  readonly readMs: number;
}

const MAX_CACHED_KEYS = 10_000;
/** Account id of guests; no stored account has it. */
const GUEST_ACCOUNT_ID = '00000000-0000-0000-0000-000000000000';
/** One tick: how long another node may accept a revoked key if the notice of the revocation is lost. */
export const CACHE_TTL_MS = Math.floor(TICK_SECONDS * 1000);
/** Minimum interval between writes of `last_used_at`. */
export const TOUCH_INTERVAL_MS = 60_000;

export class AccessService {
  readonly #keys: AccessOptions['keys'];
  readonly #shares: AccessOptions['shares'];
  readonly #clock: Clock;
  readonly #onTouchError: AccessOptions['onTouchError'];
  readonly #onKeyChange: AccessOptions['onKeyChange'];
  /** Keyed by hash, so that no raw key stays in memory. */
  readonly #cache = new LRUCache<string, CachedKey>({ max: MAX_CACHED_KEYS });
  #revocations = 0;
  readonly #onRevoked: (() => void)[] = [];
  #lastUsed = new Map<string, number>();
  #touchedMs: number;
  #touching: Promise<void> = Promise.resolve();

  constructor({ keys, shares, clock, onTouchError: onTouchFailed, onKeyChange }: AccessOptions) {
    this.#keys = keys;
    this.#shares = shares;
    this.#clock = clock;
    this.#onTouchError = onTouchFailed;
    this.#onKeyChange = onKeyChange;
    this.#touchedMs = this.#nowMs();
  }

  /** @throws DomainError KEY_INVALID, KEY_REVOKED, KEY_EXPIRED */
  async authenticate(raw: string): Promise<Principal> {
    const nowMs = this.#nowMs();
    const cached = this.#cached(raw, nowMs);
    const keyPrefix = cached === undefined ? prefixOf(raw) : cached.principal.keyPrefix;
    if (keyPrefix === undefined) {
      throw new DomainError('KEY_INVALID', 'The key is malformed: check its format and checksum.');
    }
    if (keyPrefix.startsWith(SHARE_SCHEME)) return this.#authenticateGuest(raw, keyPrefix, nowMs);
    const { key, principal } = cached ?? (await this.#find(raw, keyPrefix, nowMs));
    if (key.revokedMs !== undefined) throw new DomainError('KEY_REVOKED', `The key ${keyPrefix}… was revoked.`);
    if (key.expiresMs !== undefined && key.expiresMs <= nowMs) {
      throw new DomainError('KEY_EXPIRED', `The key ${keyPrefix}… expired at ${isoFromMs(key.expiresMs)}.`);
    }
    this.#lastUsed.set(key.id, nowMs);
    if (nowMs - this.#touchedMs >= TOUCH_INTERVAL_MS) void this.flush();
    return principal;
  }

  /** Whether this node has seen the key a moment ago, so that whoever sends it guesses nothing. */
  isKnown(raw: string): boolean {
    return this.#cache.has(cacheNameOf(raw));
  }

  /** Not cached, so that disabling a token takes effect immediately on every node. */
  async #authenticateGuest(raw: string, keyPrefix: string, nowMs: number): Promise<Principal> {
    const share = await this.#shares?.byHash(hashKey(raw));
    if (share === undefined) throw new DomainError('KEY_INVALID', `Token ${keyPrefix}… not found.`);
    if (share.revokedMs !== undefined) throw new DomainError('KEY_REVOKED', `The token ${keyPrefix}… was disabled.`);
    if (share.expiresMs !== undefined && share.expiresMs <= nowMs) {
      throw new DomainError('KEY_EXPIRED', `The token ${keyPrefix}… expired at ${isoFromMs(share.expiresMs)}.`);
    }
    return guestPrincipal(share, keyPrefix);
  }

  /** Call after a revocation is stored: keys read before it are then read again, on every node. */
  clearCache(): void {
    this.forgetKeys();
    this.#onKeyChange?.();
  }

  /** The same on this node only, after a revocation of another one. */
  forgetKeys(): void {
    this.#revocations++;
    this.#cache.clear();
    for (const listener of this.#onRevoked) listener();
  }

  /** Calls the listener after each revocation that this node hears of. */
  onRevocation(listener: () => void): void {
    this.#onRevoked.push(listener);
  }

  /** Writes the pending last uses. Never rejects. */
  flush(): Promise<void> {
    this.#touchedMs = this.#nowMs();
    const used = this.#lastUsed;
    this.#lastUsed = new Map();
    this.#touching = this.#touching.then(() => this.#keys.touch(used)).catch(this.#onTouchError);
    return this.#touching;
  }

  #cached(raw: string, nowMs: number): CachedKey | undefined {
    const cached = this.#cache.get(cacheNameOf(raw));
    return cached && nowMs - cached.readMs < CACHE_TTL_MS ? cached : undefined;
  }

  async #find(raw: string, keyPrefix: string, nowMs: number): Promise<CachedKey> {
    const revocations = this.#revocations;
    const key = await this.#keys.byHash(hashKey(raw));
    if (!key) throw new DomainError('KEY_INVALID', `Key ${keyPrefix}… not found.`);
    const found = { key, principal: principalOf(key), readMs: nowMs };
    // The row may predate a revocation that was stored during the read: do not cache it.
    if (revocations === this.#revocations) this.#cache.set(cacheNameOf(raw), found);
    return found;
  }

  #nowMs(): number {
    return Number(this.#clock.now() / 1_000_000n);
  }
}

const cacheNameOf = (raw: string) => hash('sha256', raw, 'binary');

/** The stored hash of a key. 256 random bits need no slow hash. */
export function hashKey(raw: string): Buffer {
  return hash('sha256', raw, 'buffer');
}

/** Principal that may read one machine and has no account. */
export function guestPrincipal({ machineId, id }: Pick<Share, 'machineId' | 'id'>, keyPrefix: string): Principal {
  return {
    accountId: GUEST_ACCOUNT_ID,
    keyId: id,
    keyPrefix,
    scope: 'read',
    tier: 'free',
    isDemo: false,
    readableMachineId: machineId,
  };
}

function principalOf(key: ApiKey & { readonly zid?: string | undefined }): Principal {
  const { accountId, zid, id, keyPrefix, scope, tier, tenant, expiresMs } = key;
  return { accountId, zid, keyId: id, keyPrefix, scope, tier, isDemo: tier === 'demo', tenant, expiresMs };
}
