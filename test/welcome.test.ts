// The message of a new node: a demo key is printed only where nobody else reads the output or reaches the service.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfiguration } from '../src/configuration.ts';
import { openDatabase } from '../src/storage/database/database.ts';
import { rows } from '../src/storage/database/sql.ts';
import { isForThisMachineOnly } from '../src/welcome.ts';
import { SVC } from './cli/run-svc.ts';
import { databaseUrl, dropSchema, freshSchema } from './storage/databases.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-welcome-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let started = 0;

/** Starts `svc serve`, stops it after its message, and returns what it printed to both streams. */
async function messageOf(env: Record<string, string>): Promise<string> {
  const { SVC_URL: _, SVC_KEY: __, DATABASE_URL: ___, NODE_ENV: ____, ...clean } = process.env;
  const SVC_DATA = join(folder, String(started++));
  const child = spawn(process.execPath, [SVC, 'serve'], {
    env: { ...clean, PORT: '0', SVC_DATA, SVC_WORKERS: '1', ...env },
  });
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
    // A second signal would end the process at once.
    if (output.includes('Stop with Ctrl-C.') && !child.killed) child.kill('SIGTERM');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const [code] = await once(child, 'close');
  expect([code, output]).toEqual([0, expect.stringContaining('svc is running at http://')]);
  return output;
}

const DEMO_KEY = /svc_ak_demo_/;

describe('the message at start', () => {
  test('has a demo key and a sample on a loopback address with the embedded database', async () => {
    const message = await messageOf({ HOST: 'localhost' });
    expect(message).toMatch(DEMO_KEY);
    expect(message).toContain('svcProof');
  });

  test('has no demo key on all addresses, and says how to get one', async () => {
    const message = await messageOf({ HOST: '0.0.0.0' });
    expect(message).not.toMatch(DEMO_KEY);
    expect(message).toContain('POST /api/demo-key/mint');
  });

  test.each([
    ['127.0.0.1', {}, true],
    ['127.0.0.5', {}, true],
    ['::1', {}, true],
    ['::ffff:127.0.0.1', {}, true],
    ['0.0.0.0', {}, false],
    ['::', {}, false],
    ['192.168.1.2', {}, false],
    ['/run/svc.sock', {}, false],
    ['127.0.0.1', { NODE_ENV: 'production' }, false],
    ['127.0.0.1', { DATABASE_URL: 'postgres://postgres@127.0.0.1/svc' }, false],
    ['127.0.0.1', { SVC_PUBLIC_URL: 'https://svc.example' }, false],
    ['127.0.0.1', { SVC_TRUSTED_PROXIES: 'loopback' }, false],
  ])('a node on %s with %j has one: %s', (address, env, expected) => {
    expect(isForThisMachineOnly({ address }, readConfiguration(env))).toBe(expected);
  });

  test.runIf(databaseUrl !== undefined)('has no demo key, and mints none, with PostgreSQL', async () => {
    const schema = freshSchema();
    const database = await openDatabase({ databaseUrl, schema });
    try {
      const url = new URL(databaseUrl ?? '');
      url.searchParams.set('options', `-csearch_path=${schema}`);
      const message = await messageOf({ DATABASE_URL: url.href, SVC_MASTER_KEY: randomBytes(32).toString('hex') });
      expect(message).not.toMatch(DEMO_KEY);
      expect(await rows(database.knex, `select 1 from account where kind = 'demo'`)).toEqual([]);
    } finally {
      await dropSchema(database, schema);
      await database.close();
    }
  });
});
