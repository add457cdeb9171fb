// Delivery from the outbox on every database, to receivers on loopback, by a clock that stands still until it is set forward.

import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SteppedClock, startOfTick, TICK_NS, tickOf } from '../../../src/core/clock.ts';
import { uuidV7 } from '../../../src/core/ids.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { Outbound } from '../../../src/services/node/outbound.ts';
import { parseAllowed } from '../../../src/services/node/outbound-address.ts';
import { SealedBox } from '../../../src/services/node/sealed-box.ts';
import { chooseDeliveries, delayAfter } from '../../../src/services/webhooks/delivery-plan.ts';
import { Courier, type CourierOptions } from '../../../src/services/webhooks/dispatcher.ts';
import { WebhookSecrets } from '../../../src/services/webhooks/secrets.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { outboxRows, redeliveries } from '../../../src/storage/webhooks/outbox.ts';
import { webhookSecretRows } from '../../../src/storage/webhooks/secrets.ts';
import { testDatabases } from '../../storage/databases.ts';
import { plantMachine } from '../machines/machines-fixture.ts';
import { type Received, receiver, status } from '../node/receiver.ts';

const { attempts: ATTEMPTS, perHost, perMachine, underWay } = LIMITS.webhooks;
const LONGER_THAN_A_LEASE = 41;
const START = 2_000_000_000;

