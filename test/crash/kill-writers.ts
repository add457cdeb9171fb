// Kills a writer repeatedly at seeded moments, and checks the database after each kill.

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
/** Approximate duration of opening the database; early kills happen within it. */
const OPENING_MS = 2_000;
/** Approximate duration of writing a row. */
const ROW_MS = 4;
const ACCOUNT = '01890000-0000-7000-8000-000000000001';

/** A pseudorandom number in [0, 1) for each kill. */
function randomFraction(seed: number, kill: number): number {
  return createHash('sha256').update(`${seed}:${kill}`).digest().readUInt32BE() / 2 ** 32;
}

export interface KillOptions {
  readonly database: DatabaseOptions;
  readonly kills: number;
  readonly seed: number;
  /** Maximum number of rows before a kill; every third writer, the first included, is killed while it opens. */
  readonly maxRows: number;
}

/** @returns the number of acknowledged rows over all kills */
export async function killWriters({ database, kills, seed, maxRows }: KillOptions): Promise<number> {
  // Logged first, because it is needed if the run fails.
  console.info(`crash: seed ${seed}`);
  const acknowledged: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const isKilledEarly = kill % 3 === 0;
    const at = randomFraction(seed, kill);
    // Counted in rows rather than time, so that a slow machine kills at the same row; then partway into the next row.
    const plan: WriterPlan = isKilledEarly
      ? { rows: 0, delayMs: at * OPENING_MS }
      : { rows: 1 + Math.floor(at * maxRows), delayMs: randomFraction(seed, -1 - kill) * ROW_MS };
    acknowledged.push(...(await runWriter(database, plan)));
    if (!isKilledEarly) await expectConsistent(database, acknowledged);
  }
  await expectConsistent(database, acknowledged);
  console.info(`crash: seed ${seed}, ${kills} kills, ${acknowledged.length} rows acknowledged`);
  return acknowledged.length;
}

interface WriterPlan {
  readonly rows: number;
  readonly delayMs: number;
}

/** Runs a writer until its kill. @returns the ids that it printed */
async function runWriter(database: DatabaseOptions, { rows, delayMs }: WriterPlan): Promise<string[]> {
  const writer: ChildProcess = spawn(process.execPath, [WRITER, JSON.stringify(database), ACCOUNT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(writer, 'exit');
  if (!writer.stdout) throw new Error('The writer has no standard output.');
  const lines = createInterface({ input: writer.stdout });
  const printed: string[] = [];
  const closed = once(lines, 'close');
  const reached = new Promise<void>((resolve) => {
    if (rows === 0) resolve();
    lines.on('line', (line) => {
      printed.push(line);
      if (printed.length === rows) resolve();
    });
  });
  const failed = exited.then(() => {
    throw new Error('The writer exited unexpectedly.');
  });
  await Promise.race([reached.then(() => sleep(delayMs)), failed]);
  failed.catch(() => undefined);
  writer.kill('SIGKILL');
  await exited;
  await closed;
  return printed;
}

/** Checks that every acknowledged row exists and that every transaction is complete. */
async function expectConsistent(database: DatabaseOptions, acknowledged: readonly string[]): Promise<void> {
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
    // A row may be committed without an acknowledgement; the rest of its transaction must exist too.
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

/** The databases to test: an embedded folder, and a schema on PostgreSQL if DATABASE_URL is set. */
export function crashDatabases(folder: string, schema: string): readonly { name: string; database: DatabaseOptions }[] {
  const databaseUrl = process.env.DATABASE_URL;
  const embedded = { name: 'PGlite', database: { dataFolder: folder } };
  return databaseUrl === undefined ? [embedded] : [embedded, { name: 'PostgreSQL', database: { databaseUrl, schema } }];
}
