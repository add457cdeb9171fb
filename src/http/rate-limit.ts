// RateLimit headers (draft-ietf-httpapi-ratelimit-headers-11).

import type { RateUsage } from '../services/access/rate-limit.ts';

const WINDOW_SECONDS = 60;

export function rateLimitHeaders(usage: RateUsage): [string, string][] {
  return [
    ['ratelimit-policy', `"minute";q=${usage.limit};w=${WINDOW_SECONDS}`],
    ['ratelimit', `"minute";r=${usage.remaining};t=${usage.resetSeconds}`],
  ];
}
