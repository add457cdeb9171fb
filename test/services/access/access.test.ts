import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SteppedClock } from '../../../src/core/clock.ts';
import { AccessService, CACHE_TTL_MS, type Principal, TOUCH_INTERVAL_MS } from '../../../src/services/access/access.ts';
import { base62, formatKey, prefixOf } from '../../../src/services/access/key-format.ts';
import { KeyService } from '../../../src/services/access/keys.ts';
import { RateLimiter } from '../../../src/services/access/rate-limit.ts';
import { AccountMacs } from '../../../src/storage/access/account-macs.ts';
import type { KeyRepository } from '../../../src/storage/access/keys.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { testDatabases } from '../../storage/databases.ts';

const NS_PER_MS = 1_000_000n;
const START = BigInt(Date.UTC(2026, 5, 1)) * NS_PER_MS;
const HOUR = 3_600_000;

describe('the key format', () => {
  const randoms = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const schemes = fc.constantFrom('svc_ak_' as const, 'svc_ak_demo_' as const);

  test('every key is valid, and its prefix is the scheme and eight characters', () => {
    fc.assert(
      fc.property(schemes, randoms, (scheme, random) => {
        const key = formatKey(scheme, random);
        const prefix = prefixOf(key);
        return prefix === key.slice(0, scheme.length + 8) && key.length === scheme.length + 49;
      }),
    );
  });

  test('the checksum detects one wrong character at any position', () => {
    const characters = fc.constantFrom(...'0189AZaz_-é ');
    fc.assert(
      fc.property(schemes, randoms, fc.nat(), characters, (scheme, random, place, character) => {
        const key = formatKey(scheme, random);
        const at = place % key.length;
        const mistyped = key.slice(0, at) + character + key.slice(at + 1);
        return mistyped === key || prefixOf(mistyped) === undefined;
      }),
      { numRuns: 500 },
    );
  });

  test('keys encode their bytes in base 62', () => {
    expect(base62(0n, 3)).toBe('000');
    expect(base62(61n * 62n + 10n, 3)).toBe('0zA');
    expect(base62(2n ** 256n - 1n, 43)).toHaveLength(43);
    expect(formatKey('svc_ak_', new Uint8Array(32))).toMatch(/^svc_ak_0{43}[0-9A-Za-z]{6}$/);
    expect(() => formatKey('svc_ak_', new Uint8Array(31))).toThrow(RangeError);
  });

  test('other texts are not valid keys', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => prefixOf(text) === undefined));
    expect(prefixOf(`${formatKey('svc_ak_', randomBytes(32))}\n`)).toBeUndefined();
  });
});

