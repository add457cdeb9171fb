// A dump of an embedded database with all tables and no rows. Loading it takes a fifth of the time that PostgreSQL's
// initdb and the migrations take.

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { openStorage } from '../../src/storage/storage.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** All that decides the content of the dump: a change of any of them makes a new one. */
const SOURCES = ['migrations', 'src/storage/database', 'node_modules/@electric-sql/pglite/package.json'];

let dump: Promise<Blob> | undefined;

/** Options of an embedded database in memory that has all tables and no rows. */
export async function inMemory(): Promise<{ readonly inMemory: true; readonly template: Blob }> {
  return { inMemory: true, template: await migratedDump() };
}

/** Dump that a new database in a folder may start from. */
export function migratedDump(): Promise<Blob> {
  dump ??= readDump();
  return dump;
}

async function readDump(): Promise<Blob> {
  const folder = join(ROOT, 'build/test-databases');
  const path = join(folder, `${fingerprint()}.tar`);
  if (!existsSync(path)) {
    const bytes = await makeDump();
    mkdirSync(folder, { recursive: true });
    // Two workers may both arrive here; each renames a complete file.
    const incomplete = `${path}.${process.pid}`;
    writeFileSync(incomplete, bytes);
    renameSync(incomplete, path);
  }
  return new Blob([readFileSync(path)]);
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const add = (path: string) => hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  for (const source of SOURCES) {
    if (source.endsWith('.json')) add(source);
    else for (const name of readdirSync(join(ROOT, source)).sort()) add(`${source}/${name}`);
  }
  return hash.digest('hex').slice(0, 16);
}

async function makeDump(): Promise<Uint8Array> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'svc-migrated-'));
  try {
    await (await openStorage({ dataFolder })).close();
    const pglite = await PGlite.create(join(dataFolder, 'database'));
    // Nobody creates a database from a template: without the two a dump is a third smaller.
    await pglite.exec("update pg_database set datistemplate = false where datname like 'template%'");
    for (const template of ['template0', 'template1']) await pglite.exec(`drop database ${template}`);
    const blob = await pglite.dumpDataDir('none');
    await pglite.close();
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}
