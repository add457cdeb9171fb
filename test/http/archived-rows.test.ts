// Rows in the archive are read by every route as if they were in the database.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TICK_NS } from '../../src/core/clock.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { ArchiveService } from '../../src/services/machines/archive.ts';
import { advanceClock, ECHO, ownMachines } from './machine-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-archive-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const service = await startService({ maintenanceMs: 'never' }, { SVC_ARCHIVE: folder });
const own = ownMachines(service, 'archived');
const { storage, services, clock } = service.running;

const RANGE_ROWS = 256;
let slug = '';
let contract = '';

const archive = new ArchiveService({
  storage,
  clock,
  owns: () => true,
  onFailed: (error) => {
    throw error;
  },
  rangeRows: RANGE_ROWS,
});

async function read(): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const path of paths()) {
    const answer = await service.call(`GET /api/chain/${slug}${path}`, { as: 'admin' });
    answers[path] = [answer.status, answer.text];
  }
  return answers;
}

const paths = () => [
  '/explore?limit=200',
  '/explore?limit=200&cursor=300',
  '/explore?limit=200&cursor=40',
  '/explore?limit=50&type=emit',
  '/explore?limit=200&type=deployed',
  `/explore?limit=200&contract=${contract}`,
  '/events?limit=200&name=rare',
  '/events?limit=200&name=never',
  '/events?limit=200&name=ping&cursor=100',
  '/events?source=all&limit=200&cursor=260',
  '/rows/0',
  '/rows/17',
  '/rows/255',
  '/rows/256',
  '/rows/700',
  '/stats',
  '/state',
  '/awareness/status',
  '/awareness/sources',
  '/analytics?ticks=100000&bins=7',
  '/analytics?ticks=100000&bins=400',
  '/pohc/validate',
  '/pohc/validate?from=0&to=100',
  '/pohc/validate?from=200&to=600',
  '/proof/inclusion?seq=3',
  '/proof/inclusion?seq=300',
  '/proof/consistency?from=100&to=300',
  '/bundle',
  '/bundle?from=0&to=300',
  '/bundle?from=250&to=260',
  `/contracts/${contract}`,
  `/contracts/${contract}/audit?limit=200`,
  `/contracts/${contract}/proof`,
  `/contracts/${contract}/integrity`,
  '/tally',
  '/tally/tokens?limit=50',
  '/tally/verify',
];

beforeAll(async () => {
  slug = await own.machine();
  const deployed = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
  contract = (deployed.contract as { id: string }).id;
  await own.event(slug, 'rare', { payload: { note: 'ä\u0000€😀' } });
  await own.request(`POST /api/chain/${slug}/state`, 'admin', { state: { a: 1 } }, 201);
  for (let i = 0; i < 6; i++) {
    advanceClock(service, 10n * TICK_NS);
    await Promise.all(Array.from({ length: 100 }, (_, n) => own.event(slug, 'ping', { payload: { n } })));
  }
  const [victim] = (await own.rows(slug)).filter(({ type }) => type === 'event');
  await own.request(`POST /api/chain/${slug}/erase`, 'admin', { seq: 30, reason: 'asked' }, 201);
  expect(victim).toBeDefined();
  await own.request(`PATCH /api/chain/${slug}/settings`, 'admin', { keep_rows: 1 });
  for (let i = 0; i < 6; i++)
    await Promise.all(Array.from({ length: 100 }, (_, n) => own.event(slug, 'tick', { payload: { n } })));
  advanceClock(service, 100n * TICK_NS);
  await services.trees.signPending((ids) => storage.machines.byIds(ids, false), { limit: 10 });
}, 60_000);

test('every route answers the same after rows are moved to the archive', async () => {
  const before = await read();
  const machine = await storage.machines.bySlug(slug);
  if (machine === undefined) throw new Error('The machine is missing.');
  const due = await archive.due(machine);
  const moved = await archive.archive(machine, 100);
  const expected = machine.head.seq + 1 - LIMITS.archive.keptRows;
  expect(due).toEqual({ first: 0, end: expected - (expected % RANGE_ROWS) });
  expect(moved.map(({ first, last }) => [first, last])).toEqual(
    Array.from({ length: (due?.end ?? 0) / RANGE_ROWS }, (_, i) => [i * RANGE_ROWS, i * RANGE_ROWS + RANGE_ROWS - 1]),
  );
  expect(moved.length).toBeGreaterThan(0);
  const { rows } = (await storage.database.knex.raw('select min(seq) as first from audit where machine_id = ?', [
    machine.id,
  ])) as { rows: Json[] };
  expect(rows).toEqual([{ first: due?.end }]);
  const after = await read();
  for (const path of paths()) expect([path, after[path]]).toEqual([path, before[path]]);
  expect(Object.values(before).filter((answer) => (answer as [number])[0] !== 200)).toEqual([]);
});
