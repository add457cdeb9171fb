// Webhook dispatcher on every database, with receivers on loopback and a clock that only moves when advanced.

import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SteppedClock, startOfTick, TICK_NS, tickOf } from '../../../src/core/clock.ts';
import { uuidV7 } from '../../../src/core/ids.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { OutboundClient } from '../../../src/services/node/outbound.ts';
import { parseAllowedTargets } from '../../../src/services/node/outbound-address.ts';
import { SealedBox } from '../../../src/services/node/sealed-box.ts';
import { chooseDeliveries, retryDelayTicks } from '../../../src/services/webhooks/delivery-plan.ts';
import { WebhookDispatcher, type WebhookDispatcherOptions } from '../../../src/services/webhooks/dispatcher.ts';
import { WebhookSecrets } from '../../../src/services/webhooks/secrets.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { outboxRows, redeliveries } from '../../../src/storage/webhooks/outbox.ts';
import { webhookSecretRows } from '../../../src/storage/webhooks/secrets.ts';
import { testDatabases } from '../../storage/databases.ts';
import { insertMachine } from '../machines/stored-machine-fixture.ts';
import { type Received, receiver, status } from '../node/http-receiver.ts';

const { attempts: ATTEMPTS, perHost, perMachine, inFlight: maxInFlight } = LIMITS.webhooks;
const AFTER_LEASE_TICKS = 41;
const START = 2_000_000_000;

