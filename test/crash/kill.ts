// Kills a writer again and again at seeded moments, and looks at what is left.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { DatabaseOptions } from '../../src/storage/database/database.ts';
import { openStorage } from '../../src/storage/storage.ts';

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));
/** A start takes about so long; one that is killed is killed within it. */
const OPENS_MS = 2_000;
/** A row takes about so long. */
const ROW_MS = 4;
const ACCOUNT = '01890000-0000-7000-8000-000000000001';

/** A moment of the seed's list, uniform in [0, 1). */
function moment(seed: number, kill: number): number {
  return createHash('sha256').update(`${seed}:${kill}`).digest().readUInt32BE() / 2 ** 32;
}

export interface KillPlan {
  readonly database: DatabaseOptions;
  readonly kills: number;
  readonly seed: number;
  /** A writer is killed after at most so many rows; every third while it opens, the first one too. */
  readonly mostRows: number;
}

/** @returns how many rows were acknowledged, over all kills */
export async function killWriters({ database, kills, seed, mostRows }: KillPlan): Promise<number> {
  // The seed first: it is needed most when what follows fails.
  console.info(`crash: seed ${seed}`);
  const acknowledged: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const isKilledEarly = kill % 3 === 0;
    const at = moment(seed, kill);
    // Counted in rows, not in time, so that a slow machine kills at the same place; then some way into the next one.
    const life: Life = isKilledEarly
      ? { rows: 0, restMs: at * OPENS_MS }
      : { rows: 1 + Math.floor(at * mostRows), restMs: moment(seed, -1 - kill) * ROW_MS };
    acknowledged.push(...(await lifeOf(database, life)));
    if (!isKilledEarly) await expectAll(database, acknowledged);
  }
  await expectAll(database, acknowledged);
  console.info(`crash: seed ${seed}, ${kills} kills, ${acknowledged.length} rows acknowledged`);
  return acknowledged.length;
}

interface Life {
  readonly rows: number;
  readonly restMs: number;
}

/** @returns the ids that the writer printed before it was killed */
async function lifeOf(database: DatabaseOptions, { rows, restMs }: Life): Promise<string[]> {
  const writer: ChildProcess = spawn(process.execPath, [WRITER, JSON.stringify(database), ACCOUNT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(writer, 'exit');
  if (!writer.stdout) throw new Error('The writer has no standard output.');
  const lines = createInterface({ input: writer.stdout });
  const seen: string[] = [];
  const closed = once(lines, 'close');
  const reached = new Promise<void>((resolve) => {
    if (rows === 0) resolve();
    lines.on('line', (line) => {
      seen.push(line);
      if (seen.length === rows) resolve();
    });
  });
  const failed = exited.then(() => {
    throw new Error('The writer ended by itself.');
  });
  await Promise.race([reached.then(() => sleep(restMs)), failed]);
  failed.catch(() => undefined);
  writer.kill('SIGKILL');
  await exited;
  await closed;
  return seen;
}

/** Everything acknowledged is there, whole, and nothing is there by halves. */
async function expectAll(database: DatabaseOptions, acknowledged: readonly string[]): Promise<void> {
  const storage = await openStorage(database);
  try {
    const stored: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await storage.runs.list(ACCOUNT, { folder: 'crash', limit: 1_000, cursor });
      stored.push(...page.rows.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const present = new Set(stored);
    expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
    // A row may have been committed and its word lost; then the rest of its transaction must be there too.
    for (const id of stored) {
      const run = await storage.runs.get(ACCOUNT, id);
      const bytes = await storage.fields.get(run?.envelope ?? '', 0);
      expect(Buffer.from(bytes ?? []).equals(createHash('sha512').update(id).digest())).toBe(true);
      const bodySha256 = createHash('sha256').update(id).digest();
      const request = { principal: ACCOUNT, key: id, route: 'POST /x', bodySha256 };
      const claim = await storage.idempotency.claim(request, id, 0);
      expect(claim.kind === 'done' && Buffer.from(claim.answer.body).toString()).toBe(id);
    }
  } finally {
    await storage.close();
  }
}

/** The databases to kill on: an embedded folder, and a schema on PostgreSQL where there is one. */
export function crashDatabases(folder: string, schema: string): readonly { name: string; database: DatabaseOptions }[] {
  const databaseUrl = process.env.DATABASE_URL;
  const embedded = { name: 'PGlite', database: { dataFolder: folder } };
  return databaseUrl === undefined ? [embedded] : [embedded, { name: 'PostgreSQL', database: { databaseUrl, schema } }];
}