let made = 0;
const newId = () => uuidV7(1_700_000_000_000 + made++, randomBytes(10));
const idsOf = (received: readonly Received[]) => received.map(({ headers }) => String(headers['webhook-id']));

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    const clock = new SteppedClock(startOfTick(START));
    const box = new SealedBox(randomBytes(32), randomBytes);
    beforeAll(async () => {
      storage = await database.open();
    });
    afterAll(() => database.dispose(storage));

    const now = () => tickOf(clock.now());
    const forward = (ticks: number) => clock.advance(BigInt(ticks) * TICK_NS);
    const secrets = () => new WebhookSecrets({ secrets: storage.webhookSecrets, box, clock, randomBytes });
    const outbound = (timeoutMs = 2_000) => new Outbound({ allowed: parseAllowed('127.0.0.0/8', false), timeoutMs });

    function courier(options: Partial<CourierOptions> = {}): Courier {
      const failures: unknown[] = [];
      const made = new Courier({
        outbox: storage.outbox,
        outbound: outbound(),
        secrets: secrets(),
        clock,
        onFailed: (error) => failures.push(error),
        ...options,
      });
      onTestFinished(async () => {
        await made.stop();
        await rows(storage.database.knex, 'delete from outbox');
        expect(failures).toEqual([]);
      });
      return made;
    }

    async function put(machine: Machine, url: string, count = 1): Promise<string[]> {
      const entries = Array.from({ length: count }, (_, i) => ({
        id: newId(),
        machineId: machine.id,
        contractId: newId(),
        url,
        body: `{"n":${i},"text":"ü"}`,
        svcond: now(),
      }));
      await outboxRows.write(entries, storage.database.knex);
      return entries.map(({ id }) => id);
    }
    const one = async (machine: Machine, url: string) => (await put(machine, url))[0] as string;
    const look = async (machine: Machine, id: string) => {
      const found = await storage.outbox.get(machine.id, id);
      if (found === undefined) throw new Error(`There is no delivery ${id}.`);
      return found;
    };

    test('a webhook arrives once, signed by the secret of its machine', async () => {
      const [machine, web] = [await plantMachine(storage), await receiver()];
      const id = await one(machine, `${web.url}?token=a%20b`);
      const sender = courier();
      await sender.settled();
      await sender.settled();
      expect(web.received).toHaveLength(1);
      const [{ method, path, headers, body } = {} as Received] = web.received;
      expect([method, path, body]).toEqual(['POST', '/hook?token=a%20b', '{"n":0,"text":"ü"}']);
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': id });
      const seconds = String(clock.now() / 1_000_000_000n);
      const [{ secret }] = await secrets().of(machine.id);
      const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
      expect([headers['webhook-timestamp'], headers['webhook-signature']]).toEqual([seconds, `v1,${signature}`]);
      expect(await look(machine, id)).toMatchObject({ status: 'delivered', attempts: 1, deliveredSvcond: now() });
      const [other] = await secrets().of((await plantMachine(storage)).id);
      expect(Buffer.from(other.secret).equals(secret)).toBe(false);
    });

    test('what cannot be signed counts as an attempt, and is given up like any other', async () => {
      const [machine, web] = [await plantMachine(storage), await receiver()];
      const id = await one(machine, web.url);
      const seen: unknown[] = [];
      const broken = new Error('whsec_of_this_machine');
      const secrets = { of: () => Promise.reject(broken) } as unknown as WebhookSecrets;
      const sender = courier({ secrets, onFailed: (error) => seen.push(error) });
      for (let round = 1; round <= ATTEMPTS; round++) {
        await sender.settled();
        const { status, attempts, nextAttemptTick, lastError } = await look(machine, id);
        expect([status, attempts]).toEqual([round < ATTEMPTS ? 'pending' : 'dead', round]);
        expect(lastError).toBe('INTERNAL: the delivery could not be signed or sent.');
        if (round < ATTEMPTS) forward((nextAttemptTick ?? 0) - now());
      }
      forward(LONGER_THAN_A_LEASE);
      await sender.settled();
      expect(web.received).toEqual([]);
      expect(seen).toEqual(Array.from({ length: ATTEMPTS }, () => broken));
    });

    test('a failure is tried again, later each time, under the same id, until it is given up', async () => {
      const [machine, web] = [await plantMachine(storage), await receiver(status(500))];
      const id = await one(machine, web.url);
      const sender = courier();
      const begun = now();
      for (let round = 1; round < ATTEMPTS; round++) {
        await sender.settled();
        const next = now() + delayAfter(id, round);
        expect(await look(machine, id)).toMatchObject({
          status: 'pending',
          attempts: round,
          nextAttemptTick: next,
          lastError: 'HTTP 500',
        });
        forward(next - now() - 1);
        await sender.settled();
        expect(web.received).toHaveLength(round);
        forward(1);
      }
      await sender.settled();
      const dead = { status: 'dead', attempts: ATTEMPTS, nextAttemptTick: undefined, deliveredSvcond: undefined };
      expect(await look(machine, id)).toMatchObject(dead);
      const days = (Number(TICK_NS) * (now() - begun)) / 86_400e9;
      expect(days).toBeGreaterThan(2.7);
      expect(days).toBeLessThan(3.5);
      forward(1_000_000);
      await sender.settled();
      expect(web.received).toHaveLength(ATTEMPTS);
      expect(new Set(idsOf(web.received))).toEqual(new Set([id]));
      // Every attempt is signed anew, so that a receiver which refuses old ones takes it.
      expect(new Set(web.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(ATTEMPTS);

      web.reply = status(200);
      await redeliveries.write([{ machineId: machine.id, id, tick: now() }], storage.database.knex);
      await sender.settled();
      expect(await look(machine, id)).toMatchObject({ status: 'delivered', attempts: ATTEMPTS + 1 });
      web.reply = status(500);
      await redeliveries.write([{ machineId: machine.id, id, tick: now() }], storage.database.knex);
      await sender.settled();
      const again = { status: 'pending', attempts: ATTEMPTS + 2, nextAttemptTick: now() + delayAfter(id, 1) };
      expect(await look(machine, id)).toMatchObject(again);
    });

    test.each([
      ['no answer in time', () => undefined, /^OUT_OF_TIME: 127\.0\.0\.1 took more than 200 ms\.$/],
      [
        'a broken connection',
        (_: unknown, response: { destroy(): void }) => response.destroy(),
        /^ADDRESS_UNREACHABLE/,
      ],
      ['a redirect', status(302, { location: 'http://127.0.0.1:1/' }), /^HTTP 302: redirects are not followed\.$/],
      ['a refusal', status(404), /^HTTP 404$/],
    ])('%s is a failure like any other', async (_, reply, error) => {
      const [machine, web] = [await plantMachine(storage), await receiver(reply)];
      const id = await one(machine, web.url);
      await courier({ outbound: outbound(200) }).settled();
      const failed = await look(machine, id);
      expect(failed).toMatchObject({ status: 'pending', attempts: 1, nextAttemptTick: now() + delayAfter(id, 1) });
      expect(failed.lastError).toMatch(error);
    });

    test('Retry-After is waited for, a day at most', async () => {
      const [machine, web] = [await plantMachine(storage), await receiver(status(429, { 'retry-after': '600' }))];
      const id = await one(machine, web.url);
      const sender = courier();
      await sender.settled();
      expect((await look(machine, id)).nextAttemptTick).toBe(now() + 773);
      web.reply = status(503, { 'retry-after': '999999999' });
      forward(773);
      await sender.settled();
      expect((await look(machine, id)).nextAttemptTick).toBe(now() + 111_197);
      web.reply = status(503, { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' });
      forward(111_197);
      await sender.settled();
      expect((await look(machine, id)).nextAttemptTick).toBe(now() + delayAfter(id, 3));
    });

    test('410 and an address that must not be called end it at once', async () => {
      const [machine, web] = [await plantMachine(storage), await receiver(status(410))];
      const ids = [await one(machine, web.url), await one(machine, 'http://169.254.169.254/latest')];
      await courier().settled();
      const all = await Promise.all(ids.map((id) => look(machine, id)));
      expect(all.map((delivery) => [delivery.status, delivery.attempts])).toEqual(ids.map(() => ['dead', 1]));
      expect(all.map(({ lastError }) => lastError)).toEqual([
        'HTTP 410: the receiver wants no more of it.',
        'ADDRESS_BLOCKED: 169.254.169.254 is not on the public network.',
      ]);
    });

    test('what was sent and not marked, because its node died, is sent again under the same id', async () => {
      const [machine, web] = [await plantMachine(storage), await receiver()];
      const id = await one(machine, web.url);
      const take = { now: now(), until: now() + 40, exceptHosts: [], exceptMachines: [], perLane: 4, most: 9 };
      // A node that took it, sent it, and was never seen again.
      const [taken] = await storage.outbox.take({ ...take, choose: (due) => due });
      expect(taken).toMatchObject({ id, attempt: 1 });
      await outbound().fetchText({ url: web.url, method: 'POST', headers: { 'webhook-id': id }, body: '{}' });
      const sender = courier();
      await sender.settled();
      expect(idsOf(web.received)).toEqual([id]);
      forward(LONGER_THAN_A_LEASE);
      await sender.settled();
      expect(idsOf(web.received)).toEqual([id, id]);
      expect(await look(machine, id)).toMatchObject({ status: 'delivered', attempts: 2 });
      // What the first one would still say changes nothing.
      if (taken) await storage.outbox.markFailed(taken, 'late', now());
      expect(await look(machine, id)).toMatchObject({ status: 'delivered', lastError: undefined });
    });

    test('two couriers on one database send no attempt twice', async () => {
      const web = await receiver((_, response) => setImmediate(() => response.writeHead(204).end()));
      const machines = await Promise.all(Array.from({ length: 6 }, () => plantMachine(storage)));
      const ids = (await Promise.all(machines.map((machine) => put(machine, web.url, 30)))).flat();
      const couriers = Array.from({ length: 3 }, () => courier({ outbound: outbound(60_000) }));
      await Promise.all(couriers.map((each) => each.settled()));
      expect(idsOf(web.received).sort()).toEqual([...ids].sort());
      for (const machine of machines) {
        const { rows: all } = await storage.outbox.list(machine.id, { limit: 100 });
        expect(all.map((delivery) => [delivery.status, delivery.attempts])).toEqual(all.map(() => ['delivered', 1]));
      }
    });

    test('a host that does not answer holds back neither others nor a machine with a queue of its own', async () => {
      const [slow, fast] = [await receiver(() => undefined), await receiver()];
      const [busy, calm] = [await plantMachine(storage), await plantMachine(storage)];
      await put(busy, slow.url, 300);
      const quick = [...(await put(busy, fast.url, 20)), ...(await put(calm, fast.url, 5))];
      const sender = courier({ outbound: outbound(60_000) });
      await sender.look();
      await expect.poll(() => idsOf(fast.received).sort(), { timeout: 20_000 }).toEqual([...quick].sort());
      expect(slow.received).toHaveLength(perHost);
      // So that the courier can stop.
      slow.reply = status(410);
      slow.cut();
    });

    test('one machine with many slow hosts leaves room for others', async () => {
      const hosts = await Promise.all(
        Array.from({ length: 8 }, (_, i) => receiver(() => undefined, `127.0.1.${i + 1}`)),
      );
      const fast = await receiver();
      const [busy, calm] = [await plantMachine(storage), await plantMachine(storage)];
      for (const { url } of hosts) await put(busy, url, 10);
      const quick = await put(calm, fast.url, 3);
      const sender = courier({ outbound: outbound(60_000) });
      await sender.look();
      await expect.poll(() => idsOf(fast.received).sort(), { timeout: 20_000 }).toEqual([...quick].sort());
      const waiting = () => hosts.reduce((sum, { received }) => sum + received.length, 0);
      await expect.poll(waiting, { timeout: 20_000 }).toBe(perMachine);
      for (const host of hosts) host.reply = status(410);
      for (const host of hosts) host.cut();
    });

    test('an archived machine sends nothing until it is there again', async () => {
      const [machine, web] = [await plantMachine(storage, { status: 'archived' }), await receiver()];
      const id = await one(machine, web.url);
      const sender = courier();
      await sender.settled();
      expect(await look(machine, id)).toMatchObject({ status: 'pending', attempts: 0 });
      await rows(storage.database.knex, "update machine set status = 'paused' where id = ?", [machine.id]);
      await sender.settled();
      expect(idsOf(web.received)).toEqual([id]);
    });

    test('stopping waits for what is under way, and begins nothing more', async () => {
      const machine = await plantMachine(storage);
      const sender = courier();
      let stopped: Promise<void> | undefined;
      const web = await receiver((_, response) => {
        stopped ??= sender.stop();
        setTimeout(() => response.writeHead(204).end(), 50);
      });
      const ids = await put(machine, web.url, 2 * perHost);
      await sender.look();
      await expect.poll(() => stopped !== undefined, { timeout: 20_000 }).toBe(true);
      await stopped;
      const all = await Promise.all(ids.map((id) => look(machine, id)));
      const begun = all.filter(({ attempts }) => attempts > 0);
      expect(begun.map((delivery) => delivery.status)).toEqual(begun.map(() => 'delivered'));
      expect([begun.length, web.received.length]).toEqual([perHost, perHost]);
    });

    test('the secret before signs as well for a day, and then no more', async () => {
      const [machine, web] = [await plantMachine(storage), await receiver()];
      const ring = secrets();
      const [first] = await ring.of(machine.id);
      const createdMs = Number(clock.now() / 1_000_000n);
      const sealed = box.seal(`svc-webhook\0${machine.id}\0${2}`, randomBytes(32));
      await webhookSecretRows.write([{ machineId: machine.id, epoch: 2, sealed, createdMs }], storage.database.knex);
      const sender = courier();
      const signatures = async () => {
        await put(machine, web.url);
        await sender.settled();
        return String(web.received.at(-1)?.headers['webhook-signature']).split(' ');
      };
      const signed = await signatures();
      const [{ headers, body } = {} as Received] = web.received;
      const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const [second] = await ring.of(machine.id);
      expect(signed).toEqual(
        [second, first].map(({ secret }) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`),
      );
      clock.advance(24n * 3_600_000_000_000n - 1_000_000n);
      expect(await signatures()).toHaveLength(2);
      clock.advance(1_000_000n);
      expect(await signatures()).toHaveLength(1);
    });

    test('two nodes that want the first secret of a machine at once get one', async () => {
      const machine = await plantMachine(storage);
      const all = await Promise.all(Array.from({ length: 5 }, () => secrets().of(machine.id)));
      expect(new Set(all.map(([{ secret }]) => Buffer.from(secret).toString('hex'))).size).toBe(1);
      const [stored] = await storage.webhookSecrets.list(machine.id, 0);
      expect(Buffer.from(stored?.sealed ?? []).includes(Buffer.from(all[0]?.[0].secret ?? 'none'))).toBe(false);
    });

    test('what was settled long ago is removed, what is pending stays', async () => {
      const [machine, web] = [await plantMachine(storage), await receiver()];
      const settled = await one(machine, web.url);
      const sender = courier();
      await sender.settled();
      web.reply = status(500);
      const pending = await one(machine, web.url);
      await sender.settled();
      expect(await storage.outbox.removeBefore(now(), 10)).toBe(0);
      expect(await storage.outbox.removeBefore(now() + 1, 10)).toBe(1);
      expect(await storage.outbox.get(machine.id, settled)).toBeUndefined();
      expect(await look(machine, pending)).toMatchObject({ status: 'pending' });
    });
  });
}

describe('the plan', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l');
  const due = fc.array(fc.record({ id: fc.uuid(), machineId: names, host: names }), { maxLength: 200 });
  const counts = fc.dictionary(names, fc.integer({ min: 0, max: 15 })).map((all) => new Map(Object.entries(all)));

  test('never goes beyond a limit, and leaves nothing that would fit', () => {
    fc.assert(
      fc.property(due, counts, counts, fc.integer({ min: 0, max: 40 }), (all, ofHost, ofMachine, count) => {
        const chosen = chooseDeliveries(all, { count, ofHost, ofMachine });
        const hosts = (name: string) => (ofHost.get(name) ?? 0) + chosen.filter(({ host }) => host === name).length;
        const machines = (name: string) =>
          (ofMachine.get(name) ?? 0) + chosen.filter(({ machineId }) => machineId === name).length;
        for (const { host, machineId } of chosen) {
          expect(hosts(host)).toBeLessThanOrEqual(perHost);
          expect(machines(machineId)).toBeLessThanOrEqual(perMachine);
        }
        expect(chosen.length).toBeLessThanOrEqual(Math.max(0, underWay - count));
        if (chosen.length + count < underWay) {
          for (const one of all.filter((each) => !chosen.includes(each)))
            expect(hosts(one.host) >= perHost || machines(one.machineId) >= perMachine).toBe(true);
        }
      }),
    );
  });

  test('waits three times as long each time, up to a day and a quarter, and the same on every node', () => {
    const id = '0190a3f0-0000-7000-8000-000000000001';
    const delays = Array.from({ length: ATTEMPTS - 1 }, (_, i) => delayAfter(id, i + 1));
    delays.forEach((delay, i) => {
      const plain = Math.min(111_197, 8 * 3 ** i);
      expect(delay).toBeGreaterThanOrEqual(plain);
      expect(delay).toBeLessThan(plain * 1.25);
    });
    expect(delays).toEqual(Array.from({ length: ATTEMPTS - 1 }, (_, i) => delayAfter(id, i + 1)));
    const others = Array.from({ length: 50 }, () => delayAfter(newId(), 10));
    expect(new Set(others).size).toBeGreaterThan(30);
  });
});
