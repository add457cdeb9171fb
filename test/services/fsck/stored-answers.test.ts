// Stored answers of calls with an Idempotency-Key: sealed with the request they answer, their status and headers.

import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { SealedBox } from '../../../src/services/node/sealed-box.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { startService } from '../../http/service-fixture.ts';
import { faultsAfter } from './planted-faults.ts';

const SVC_MASTER_KEY = randomBytes(32).toString('hex');
const service = await startService({}, { SVC_MASTER_KEY });
const box = new SealedBox(Buffer.from(SVC_MASTER_KEY, 'hex'), randomBytes);
const secrets = { receipts: service.running.services.keyRing.receipts, box };
const { knex } = service.running.storage.database;

const send = (as: 'write' | 'admin') =>
  service.call('POST /api/svc/heat', {
    as,
    json: { dim: 1, nx: 8, steps: 4, dt: 0.001 },
    headers: { 'idempotency-key': 'rod' },
  });

beforeAll(async () => {
  for (const as of ['write', 'admin'] as const) expect((await send(as)).status).toBe(200);
});

test.each([
  ['nothing', `status = status`, 0],
  ['the status', `status = 201`, 2],
  ['the headers', `headers = '{"x-forged":"1"}'`, 2],
  ['the route', `route = 'POST /api/svc/nbody'`, 2],
  ['the hash of the request', `body_sha256 = sha256('other')`, 2],
  ['the principal', `principal = principal || '0'`, 2],
])('an edit of %s is named', async (_, edit, faults) => {
  const found = await faultsAfter(service, (on) => rows(on, `update idempotency set ${edit}`), { secrets });
  expect(found.map(({ table, code }) => `${table} ${code}`)).toEqual(
    Array.from({ length: faults }, () => 'idempotency SEALED'),
  );
});

test('a forged status is not replayed', async () => {
  await rows(knex, 'update idempotency set status = 201');
  for (const as of ['write', 'admin'] as const) expect((await send(as)).status).toBe(500);
  await rows(knex, 'update idempotency set status = 200');
});

test('an answer of before, sealed with its principal and key alone, is found in order and replayed', async () => {
  const [stored] = await rows<{ principal: string; body: Uint8Array }>(
    knex,
    `select principal, body from idempotency order by principal limit 1`,
  );
  const { principal = '' } = stored ?? {};
  const body = box.seal(`svc-answer\0${principal}\0rod`, Buffer.from('{"of":"before"}'));
  await rows(knex, 'update idempotency set body = ? where principal = ?', [body, principal]);
  expect(await faultsAfter(service, async () => {}, { secrets })).toEqual([]);
  const answers = await Promise.all([send('write'), send('admin')]);
  expect(answers.map(({ text }) => text)).toContain('{"of":"before"}');
});
