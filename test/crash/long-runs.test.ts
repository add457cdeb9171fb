// Nodes and workers are killed while they compute a long run, or wait for one: each is computed once more, or not again,
// and there is one sealed result.

import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Definition } from '../../src/contracts/definition.ts';
import { type Database, openDatabase } from '../../src/storage/database/database.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { meter } from '../contracts/calls/meter.ts';
import { freePort } from '../deploy/nginx.ts';
import { SvcProcess } from '../deploy/svc-process.ts';
import { databaseUrl, dropSchema, freshSchema } from '../storage/databases.ts';

const MASTER_KEY = randomBytes(32).toString('hex');
const TEST_MS = 120_000;
/** Takes a worker several seconds, and is estimated at more. */
const STEPS = 20_000_000;
/** The same within the ten seconds that an activity has. */
const ACTIVITY_STEPS = 8_000_000;

type Json = Record<string, unknown>;

interface StoredRun {
  readonly holder: string | null;
  readonly attempts: number;
  readonly is_answered: boolean;
}

describe.runIf(databaseUrl !== undefined)('nodes that compute long runs', () => {
  const schema = freshSchema();
  let database: Database;
  let folder = '';
  let key = '';
  let processes: SvcProcess[] = [];
  let first: { readonly node: SvcProcess; readonly url: string };

  const environment = () => ({
    DATABASE_URL: `${databaseUrl}?options=-c%20search_path%3D${schema}`,
    SVC_MASTER_KEY: MASTER_KEY,
    SVC_DATA: folder,
    SVC_WORKERS: '1',
  });
  const start = async (command: 'serve' | 'worker', more: Record<string, string> = {}) => {
    const started = new SvcProcess(command, { ...environment(), ...more });
    processes.push(started);
    await started.wrote(command === 'serve' ? 'svc is running' : 'svc worker: running');
    return started;
  };
  const serve = async () => {
    const port = await freePort();
    return { node: await start('serve', { PORT: String(port) }), url: `http://127.0.0.1:${port}` };
  };
  /** A worker that the node that serves has heard of. */
  const work = async () => {
    const { knex } = database;
    const count = async () => (await rows(knex, 'select 1 from live_node where url is null')).length;
    const before = await count();
    const worker = await start('worker');
    await expect.poll(count, { timeout: 10_000 }).toBeGreaterThan(before);
    // Nodes read the list three times in a lease of 4 s.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    return worker;
  };
  const call = async (url: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more };
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { headers, ...init });
    return { status: response.status, json: (await response.json()) as Json };
  };
  const runOf = async (): Promise<StoredRun | undefined> =>
    (
      await rows<StoredRun>(database.knex, 'select holder, attempts, answer is not null as is_answered from long_run')
    )[0];
  /** A node has begun it. */
  const isComputed = () => expect.poll(async () => (await runOf())?.holder, { timeout: 20_000 }).toBeTruthy();
  const filed = async () =>
    (await rows<{ id: string; envelope: string }>(database.knex, 'select id, envelope from run')).map((run) => ({
      ...run,
      envelope: JSON.parse(run.envelope) as Json,
    }));

  beforeAll(async () => {
    database = await openDatabase({ databaseUrl, schema });
    folder = await mkdtemp(join(tmpdir(), 'svc-long-runs-'));
  });
  beforeEach(async () => {
    first = await serve();
    key = (await readFile(join(folder, 'admin.key'), 'utf8')).trim();
    await rows(database.knex, 'truncate long_run, run');
  }, TEST_MS);
  afterEach(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    processes = [];
  }, TEST_MS);
  afterAll(async () => {
    await dropSchema(database, schema);
    await database.close();
    await rm(folder, { recursive: true });
  });

  test(
    'a worker that is killed during a run: it is computed once more elsewhere, and there is one sealed result',
    async () => {
      const worker = await work();
      const answer = call(first.url, '/api/svc/lorenz', { steps: STEPS, folder: 'long' });
      await isComputed();
      const begun = await runOf();
      expect(begun).toMatchObject({ attempts: 1, is_answered: false });
      await worker.kill();
      // The node that was asked computes it now.
      await expect.poll(async () => (await runOf())?.attempts, { timeout: 20_000 }).toBe(2);
      expect((await runOf())?.holder).not.toBe(begun?.holder);
      const { status, json } = await answer;
      expect(status).toBe(200);
      expect((await filed()).map(({ envelope }) => envelope)).toEqual([json]);
      const verified = await call(first.url, '/api/svc/verify', { receipt: json });
      expect(verified).toMatchObject({ status: 200, json: { valid: true } });
      expect(await runOf()).toBeUndefined();
    },
    TEST_MS,
  );

  test(
    'a node that is killed while it waits: a repetition at another one has the result of the same run',
    async () => {
      await work();
      const body = { steps: STEPS };
      const more = { 'idempotency-key': 'long-1' };
      const lost = call(first.url, '/api/svc/lorenz', body, more).catch(() => 'lost');
      await isComputed();
      const begun = await runOf();
      await first.node.kill();
      expect(await lost).toBe('lost');
      const second = await serve();
      const { status, json } = await call(second.url, '/api/svc/lorenz', body, more);
      expect(status).toBe(200);
      // Begun once, by the worker, and kept for those who ask again.
      expect(await runOf()).toMatchObject({ attempts: 1, is_answered: true });
      expect(begun).toMatchObject({ attempts: 1 });
      expect((await filed()).map(({ envelope }) => envelope)).toEqual([json]);
      const again = await call(second.url, '/api/svc/lorenz', body, more);
      expect(again.json).toEqual(json);
      expect(await filed()).toHaveLength(1);
    },
    TEST_MS,
  );

  test(
    'the owner of a machine is killed during an activity: the next owner records the result of the same run, once',
    async () => {
      await work();
      const slug = `m-${randomBytes(6).toString('hex')}`;
      expect((await call(first.url, '/api/chain/state-machines', { slug })).status).toBe(201);
      const long = {
        solver: 'lorenz',
        inputs: { steps: 'event.v' },
        unit: '1/t',
        into: 'measured',
        on_error: 'not_measured',
      };
      const definition = Definition.parse({ ...meter({}, long), operators: ['KO42'] });
      const deployed = await call(first.url, `/api/chain/${slug}/contracts/custom`, { definition, name: 'meter' });
      expect(deployed.status, JSON.stringify(deployed.json)).toBe(201);
      await call(first.url, `/api/chain/${slug}/event`, { name: 'body', payload: { m: 1, v: ACTIVITY_STEPS } });
      await isComputed();
      await first.node.kill();
      await serve();
      const told = () =>
        rows<{ body: string }>(
          database.knex,
          `select body from audit where source = 'call' and machine_id = (select id from machine where slug = ?)`,
          [slug],
        );
      await expect.poll(told, { timeout: 60_000 }).toHaveLength(1);
      const [result] = (await told()).map(({ body }) => JSON.parse(body) as Json);
      expect(result).toMatchObject({ name: 'measured', payload: { unit: '1/t' }, call: { tries: 2 } });
      expect(await runOf()).toMatchObject({ attempts: 1, is_answered: true });
    },
    TEST_MS,
  );
});
