// Kills nodes between the start of activities and their results: each result is recorded exactly once.

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { compose } from '../../src/composition.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { fromBase64Url } from '../../src/core/bits.ts';
import { openLog } from '../../src/log.ts';
import type { FsckFault } from '../../src/services/fsck/faults.ts';
import { fsck } from '../../src/services/fsck/fsck.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { rated } from '../contracts/calls/meter.ts';
import { runAndKill } from './counting-node.ts';
import { MASTER_KEY } from './crash-owner.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'svc-activities-'));
// Answers late, so that kills find requests in flight.
const server = createServer((_, response) => {
  setTimeout(() => response.end('{"rates":{"USD":2}}'), 15);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

const run = (first: number, events: number, delayMs: number) =>
  runAndKill({
    script: new URL('computing-node.ts', import.meta.url),
    place: { dataFolder, url },
    first,
    events,
    delayMs,
  });

interface Pending {
  readonly pending: number;
  /** Of these, those whose try had begun. */
  readonly begun: number;
}

async function pendingActivities(): Promise<Pending> {
  const storage = await openStorage({ dataFolder });
  try {
    const [found] = await rows<Pending>(
      storage.database.knex,
      `select count(*)::int as pending, (count(*) filter (where attempts > 0))::int as begun
       from activity where next_tick is not null`,
    );
    return found ?? { pending: 0, begun: 0 };
  } finally {
    await storage.close();
  }
}

test('after kills between start and result each result is recorded exactly once', async () => {
  let next = 0;
  const atKills = { pending: 0, begun: 0 };
  for (const [events, delayMs] of [
    [8, 0],
    [12, 4],
    [10, 11],
  ] as const) {
    next = (await run(next, events, delayMs)) + 1;
    const { pending, begun } = await pendingActivities();
    atKills.pending += pending;
    atKills.begun += begun;
  }
  // Otherwise the kills have hit nothing.
  expect(atKills.pending).toBeGreaterThan(0);
  expect(atKills.begun).toBeGreaterThan(0);
  const environment = { SVC_MASTER_KEY: MASTER_KEY, SVC_WORKERS: '1', SVC_OUTBOUND_ALLOW: '127.0.0.0/8' };
  const configuration = { ...readConfiguration(environment), dataFolder };
  const composition = await compose({ configuration, log: openLog('error') });
  const { knex } = composition.storage.database;
  await expect
    .poll(() => rows(knex, 'select 1 from activity where next_tick is not null'), { timeout: 60_000 })
    .toEqual([]);
  const found: unknown[] = [];
  const keys = composition.services.keyRing.jwks().keys.map(({ x }) => fromBase64Url(x) ?? new Uint8Array());
  await fsck(knex, { keys, nowMs: Date.now(), onFault: (fault) => found.push(fault) });
  // The members of the fixture have no accounts.
  expect(found.filter((fault) => (fault as FsckFault).table !== 'member')).toEqual([]);
  const all = await rows<{ type: string; source: string; body: string }>(
    knex,
    `select type, source, body from audit join machine on id = machine_id where slug = 'meters' order by seq`,
  );
  await composition.close();
  const payloads = all.map(({ type, source, body }): Json => ({ type, source, ...(JSON.parse(body) as Json) }));
  const started = payloads.flatMap(({ calls = [] }) => calls as Json[]);
  const results = payloads.filter(({ source }) => source === 'call');
  const asked = payloads.filter(({ name, source }) => (name === 'body' || name === 'ask') && source !== 'call');
  expect(started.length).toBe(asked.length);
  expect(results.length).toBe(started.length);
  const places = results.map(({ call }) => `${(call as Json).seq} ${(call as Json).no}`);
  expect(new Set(places).size).toBe(results.length);
  const told = results.map(({ name, payload }) => [name, name === 'measured' ? (payload as Json).unit : null]);
  expect(new Set(told.map(([name]) => name))).toEqual(new Set(['measured', 'rated']));
  // Each was heard once.
  const heard = payloads.filter(({ type, transition }) => type === 'transition' && transition === 'note');
  expect(heard.length).toBe(results.length);
}, 180_000);

test('a node that stops in order counts no try, and the next one makes it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-activities-'));
  const held: ServerResponse[] = [];
  const slow = createServer((_, response) => void held.push(response));
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const environment = { SVC_MASTER_KEY: MASTER_KEY, SVC_WORKERS: '1', SVC_OUTBOUND_ALLOW: '127.0.0.0/8' };
  const configuration = { ...readConfiguration(environment), dataFolder: folder };
  const open = () => compose({ configuration, log: openLog('error'), leaseMs: 600 });
  const first = await open();
  const { services, storage } = first;
  const by = { accountId: '', keyId: '', keyPrefix: '', scope: 'admin', tier: 'high', isDemo: false } as const;
  const owner = { ...by, zid: 'c'.repeat(32) };
  const { machine } = await services.machines.create(owner, { slug: 'once' }, 'crash');
  await services.machines.patch(machine, owner, { settings: { http_allow: ['127.0.0.1'] } });
  const allowed = (await storage.machines.bySlug('once')) ?? machine;
  const page = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
  const definition = rated({ url: page }, {}, { retry: { tries: 1 } });
  await services.contracts.deploy(allowed, owner, { definition, name: 'rated' });
  await services.machineLog.event(allowed, owner, { name: 'ask', payload: { currency: 'EUR' } });
  await expect.poll(() => held.length).toBe(1);
  expect((await storage.activities.pendingOf(machine.id, 1))[0]?.attempts).toBe(1);
  await first.close();
  const second = await open();
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(2);
  held[1]?.end('{"rates":{"USD":2}}');
  await expect.poll(() => second.storage.activities.pendingOf(machine.id, 1), { timeout: 10_000 }).toEqual([]);
  const [result] = await rows<{ body: string }>(
    second.storage.database.knex,
    `select body from audit where source = 'call'`,
  );
  await second.close();
  slow.closeAllConnections();
  slow.close();
  rmSync(folder, { recursive: true, force: true });
  expect(JSON.parse(result?.body ?? '{}')).toMatchObject({ name: 'rated', payload: { rate: 2 }, call: { tries: 1 } });
}, 60_000);

type Json = Record<string, unknown>;
