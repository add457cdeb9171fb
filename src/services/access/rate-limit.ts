// Rate limits of tenants: how many requests, bytes and rare actions an account or an address has.

import { isIPv6 } from 'node:net';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { ROUNDING } from '../../storage/access/rates.ts';
import { parseAddress, unmapped } from '../node/address-range.ts';
import type { Principal } from './access.ts';
import { type Charge, type ChargedUse, RateWindows, type RateWindowsOptions } from './rate-windows.ts';

export interface RateUsage {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the current window ends; the first request in a window opens it. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

export type RateTier = keyof typeof LIMITS.rate;

interface Policy {
  /** Tiers of one window share it: a request uses the part of it that its own limit says. */
  readonly window: string;
  readonly seconds: number;
}

const MINUTE = 60;
const HOUR = 3_600;
const TEN_MINUTES = 600;
const DAY = 86_400;

/** Frequent rates. */
const FREQUENT = {
  keyless: { window: 'keyless', seconds: MINUTE },
  demo: { window: 'keyed', seconds: MINUTE },
  free: { window: 'keyed', seconds: MINUTE },
  standard: { window: 'keyed', seconds: MINUTE },
  high: { window: 'keyed', seconds: MINUTE },
  addressBytes: { window: 'bytes', seconds: MINUTE },
  accountBytes: { window: 'bytes', seconds: MINUTE },
  addressStored: { window: 'stored', seconds: DAY },
  accountStored: { window: 'stored', seconds: DAY },
} as const satisfies Partial<Record<RateTier, Policy>>;

/** Rare actions, as error messages name them. */
const ACTIONS = {
  playground: { window: 'playground', seconds: MINUTE, words: 'calls of the playground in a minute' },
  spinUp: { window: 'spinUp', seconds: HOUR, words: 'new accounts of one address in an hour' },
  machine: { window: 'machine', seconds: HOUR, words: 'new machines in an hour' },
  demoKey: { window: 'demoKey', seconds: HOUR, words: 'demo keys of one address in an hour' },
  key: { window: 'key', seconds: HOUR, words: 'new keys and share tokens in an hour' },
  unlock: { window: 'unlock', seconds: TEN_MINUTES, words: 'attempts to unlock in ten minutes' },
  takenSlug: { window: 'takenSlug', seconds: HOUR, words: 'requests for taken slugs in an hour' },
  anchor: { window: 'anchor', seconds: HOUR, words: 'anchors in machines of others in an hour' },
  nodeReport: { window: 'nodeReport', seconds: HOUR, words: 'reports in the chain of the node in an hour' },
} as const satisfies Partial<Record<RateTier, Policy & { readonly words: string }>>;

type Action = keyof typeof ACTIONS;

const POLICIES: Readonly<Record<RateTier, Policy>> = { ...FREQUENT, ...ACTIONS };

export interface RateLimiterOptions extends RateWindowsOptions {
  readonly limits?: Readonly<Record<RateTier, number>>;
}

export class RateLimiter {
  readonly #limits: Readonly<Record<RateTier, number>>;
  readonly #windows: RateWindows;

  constructor({ limits = LIMITS.rate, ...options }: RateLimiterOptions) {
    this.#limits = limits;
    this.#windows = new RateWindows(options);
  }

  /** Whose streams are counted: those of a key, or of an address without one, within those of its tenant. */
  holderOf(principal: Principal | undefined, address: string): { readonly caller: string; readonly tenant: string } {
    const caller = principal === undefined || principal.isDemo ? addressGroup(address) : principal.keyId;
    return { caller, tenant: this.tenantOf(principal, address) };
  }

  /**
   * Whose share of rates, queues, budgets and bytes a call uses: the account that minted its key, or the address of a
   * caller without a key, with a demo key, or with a share token. So more keys are no larger share.
   */
  tenantOf(principal: Principal | undefined, address: string): string {
    return principal === undefined || isOfAddress(principal) ? addressGroup(address) : tenantOfAccount(principal);
  }

