// svc archive, run as a process on a database of its own, and svc fsck with and without the folder.

import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { TreeService } from '../../src/services/machines/trees.ts';
import { ed25519Signer } from '../../src/services/node/key-ring.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { MachineGrower } from '../services/fsck/grown-machine.ts';
import { svc } from './run-svc.ts';

vi.setConfig({ testTimeout: 300_000 });

const folder = mkdtempSync(join(tmpdir(), 'svc-cli-archive-'));
const archive = join(folder, 'archive');
const env = { SVC_DATA: join(folder, 'data'), DATABASE_URL: '', SVC_ARCHIVE: archive };
const ROWS = 6_000;
let id = '';

beforeAll(async () => {
  const storage = await openStorage({ dataFolder: env.SVC_DATA });
  const grower = new MachineGrower(storage);
  id = await grower.create('kiln', ROWS - 1);
  await grower.create('quiet', 9);
  const settings = JSON.stringify({ keep_rows: 1_500 });
  await rows(storage.database.knex, 'update machine set settings = ? where id = ?', [settings, id]);
  const [machine] = await storage.machines.byIds([id], false);
  if (machine === undefined) throw new Error('The machine is missing.');
  const signer = ed25519Signer(randomBytes(32));
  await new TreeService({ ...storage, signer, host: 'cli.example', clock: systemClock() }).checkpoint(machine);
  await storage.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a dry run says what would be moved; a run moves it once; a folder that is missing is named', async () => {
  const { SVC_ARCHIVE: _, ...without } = env;
  const unset = await svc(['archive'], { ...without, SVC_ARCHIVE: '' });
  expect(unset).toMatchObject({ code: 2, stderr: expect.stringContaining('SVC_ARCHIVE is missing') });
  const planned = await svc(['archive', '--dry-run'], env);
  expect(planned).toMatchObject({
    code: 0,
    stdout: 'kiln: 4096 rows\n4096 rows of 1 machines may be moved\n',
  });
  const failed = await svc(['archive'], env);
  expect(failed).toMatchObject({ code: 4, stdout: expect.stringContaining(`${id}/0-4095-`) });
  expect(failed.stdout).toContain('file or folder is missing');
  mkdirSync(archive);
  const done = await svc(['archive', '--machine', 'kiln', '--json'], env);
  expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, dry_run: false, rows: 4_096 });
  expect(readdirSync(join(archive, id))).toEqual([expect.stringMatching(/^0-4095-[0-9a-f]{16}\.ndjson\.gz$/)]);
  expect(await svc(['archive'], env)).toMatchObject({ code: 0, stdout: '0 rows of 1 machines moved\n' });
  expect(await svc(['archive', '--machine', 'nobody'], env)).toMatchObject({ code: 2 });
});

test('fsck reads the files, and names them if it cannot', async () => {
  const codes = async (environment: Readonly<Record<string, string>>) =>
    (
      JSON.parse((await svc(['fsck', '--machine', 'kiln', '--json'], environment)).stdout).faults as { code: string }[]
    ).map(({ code }) => code);
  // The settings were written without a row.
  expect(await codes(env)).not.toContain('ARCHIVE');
  expect(await codes({ ...env, SVC_ARCHIVE: '' })).toContain('ARCHIVE');
});
