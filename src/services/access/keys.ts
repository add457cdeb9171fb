// Creates, lists and revokes API keys. The raw key is returned once, by the call that created it.

import { type Clock, isoFromMs, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { uuidV7 } from '../../core/ids.ts';
import { LIMITS } from '../../core/limits.ts';
import type { AccountMacs } from '../../storage/access/account-macs.ts';
import type { AccountKind, AccountRepository } from '../../storage/access/accounts.ts';
import type { ApiKey, KeyRepository } from '../../storage/access/keys.ts';
import type { Storage } from '../../storage/storage.ts';
import { type AccessService, hashKey, type Principal, type Scope, type Tier } from './access.ts';
import { formatKey, KEY_BYTES, prefixOf } from './key-format.ts';
import { type RateLimiter, tenantOfAccount } from './rate-limit.ts';

export interface KeyRequest {
  readonly name: string;
  readonly scope: Scope;
  readonly rate_limit_tier: Exclude<Tier, 'demo'>;
  /** ISO 8601; without it the key never expires. */
  readonly expires_at?: string | undefined;
}

/** A key that is not stored yet. */
export interface DraftedKey {
  readonly key: string;
  readonly stored: ApiKey;
  readonly keyHash: Uint8Array;
}

export interface KeyServiceOptions {
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository;
  readonly accountMacs: Pick<AccountMacs, 'change'>;
  readonly transaction: Storage['transaction'];
  readonly access: AccessService;
  readonly rateLimit: RateLimiter;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
}

const DEMO_MS = LIMITS.demoKeyHours * 3_600_000;
/** Expired demo accounts deleted with each new one, so that minting cannot fill the disk. */
const EXPIRED_DELETED_PER_MINT = 4;
const MAX_LISTED = 1_000;
const SCOPES: readonly Scope[] = ['read', 'write', 'admin'];
const TIERS: readonly Tier[] = ['demo', 'free', 'standard', 'high'];

export class KeyService {
  readonly #options: KeyServiceOptions;

  constructor(options: KeyServiceOptions) {
    this.#options = options;
  }

  /** Creates a demo account with a key, for anyone. */
  async mintDemo() {
    const nowMs = this.#nowMs();
    const expiresMs = nowMs + DEMO_MS;
    const draft = { name: 'demo', scope: 'write', tier: 'demo', tenant: undefined, expiresMs } as const;
    const { key, record } = await this.#openAccount('demo', draft);
    await this.#options.accounts.removeExpiredDemo(nowMs - DEMO_MS, EXPIRED_DELETED_PER_MINT);
    return { key, keyPrefix: record.keyPrefix, tier: 'demo' as const, expires_at: isoFromMs(expiresMs) };
  }

  /**
   * Creates an account with its first key.
   *
   * @param tenant  whose rate the keys of the account use; its own by default
   */
  async openAccount(request: KeyRequest, tenant?: string) {
    return this.#openAccount('full', this.#parse(request, tenant));
  }

  /**
   * @throws DomainError AUTH_REQUIRED, FORBIDDEN beyond the caller's own scope, tier or expiry, VALIDATION_FAILED, RATE_LIMITED,
   *   CONFLICT at the key limit
   */
  async create(by: Principal | undefined, request: KeyRequest) {
    const { accounts, accountMacs, keys, transaction } = this.#options;
    const { accountId } = requireAccount(by);
    const { key, stored, keyHash } = this.draft(by, accountId, request);
    await this.admit(by);
    await transaction(async (on) => {
      await accounts.lock(accountId, on);
      const { keysPerAccount } = LIMITS;
      if ((await keys.countLive(accountId, on)) >= keysPerAccount)
        throw new DomainError('CONFLICT', `Limit of ${keysPerAccount} keys of an account reached; revoke one.`);
      await accountMacs.change(accountId, on, () => keys.insert(stored, keyHash, on));
    });
    return { key, record: recordOf(stored) };
  }

  /** Counts a new key or token against the rate of its minter. @throws DomainError AUTH_REQUIRED, RATE_LIMITED */
  async admit(by: Principal | undefined): Promise<void> {
    await this.#options.rateLimit.admit('key', tenantOfAccount(requireAccount(by)));
  }

  /**
   * Drafts a key of any account that the caller may grant. The caller of this method stores it, with other rows.
   *
   * @throws DomainError AUTH_REQUIRED, FORBIDDEN beyond the caller's own scope, tier or expiry, VALIDATION_FAILED
   */
  draft(by: Principal | undefined, accountId: string, request: KeyRequest): DraftedKey {
    const minter = requireAccount(by);
    const { scope, tier, isDemo } = minter;
    if (isDemo) throw new DomainError('FORBIDDEN', 'A demo key cannot create keys.');
    const draft = this.#parse(request, tenantOfAccount(minter));
    if (SCOPES.indexOf(draft.scope) > SCOPES.indexOf(scope) || TIERS.indexOf(draft.tier) > TIERS.indexOf(tier)) {
      const requested = `scope ${draft.scope} and tier ${draft.tier}`;
      throw new DomainError('FORBIDDEN', `A key of scope ${scope} and tier ${tier} cannot create one of ${requested}.`);
    }
    assertExpiresWithin(minter, draft.expiresMs);
    const { key, stored } = this.#generate(accountId, draft);
    return { key, stored, keyHash: hashKey(key) };
  }

  /** Newest first, including revoked and expired keys. */
  async list(by: Principal | undefined) {
    return this.listOf(requireAccount(by).accountId);
  }

  async listOf(accountId: string) {
    const keys = await this.#options.keys.list(accountId, MAX_LISTED);
    return keys.map(recordOf);
  }

  /** Immediate on this node; on others at the notice, at most one tick later. @throws DomainError NOT_FOUND */
  async revoke(by: Principal | undefined, id: string) {
    const { keys, access, accountMacs, transaction } = this.#options;
    const { accountId } = requireAccount(by);
    const revoked = await transaction((on) =>
      accountMacs.change(accountId, on, () => keys.revoke(accountId, id, this.#nowMs(), on)),
    );
    if (!revoked) throw new DomainError('NOT_FOUND', `Key ${id} not found in your account.`);
    access.clearCache();
    return recordOf(revoked);
  }

  async #openAccount(kind: AccountKind, draft: Draft) {
    const { accounts, accountMacs, keys, clock, transaction } = this.#options;
    const account = {
      id: this.#newId(),
      kind,
      createdSvcond: tickOf(clock.now()),
      createdMs: this.#nowMs(),
    };
    const { key, stored } = this.#generate(account.id, draft);
    await transaction((on) =>
      accountMacs.change(account.id, on, async () => {
        await accounts.insert(account, on);
        await keys.insert(stored, hashKey(key), on);
      }),
    );
    return { accountId: account.id, key, record: recordOf(stored) };
  }

  #generate(accountId: string, draft: Draft): { key: string; stored: ApiKey } {
    const key = formatKey(draft.tier === 'demo' ? 'svc_ak_demo_' : 'svc_ak_', this.#options.randomBytes(KEY_BYTES));
    const keyPrefix = prefixOf(key);
    if (keyPrefix === undefined) throw new Error('A generated key is malformed.');
    const stored = {
      ...draft,
      id: this.#newId(),
      accountId,
      keyPrefix,
      createdMs: this.#nowMs(),
      revokedMs: undefined,
      lastUsedMs: undefined,
    };
    return { key, stored };
  }

  #parse({ name, scope, rate_limit_tier, expires_at }: KeyRequest, tenant: string | undefined): Draft {
    return { name, scope, tier: rate_limit_tier, tenant, expiresMs: parseExpiry(expires_at, this.#nowMs()) };
  }

  #newId(): string {
    return uuidV7(this.#nowMs(), this.#options.randomBytes(10));
  }

  #nowMs(): number {
    return Number(this.#options.clock.now() / 1_000_000n);
  }
}

type Draft = Pick<ApiKey, 'name' | 'scope' | 'tier' | 'tenant' | 'expiresMs'>;

function requireAccount(principal: Principal | undefined): Principal {
  if (!principal) throw new DomainError('AUTH_REQUIRED', 'This needs an account: send an API key.');
  return principal;
}

/** @throws DomainError VALIDATION_FAILED for a time in the past */
export function parseExpiry(expires_at: string | undefined, nowMs: number): number | undefined {
  const expiresMs = expires_at === undefined ? undefined : Date.parse(expires_at);
  if (expiresMs === undefined || expiresMs > nowMs) return expiresMs;
  const message = `expires_at must be in the future, not ${expires_at}.`;
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'expires_at', code: 'PAST', message }] });
}

/** A key or token does not outlive the key that creates it. @throws DomainError FORBIDDEN */
export function assertExpiresWithin({ expiresMs: lastMs }: Principal, expiresMs: number | undefined): void {
  if (lastMs === undefined || (expiresMs !== undefined && expiresMs <= lastMs)) return;
  const given = expiresMs === undefined ? 'never expires' : `expires at ${isoFromMs(expiresMs)}`;
  const message = `expires_at must be at most ${isoFromMs(lastMs)}, when your key expires; the new one ${given}.`;
  throw new DomainError('FORBIDDEN', message);
}

export type KeyRecord = ReturnType<typeof recordOf>;

/** A key in the form of a response, without the raw key. */
export function recordOf(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    keyPrefix: key.keyPrefix,
    scope: key.scope,
    rate_limit_tier: key.tier,
    created_at: isoFromMs(key.createdMs),
    expires_at: isoOrNull(key.expiresMs),
    revoked_at: isoOrNull(key.revokedMs),
    last_used_at: isoOrNull(key.lastUsedMs),
  };
}

function isoOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : isoFromMs(ms);
}
