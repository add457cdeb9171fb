import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SteppedClock } from '../../../src/core/clock.ts';
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

const SECOND_NS = 1_000_000_000n;

/** A limiter of one node alone, and its clock. */
function limiterOf(limits = RATES) {
  const clock = new SteppedClock(1_800_000_000n * SECOND_NS);
  const limiter = new RateLimiter({ limits, clock });
  return { limiter, wait: (seconds: number) => clock.advance(BigInt(seconds * 1000) * 1_000_000n) };
}

test.each([
  ['keyless', undefined],
  ['demo', principal('d', 'demo')],
  ['free', principal('f', 'free')],
  ['high', principal('h', 'high')],
] as const)('%s is limited to its rate until the minute ends', async (tier, who) => {
  const { limiter, wait } = limiterOf();
  const limit = RATES[tier];
  for (let n = 1; n <= limit; n++) {
    const usage = await limiter.consume(who, '192.0.2.1');
    expect(usage).toEqual({ limit, remaining: limit - n, resetSeconds: 60, isExceeded: false });
  }
  wait(20.5);
  expect(await limiter.consume(who, '192.0.2.1')).toEqual({ limit, remaining: 0, resetSeconds: 40, isExceeded: true });
  wait(40);
  expect(await limiter.consume(who, '192.0.2.1')).toMatchObject({ remaining: limit - 1, isExceeded: false });
});

test('an action with a separate rate is counted by address, independently of requests', async () => {
  const { limiter, wait } = limiterOf();
  await limiter.admit('playground', '192.0.2.1');
  await limiter.admit('playground', '192.0.2.1');
  const refused = await limiter.admit('playground', '192.0.2.1').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });
  expect(String(refused)).toContain('Limit of 2 calls of the playground in a minute exceeded');
  await limiter.admit('playground', '192.0.2.2');
  expect((await limiter.consume(undefined, '192.0.2.1')).remaining).toBe(RATES.keyless - 1);
  wait(60);
  await limiter.admit('playground', '192.0.2.1');
});

test('keys of one account share its rate; demo keys and share tokens share that of their address', async () => {
  const { limiter } = limiterOf();
  const remaining = async (who: Principal | undefined, address: string) =>
    (await limiter.consume(who, address)).remaining;
  expect(await remaining(undefined, '192.0.2.1')).toBe(2);
  expect(await remaining(principal('f', 'free'), '192.0.2.1')).toBe(4);
  expect(await remaining(principal('g', 'free'), '192.0.2.2')).toBe(3);
  expect(await remaining({ ...principal('i', 'free'), accountId: 'b' }, '192.0.2.1')).toBe(4);
  expect(await remaining({ ...principal('i', 'free'), accountId: 'c', tenant: 'a' }, '192.0.2.1')).toBe(2);
  expect(await remaining(principal('d', 'demo'), '192.0.2.1')).toBe(3);
  expect(await remaining(principal('e', 'demo'), '192.0.2.1')).toBe(2);
  expect(await remaining(principal('e', 'demo'), '192.0.2.2')).toBe(3);
  expect(await remaining({ ...principal('s', 'free'), readableMachineId: 'm' }, '192.0.2.3')).toBe(4);
  expect(await remaining({ ...principal('t', 'free'), readableMachineId: 'm' }, '192.0.2.3')).toBe(3);
  expect(await remaining({ ...principal('o', 'free'), accountId: 'o', tenant: '192.0.2.3' }, '192.0.2.9')).toBe(2);
});

test('a request uses the part of the minute that the tier of its key says', async () => {
  const { limiter } = limiterOf(unlimitedRates({ free: 4, high: 8 }));
  const use = async (tier: 'free' | 'high') => {
    const { remaining, isExceeded } = await limiter.consume(principal(tier, tier), '192.0.2.1');
    return isExceeded ? 'exceeded' : remaining;
  };
  expect([await use('high'), await use('high'), await use('free')]).toEqual([7, 6, 2]);
  expect([await use('free'), await use('free'), await use('free')]).toEqual([1, 0, 'exceeded']);
  expect(await use('high')).toBe('exceeded');
});

test.each([3, 7, 120, 1_200, 6_000, 49_999])('exactly %i requests fit into a limit of as many', async (limit) => {
  const { limiter } = limiterOf(unlimitedRates({ keyless: limit }));
  let passed = 0;
  for (let i = 0; i < limit + 3; i++) if (!(await limiter.consume(undefined, '192.0.2.1')).isExceeded) passed++;
  expect(passed).toBe(limit);
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
  const { limiter } = limiterOf();
  const tenant = (who: Principal | undefined, address = '192.0.2.1') => limiter.tenantOf(who, address);
  expect(new Set([tenant(principal('f', 'free')), tenant(principal('h', 'high'), '192.0.2.2')])).toEqual(
    new Set(['a']),
  );
  expect([tenant(undefined), tenant(principal('d', 'demo')), tenant(principal('e', 'demo'))]).toEqual(
    Array.from({ length: 3 }, () => '192.0.2.1'),
  );
  expect(tenant(undefined, '2001:db8:1:2::1')).toBe(tenant(principal('d', 'demo'), '2001:db8:1:2:ffff::'));
});
