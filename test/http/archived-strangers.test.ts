// Rows of strangers issue no tokens in the archive either: summaries count them by block.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { TICK_NS } from '../../src/core/clock.ts';
import { UncountedRows } from '../../src/services/machines/tally/uncounted-rows.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { RowArchive } from '../../src/storage/machines/archive/archive.ts';
import { moveRange } from '../../src/storage/machines/archive/move.ts';
import { TallyRepository } from '../../src/storage/machines/tally.ts';
import { transition } from '../contracts/transition.ts';
import { faultsAfter } from '../services/fsck/planted-faults.ts';
import { advanceClock, ownMachines } from './machine-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const archiveFolder = mkdtempSync(join(tmpdir(), 'svc-archive-'));
afterAll(() => rmSync(archiveFolder, { recursive: true, force: true }));
const service = await startService({ maintenanceMs: 'never' }, { SVC_ARCHIVE: archiveFolder });
const own = ownMachines(service, 'archived-strangers');
const { storage, services } = service.running;

/** Anybody begins a visit. */
const VISITS = {
  ...{ name: 'visits', version: '1.0', edition: 2, operators: ['KO42'], initial: 'inside' },
  ...{ key: 'event.visit', spawn: 'enter', parties: { guest: { bind: 'event.actor' } } },
  events: { enter: { payload: { visit: 'string' }, from: 'guest' }, leave: { payload: { visit: 'string' } } },
  states: { inside: { role: 'initial' }, outside: { role: 'terminal' } },
  transitions: [
    transition('enter', 'inside', 'inside', { kind: 'event', event: 'enter' }),
    transition('leave', 'inside', 'outside', { kind: 'event', event: 'leave' }),
  ],
};
/** Rows of a range: two blocks of 256. */
const RANGE = 512;

test('the supply is the same before and after rows of strangers are archived, as fsck confirms', async () => {
  await own.machine({}, 'other');
  const slug = await own.machine();
  const mint = { unit: 'row', every: 1, amount: 1 };
  const token = { name: 'Heat', symbol: 'HEAT', max_supply: 1_000_000, mint };
  await own.request(`POST /api/chain/${slug}/tally/token/genesis`, 'admin', token, 201);
  const definition = { definition: VISITS };
  const { contract } = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', definition, 201);
  const id = String((contract as Json).id);
  // Four rows of a stranger, and of each third visit one of a member: a few rows in one block, most in the other.
  for (let i = 0; i < 40; i++) await own.event(slug, 'moved');
  for (let i = 0; i < 180; i++) {
    const json = { name: 'enter', payload: { visit: `v${i}` } };
    expect((await service.call(`POST /api/chain/${slug}/contracts/${id}/event`, { as: 'other', json })).status).toBe(
      201,
    );
    if (i % 3 === 0) await own.event(slug, 'moved');
  }
  advanceClock(service, 100n * TICK_NS);
  await services.trees.signPending((ids) => storage.machines.byIds(ids, false), { limit: 20 });
  const machine = await storage.machines.bySlug(slug);
  if (machine === undefined) throw new Error('The machine is missing.');
  const { knex } = storage.database;
  const last = machine.head.seq;
  const seqs = [3, 40, 255, 256, 300, RANGE - 1, last];
  /** What a node says that has just started. */
  const said = async () => {
    const counted = new UncountedRows(new TallyRepository(knex, new RowArchive(archiveFolder)));
    const upTo = await counted.upTo(machine.id, seqs);
    return [upTo, await counted.countedSeqs(machine.id, [1, 45, 60, last - (upTo.at(-1) ?? 0)], last)];
  };
  const before = await said();
  const strangers = await rows<{ seq: number }>(
    knex,
    `select seq from audit where machine_id = ? and source = 'party' order by seq`,
    [machine.id],
  );
  expect(before[0]).toEqual(seqs.map((seq) => strangers.filter((row) => row.seq <= seq).length));
  expect(strangers).toHaveLength(180 * 3);
  const movable = { id: machine.id, slug, end: last, beforeSvcond: Number.MAX_SAFE_INTEGER };
  const { archive, trees, transaction } = storage;
  await moveRange(movable, { first: 0, last: RANGE - 1 }, { archive, trees, transaction, on: knex });
  expect(await said()).toEqual(before);
  const faults = (change: string) =>
    faultsAfter(service, (on) => on.raw(`update audit_archive set summary = ${change}`), { archiveFolder });
  expect(await faults('summary')).toEqual([]);
  const [{ summary = '' } = {}] = await rows<{ summary: string }>(knex, 'select summary from audit_archive');
  const counts = /"strangers":\[(\d+),(\d+)\]/.exec(summary);
  expect(counts?.slice(1).map(Number)).toEqual([
    strangers.filter(({ seq }) => seq < 256).length,
    strangers.filter(({ seq }) => seq >= 256 && seq < RANGE).length,
  ]);
  for (const other of [`"strangers":[${counts?.[2]},${counts?.[1]}]`, '"strangers":[]']) {
    const found = await faults(`replace(summary, '${counts?.[0]}', '${other}')`);
    expect(found.map(({ table, column }) => [table, column])).toContainEqual(['audit_archive', 'summary']);
  }
}, 120_000);
