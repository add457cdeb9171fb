import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Principal } from '../../../src/services/access/access.ts';
import { addressGroup, RateLimiter } from '../../../src/services/access/rate-limit.ts';
import { unlimitedRates } from '../../suites/unlimited-rates.ts';

const RATES = unlimitedRates({
  keyless: 3,
  demo: 4,
  free: 5,
  standard: 5,
  high: 6,
  playground: 2,
  spinUp: 2,
  unlock: 2,
});

function principal(keyId: string, tier: Principal['tier']): Principal {
  return { accountId: 'a', keyId, keyPrefix: 'svc_ak_01234567', scope: 'write', tier, isDemo: tier === 'demo' };
}

// The library reads the system clock, so the test fakes it.
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['keyless', undefined],
  ['demo', principal('d', 'demo')],
  ['free', principal('f', 'free')],
  ['high', principal('h', 'high')],
] as const)('%s is limited to its rate until the minute ends', async (tier, who) => {
  const limiter = new RateLimiter(RATES);
  const limit = RATES[tier];
  for (let n = 1; n <= limit; n++) {
    const usage = await limiter.consume(who, '192.0.2.1');
    expect(usage).toEqual({ limit, remaining: limit - n, resetSeconds: 60, isExceeded: false });
  }
  vi.advanceTimersByTime(20_500);
  expect(await limiter.consume(who, '192.0.2.1')).toEqual({ limit, remaining: 0, resetSeconds: 40, isExceeded: true });
  vi.advanceTimersByTime(40_000);
  expect(await limiter.consume(who, '192.0.2.1')).toMatchObject({ remaining: limit - 1, isExceeded: false });
});

test('an action with a separate rate is counted by address, independently of requests', async () => {
  const limiter = new RateLimiter(RATES);
  await limiter.admit('playground', '192.0.2.1');
  await limiter.admit('playground', '192.0.2.1');
  const refused = await limiter.admit('playground', '192.0.2.1').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });
  expect(String(refused)).toContain('Limit of 2 calls of the playground in a minute exceeded');
  await limiter.admit('playground', '192.0.2.2');
  expect((await limiter.consume(undefined, '192.0.2.1')).remaining).toBe(RATES.keyless - 1);
  vi.advanceTimersByTime(60_000);
  await limiter.admit('playground', '192.0.2.1');
});

test('keys are counted separately from each other and from their address; demo keys of one address share a limit', async () => {
  const limiter = new RateLimiter(RATES);
  const remaining = async (who: Principal | undefined, address: string) =>
    (await limiter.consume(who, address)).remaining;
  expect(await remaining(undefined, '192.0.2.1')).toBe(2);
  expect(await remaining(principal('f', 'free'), '192.0.2.1')).toBe(4);
  expect(await remaining(principal('g', 'free'), '192.0.2.1')).toBe(4);
  expect(await remaining(principal('f', 'free'), '192.0.2.2')).toBe(3);
  expect(await remaining(principal('d', 'demo'), '192.0.2.1')).toBe(3);
  expect(await remaining(principal('e', 'demo'), '192.0.2.1')).toBe(2);
  expect(await remaining(principal('e', 'demo'), '192.0.2.2')).toBe(3);
});

test('IPv6 addresses of one /64 share a limit in any notation', () => {
  expect(addressGroup('192.0.2.1')).toBe('192.0.2.1');
  expect(addressGroup('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(addressGroup('2001:db8:0:7::1')).toBe('2001:db8:0:7');
  expect(addressGroup('2001:0DB8:0000:0007:ffff:0:0:2')).toBe('2001:db8:0:7');
  expect(addressGroup('::1')).toBe('0:0:0:0');
  expect(addressGroup('fe80::1%eth0')).toBe('fe80:0:0:0');
  expect(addressGroup('unknown')).toBe('unknown');
  fc.assert(fc.property(fc.ipV6(), (address) => addressGroup(address).length > 0));
});

test('a tenant is the account with all its keys, or the address with all its demo keys', () => {
  const limiter = new RateLimiter(RATES);
  const tenant = (who: Principal | undefined, address = '192.0.2.1') => limiter.tenantOf(who, address);
  expect(new Set([tenant(principal('f', 'free')), tenant(principal('h', 'high'), '192.0.2.2')])).toEqual(
    new Set(['a']),
  );
  expect([tenant(undefined), tenant(principal('d', 'demo')), tenant(principal('e', 'demo'))]).toEqual(
    Array.from({ length: 3 }, () => '192.0.2.1'),
  );
  expect(tenant(undefined, '2001:db8:1:2::1')).toBe(tenant(principal('d', 'demo'), '2001:db8:1:2:ffff::'));
});
