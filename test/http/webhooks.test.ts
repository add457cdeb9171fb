// Webhooks over HTTP: delivery to a loopback receiver, list, redelivery, secret and rotation.

import { createHmac, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Receiver, receiver, status } from '../services/node/http-receiver.ts';
import { type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService({}, { SVC_OUTBOUND_ALLOW: '127.0.0.0/8' });
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'webhooks');
});

const SOON = { timeout: 30_000 };

/** A machine whose contract tells a receiver of every ping. */
async function ringing(url: string): Promise<string> {
  const slug = await own.machine();
  await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ringingTo(url) }, 201);
  return slug;
}

function ringingTo(url: string) {
  return {
    name: 'ringing',
    version: '1.0',
    operators: ['KO42'],
    initial: 'idle',
    events: { ping: { payload: { n: 'number' } }, halt: { payload: {} } },
    states: { idle: { role: 'initial' }, done: { role: 'terminal', outcome: 'success' } },
    transitions: [
      {
        id: 'ring',
        from: 'idle',
        to: 'idle',
        operator: 'KO42',
        proof: false,
        trigger: { kind: 'event', event: 'ping' },
        post: [{ webhook: { url, payload: { twice: 'event.n * 2' } } }],
      },
      {
        id: 'stop',
        from: 'idle',
        to: 'done',
        operator: 'KO42',
        proof: false,
        trigger: { kind: 'event', event: 'halt' },
      },
    ],
  };
}

const ping = (slug: string, n = 1) => own.event(slug, 'ping', { payload: { n } });
const list = async (slug: string, query = '') =>
  (await own.request(`GET /api/chain/${slug}/webhooks${query}`, 'admin')).rows as Json[];
const statuses = async (slug: string) => (await list(slug)).map((delivery) => delivery.status);

describe('a webhook of a contract', () => {
  test.each([
    ['http://169.254.169.254/latest', 'ADDRESS_BLOCKED'],
    ['http://[::ffff:10.0.0.1]/x', 'ADDRESS_BLOCKED'],
    ['http://2130706433.:80/', undefined],
    ['https://me:secret@example.org/', 'ADDRESS_BLOCKED'],
    ['https://8.8.8.8:22/', 'ADDRESS_BLOCKED'],
  ])('to %s is rejected with its contract', async (url, code) => {
    const slug = await own.machine();
    const route = `POST /api/chain/${slug}/contracts/custom`;
    if (code === undefined) {
      // 127.0.0.1 in one number, which this node may call.
      await own.request(route, 'admin', { definition: ringingTo(url) }, 201);
      return;
    }
    const refusal = await own.request(route, 'admin', { definition: ringingTo(url) }, 422);
    expect(refusal).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'transitions.ring.post.webhook.url', code }],
    });
    expect(JSON.stringify(refusal)).not.toContain('secret');
  });

  test('is delivered after its fire, and verifiable with the secret', async () => {
    const web = await receiver();
    const slug = await ringing(web.url);
    const { fired } = (await ping(slug, 21)) as { fired: Json[] };
    await expect.poll(() => statuses(slug), SOON).toEqual(['delivered']);
    const [sent] = web.received;
    const { secret, previous_signs_until } = await own.request(`GET /api/chain/${slug}/webhooks/secret`, 'admin');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(previous_signs_until).toBeNull();
    expect(verify(sent, String(secret))).toBe(true);
    expect(verify(sent, `whsec_${randomBytes(32).toString('base64')}`)).toBe(false);
    const [delivery] = await list(slug);
    expect(sent?.body).toBe(delivery?.body);
    expect(JSON.parse(String(sent?.body))).toMatchObject({ machine: slug, transition: 'ring', payload: { twice: 42 } });
    expect(JSON.parse(String(sent?.body)).seq).toBe(fired[0]?.seq);
    expect(delivery).toMatchObject({
      id: sent?.headers['webhook-id'],
      url: web.url,
      status: 'delivered',
      attempts: 1,
      next_attempt_tick: null,
      next_attempt_at: null,
      last_error: null,
    });
  });

  test('that failed finally is listed as dead until it is redelivered, which is recorded in the chain', async () => {
    const web = await receiver(status(410));
    const slug = await ringing(web.url);
    await ping(slug);
    await expect.poll(() => statuses(slug), SOON).toEqual(['dead']);
    const [dead] = await list(slug, '?status=dead');
    expect(dead?.last_error).toBe('HTTP 410: the receiver accepts no more deliveries.');
    expect(await list(slug, '?status=delivered')).toEqual([]);
    web.reply = status(204);
    const again = `POST /api/chain/${slug}/webhooks/${dead?.id}/redeliver`;
    const { delivery } = await own.request(again, 'admin', {});
    expect(delivery).toMatchObject({ id: dead?.id, status: 'pending', last_error: null });
    await expect.poll(() => statuses(slug), SOON).toEqual(['delivered']);
    expect(web.received.map(({ headers }) => headers['webhook-id'])).toEqual([dead?.id, dead?.id]);
    const payload = { act: 'redelivered', id: dead?.id, status: 'dead' };
    expect(await own.rows(slug)).toContainEqual(expect.objectContaining({ type: 'webhook', payload }));
  });

  test('that is pending cannot be redelivered', async () => {
    const web = await receiver(status(500));
    const slug = await ringing(web.url);
    await ping(slug);
    await expect.poll(async () => (await list(slug))[0]?.last_error, SOON).toBe('HTTP 500');
    const [pending] = await list(slug, '?status=pending');
    const again = await own.request(`POST /api/chain/${slug}/webhooks/${pending?.id}/redeliver`, 'admin', {}, 409);
    expect(again).toMatchObject({ code: 'CONFLICT', error: expect.stringContaining('is pending') });
    await own.request(
      `POST /api/chain/${slug}/webhooks/00000000-0000-7000-8000-000000000000/redeliver`,
      'admin',
      {},
      404,
    );
    const other = await ringing(web.url);
    await own.request(`POST /api/chain/${other}/webhooks/${pending?.id}/redeliver`, 'admin', {}, 404);
  });

  test('is listed with pagination', async () => {
    const web = await receiver();
    const slug = await ringing(web.url);
    for (let n = 0; n < 5; n++) await ping(slug, n);
    await expect.poll(() => statuses(slug), SOON).toEqual(Array(5).fill('delivered'));
    const ids: unknown[] = [];
    let cursor = '';
    do {
      const page = await own.request(`GET /api/chain/${slug}/webhooks?limit=2${cursor}`, 'admin');
      ids.push(...(page.rows as Json[]).map(({ id }) => id));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(ids).toEqual((await list(slug)).map(({ id }) => id));
    expect(ids).toHaveLength(5);
    expect(await own.request(`GET /api/chain/${slug}/webhooks?status=lost`, 'admin', undefined, 422)).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });
});