let idCount = 0;
const newId = () => uuidV7(1_700_000_000_000 + idCount++, randomBytes(10));
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
    const outbound = (timeoutMs = 2_000) =>
      new OutboundClient({ allowed: parseAllowedTargets('127.0.0.0/8', false), timeoutMs });

    function createDispatcher(options: Partial<WebhookDispatcherOptions> = {}): WebhookDispatcher {
      const failures: unknown[] = [];
      const dispatcher = new WebhookDispatcher({
        outbox: storage.outbox,
        outbound: outbound(),
        secrets: secrets(),
        clock,
        onError: (error) => failures.push(error),
        ...options,
      });
      onTestFinished(async () => {
        await dispatcher.stop();
        await rows(storage.database.knex, 'delete from outbox');
        expect(failures).toEqual([]);
      });
      return dispatcher;
    }

    async function enqueue(machine: Machine, url: string, count = 1): Promise<string[]> {
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
    const enqueueOne = async (machine: Machine, url: string) => (await enqueue(machine, url))[0] as string;
    const getDelivery = async (machine: Machine, id: string) => {
      const found = await storage.outbox.get(machine.id, id);
      if (found === undefined) throw new Error(`Delivery ${id} not found.`);
      return found;
    };

    test('a webhook arrives once, signed by the secret of its machine', async () => {
      const [machine, web] = [await insertMachine(storage), await receiver()];
      const id = await enqueueOne(machine, `${web.url}?token=a%20b`);
      const dispatcher = createDispatcher();
      await dispatcher.settled();
      await dispatcher.settled();
      expect(web.received).toHaveLength(1);
      const [{ method, path, headers, body } = {} as Received] = web.received;
      expect([method, path, body]).toEqual(['POST', '/hook?token=a%20b', '{"n":0,"text":"ü"}']);
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': id });
      const seconds = String(clock.now() / 1_000_000_000n);
      const [{ secret }] = await secrets().getSigning(machine.id);
      const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
      expect([headers['webhook-timestamp'], headers['webhook-signature']]).toEqual([seconds, `v1,${signature}`]);
      expect(await getDelivery(machine, id)).toMatchObject({
        status: 'delivered',
        attempts: 1,
        deliveredSvcond: now(),
      });
      const [other] = await secrets().getSigning((await insertMachine(storage)).id);
      expect(Buffer.from(other.secret).equals(secret)).toBe(false);
    });

    test('a delivery that cannot be signed counts as an attempt, and is given up after the last one', async () => {
      const [machine, web] = [await insertMachine(storage), await receiver()];
      const id = await enqueueOne(machine, web.url);
      const errors: unknown[] = [];
      const failure = new Error('whsec_of_this_machine');
      const secrets = { getSigning: () => Promise.reject(failure) } as unknown as WebhookSecrets;
      const dispatcher = createDispatcher({ secrets, onError: (error) => errors.push(error) });
      for (let round = 1; round <= ATTEMPTS; round++) {
        await dispatcher.settled();
        const { status, attempts, nextAttemptTick, lastError } = await getDelivery(machine, id);
        expect([status, attempts]).toEqual([round < ATTEMPTS ? 'pending' : 'dead', round]);
        expect(lastError).toBe('INTERNAL: the delivery could not be signed or sent.');
        if (round < ATTEMPTS) forward((nextAttemptTick ?? 0) - now());
      }
      forward(AFTER_LEASE_TICKS);
      await dispatcher.settled();
      expect(web.received).toEqual([]);
      expect(errors).toEqual(Array.from({ length: ATTEMPTS }, () => failure));
    });

    test('a failed delivery is retried with growing delays under the same id, until it is given up', async () => {
      const [machine, web] = [await insertMachine(storage), await receiver(status(500))];
      const id = await enqueueOne(machine, web.url);
      const dispatcher = createDispatcher();
      const started = now();
      for (let round = 1; round < ATTEMPTS; round++) {
        await dispatcher.settled();
        const next = now() + retryDelayTicks(id, round);
        expect(await getDelivery(machine, id)).toMatchObject({
          status: 'pending',
          attempts: round,
          nextAttemptTick: next,
          lastError: 'HTTP 500',
        });
        forward(next - now() - 1);
        await dispatcher.settled();
        expect(web.received).toHaveLength(round);
        forward(1);
      }
      await dispatcher.settled();
      const dead = { status: 'dead', attempts: ATTEMPTS, nextAttemptTick: undefined, deliveredSvcond: undefined };
      expect(await getDelivery(machine, id)).toMatchObject(dead);
      const days = (Number(TICK_NS) * (now() - started)) / 86_400e9;
      expect(days).toBeGreaterThan(2.7);
      expect(days).toBeLessThan(3.5);
      forward(1_000_000);
      await dispatcher.settled();
      expect(web.received).toHaveLength(ATTEMPTS);
      expect(new Set(idsOf(web.received))).toEqual(new Set([id]));
      // Each attempt has a new timestamp and signature, since receivers reject old ones.
      expect(new Set(web.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(ATTEMPTS);

      web.reply = status(200);
      await redeliveries.write([{ machineId: machine.id, id, tick: now() }], storage.database.knex);
      await dispatcher.settled();
      expect(await getDelivery(machine, id)).toMatchObject({ status: 'delivered', attempts: ATTEMPTS + 1 });
      web.reply = status(500);
      await redeliveries.write([{ machineId: machine.id, id, tick: now() }], storage.database.knex);
      await dispatcher.settled();
      const again = { status: 'pending', attempts: ATTEMPTS + 2, nextAttemptTick: now() + retryDelayTicks(id, 1) };
      expect(await getDelivery(machine, id)).toMatchObject(again);
    });

    test.each([
      ['no answer in time', () => undefined, /^OUT_OF_TIME: Timeout of 200 ms exceeded by 127\.0\.0\.1\.$/],
      [
        'a broken connection',
        (_: unknown, response: { destroy(): void }) => response.destroy(),
        /^ADDRESS_UNREACHABLE/,
      ],
      ['a redirect', status(302, { location: 'http://127.0.0.1:1/' }), /^HTTP 302: redirects are not followed\.$/],
      ['a refusal', status(404), /^HTTP 404$/],
    ])('%s is retried as a failure', async (_, reply, error) => {
      const [machine, web] = [await insertMachine(storage), await receiver(reply)];
      const id = await enqueueOne(machine, web.url);
      await createDispatcher({ outbound: outbound(200) }).settled();
      const failed = await getDelivery(machine, id);
      expect(failed).toMatchObject({ status: 'pending', attempts: 1, nextAttemptTick: now() + retryDelayTicks(id, 1) });
      expect(failed.lastError).toMatch(error);
    });

    test('Retry-After is respected, up to a day', async () => {
      const [machine, web] = [await insertMachine(storage), await receiver(status(429, { 'retry-after': '600' }))];
      const id = await enqueueOne(machine, web.url);
      const dispatcher = createDispatcher();
      await dispatcher.settled();
      expect((await getDelivery(machine, id)).nextAttemptTick).toBe(now() + 773);
      web.reply = status(503, { 'retry-after': '999999999' });
      forward(773);
      await dispatcher.settled();
      expect((await getDelivery(machine, id)).nextAttemptTick).toBe(now() + 111_197);
      web.reply = status(503, { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' });
      forward(111_197);
      await dispatcher.settled();
      expect((await getDelivery(machine, id)).nextAttemptTick).toBe(now() + retryDelayTicks(id, 3));
    });

    test('410 and a blocked address end the delivery at once', async () => {
      const [machine, web] = [await insertMachine(storage), await receiver(status(410))];
      const ids = [await enqueueOne(machine, web.url), await enqueueOne(machine, 'http://169.254.169.254/latest')];
      await createDispatcher().settled();
      const all = await Promise.all(ids.map((id) => getDelivery(machine, id)));
      expect(all.map((delivery) => [delivery.status, delivery.attempts])).toEqual(ids.map(() => ['dead', 1]));
      expect(all.map(({ lastError }) => lastError)).toEqual([
        'HTTP 410: the receiver accepts no more deliveries.',
        'ADDRESS_BLOCKED: 169.254.169.254 is not on the public network.',
      ]);
    });

    test('a delivery sent but not marked, because its node died, is sent again under the same id', async () => {
      const [machine, web] = [await insertMachine(storage), await receiver()];
      const id = await enqueueOne(machine, web.url);
      const claim = { now: now(), until: now() + 40, exceptHosts: [], exceptMachines: [], perLane: 4, limit: 9 };
      // A node that claimed and sent the delivery, and then died.
      const [claimed] = await storage.outbox.claimDue({ ...claim, choose: (due) => due });
      expect(claimed).toMatchObject({ id, attempt: 1 });
      await outbound().fetchText({ url: web.url, method: 'POST', headers: { 'webhook-id': id }, body: '{}' });
      const dispatcher = createDispatcher();
      await dispatcher.settled();
      expect(idsOf(web.received)).toEqual([id]);
      forward(AFTER_LEASE_TICKS);
      await dispatcher.settled();
      expect(idsOf(web.received)).toEqual([id, id]);
      expect(await getDelivery(machine, id)).toMatchObject({ status: 'delivered', attempts: 2 });
      // A late report of the first node changes nothing.
      if (claimed) await storage.outbox.markFailed(claimed, 'late', now());
      expect(await getDelivery(machine, id)).toMatchObject({ status: 'delivered', lastError: undefined });
    });

    test('several dispatchers on one database send no attempt twice', async () => {
      const web = await receiver((_, response) => setImmediate(() => response.writeHead(204).end()));
      const machines = await Promise.all(Array.from({ length: 6 }, () => insertMachine(storage)));
      const ids = (await Promise.all(machines.map((machine) => enqueue(machine, web.url, 30)))).flat();
      const dispatchers = Array.from({ length: 3 }, () => createDispatcher({ outbound: outbound(60_000) }));
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.settled()));
      expect(idsOf(web.received).sort()).toEqual([...ids].sort());
      for (const machine of machines) {
        const { rows: all } = await storage.outbox.list(machine.id, { limit: 100 });
        expect(all.map((delivery) => [delivery.status, delivery.attempts])).toEqual(all.map(() => ['delivered', 1]));
      }
    });

    test('a host that does not answer delays neither other hosts nor other machines', async () => {
      const [slow, fast] = [await receiver(() => undefined), await receiver()];
      const [busy, calm] = [await insertMachine(storage), await insertMachine(storage)];
      await enqueue(busy, slow.url, 300);
      const quick = [...(await enqueue(busy, fast.url, 20)), ...(await enqueue(calm, fast.url, 5))];
      const dispatcher = createDispatcher({ outbound: outbound(60_000) });
      await dispatcher.poll();
      await expect.poll(() => idsOf(fast.received).sort(), { timeout: 20_000 }).toEqual([...quick].sort());
      expect(slow.received).toHaveLength(perHost);
      // So that the dispatcher can stop.
      slow.reply = status(410);
      slow.cut();
    });

    test('one machine with many slow hosts does not delay other machines', async () => {
      const hosts = await Promise.all(
        Array.from({ length: 8 }, (_, i) => receiver(() => undefined, `127.0.1.${i + 1}`)),
      );
      const fast = await receiver();
      const [busy, calm] = [await insertMachine(storage), await insertMachine(storage)];
      for (const { url } of hosts) await enqueue(busy, url, 10);
      const quick = await enqueue(calm, fast.url, 3);
      const dispatcher = createDispatcher({ outbound: outbound(60_000) });
      await dispatcher.poll();
      await expect.poll(() => idsOf(fast.received).sort(), { timeout: 20_000 }).toEqual([...quick].sort());
      const waiting = () => hosts.reduce((sum, { received }) => sum + received.length, 0);
      await expect.poll(waiting, { timeout: 20_000 }).toBe(perMachine);
      for (const host of hosts) host.reply = status(410);
      for (const host of hosts) host.cut();
    });

    test('an archived machine sends nothing until it is restored', async () => {
      const [machine, web] = [await insertMachine(storage, { status: 'archived' }), await receiver()];
      const id = await enqueueOne(machine, web.url);
      const dispatcher = createDispatcher();
      await dispatcher.settled();
      expect(await getDelivery(machine, id)).toMatchObject({ status: 'pending', attempts: 0 });
      await rows(storage.database.knex, "update machine set status = 'paused' where id = ?", [machine.id]);
      await dispatcher.settled();
      expect(idsOf(web.received)).toEqual([id]);
    });

    test('stopping waits for requests in flight, and starts no more', async () => {
      const machine = await insertMachine(storage);
      const dispatcher = createDispatcher();
      let stopped: Promise<void> | undefined;
      const web = await receiver((_, response) => {
        stopped ??= dispatcher.stop();
        setTimeout(() => response.writeHead(204).end(), 50);
      });
      const ids = await enqueue(machine, web.url, 2 * perHost);
      await dispatcher.poll();
      await expect.poll(() => stopped !== undefined, { timeout: 20_000 }).toBe(true);
      await stopped;
      const all = await Promise.all(ids.map((id) => getDelivery(machine, id)));
      const started = all.filter(({ attempts }) => attempts > 0);
      expect(started.map((delivery) => delivery.status)).toEqual(started.map(() => 'delivered'));
      expect([started.length, web.received.length]).toEqual([perHost, perHost]);
    });

    test('a rotated secret signs for one more day', async () => {
      const [machine, web] = [await insertMachine(storage), await receiver()];
      const webhookSecrets = secrets();
      const [first] = await webhookSecrets.getSigning(machine.id);
      const createdMs = Number(clock.now() / 1_000_000n);
      const sealed = box.seal(`svc-webhook\0${machine.id}\0${2}`, randomBytes(32));
      await webhookSecretRows.write([{ machineId: machine.id, epoch: 2, sealed, createdMs }], storage.database.knex);
      const dispatcher = createDispatcher();
      const signatures = async () => {
        await enqueue(machine, web.url);
        await dispatcher.settled();
        return String(web.received.at(-1)?.headers['webhook-signature']).split(' ');
      };
      const signed = await signatures();
      const [{ headers, body } = {} as Received] = web.received;
      const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const [second] = await webhookSecrets.getSigning(machine.id);
      expect(signed).toEqual(
        [second, first].map(({ secret }) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`),
      );
      clock.advance(24n * 3_600_000_000_000n - 1_000_000n);
      expect(await signatures()).toHaveLength(2);
      clock.advance(1_000_000n);
      expect(await signatures()).toHaveLength(1);
    });

    test('concurrent first uses of a machine create one secret', async () => {
      const machine = await insertMachine(storage);
      const all = await Promise.all(Array.from({ length: 5 }, () => secrets().getSigning(machine.id)));
      expect(new Set(all.map(([{ secret }]) => Buffer.from(secret).toString('hex'))).size).toBe(1);
      const [stored] = await storage.webhookSecrets.list(machine.id, 0);
      expect(Buffer.from(stored?.sealed ?? []).includes(Buffer.from(all[0]?.[0].secret ?? 'none'))).toBe(false);
    });

    test('old settled deliveries are removed, pending ones are kept', async () => {
      const [machine, web] = [await insertMachine(storage), await receiver()];
      const settled = await enqueueOne(machine, web.url);
      const dispatcher = createDispatcher();
      await dispatcher.settled();
      web.reply = status(500);
      const pending = await enqueueOne(machine, web.url);
      await dispatcher.settled();
      expect(await storage.outbox.removeBefore(now(), 10)).toBe(0);
      expect(await storage.outbox.removeBefore(now() + 1, 10)).toBe(1);
      expect(await storage.outbox.get(machine.id, settled)).toBeUndefined();
      expect(await getDelivery(machine, pending)).toMatchObject({ status: 'pending' });
    });
  });
}

describe('the delivery plan', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l');
  const due = fc.array(fc.record({ id: fc.uuid(), machineId: names, host: names }), { maxLength: 200 });
  const counts = fc.dictionary(names, fc.integer({ min: 0, max: 15 })).map((all) => new Map(Object.entries(all)));

  test('never exceeds a limit, and leaves out nothing that fits', () => {
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
        expect(chosen.length).toBeLessThanOrEqual(Math.max(0, maxInFlight - count));
        if (chosen.length + count < maxInFlight) {
          for (const { host, machineId } of all.filter((delivery) => !chosen.includes(delivery)))
            expect(hosts(host) >= perHost || machines(machineId) >= perMachine).toBe(true);
        }
      }),
    );
  });

  test('triples the delay each round, up to a day and a quarter, with the same delay on every node', () => {
    const id = '0190a3f0-0000-7000-8000-000000000001';
    const delays = Array.from({ length: ATTEMPTS - 1 }, (_, i) => retryDelayTicks(id, i + 1));
    delays.forEach((delay, i) => {
      const plain = Math.min(111_197, 8 * 3 ** i);
      expect(delay).toBeGreaterThanOrEqual(plain);
      expect(delay).toBeLessThan(plain * 1.25);
    });
    expect(delays).toEqual(Array.from({ length: ATTEMPTS - 1 }, (_, i) => retryDelayTicks(id, i + 1)));
    const others = Array.from({ length: 50 }, () => retryDelayTicks(newId(), 10));
    expect(new Set(others).size).toBeGreaterThan(30);
  });
});
