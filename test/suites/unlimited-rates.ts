// Rates of a service under test.

import { LIMITS } from '../../src/core/limits.ts';
import type { RateTier } from '../../src/services/access/rate-limit.ts';

type Rates = Readonly<Record<RateTier, number>>;

const NO_LIMIT = 1e9;

/** No limit for any tier, but for those that are given. */
export function unlimitedRates(limited: Partial<Rates> = {}): Rates {
  const unlimited = Object.fromEntries(Object.keys(LIMITS.rate).map((tier) => [tier, NO_LIMIT])) as Rates;
  return { ...unlimited, ...limited };
}
