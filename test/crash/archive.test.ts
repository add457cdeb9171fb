// A node that is killed while it moves rows to the archive leaves every row in the database or in a file, and none twice.

import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { CHAIN_START, validateRows } from '../../src/chain/validate.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { FsckFault } from '../../src/services/fsck/faults.ts';
import { fsck } from '../../src/services/fsck/fsck.ts';
import { TreeService } from '../../src/services/machines/trees.ts';
import { ed25519Signer } from '../../src/services/node/key-ring.ts';
import type { DatabaseOptions } from '../../src/storage/database/database.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { LATER_MS, MachineGrower } from '../services/fsck/grown-machine.ts';
import { databaseUrl, dropSchema, freshSchema } from '../storage/databases.ts';

const CHILD = fileURLToPath(new URL('archiver.ts', import.meta.url));
const SLUG = 'kiln';
const ROWS = 256 * 40;
const KILLS = Number(process.env.SVC_ARCHIVE_KILLS ?? 6);
const SEED = Number(process.env.SVC_SEED ?? 20_261_130);
/** About how long it takes to move a range. */
const RANGE_MS = 60;

const folder = mkdtempSync(join(tmpdir(), 'svc-archive-crash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fraction = (kill: number) => createHash('sha256').update(`${SEED}:${kill}`).digest().readUInt32BE() / 2 ** 32;

const tested: { readonly name: string; readonly options: DatabaseOptions }[] = [
  { name: 'PGlite', options: { dataFolder: join(folder, 'data') } },
  ...(databaseUrl === undefined ? [] : [{ name: 'PostgreSQL', options: { databaseUrl, schema: freshSchema() } }]),
];

/** Runs the child until some ranges are moved and a moment more. @returns whether it ended by itself */
async function runUntilKilled(options: DatabaseOptions, archive: string, kill: number): Promise<boolean> {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(options), archive, SLUG], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const ranges = 1 + Math.floor(fraction(kill) * 5);
  let lines = 0;
  const reached = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', () => {
      lines++;
      if (lines === ranges) resolve();
    });
  });
  const isEnded = await Promise.race([
    reached.then(() => sleep(fraction(-1 - kill) * RANGE_MS)).then(() => false),
    exited.then(() => true),
  ]);
  child.kill('SIGKILL');
  await exited;
  return isEnded;
}

describe.each(tested)('on $name', ({ name, options }) => {
  test(`after each of ${KILLS} kills every row is there once, and fsck finds no fault (seed ${SEED})`, async () => {
    const archiveFolder = mkdtempSync(join(folder, `${name}-`));
    const first = await openStorage({ ...options, archiveFolder });
    const id = await new MachineGrower(first).create(SLUG, ROWS - 1);
    const trees = new TreeService({
      ...first,
      signer: ed25519Signer(randomBytes(32)),
      host: 'crash.example',
      clock: systemClock(),
    });
    const [machine] = await first.machines.byIds([id], false);
    if (machine === undefined) throw new Error('The machine is missing.');
    await trees.checkpoint(machine);
    const before = await first.audit.range(id, SLUG, 0, ROWS);
    await first.close();
    for (let kill = 0; kill < KILLS; kill++) {
      const isEnded = await runUntilKilled(options, archiveFolder, kill);
      const storage = await openStorage({ ...options, archiveFolder });
      const all = await storage.audit.range(id, SLUG, 0, ROWS);
      expect(all).toEqual(before);
      expect(validateRows(all, SLUG, 0, CHAIN_START)).toMatchObject({ valid: true, checked: ROWS });
      const [border] = await rows<{ first: number | null; archived: number }>(
        storage.database.knex,
        `select (select min(seq) from audit where machine_id = ?) as first,
           (select coalesce(max(last_seq) + 1, 0) from audit_archive where machine_id = ?) as archived`,
        [id, id],
      );
      expect(border?.first ?? ROWS).toBe(border?.archived);
      if (isEnded) expect(border?.archived).toBe(ROWS);
      const faults: FsckFault[] = [];
      const onFault = (fault: FsckFault) => faults.push(fault);
      await fsck(storage.database.knex, { keys: undefined, nowMs: LATER_MS, archiveFolder, onFault });
      expect(faults).toEqual([]);
      if (kill === KILLS - 1) {
        expect(border?.archived).toBeGreaterThan(0);
        if (options.databaseUrl !== undefined) await dropSchema(storage.database, options.schema ?? '');
      }
      await storage.close();
    }
  }, 300_000);
});
