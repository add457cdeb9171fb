// Applies the rate limit of a caller and sets its headers (draft-ietf-httpapi-ratelimit-headers-11).

import type Koa from 'koa';
import { DomainError } from '../core/errors.ts';
import type { Services } from '../operations/services.ts';
import type { Principal } from '../services/access/access.ts';
import type { RateUsage } from '../services/access/rate-limit.ts';

const WINDOW_SECONDS = 60;

/** Counts one request. @throws DomainError RATE_LIMITED */
export async function consumeRate(
  rateLimit: Services['rateLimit'],
  context: Koa.Context,
  principal: Principal | undefined,
  address: string,
): Promise<void> {
  const usage = await rateLimit.consume(principal, address);
  for (const [name, value] of rateLimitHeaders(usage)) context.res.setHeader(name, value);
  if (usage.isExceeded) {
    throw new DomainError(
      'RATE_LIMITED',
      `Rate limit of ${usage.limit} requests per minute exceeded; retry in ${usage.resetSeconds} s.`,
      {
        retryAfterSeconds: usage.resetSeconds,
      },
    );
  }
}

function rateLimitHeaders(usage: RateUsage): [string, string][] {
  return [
    ['ratelimit-policy', `"minute";q=${usage.limit};w=${WINDOW_SECONDS}`],
    ['ratelimit', `"minute";r=${usage.remaining};t=${usage.resetSeconds}`],
  ];
}