describe('the secret', () => {
  test('can be rotated, and the previous one signs too for a day', async () => {
    const web = await receiver();
    const slug = await ringing(web.url);
    const before = await own.request(`GET /api/chain/${slug}/webhooks/secret`, 'admin');
    const after = await own.request(`POST /api/chain/${slug}/webhooks/secret/rotate`, 'admin', {});
    expect([before.epoch, after.epoch]).toEqual([1, 2]);
    expect(after.secret).not.toBe(before.secret);
    expect(Date.parse(String(after.previous_signs_until)) - Date.parse(String(after.created_at))).toBe(86_400_000);
    expect(await own.request(`GET /api/chain/${slug}/webhooks/secret`, 'admin')).toEqual(after);
    await ping(slug);
    await expect.poll(() => statuses(slug), SOON).toEqual(['delivered']);
    const [sent] = web.received;
    for (const { secret } of [before, after]) expect(verify(sent, String(secret))).toBe(true);
    const all = JSON.stringify(await own.rows(slug));
    expect(all).toContain('"act":"secret_rotated"');
    for (const { secret } of [before, after]) expect(all).not.toContain(String(secret).slice(6));
  });

  test('and deliveries are visible to admins of the machine only', async () => {
    const slug = await ringing('http://127.0.0.1:9/');
    const routes = [
      `GET /api/chain/${slug}/webhooks`,
      `GET /api/chain/${slug}/webhooks/secret`,
      `POST /api/chain/${slug}/webhooks/secret/rotate`,
    ];
    for (const route of routes) {
      const json = route.startsWith('POST') ? {} : undefined;
      for (const [as, code] of [
        ['anonymous', 401],
        ['demo', 403],
        ['read', 403],
        ['write', 403],
        ['other', 403],
      ] as const)
        await own.request(route, as, json, code);
      await own.request(route, 'admin', json);
    }
    await own.request(`PATCH /api/chain/${slug}/settings`, 'admin', { is_public: false });
    for (const route of routes) await own.request(route, 'other', route.startsWith('POST') ? {} : undefined, 404);
  });

  test('and deliveries of an archived machine are read-only', async () => {
    const web = await receiver();
    const slug = await ringing(web.url);
    await ping(slug);
    await expect.poll(() => statuses(slug), SOON).toEqual(['delivered']);
    const [{ id } = {} as Json] = await list(slug);
    await own.request(`POST /api/chain/${slug}/status`, 'admin', { status: 'archived' });
    await own.request(`GET /api/chain/${slug}/webhooks/secret`, 'admin');
    for (const path of [`webhooks/${id}/redeliver`, 'webhooks/secret/rotate'])
      expect(await own.request(`POST /api/chain/${slug}/${path}`, 'admin', {}, 409)).toMatchObject({
        code: 'MACHINE_ARCHIVED',
      });
    expect(await statuses(slug)).toEqual(['delivered']);
  });

  test('an archived machine without a secret gets none by being asked', async () => {
    const slug = await own.machine();
    const asked = (status: number) => own.request(`GET /api/chain/${slug}/webhooks/secret`, 'admin', undefined, status);
    await own.request(`POST /api/chain/${slug}/status`, 'admin', { status: 'archived' });
    expect(await asked(409)).toMatchObject({ code: 'MACHINE_ARCHIVED' });
    await own.request(`POST /api/chain/${slug}/status`, 'admin', { status: 'paused' });
    expect(await asked(200)).toMatchObject({ epoch: 1 });
  });
});

/** As a receiver does it: Standard Webhooks 1.0.0, verifying. */
function verify(sent: Receiver['received'][number] | undefined, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = sent?.headers ?? {};
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${seconds}.${sent?.body}`).digest('base64');
  return String(signatures).split(' ').includes(`v1,${expected}`);
}
