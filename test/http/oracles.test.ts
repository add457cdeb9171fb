// Oracles over HTTP: permissions, responses and errors.

import { beforeAll, expect, test } from 'vitest';
import { rows } from '../../src/storage/database/sql.ts';
import { type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

/** Fires when the pushed level is high. */
const GAUGE = {
  name: 'gauge',
  version: '1.0',
  operators: ['KO42'],
  initial: 'calm',
  events: { level: { payload: { metres: 'number' } } },
  emits: ['high_water'],
  states: { calm: { role: 'initial' }, alarmed: { role: 'terminal' } },
  transitions: [
    {
      id: 'ring',
      from: 'calm',
      to: 'alarmed',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'level' },
      fires_when: 'oracle.value >= 5',
      post: [{ emit: 'high_water' }],
    },
  ],
  oracle: { kind: 'push', event: 'level', field: 'metres', unit: 'm', min: 0, max: 20, fn: 'last' },
};

const service = await startService();
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'gauges');
});

async function gauge(fields: Json = {}): Promise<{ slug: string; id: string; path: string }> {
  const slug = await own.machine(fields);
  const answer = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: GAUGE }, 201);
  const { id } = answer.contract as { id: string };
  return { slug, id, path: `POST /api/chain/${slug}/contracts/${id}/readings` };
}

test('a reading fires its contract immediately and is in the chain', async () => {
  const { slug, id, path } = await gauge();
  expect(await own.request(path, 'admin', { value: 120, unit: 'cm' }, 201)).toMatchObject({
    fired: [],
    reading: { value: 1.2, unit: 'm', status: 'ok' },
  });
  const pushed = await own.request(path, 'write', { value: 6.5, source: 'bridge' }, 201);
  expect(pushed).toMatchObject({
    reading: { seq: pushed.seq, value: 6.5, status: 'ok', source: 'bridge' },
    fired: [{ contract: id, transition: 'ring', emitted: ['high_water'] }],
  });
  const said = await own.rows(slug);
  expect(said.filter(({ type }) => type !== 'stamp').map(({ type }) => type)).toEqual([
    'genesis',
    'contract',
    'reading',
    'reading',
    'transition',
    'emit',
  ]);
  expect(said.find(({ seq }) => seq === pushed.seq)).toMatchObject({ source: 'oracle', row_hash: pushed.row_hash });
  expect(await own.request(`GET /api/chain/${slug}/pohc/validate`)).toMatchObject({ valid: true });
  await own.request(path, 'admin', { value: 1 }, 409);
});

test('anyone sees the oracles of a public machine; strangers see none of a private one', async () => {
  const { slug, id, path } = await gauge();
  await own.request(path, 'admin', { value: 3 }, 201);
  await own.request(path, 'admin', { value: 30 }, 201);
  const listed = await own.request(`GET /api/chain/${slug}/oracles?limit=1`);
  expect(listed.rows).toMatchObject([
    {
      contract: id,
      name: 'gauge',
      status: 'active',
      kind: 'push',
      unit: 'm',
      value: 3,
      reason: null,
      latest: { value: 30, status: 'out_of_range' },
      series: [{ value: 30 }],
      readings: 2,
      out_of_range: 1,
      polls: { count: 0, failed: 0, last_error: null, next: null },
    },
  ]);
  expect(await own.request(`GET /api/chain/${slug}/awareness/status`)).toMatchObject({
    oracles: { contracts: 1, readings: 2, out_of_range: 1, stale: 0, failing: 0 },
  });
  const hidden = await gauge({ is_public: false });
  await own.request(`GET /api/chain/${hidden.slug}/oracles`, 'other', undefined, 404);
  await own.request(hidden.path, 'other', { value: 1 }, 404);
});

test('pushing needs an operator, a valid reading, and a contract with a push oracle', async () => {
  const { slug, path } = await gauge();
  expect((await own.request(path, 'anonymous', { value: 1 }, 401)).code).toBe('AUTH_REQUIRED');
  await own.request(path, 'other', { value: 1 }, 403);
  await own.request(path, 'read', { value: 1 }, 403);
  for (const body of [
    { value: '1' },
    { value: null },
    {},
    { value: 1, when: 3 },
    { value: 1, source: '' },
    { value: 1, source: 'x'.repeat(65) },
    { value: 1, unit: 's' },
    { value: 1, unit: 'smoot' },
  ]) {
    const refusal = await own.request(path, 'admin', body, 422);
    expect(refusal.ok).toBe(false);
  }
  const unknown = '00000000-0000-7000-8000-000000000000';
  await own.request(`POST /api/chain/${slug}/contracts/${unknown}/readings`, 'admin', { value: 1 }, 404);
  expect((await own.rows(slug)).filter(({ type }) => type === 'reading')).toEqual([]);
});

test('a host that is not allowed is rejected at deployment, with the field', async () => {
  const slug = await own.machine();
  const oracle = { kind: 'http', url: 'https://api.example.com/rate', field: 'metres', fn: 'last' };
  const definition = { ...GAUGE, oracle };
  const refusal = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition }, 422);
  expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'oracle.url', code: 'UNREADABLE' }] });
});

test('a patch does not recheck an unchanged oracle, whose source may have become private', async () => {
  const source = await own.machine({}, 'other');
  const slug = await own.machine();
  const oracle = { kind: 'machine', machine: source, event: 'level', field: 'metres', unit: 'm', fn: 'last' };
  const definition = { ...GAUGE, oracle };
  const at = `/api/chain/${slug}/contracts`;
  const { contract } = await own.request(`POST ${at}/custom`, 'admin', { definition }, 201);
  const { id } = contract as { id: string };
  await own.request(`PATCH /api/chain/${source}/settings`, 'other', { is_public: false });
  const renamed = await own.request(`PATCH ${at}/${id}`, 'admin', { name: 'renamed' });
  expect(renamed.contract).toMatchObject({ name: 'renamed', current_version_no: 2 });
  await own.request(`PATCH ${at}/${id}`, 'admin', { definition: { ...definition, title: 'the gauge' } });
  const elsewhere = { ...definition, oracle: { ...oracle, field: 'feet' } };
  await own.request(`PATCH ${at}/${id}`, 'admin', { definition: elsewhere }, 422);
  await own.request(`POST ${at}/custom`, 'admin', { definition }, 422);
});

test('renaming a contract does not change whose permission its oracle uses', async () => {
  const source = await own.machine({ is_public: false });
  const slug = await own.machine();
  await own.request(`POST /api/chain/${slug}/admins`, 'admin', { zid: await own.zidOf('other'), role: 'admin' }, 201);
  const oracle = { kind: 'machine', machine: source, event: 'level', field: 'metres', unit: 'm', fn: 'last' };
  const at = `/api/chain/${slug}/contracts`;
  const { contract } = await own.request(`POST ${at}/custom`, 'admin', { definition: { ...GAUGE, oracle } }, 201);
  const { id } = contract as { id: string };
  await own.request(`PATCH ${at}/${id}`, 'other', { name: 'renamed' });
  const { knex } = service.running.storage.database;
  expect(await rows(knex, 'select version_no, asked_by from oracle where contract_id = ?', [id])).toEqual([
    { version_no: 2, asked_by: await own.zidOf('admin') },
  ]);
});