for (const database of testDatabases()) {
  describe(`access on ${database.name}`, () => {
    let storage: Storage;
    let clock: SteppedClock;
    let queries = 0;
    beforeAll(async () => {
      storage = await database.open();
    });
    afterAll(() => database.dispose(storage));

    /** The services of one process, with a count of database queries. */
    function node() {
      clock = new SteppedClock(START);
      queries = 0;
      const counted: Pick<KeyRepository, 'byHash' | 'touch'> = {
        byHash: (hash) => {
          queries++;
          return storage.keys.byHash(hash);
        },
        touch: (used) => storage.keys.touch(used),
      };
      const failures: unknown[] = [];
      const access = new AccessService({ keys: counted, clock, onTouchError: (error) => failures.push(error) });
      const { accounts, keys, transaction } = storage;
      const rateLimit = new RateLimiter({ clock });
      const accountMacs = new AccountMacs((text) => new TextEncoder().encode(text.slice(0, 32)));
      const options = { accounts, accountMacs, keys, transaction, access, rateLimit, clock, randomBytes };
      return { access, keys: new KeyService(options), failures };
    }

    const wait = (ms: number) => clock.advance(BigInt(ms) * NS_PER_MS);
    const request = { name: 'test', scope: 'admin', rate_limit_tier: 'standard' } as const;

    test('a demo key is valid for 24 hours', async () => {
      const { access, keys } = node();
      const minted = await keys.mintDemo();
      expect(minted).toMatchObject({ tier: 'demo', expires_at: '2026-06-02T00:00:00.000Z' });
      expect(minted.key.startsWith(minted.keyPrefix)).toBe(true);
      expect(minted.keyPrefix).toMatch(/^svc_ak_demo_[0-9A-Za-z]{8}$/);
      const principal = { keyPrefix: minted.keyPrefix, scope: 'write', tier: 'demo', isDemo: true };
      expect(await access.authenticate(minted.key)).toMatchObject(principal);
      wait(24 * HOUR - 1);
      expect(await access.authenticate(minted.key)).toMatchObject(principal);
      wait(1);
      await expect(access.authenticate(minted.key)).rejects.toMatchObject({ code: 'KEY_EXPIRED' });
    });

    test('minting removes demo accounts a day after they expired', async () => {
      const { keys, access } = node();
      const { key } = await keys.mintDemo();
      const { accountId } = await access.authenticate(key);
      wait(48 * HOUR);
      await keys.mintDemo();
      expect(await storage.accounts.get(accountId)).toBeDefined();
      wait(1);
      await keys.mintDemo();
      expect(await storage.accounts.get(accountId)).toBeUndefined();
    });

    test('a malformed key is rejected without a query, an unknown one after a query', async () => {
      const { access } = node();
      await expect(access.authenticate('svc_ak_nonsense')).rejects.toMatchObject({ code: 'KEY_INVALID' });
      expect(queries).toBe(0);
      const unknown = formatKey('svc_ak_', randomBytes(32));
      await expect(access.authenticate(unknown)).rejects.toMatchObject({ code: 'KEY_INVALID' });
      expect(queries).toBe(1);
    });

    test('a key is cached between calls', async () => {
      const { access, keys } = node();
      const { key } = await keys.openAccount(request);
      for (let i = 0; i < 10; i++) await access.authenticate(key);
      expect(queries).toBe(1);
      wait(CACHE_TTL_MS);
      await access.authenticate(key);
      expect(queries).toBe(2);
    });

    test('a revocation is immediate in this process, and elsewhere when the cache entry expires', async () => {
      const here = node();
      const { key, record } = await here.keys.openAccount(request);
      const principal = await here.access.authenticate(key);
      const elsewhere = new AccessService({ keys: storage.keys, clock, onTouchError: () => undefined });
      await elsewhere.authenticate(key);
      expect(await here.keys.revoke(principal, record.id)).toMatchObject({ revoked_at: '2026-06-01T00:00:00.000Z' });
      await expect(here.access.authenticate(key)).rejects.toMatchObject({ code: 'KEY_REVOKED' });
      await elsewhere.authenticate(key);
      wait(CACHE_TTL_MS);
      await expect(elsewhere.authenticate(key)).rejects.toMatchObject({ code: 'KEY_REVOKED' });
    });

    test('a key that is revoked during its read is not cached', async () => {
      const { keys } = node();
      const { key, record, accountId } = await keys.openAccount(request);
      const read = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<void>();
      const slow: Pick<KeyRepository, 'byHash' | 'touch'> = {
        byHash: async (hash) => {
          const found = await storage.keys.byHash(hash);
          read.resolve();
          await answer.promise;
          return found;
        },
        touch: (used) => storage.keys.touch(used),
      };
      const access = new AccessService({ keys: slow, clock, onTouchError: () => undefined });
      const early = access.authenticate(key);
      await read.promise;
      await storage.keys.revoke(accountId, record.id, Number(START / NS_PER_MS));
      access.clearCache();
      answer.resolve();
      expect(await early).toMatchObject({ accountId });
      await expect(access.authenticate(key)).rejects.toMatchObject({ code: 'KEY_REVOKED' });
    });

    test('the last use is written once a minute for all keys, and when the service ends', async () => {
      const { access, keys, failures } = node();
      const { key, record } = await keys.openAccount(request);
      const by = await access.authenticate(key);
      const lastUsed = async () => (await keys.list(by)).find(({ id }) => id === record.id)?.last_used_at;
      expect(await lastUsed()).toBeNull();
      wait(TOUCH_INTERVAL_MS);
      await access.authenticate(key);
      await expect.poll(lastUsed).toBe('2026-06-01T00:01:00.000Z');
      wait(1_000);
      await access.authenticate(key);
      expect(await lastUsed()).toBe('2026-06-01T00:01:00.000Z');
      await access.flush();
      expect(await lastUsed()).toBe('2026-06-01T00:01:01.000Z');
      expect(failures).toEqual([]);
    });

    test('a key is shown once and listed without it, newest first', async () => {
      const { access, keys } = node();
      const by = await access.authenticate((await keys.openAccount(request)).key);
      wait(1);
      const created = await keys.create(by, {
        name: 'second',
        scope: 'read',
        rate_limit_tier: 'free',
        expires_at: '2026-06-03T00:00:00Z',
      });
      expect(await access.authenticate(created.key)).toMatchObject({ accountId: by.accountId, scope: 'read' });
      const listed = await keys.list(by);
      expect(listed.map(({ name }) => name)).toEqual(['second', 'test']);
      expect(listed[0]).toEqual(created.record);
      expect(listed[0]).toMatchObject({ rate_limit_tier: 'free', expires_at: '2026-06-03T00:00:00.000Z' });
      expect(JSON.stringify(listed)).not.toContain(created.key.slice(-20));
      expect(Object.keys(created.record)).not.toContain('key_hash');
    });

    test('a key cannot exceed its creator, be expired, or belong to another account', async () => {
      const { access, keys } = node();
      const by = await access.authenticate((await keys.openAccount(request)).key);
      const free = { name: 'x', scope: 'read', rate_limit_tier: 'free' } as const;
      const refused = async (principal: Principal | undefined, fields: object, code: string) =>
        expect(keys.create(principal, { ...free, ...fields })).rejects.toMatchObject({ code });
      await refused(undefined, {}, 'AUTH_REQUIRED');
      await refused({ ...by, isDemo: true }, {}, 'FORBIDDEN');
      await refused(by, { rate_limit_tier: 'high' }, 'FORBIDDEN');
      await refused({ ...by, scope: 'write' }, { scope: 'admin' }, 'FORBIDDEN');
      await refused(by, { expires_at: '2026-06-01T00:00:00Z' }, 'VALIDATION_FAILED');
      const brief = { ...request, expires_at: '2026-07-01T00:00:00Z' };
      const expiring = await access.authenticate((await keys.create(by, brief)).key);
      await refused(expiring, {}, 'FORBIDDEN');
      await refused(expiring, { expires_at: '2026-07-01T00:00:01Z' }, 'FORBIDDEN');
      expect((await keys.create(expiring, brief)).record.expires_at).toBe('2026-07-01T00:00:00.000Z');
      const other = await access.authenticate((await keys.openAccount(request)).key);
      await expect(keys.revoke(other, by.keyId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await keys.list(other)).toHaveLength(1);
    });
  });
}