  /**
   * Counts one call of an action with a separate rate, exactly, over all nodes; `consume` counts its request.
   *
   * @throws DomainError RATE_LIMITED
   */
  async admit(action: Action, tenant: string): Promise<void> {
    const use = await this.#windows.take(this.#charge(action, tenant));
    if (!use.isExceeded) return;
    const { limit, resetSeconds } = this.#usageOf(action, use);
    const message = `Limit of ${limit} ${ACTIONS[action].words} exceeded; try again in ${resetSeconds} s.`;
    throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: resetSeconds });
  }

  /** Gives back what `admit` counted, for attempts that count only if they fail. */
  async refund(action: Action, tenant: string): Promise<void> {
    await this.#windows.giveBack(this.#charge(action, tenant));
  }

  /** Counts one request. @throws DomainError RATE_LIMITED  for a tenant whose bytes are used up */
  async consume(principal: Principal | undefined, address: string): Promise<RateUsage> {
    const tenant = this.tenantOf(principal, address);
    this.#assertBytesLeft(principal, tenant);
    const tier = principal?.tier ?? 'keyless';
    return this.#usageOf(tier, await this.#windows.count(this.#charge(tier, tenant)));
  }

  /**
   * Counts the further requests that a batch stands for.
   *
   * @throws DomainError RATE_LIMITED
   */
  async consumeMore({ tier }: Principal, tenant: string, requests: number): Promise<void> {
    const use = await this.#windows.count(this.#charge(tier, tenant, requests));
    if (!use.isExceeded) return;
    const { limit, resetSeconds } = this.#usageOf(tier, use);
    const message = `Limit of ${limit} requests per minute exceeded, of which this batch is ${requests + 1}; try again in ${resetSeconds} s.`;
    throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: resetSeconds });
  }

  /** Counts the bytes of a long answer. One may pass the limit; the requests after it are refused. */
  countBytes(principal: Principal | undefined, address: string, bytes: number): void {
    this.#windows.add(this.#charge(byteTierOf(principal), this.tenantOf(principal, address), bytes));
  }

  /** @throws DomainError RATE_LIMITED  for a tenant that has stored what it may in a day */
  assertMayStore(principal: Principal | undefined, tenant: string): void {
    const use = this.#windows.peek(FREQUENT.addressStored.window, tenant);
    if (use === undefined || !use.isExceeded) return;
    const { limit, resetSeconds } = this.#usageOf(storedTierOf(principal), use);
    const message = `Limit of ${limit} stored bytes per day exceeded (filed runs, answers under an Idempotency-Key, long writes); retry in ${resetSeconds} s.`;
    throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: resetSeconds });
  }

  /** Counts bytes that a request leaves in the database. One may pass the limit; those after it are refused. */
  countStored(principal: Principal | undefined, tenant: string, bytes: number): void {
    const counted = bytes - LIMITS.uncountedBytes;
    if (counted > 0) this.#windows.add(this.#charge(storedTierOf(principal), tenant, counted));
  }

  /** Counts bytes that the machines of an account write by themselves. */
  countOwn(tenant: string, bytes: number): void {
    this.#windows.add(this.#charge('accountStored', tenant, bytes));
  }

  /** Whether a tenant has stored what it may in a day. */
  hasStoredAll(tenant: string): boolean {
    return this.#windows.peek(FREQUENT.accountStored.window, tenant)?.isExceeded === true;
  }

  #assertBytesLeft(principal: Principal | undefined, tenant: string): void {
    const use = this.#windows.peek(FREQUENT.addressBytes.window, tenant);
    if (use === undefined || !use.isExceeded) return;
    const { limit, resetSeconds } = this.#usageOf(byteTierOf(principal), use);
    const message = `Limit of ${limit} bytes of answers per minute exceeded; retry in ${resetSeconds} s.`;
    throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: resetSeconds });
  }

  #charge(tier: RateTier, tenant: string, points = 1): Charge {
    const { window, seconds } = POLICIES[tier];
    return { name: window, tenant, share: points / this.#limits[tier], windowMs: seconds * 1000 };
  }

  #usageOf(tier: RateTier, { used, endsMs, nowMs, isExceeded }: ChargedUse): RateUsage {
    const limit = this.#limits[tier];
    return {
      limit,
      remaining: isExceeded ? 0 : Math.max(0, Math.floor((1 - used) * limit + ROUNDING)),
      resetSeconds: Math.max(1, Math.ceil((endsMs - nowMs) / 1000)),
      isExceeded,
    };
  }
}

const isOfAddress = ({ isDemo, readableMachineId }: Principal) => isDemo || readableMachineId !== undefined;

/** Tenant of an account's key: the one that minted it, or its own account. */
export const tenantOfAccount = ({ tenant, accountId }: Pick<Principal, 'tenant' | 'accountId'>): string =>
  tenant ?? accountId;

const byteTierOf = (principal: Principal | undefined): RateTier =>
  principal === undefined || isOfAddress(principal) ? 'addressBytes' : 'accountBytes';

const storedTierOf = (principal: Principal | undefined): RateTier =>
  principal === undefined || isOfAddress(principal) ? 'addressStored' : 'accountStored';

/** An IPv4 address, or the /64 prefix of an IPv6 address: one customer usually gets a whole /64. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address;
  const [plain = ''] = address.split('%');
  const parsed = isIPv6(plain) ? parseAddress(plain) : undefined;
  if (parsed === undefined) return address;
  const inner = unmapped(parsed);
  if (!('parts' in inner)) return inner.toString();
  return inner.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

export function scaledRates(factor: number): Record<RateTier, number> {
  const scaled = Object.entries(LIMITS.rate).map(([tier, rate]) => [tier, rate * factor]);
  return Object.fromEntries(scaled) as Record<RateTier, number>;
}
