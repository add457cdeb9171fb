// The archive: bytes of a row in the database and in a file, rows moved a second, a page read from a file that is not in
// memory, and svc fsck before and after. Rows are those of a machine that receives events.
//
//   [DATABASE_URL=…] node bench/archive.ts [rows]   PGlite in memory, or a schema that is dropped at the end

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/core/clock.ts';
import { LIMITS } from '../src/core/limits.ts';
import { fsck } from '../src/services/fsck/fsck.ts';
import { TreeService } from '../src/services/machines/trees.ts';
import { ed25519Signer } from '../src/services/node/key-ring.ts';
import { rows } from '../src/storage/database/sql.ts';
import { RowArchive } from '../src/storage/machines/archive/archive.ts';
import { moveRange, nextRange } from '../src/storage/machines/archive/move.ts';
import { AuditRepository } from '../src/storage/machines/audit.ts';
import { openStorage, type Storage } from '../src/storage/storage.ts';
import { LATER_MS, MachineGrower } from '../test/services/fsck/grown-machine.ts';

const ROWS = Number(process.argv[2] ?? 102_400);
const READS = 20;
const SLUG = 'archived';

async function timed(work: () => Promise<unknown>): Promise<{ readonly s: number; readonly cpuS: number }> {
  const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(startCpu);
  return { s: (performance.now() - startMs) / 1e3, cpuS: (user + system) / 1e6 };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function bytesOf(storage: Storage): Promise<number> {
  const [size] = await rows<{ bytes: number }>(
    storage.database.knex,
    `select pg_total_relation_size('audit')::bigint as bytes`,
  );
  return size?.bytes ?? 0;
}

async function check(storage: Storage, archiveFolder: string): Promise<void> {
  const onFault = () => {};
  const { faults } = await fsck(storage.database.knex, { keys: undefined, nowMs: LATER_MS, archiveFolder, onFault });
  if (faults > 0) throw new Error(`fsck found ${faults} faults`);
}

async function pageMs(storage: Storage, folder: string, id: string, before: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < READS; i++) {
    const audit = new AuditRepository(storage.database.knex, new RowArchive(folder));
    const page = { order: 'newest first', limit: 50, maxBytes: LIMITS.pageBytes, before } as const;
    times.push((await timed(() => audit.page(id, SLUG, page))).s * 1e3);
  }
  return median(times);
}

const databaseUrl = process.env.DATABASE_URL;
const schema = `bench_${randomBytes(6).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-archive-'));
const place = databaseUrl === undefined ? { inMemory: true } : { databaseUrl, schema };
const storage = await openStorage({ ...place, archiveFolder: folder });
try {
  const id = await new MachineGrower(storage).create(SLUG, ROWS - 1);
  const signer = ed25519Signer(randomBytes(32));
  const trees = new TreeService({ ...storage, signer, host: 'bench.example', clock: systemClock() });
  const [machine] = await storage.machines.byIds([id], false);
  if (machine === undefined) throw new Error('The machine is missing.');
  await trees.checkpoint(machine);
  const stored = await bytesOf(storage);
  const pageBefore = await pageMs(storage, folder, id, 2_000);
  const fsckBefore = await timed(() => check(storage, folder));
  const movable = { id, slug: SLUG, end: ROWS - LIMITS.archive.keptRows, beforeSvcond: Number.MAX_SAFE_INTEGER };
  const options = { ...storage, on: storage.database.knex };
  let moved = 0;
  let bytes = 0;
  const moving = await timed(async () => {
    for (let range = await nextRange(movable, options); range; range = await nextRange(movable, options)) {
      bytes += (await moveRange(movable, range, options))?.bytes ?? 0;
      moved += range.last - range.first + 1;
    }
  });
  const pageAfter = await pageMs(storage, folder, id, 2_000);
  const fsckAfter = await timed(() => check(storage, folder));
  const perRow = (seconds: number) => `${((seconds / ROWS) * 1e6).toFixed(1)} µs`;
  console.log(`${databaseUrl === undefined ? 'PGlite' : 'PostgreSQL'}, ${ROWS} rows, ${moved} of them moved`);
  console.log(`| bytes of a row in the database, with its indexes | ${(stored / ROWS).toFixed(0)} |`);
  console.log(`| bytes of a row in a file | ${(bytes / moved).toFixed(0)} |`);
  console.log(`| rows moved a second | ${(moved / moving.s).toFixed(0)} |`);
  console.log(`| CPU of Node for a moved row | ${((moving.cpuS / moved) * 1e6).toFixed(1)} µs |`);
  console.log(`| page of 50 rows from the database | ${pageBefore.toFixed(1)} ms |`);
  console.log(`| the same page from a file, not in memory | ${pageAfter.toFixed(1)} ms |`);
  console.log(`| CPU of fsck for a row, in the database | ${perRow(fsckBefore.cpuS)} |`);
  console.log(`| CPU of fsck for a row, archived | ${perRow(fsckAfter.cpuS)} |`);
} finally {
  if (databaseUrl !== undefined) await storage.database.knex.raw(`drop schema ${schema} cascade`);
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
}
