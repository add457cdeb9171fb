// Rate limits, counted in memory per process: each of several nodes allows the full rate.

import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { parseAddress, unmapped } from '../node/address-range.ts';
import type { Principal } from './access.ts';

export interface RateUsage {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the current window ends; the first request in a window opens it. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

export type RateTier = keyof typeof LIMITS.rate;

/** Actions with separate rates, as error messages name them. */
const ACTIONS: Readonly<Partial<Record<RateTier, string>>> = {
  playground: 'the playground in a minute',
  spinUp: 'spin-up without a key in an hour',
  unlock: 'unlock in ten minutes',
  takenSlug: 'the creation of machines with taken slugs in an hour',
  anchor: 'anchoring in a machine of others in an hour',
};

const MINUTE = 60;
const HOUR = 3_600;
const TEN_MINUTES = 600;

export class RateLimiter {
  readonly #rates: Readonly<Record<RateTier, number>>;
  readonly #limiters: Readonly<Record<RateTier, RateLimiterMemory>>;
  /** Tenants whose bytes of this minute were used up; few, so that most requests cost no look-up. */
  readonly #overdrawn = new Set<string>();

  constructor(rates: Readonly<Record<RateTier, number>> = LIMITS.rate) {
    const limiter = (points: number, duration = MINUTE) => new RateLimiterMemory({ points, duration });
    this.#rates = rates;
    this.#limiters = {
      keyless: limiter(rates.keyless),
      demo: limiter(rates.demo),
      free: limiter(rates.free),
      standard: limiter(rates.standard),
      high: limiter(rates.high),
      playground: limiter(rates.playground),
      spinUp: limiter(rates.spinUp, HOUR),
      unlock: limiter(rates.unlock, TEN_MINUTES),
      takenSlug: limiter(rates.takenSlug, HOUR),
      anchor: limiter(rates.anchor, HOUR),
      addressBytes: limiter(rates.addressBytes),
      accountBytes: limiter(rates.accountBytes),
    };
  }

  /** Rate limit key of a caller. Demo keys share the limit of their address: minting another does not raise it. */
  callerKey(principal: Principal | undefined, address: string): string {
    return principal === undefined || principal.isDemo ? addressGroup(address) : principal.keyId;
  }

  /**
   * Whose share of queues, budgets and bytes a call uses: the account of a key, or the address of a caller without a key or with
   * a demo key. So more keys are no larger share.
   */
  tenantOf(principal: Principal | undefined, address: string): string {
    return principal === undefined || principal.isDemo ? addressGroup(address) : principal.accountId;
  }

  /**
   * Counts one call of an action with a separate rate; `consume` counts its request.
   *
   * @param caller  an IP address or an API key's id
   * @throws DomainError RATE_LIMITED
   */
  async admit(tier: RateTier, caller: string): Promise<void> {
    const { limit, resetSeconds, isExceeded } = await this.#count(tier, addressGroup(caller));
    if (!isExceeded) return;
    throw new DomainError(
      'RATE_LIMITED',
      `Limit of ${limit} calls of ${ACTIONS[tier] ?? tier} exceeded; try again in ${resetSeconds} s.`,
      { retryAfterSeconds: resetSeconds },
    );
  }

  /** Gives back the point that `admit` took, for attempts that count only if they fail. */
  async refund(tier: RateTier, caller: string): Promise<void> {
    await this.#limiters[tier].reward(addressGroup(caller), 1);
  }

  /** Counts one request. @throws DomainError RATE_LIMITED  for a tenant whose bytes are used up */
  async consume(principal: Principal | undefined, address: string): Promise<RateUsage> {
    if (this.#overdrawn.size > 0) await this.#assertBytesLeft(principal, address);
    return this.#count(principal?.tier ?? 'keyless', this.callerKey(principal, address));
  }

  /** Counts the bytes of a long answer. One may pass the limit; the requests after it are refused. */
  async countBytes(principal: Principal | undefined, address: string, bytes: number): Promise<void> {
    const tier = byteTierOf(principal);
    const tenant = this.tenantOf(principal, address);
    const { consumedPoints } = await this.#limiters[tier].penalty(tenant, bytes);
    if (consumedPoints > this.#rates[tier]) this.#overdrawn.add(tenant);
  }

  async #assertBytesLeft(principal: Principal | undefined, address: string): Promise<void> {
    const tenant = this.tenantOf(principal, address);
    if (!this.#overdrawn.has(tenant)) return;
    const tier = byteTierOf(principal);
    const used = await this.#limiters[tier].get(tenant);
    const limit = this.#rates[tier];
    if (used === null || used.consumedPoints <= limit) {
      this.#overdrawn.delete(tenant);
      return;
    }
    const { resetSeconds } = usageOf(limit, used, true);
    const message = `Limit of ${limit} bytes of answers per minute exceeded; retry in ${resetSeconds} s.`;
    throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: resetSeconds });
  }

  async #count(tier: RateTier, key: string): Promise<RateUsage> {
    const limit = this.#rates[tier];
    try {
      return usageOf(limit, await this.#limiters[tier].consume(key), false);
    } catch (error) {
      // The library rejects with the usage itself once the limit is exceeded.
      if (error instanceof RateLimiterRes) return usageOf(limit, error, true);
      throw error;
    }
  }
}

const byteTierOf = (principal: Principal | undefined): RateTier =>
  principal === undefined || principal.isDemo ? 'addressBytes' : 'accountBytes';

function usageOf(limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes, isExceeded: boolean): RateUsage {
  return {
    limit,
    remaining: Math.max(0, remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    isExceeded,
  };
}

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
