// Settings of a machine, changed by several requests at once, on one node and on two.

import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { invoke } from '../../src/operations/invoke.ts';
import { patchMachine } from '../../src/operations/machines/machines.ts';
import type { Context } from '../../src/operations/operation.ts';
import { databaseUrl, dropSchema, freshSchema } from '../storage/databases.ts';
import { ownMachines } from './machine-fixture.ts';
import { type Json, startService, type TestService } from './service-fixture.ts';

const ROUNDS = 12;
const zid = (n: number) => n.toString(16).padStart(32, '0');

const service = await startService();
const own = ownMachines(service, 'settings');

/** Sends PATCH with the admin key of `owner`'s node, which all nodes of its database accept. */
async function patch(owner: TestService, to: TestService, slug: string, json: Json, headers = {}) {
  const authorization = `Bearer ${owner.keys.admin}`;
  return to.call(`PATCH /api/chain/${slug}/settings`, { json, headers: { authorization, ...headers } });
}

async function patchTogether(owner: TestService, other: TestService): Promise<void> {
  const slug = await ownMachines(owner, 'settings').machine();
  for (let i = 1; i <= ROUNDS; i++) {
    const answers = await Promise.all([
      patch(owner, owner, slug, { anchor_zids: [zid(i)] }),
      patch(owner, other, slug, { http_allow: [`host-${i}.example`] }),
    ]);
    expect(answers.map(({ status, text }) => [status, status === 200 ? '' : text])).toEqual([
      [200, ''],
      [200, ''],
    ]);
    const machine = await owner.running.storage.machines.bySlug(slug);
    expect(machine).toMatchObject({
      settings: { anchor_zids: [zid(i)], http_allow: [`host-${i}.example`] },
      settingsVersion: 2 * i,
    });
  }
  const rows = await ownMachines(owner, 'settings').rows(slug);
  expect(rows.at(-1)?.payload).toMatchObject({
    settings: { anchor_zids: [zid(ROUNDS)], http_allow: [`host-${ROUNDS}.example`] },
  });
}

test('two settings that are patched together are both kept', () => patchTogether(service, service));

test('they are kept if both requests read the machine before either writes', async () => {
  const slug = await own.machine();
  const { services } = service.running;
  const context: Context = {
    services,
    principal: await owner(),
    caller: 'test',
    tenant: 'test',
    requestId: 'test',
    baseUrl: service.running.url,
    isLocal: true,
    signal: new AbortController().signal,
    idempotencyKey: undefined,
    onProgress: undefined,
  };
  const send = (fields: Json) =>
    invoke(patchMachine, { slug, ...fields }, context, { shouldCheck: () => true, onDefect: () => {} });
  await send({ anchor_zids: [zid(1)], http_allow: [] });
  // The lookups of one turn of the event loop share a statement.
  await Promise.all([send({ anchor_zids: [zid(7)] }), send({ http_allow: ['a.example'] })]);
  const machine = await service.running.storage.machines.bySlug(slug);
  expect(machine?.settings).toEqual({ anchor_zids: [zid(7)], http_allow: ['a.example'] });
});

describe.runIf(databaseUrl !== undefined)('on two nodes', async () => {
  const schema = freshSchema();
  const environment = { DATABASE_URL: databaseUrl ?? '', SVC_MASTER_KEY: randomBytes(32).toString('hex') };
  if (databaseUrl === undefined) return;
  const nodes = [await startService({ schema }, environment), await startService({ schema }, environment)] as const;
  afterAll(() => dropSchema(nodes[0].running.storage.database, schema));

  test('both are kept too', () => patchTogether(...nodes));
});

test('If-Match refuses a patch of settings that have changed since', async () => {
  const slug = await own.machine();
  const read = await service.call(`GET /api/chain/state-machines/${slug}`);
  expect([read.headers.get('etag'), read.json()]).toMatchObject(['"0"', { machine: { settings_version: 0 } }]);
  const both = await Promise.all(
    ['first', 'second'].map((name) => patch(service, service, slug, { name }, { 'if-match': '"0"' })),
  );
  const [done, refused] = both.toSorted((a, b) => a.status - b.status);
  expect([done?.status, done?.headers.get('etag')]).toEqual([200, '"1"']);
  expect([refused?.status, refused?.json()]).toMatchObject([409, { code: 'CONFLICT', current_version: 1 }]);
  await own.event(slug, 'moved');
  const next = await patch(service, service, slug, { name: 'third', if_match: 1 });
  expect([next.status, next.json()]).toMatchObject([200, { machine: { name: 'third', settings_version: 2 } }]);
});

test('an equation is refused if the machine became public meanwhile', async () => {
  const slug = await own.machine({ is_public: false });
  const machine = await service.running.services.machines.find(slug, await owner(), 'owner');
  await own.request(`PATCH /api/chain/${slug}/settings`, 'admin', { is_public: true });
  const { machines } = service.running.services;
  const late = machines.patch(machine, await owner(), { sealingKey: '0'.repeat(64) });
  await expect(late).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

const owner = () => service.running.services.access.authenticate(service.keys.admin);
