// Refused requests of members are logged in the chain of the addressed machine.

import { beforeAll, describe, expect, test } from 'vitest';
import { TICK_NS } from '../../src/core/clock.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { RpcClient } from '../mcp/rpc-client.ts';
import { connectSocket } from '../streams/socket-client.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';
import { advanceClock, type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Caller, type Json, startService } from './service-fixture.ts';

const service = await startService();
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'refusals');
  await own.zidOf('other');
});

const MINUTE_NS = 60_000_000_000n;
const NEXT = 1n;
/** Ends the tick and writes what waited in it. */
async function flush(ticks = NEXT): Promise<number> {
  advanceClock(service, ticks * TICK_NS);
  return service.running.services.refusals.flush();
}

async function rejections(slug: string): Promise<Json[]> {
  return (await own.rows(slug)).filter(({ type }) => type === 'rejection');
}

const event = (slug: string, as: Caller, json: Json = { name: 'x' }) =>
  service.call(`POST /api/chain/${slug}/event`, { as, json });

describe('a refusal', () => {
  test('is one row per code and route, with a count and without the caller', async () => {
    const slug = await own.machine();
    for (let i = 0; i < 3; i++) expect((await event(slug, 'read')).status).toBe(403);
    expect((await event(slug, 'admin', { name: 'x', unknown: 1 })).status).toBe(422);
    for (let i = 0; i < 2; i++)
      await own.request(`PUT /api/chain/state-machines/${slug}/anchor-config`, 'write', {}, 403);
    expect(await rejections(slug)).toEqual([]);
    await flush();
    const found = await rejections(slug);
    const route = 'POST /api/chain/{slug}/event';
    expect(found.map(({ payload }) => payload)).toEqual([
      { code: 'FORBIDDEN', route, count: 3, since: expect.any(Number), severity: 'warning' },
      { code: 'VALIDATION_FAILED', route, count: 1, since: expect.any(Number), severity: 'info' },
      {
        code: 'ADMIN_REQUIRED',
        route: 'PUT /api/chain/state-machines/{slug}/anchor-config',
        count: 2,
        since: expect.any(Number),
        severity: 'warning',
      },
    ]);
    for (const { actor, source } of found) expect([actor, source]).toEqual(['0'.repeat(32), 'server']);
    expect(JSON.stringify(found)).not.toContain(await own.zidOf('admin'));
    await flush();
    expect((await rejections(slug)).length).toBe(3);
    expect((await own.request(`GET /api/chain/${slug}/sources`)).rows).toContainEqual(
      expect.objectContaining({ kind: 'server', rows: 3, rejected: 3 }),
    );
  });

  test('of a tool or on a WebSocket is one row too', async () => {
    const slug = await own.machine();
    const { url } = service.running;
    const mcp = new RpcClient(url);
    const http = async (path: string, as: 'other' | 'read' | 'write') => {
      const post = { method: 'POST', path: `/api/chain/${slug}/${path}`, body: { name: 'x' } };
      return (await mcp.call('svc_http', post, { key: service.keys[as] })).structuredContent;
    };
    for (const as of ['other', 'read', 'read'] as const)
      expect(await http('event', as)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await http('audit/decrypt', 'write')).toMatchObject({ code: 'FORBIDDEN' });
    const client = await connectSocket(url);
    client.send({ op: 'auth', key: service.keys.read });
    await client.receive();
    client.send({ op: 'subscribe', channel: 'events', parameters: { slug } });
    expect(await client.receive()).toMatchObject({ ok: false, code: 'FORBIDDEN' });
    client.socket.close();
    await flush();
    expect((await rejections(slug)).map(({ payload }) => payload)).toMatchObject([
      { code: 'FORBIDDEN', route: 'POST /api/chain/{slug}/event', count: 2 },
      { code: 'FORBIDDEN', route: 'POST /api/chain/{slug}/audit/decrypt', count: 1 },
      { code: 'FORBIDDEN', route: 'GET /api/chain/{slug}/events/stream', count: 1 },
    ]);
  });

  test('of a routine kind is not logged', async () => {
    const slug = await own.machine();
    await event(slug, 'admin', {});
    await event(slug, 'admin', { name: 1 });
    await service.call(`POST /api/chain/${slug}/event`, { as: 'admin', body: '{' });
    await service.call(`GET /api/chain/${slug}/nothing`);
    await service.call(`GET /api/chain/${slug}/at?svcond=9000000000000`);
    await flush();
    expect(await rejections(slug)).toEqual([]);
  });

  test('is written at most once a tick', async () => {
    const slug = await own.machine();
    await event(slug, 'read');
    await flush();
    await event(slug, 'read');
    await Promise.all([1, 2, 3].map(() => service.running.services.refusals.flush()));
    const found = await rejections(slug);
    expect(new Set(found.map(({ svcond }) => svcond)).size).toBe(found.length);
    await flush();
    expect((await rejections(slug)).length).toBe(2);
  });

  test.each([
    ['public', 403],
    ['private', 404],
  ] as const)('of a %s machine counts for its members only', async (visibility, stranger) => {
    const slug = await own.machine({ is_public: visibility === 'public' });
    expect((await event(slug, 'anonymous')).status).toBe(401);
    expect((await event(slug, 'revoked')).status).toBe(401);
    expect((await event(slug, 'other')).status).toBe(stranger);
    expect((await event(slug, 'demo')).status).toBeGreaterThan(402);
    expect((await event(slug, 'other', { name: 'x', unknown: 1 })).status).toBe(422);
    const before = await own.request(`GET /api/chain/${slug}/stats`, 'admin');
    await flush();
    expect(await own.request(`GET /api/chain/${slug}/stats`, 'admin')).toEqual(before);
    expect((await event(slug, 'read')).status).toBe(403);
    await event(slug, 'anonymous');
    await event(slug, 'other', { name: 'x', unknown: 1 });
    await flush();
    const found = (await own.request(`GET /api/chain/${slug}/stats`, 'admin')).by_type as Json;
    expect(found.rejection).toBe(1);
  });

  test('of a missing or archived machine is dropped', async () => {
    const slug = await own.machine();
    await own.request(`POST /api/chain/${slug}/status`, 'admin', { status: 'archived' });
    await event(slug, 'read');
    for (let i = 0; i < 2 * LIMITS.chain.refusals.waiting; i++) await event(`missing-${i}`, 'read');
    expect(await flush()).toBe(0);
    expect(await rejections(slug)).toEqual([]);
    const next = await own.machine();
    await event(next, 'read');
    expect(await flush()).toBe(1);
  });

  test('is written within the row limit; the rest waits and is counted together', async () => {
    const slug = await own.machine();
    const { rows, ticks } = LIMITS.chain.refusals;
    for (let i = 0; i < rows + 5; i++) {
      await event(slug, 'read');
      await flush();
    }
    expect((await rejections(slug)).length).toBe(rows);
    await flush(BigInt(ticks));
    const found = await rejections(slug);
    expect(found.length).toBe(rows + 1);
    expect(found.at(-1)?.payload).toMatchObject({ count: 5 });
  });
});

test('exceeded rate limits are logged too', async () => {
  // All keys of an account share its minute: four requests are the new machine and three reads.
  const strict = await startService({ rates: unlimitedRates({ high: 4 }) });
  const slug = await ownMachines(strict, 'limited').machine();
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++)
    statuses.push((await strict.call(`GET /api/chain/${slug}/explore`, { as: 'read' })).status);
  expect(statuses.slice(-2)).toEqual([429, 429]);
  advanceClock(strict, MINUTE_NS);
  await strict.running.services.refusals.flush();
  const found = (await ownMachines(strict, '').rows(slug)).at(-1);
  expect(found).toMatchObject({
    type: 'rejection',
    payload: { code: 'RATE_LIMITED', route: 'GET /api/chain/{slug}/explore', count: 2 },
  });
});

test('rows are written automatically once a tick by default', async () => {
  const own = await startService({ logsRefusals: true });
  const slug = await ownMachines(own, 'alone').machine();
  await own.call(`POST /api/chain/${slug}/event`, { as: 'read', json: { name: 'x' } });
  await expect
    .poll(async () => (await ownMachines(own, '').rows(slug)).map(({ type }) => type), { timeout: 30_000 })
    .toEqual(['genesis', 'rejection']);
});
