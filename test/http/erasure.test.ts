// Erased payloads are gone for everyone, while the chain still validates.

import { beforeAll, expect, test } from 'vitest';
import { ECHO, type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'erasure');
});

const erase = (slug: string, seq: number, status = 201, as: 'admin' | 'write' | 'other' = 'admin') =>
  own.request(`POST /api/chain/${slug}/erase`, as, { seq, reason: 'Art. 17 GDPR' }, status);

test('the payload is gone from the database and every response, and the chain validates against an older checkpoint', async () => {
  const slug = await own.machine();
  await own.event(slug, 'ping', { payload: { secret: 'Ada-1815' } });
  const note = (await service.call(`GET /api/chain/${slug}/checkpoint`)).text;
  const before = await own.rows(slug);
  expect(JSON.stringify(before)).toContain('Ada-1815');
  expect(await erase(slug, 1)).toMatchObject({ seq: 2 });
  const after = await own.rows(slug);
  expect(JSON.stringify(after)).not.toContain('Ada-1815');
  expect(after[1]).toEqual({ ...before[1], salt: null, payload: null });
  expect(after[2]).toMatchObject({ type: 'payload_erased', payload: { seq: 1, reason: 'Art. 17 GDPR' } });
  expect(await own.request(`GET /api/chain/${slug}/pohc/validate`)).toMatchObject({
    valid: true,
    checked: 3,
    erased: 1,
    checkpoint: { note },
  });
  expect(await own.request(`GET /api/chain/${slug}/awareness/status`)).toMatchObject({ erased: 1, chain_ok: true });
  const { rows } = (await own.request(`GET /api/chain/${slug}/events?source=all`, 'admin')) as { rows: Json[] };
  expect(rows).toMatchObject([{ seq: 1, name: null, payload: null }]);
  const machine = await service.running.storage.machines.bySlug(slug);
  const { rows: stored } = (await service.running.storage.database.knex.raw(
    'select salt, body, sealed from audit where machine_id = ? and seq = 1',
    [machine?.id ?? ''],
  )) as { rows: unknown[] };
  expect(stored).toEqual([{ salt: null, body: null, sealed: null }]);
});

test('a second erasure and a missing row are errors', async () => {
  const slug = await own.machine();
  await own.event(slug, 'a');
  const both = await Promise.all(
    [1, 1].map((seq) => service.call(`POST /api/chain/${slug}/erase`, { as: 'admin', json: { seq, reason: 'x' } })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(await own.request(`GET /api/chain/${slug}/awareness/status`)).toMatchObject({ erased: 1 });
  expect(await erase(slug, 99, 404)).toMatchObject({ code: 'NOT_FOUND' });
});

test('payloads of an archived machine can be erased, by its owner only', async () => {
  const slug = await own.machine();
  await own.event(slug, 'a');
  await own.request(`POST /api/chain/${slug}/status`, 'admin', { status: 'archived' });
  await own.zidOf('other');
  expect(await erase(slug, 1, 403, 'other')).toMatchObject({ code: 'FORBIDDEN' });
  expect(await erase(slug, 1, 403, 'write')).toMatchObject({ code: 'FORBIDDEN' });
  await erase(slug, 1);
  expect(await own.request(`GET /api/chain/state-machines/${slug}`, 'admin')).toMatchObject({
    machine: { status: 'archived' },
  });
});

test('contracts continue after a processed row is erased', async () => {
  const slug = await own.machine();
  await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
  const { seq } = await own.event(slug, 'ping', { payload: { n: 1 } });
  await erase(slug, Number(seq));
  expect((await own.event(slug, 'ping', { payload: { n: 2 } })).fired).toHaveLength(1);
});
