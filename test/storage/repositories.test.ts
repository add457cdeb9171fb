// One suite of repositories, the same on every database.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { deserialize } from 'node:v8';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidV7 } from '../../src/core/ids.ts';
import type { ApiKey } from '../../src/storage/access/keys.ts';
import type { Run } from '../../src/storage/compute/runs.ts';
import { type Effect, LEASE_MS, type Lease, markEffects } from '../../src/storage/node/idempotency.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { testDatabases } from './databases.ts';

const NOW = Date.UTC(2026, 5, 1, 12, 0, 0, 123);
const HOUR = 3_600_000;

function newId(ms = NOW): string {
  return uuidV7(ms, randomBytes(10));
}

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await database.open();
    });
    afterAll(() => database.dispose(storage));

    async function account(kind: 'demo' | 'full' = 'full'): Promise<string> {
      const id = newId();
      await storage.accounts.insert({ id, kind, createdSvcond: 2_270_000_000, createdMs: NOW });
      return id;
    }

    async function key(accountId: string, fields: Partial<ApiKey> = {}): Promise<{ id: string; hash: Uint8Array }> {
      const id = newId();
      const hash = randomBytes(32);
      const record = {
        id,
        accountId,
        keyPrefix: 'svc_ak_01234567',
        name: 'test',
        scope: 'write',
        tier: 'free',
        tenant: undefined,
        createdMs: NOW,
        expiresMs: undefined,
        ...fields,
      } as const;
      await storage.keys.insert(record, hash);
      return { id, hash };
    }

    function run(fields: Partial<Run> = {}): Run {
      const id = fields.id ?? newId(fields.createdMs);
      const common = { solver: 'heat', folder: undefined, valueText: '0.5', unit: 'K', svcond: 1, createdMs: NOW };
      return { ...common, envelope: '{}', ...fields, id };
    }

    describe('accounts', () => {
      test('an account comes back as it was stored', async () => {
        const id = await account('demo');
        expect(await storage.accounts.get(id)).toEqual({
          id,
          kind: 'demo',
          createdSvcond: 2_270_000_000,
          createdMs: NOW,
        });
        expect(await storage.accounts.get(newId())).toBeUndefined();
      });

      test('a demo account is removed when all its keys have expired, and a full account is not', async () => {
        const [expired, stillLive, full] = [await account('demo'), await account('demo'), await account()];
        await key(expired, { tier: 'demo', expiresMs: NOW - 2 * HOUR });
        await storage.runs.insert(expired, run());
        await key(stillLive, { tier: 'demo', expiresMs: NOW - 2 * HOUR });
        await key(stillLive, { tier: 'demo', expiresMs: NOW + HOUR });
        await key(full, { tier: 'demo', expiresMs: NOW - 2 * HOUR });
        expect(await storage.accounts.removeExpiredDemo(NOW - HOUR, 10)).toBe(1);
        expect(await storage.accounts.get(expired)).toBeUndefined();
        expect((await storage.runs.list(expired, { limit: 10 })).rows).toEqual([]);
        expect(await storage.accounts.get(stillLive)).toBeDefined();
        expect(await storage.accounts.get(full)).toBeDefined();
      });
    });

    describe('keys', () => {
      test('a key is found by its hash, which is not part of the answer', async () => {
        const accountId = await account();
        const { id, hash } = await key(accountId, { expiresMs: NOW + HOUR });
        expect(await storage.keys.byHash(hash)).toEqual({
          id,
          accountId,
          keyPrefix: 'svc_ak_01234567',
          name: 'test',
          scope: 'write',
          tier: 'free',
          createdMs: NOW,
          expiresMs: NOW + HOUR,
          revokedMs: undefined,
          lastUsedMs: undefined,
        });
        expect(await storage.keys.byHash(randomBytes(32))).toBeUndefined();
      });

      test('a key keeps the time of its first revocation, and only its account can revoke it', async () => {
        const accountId = await account();
        const { id, hash } = await key(accountId);
        expect(await storage.keys.revoke(await account(), id, NOW)).toBeUndefined();
        expect((await storage.keys.byHash(hash))?.revokedMs).toBeUndefined();
        expect((await storage.keys.revoke(accountId, id, NOW + 1))?.revokedMs).toBe(NOW + 1);
        expect((await storage.keys.revoke(accountId, id, NOW + 9))?.revokedMs).toBe(NOW + 1);
      });

      test('one statement updates the last use of many keys, which never decreases', async () => {
        const accountId = await account();
        const [a, b] = [await key(accountId), await key(accountId)];
        await storage.keys.touch(new Map());
        await storage.keys.touch(
          new Map([
            [a.id, NOW + 5],
            [b.id, NOW + 6],
          ]),
        );
        await storage.keys.touch(new Map([[a.id, NOW + 1]]));
        expect((await storage.keys.byHash(a.hash))?.lastUsedMs).toBe(NOW + 5);
        expect((await storage.keys.byHash(b.hash))?.lastUsedMs).toBe(NOW + 6);
      });

      test('keys are listed newest first', async () => {
        const accountId = await account();
        const first = newId(NOW);
        const second = newId(NOW + 1);
        await key(accountId, { id: second });
        await key(accountId, { id: first });
        expect((await storage.keys.list(accountId, 10)).map(({ id }) => id)).toEqual([second, first]);
        expect(await storage.keys.list(accountId, 1)).toHaveLength(1);
      });
    });

    describe('runs', () => {
      test('any envelope is stored byte for byte', async () => {
        const accountId = await account();
        const text = fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed() && !one.includes('\0'));
        await fc.assert(
          fc.asyncProperty(text, async (envelope) => {
            const stored = run({ envelope, valueText: '1e-7', folder: 'a b' });
            await storage.runs.insert(accountId, stored);
            expect(await storage.runs.get(accountId, stored.id)).toEqual(stored);
          }),
          { numRuns: 25 },
        );
      });

      test('a run of another account, or with a malformed id, is not found', async () => {
        const accountId = await account();
        const stored = run();
        await storage.runs.insert(accountId, stored);
        expect(await storage.runs.get(await account(), stored.id)).toBeUndefined();
        expect(await storage.runs.get(accountId, "'; drop table run")).toBeUndefined();
      });

      test('pages of any size show every run of the filter once, newest first', async () => {
        const accountId = await account();
        const stored = Array.from({ length: 23 }, (_, i) =>
          run({
            createdMs: NOW + Math.floor(i / 3),
            folder: ['a', 'b', undefined][i % 3],
            solver: i % 2 === 0 ? 'heat' : 'wave',
          }),
        );
        // Inserted in random order: ids alone decide.
        for (const one of [...stored].sort((x, y) => (x.id.slice(-4) < y.id.slice(-4) ? -1 : 1))) {
          await storage.runs.insert(accountId, one);
        }
        const filters = fc.record({
          limit: fc.integer({ min: 1, max: 30 }),
          folder: fc.constantFrom('a', 'b', 'c', undefined),
          solver: fc.constantFrom('heat', 'wave', undefined),
        });
        await fc.assert(
          fc.asyncProperty(filters, async (filter) => {
            const seen: string[] = [];
            let cursor: string | undefined;
            do {
              const page = await storage.runs.list(accountId, { ...filter, cursor });
              expect(page.rows.length).toBeLessThanOrEqual(filter.limit);
              seen.push(...page.rows.map(({ id }) => id));
              expect(seen.length).toBeLessThanOrEqual(stored.length);
              cursor = page.nextCursor;
            } while (cursor !== undefined);
            const expected = stored
              .filter(({ folder }) => filter.folder === undefined || folder === filter.folder)
              .filter(({ solver }) => filter.solver === undefined || solver === filter.solver)
              .map(({ id }) => id)
              .sort()
              .reverse();
            expect(seen).toEqual(expected);
          }),
          { numRuns: 20 },
        );
        expect(await storage.runs.folders(accountId, 10)).toEqual([
          { folder: 'a', runs: 8 },
          { folder: 'b', runs: 8 },
        ]);
      });
    });

    describe('fields', () => {
      test('bytes are stored by hash until they expire, and longer if they are put again', async () => {
        const bytes = randomBytes(70_000);
        const sha256 = await storage.fields.put(bytes, NOW + HOUR);
        expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
        expect(Buffer.from((await storage.fields.get(sha256, NOW)) ?? []).equals(bytes)).toBe(true);
        expect(await storage.fields.get(sha256, NOW + HOUR)).toBeUndefined();
        await storage.fields.put(bytes, NOW + 2 * HOUR);
        await storage.fields.put(bytes, NOW);
        expect(await storage.fields.removeExpired(NOW + HOUR, 10)).toBe(0);
        expect(await storage.fields.get(sha256, NOW + HOUR)).toBeDefined();
        expect(await storage.fields.removeExpired(NOW + 2 * HOUR, 10)).toBe(1);
        expect(await storage.fields.get('not a hash', NOW)).toBeUndefined();
      });

      test('equal bytes that are put concurrently are stored once', async () => {
        const bytes = randomBytes(1_000);
        const put = await Promise.all(Array.from({ length: 8 }, () => storage.fields.put(bytes, NOW + HOUR)));
        expect(new Set(put).size).toBe(1);
      });
    });

    describe('kernels', () => {
      test('a kernel is stored by its hash, once', async () => {
        const bytes = new Uint8Array(randomBytes(500));
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        await storage.kernels.put({ slug: 'heat', sha256, bytes });
        await storage.kernels.put({ slug: 'heat-again', sha256, bytes });
        expect(await storage.kernels.find(sha256)).toEqual({ slug: 'heat', sha256, bytes });
        expect(await storage.kernels.find('00'.repeat(32))).toBeUndefined();
      });

      test('a kernel with the wrong hash is refused', async () => {
        const kernel = { slug: 'heat', sha256: '00'.repeat(32), bytes: new Uint8Array(4) };
        await expect(storage.kernels.put(kernel)).rejects.toThrow(RangeError);
      });
    });

    describe('idempotency', () => {
      const answer = { status: 201, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"ok":true}') };

      function request(fields: { body?: string; route?: string; key?: string } = {}) {
        const { body = 'a', route = 'POST /x', key = randomUUID() } = fields;
        return { principal: 'key-1', key, route, bodySha256: createHash('sha256').update(body).digest() };
      }

      async function claimed(one: ReturnType<typeof request>, nowMs = NOW) {
        const claim = await storage.idempotency.claim(one, randomUUID(), nowMs);
        if (claim.kind !== 'claimed') throw new Error('The key was expected to be free.');
        return claim.lease;
      }

      test('one of several concurrent senders computes; afterwards all get its answer', async () => {
        const counts = fc.integer({ min: 2, max: 12 });
        await fc.assert(
          fc.asyncProperty(counts, async (senders) => {
            const one = request();
            const outcomes = await Promise.allSettled(
              Array.from({ length: senders }, () => storage.idempotency.claim(one, randomUUID(), NOW)),
            );
            const won = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
            const lost = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason.code);
            expect(lost).toEqual(Array.from({ length: senders - 1 }, () => 'IDEMPOTENCY_IN_FLIGHT'));
            const [claim] = won;
            if (claim?.kind !== 'claimed') throw new Error('Nobody won.');
            expect(await storage.idempotency.complete(claim.lease, answer)).toBe(true);
            expect(await storage.idempotency.claim(one, randomUUID(), NOW + HOUR)).toEqual({ kind: 'done', answer });
          }),
          { numRuns: 15 },
        );
      });

      test('a key with another body or route is refused, in flight and afterwards', async () => {
        const one = request();
        const lease = await claimed(one);
        const reused = { code: 'IDEMPOTENCY_KEY_REUSED' };
        const others = [request({ key: one.key, body: 'b' }), request({ key: one.key, route: 'POST /y' })];
        for (const other of others) {
          await expect(storage.idempotency.claim(other, randomUUID(), NOW)).rejects.toMatchObject(reused);
        }
        await storage.idempotency.complete(lease, answer);
        for (const other of others) {
          await expect(storage.idempotency.claim(other, randomUUID(), NOW)).rejects.toMatchObject(reused);
        }
      });

      test('equal keys of different principals are independent', async () => {
        const one = request();
        await claimed(one);
        await claimed({ ...one, principal: 'key-2' });
      });

      test('after its lease, the same request takes a key over, and its first owner cannot complete', async () => {
        const one = request();
        const dead = await claimed(one);
        const refused = storage.idempotency.claim(one, randomUUID(), NOW + LEASE_MS - 1);
        await expect(refused).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
        const other = request({ key: one.key, body: 'b' });
        const reused = storage.idempotency.claim(other, randomUUID(), NOW + LEASE_MS);
        await expect(reused).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
        const successor = await claimed(one, NOW + LEASE_MS);
        expect(await storage.idempotency.complete(dead, { ...answer, status: 500 })).toBe(false);
        await storage.idempotency.abandon(dead, NOW + LEASE_MS);
        expect(await storage.idempotency.complete(successor, answer)).toBe(true);
      });

      test('an abandoned key is free for any request', async () => {
        const one = request();
        await storage.idempotency.abandon(await claimed(one), NOW);
        await claimed(request({ key: one.key, body: 'b' }));
      });

      /** An effect of the call that holds this lease. */
      const effectOf = (lease: Lease, outcome: unknown): Effect => ({
        call: { lease, box: { seal: (bytes) => bytes, open: (bytes) => bytes }, earlier: [], isOpen: true },
        effect: 'test',
        outcome,
      });

      test('a call with effects is taken over with what they returned', async () => {
        const one = request();
        const first = await claimed(one);
        const outcomes = [{ n: 1, bytes: new Uint8Array([1, 2]) }, new Map([['a', 1n]]), 'third'];
        for (const outcome of outcomes) await storage.transaction((on) => markEffects([effectOf(first, outcome)], on));
        const second = await claimed(one, NOW + LEASE_MS);
        const restored = second.outcomes.map((bytes) => deserialize(bytes));
        expect(restored).toEqual(outcomes.map((outcome) => ({ effect: 'test', outcome })));
        await storage.transaction((on) => markEffects([effectOf(second, 4)], on));
        expect((await claimed(one, NOW + 2 * LEASE_MS)).outcomes).toHaveLength(4);
        // A day later it is another request.
        expect((await claimed(one, NOW + 48 * HOUR)).outcomes).toEqual([]);
      });

      class Instance {
        readonly n = 1;
      }
      test.each([
        ['a function', { run: () => 1 }],
        ['an instance of a class', { value: new Instance() }],
      ])('a call whose effect returned %s is never taken over, and its key is free a day later', async (_, outcome) => {
        const one = request();
        const lease = await claimed(one);
        await storage.transaction((on) => markEffects([effectOf(lease, outcome), effectOf(lease, 1)], on));
        const soon = storage.idempotency.claim(one, randomUUID(), NOW + LEASE_MS - 1);
        await expect(soon).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
        const late = storage.idempotency.claim(one, randomUUID(), NOW + LEASE_MS);
        await expect(late).rejects.toMatchObject({ code: 'IDEMPOTENCY_ANSWER_LOST' });
        await claimed(one, NOW + 24 * HOUR);
      });

      test('a failure after an effect ends the lease and frees the key for the same request only', async () => {
        const one = request();
        const lease = await claimed(one);
        await storage.transaction((on) => markEffects([effectOf(lease, 1)], on));
        await storage.idempotency.abandon(lease, NOW + 5);
        const other = storage.idempotency.claim(request({ key: one.key, body: 'b' }), randomUUID(), NOW + 5);
        await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
        expect((await claimed(one, NOW + 5)).outcomes).toHaveLength(1);
      });

      test('a call whose key was taken over cannot have an effect', async () => {
        const one = request();
        const stale = await claimed(one);
        await claimed(one, NOW + LEASE_MS);
        const marked = storage.transaction((on) => markEffects([effectOf(stale, 1)], on));
        await expect(marked).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
      });

      test('an answer is kept for 24 hours, and then the key is free for any request', async () => {
        const one = request();
        await storage.idempotency.complete(await claimed(one), answer);
        const later = NOW + 24 * HOUR;
        expect((await storage.idempotency.claim(one, randomUUID(), later - 1)).kind).toBe('done');
        const lease = await claimed(request({ key: one.key, body: 'b' }), later);
        await storage.idempotency.complete(lease, answer);
        expect(await storage.idempotency.removeExpired(later + 24 * HOUR, 1_000)).toBeGreaterThanOrEqual(1);
        expect(await storage.idempotency.removeExpired(later + 24 * HOUR, 1_000)).toBe(0);
      });

      test('a completion that is rolled back leaves the key in flight', async () => {
        const one = request();
        const lease = await claimed(one);
        const failing = storage.transaction(async (on) => {
          expect(await storage.idempotency.complete(lease, answer, on)).toBe(true);
          throw new RangeError('the effects failed');
        });
        await expect(failing).rejects.toThrow('the effects failed');
        const again = storage.idempotency.claim(one, randomUUID(), NOW);
        await expect(again).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' });
      });
    });

    describe('secrets', () => {
      test('concurrent nodes add an epoch once, and a rotation retires the epochs before it', async () => {
        const mine = { purpose: 'receipt', epoch: 1, ciphertext: randomBytes(60), createdMs: NOW } as const;
        const added = await Promise.all([mine, mine, mine].map((one) => storage.secrets.insert(one)));
        expect(added.filter(Boolean)).toHaveLength(1);
        await storage.secrets.insert({ ...mine, epoch: 2 });
        await storage.secrets.retireBefore('receipt', 2, NOW + 1);
        await storage.secrets.retireBefore('receipt', 2, NOW + 9);
        const listed = await storage.secrets.list('receipt');
        expect(listed.map(({ epoch, retiredMs }) => [epoch, retiredMs])).toEqual([
          [2, undefined],
          [1, NOW + 1],
        ]);
        expect(listed[1]?.ciphertext).toEqual(mine.ciphertext);
        expect(await storage.secrets.list('seal')).toEqual([]);
      });
    });

    describe('the node', () => {
      test('one of several concurrent first starts sets the genesis', async () => {
        const starts = Array.from({ length: 8 }, (_, i) => ({ tick: 100 + i, unixMs: 1_000 + i }));
        const stored = await Promise.all(starts.map((start) => storage.node.genesis(start)));
        const [first] = stored;
        expect(new Set(stored.map((one) => JSON.stringify(one))).size).toBe(1);
        expect(starts).toContainEqual(first);
        expect(await storage.node.genesis({ tick: 1, unixMs: 1 })).toEqual(first);
      });
    });
  });
}
