// Readiness, and requests while the database is silent.

import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { databaseUrl, dropSchema, freshSchema } from '../storage/databases.ts';
import { silentProxy } from '../storage/silent-proxy.ts';
import { ownMachines } from './machine-fixture.ts';
import { startService } from './service-fixture.ts';

test('a node whose database answers is ready', async () => {
  const service = await startService();
  const answer = await service.call('GET /readyz');
  expect([answer.status, answer.json()]).toEqual([
    200,
    { ok: true, database: 'embedded', clock_source: 'shifted', host_clock_ahead_ms: 0 },
  ]);
});

describe.runIf(databaseUrl !== undefined)('a node whose database has gone silent', async () => {
  if (databaseUrl === undefined) return;
  const schema = freshSchema();
  const proxy = await silentProxy(databaseUrl);
  afterAll(() => proxy.close());
  const environment = { DATABASE_URL: proxy.databaseUrl, SVC_MASTER_KEY: randomBytes(32).toString('hex') };
  const databaseTimeouts = { connectMs: 500, acquireMs: 1_500, statementMs: 400, silenceMs: 800, readyMs: 200 };
  const service = await startService({ schema, databaseTimeouts }, environment);
  afterAll(() => dropSchema(service.running.storage.database, schema));

  test('is not ready, refuses reads and writes with Retry-After, and recovers by itself', async () => {
    const own = ownMachines(service, 'silent');
    const slug = await own.machine();
    await own.event(slug, 'before');
    const head = `GET /api/chain/state-machines/${slug}`;
    const write = () => service.call(`POST /api/chain/${slug}/event`, { as: 'admin', json: { name: 'moved' } });
    expect((await service.call('GET /readyz')).json()).toMatchObject({ database: 'postgresql' });
    proxy.silence();
    for (const answer of await Promise.all([service.call('GET /readyz'), service.call(head), write(), write()])) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(answer.json()).toMatchObject({ ok: false, code: 'STORAGE_UNAVAILABLE' });
    }
    expect((await service.call('GET /api/svc/pulse')).status).toBe(200);
    proxy.resume();
    // A connection that the silence caught while it was idle may refuse one more request.
    const patience = { timeout: 20_000 };
    await expect.poll(async () => (await service.call('GET /readyz')).status, patience).toBe(200);
    await expect.poll(async () => (await write()).status, patience).toBe(201);
    const explore = `GET /api/chain/${slug}/explore`;
    await expect.poll(async () => (await service.call(explore, { as: 'admin' })).status, patience).toBe(200);
    const rows = await own.rows(slug);
    expect(rows.map(({ type }) => type)).toEqual(['genesis', 'event', 'event']);
  });
});
