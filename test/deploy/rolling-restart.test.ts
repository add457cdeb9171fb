// Two nodes and a worker on one PostgreSQL behind nginx, as docs/scaling.md says, restarted one after the other while
// clients call. SVC_ROLLING_ROUNDS sets how often.

import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database/database.ts';
import { databaseUrl, dropSchema, freshSchema } from '../storage/databases.ts';
import { Load } from './load.ts';
import { findNginx, freePort, Nginx } from './nginx.ts';
import { SvcProcess } from './svc-process.ts';

const ROUNDS = Number(process.env.SVC_ROLLING_ROUNDS ?? 1);
const ROUND_MS = 120_000;
const MACHINES = 4;
const MASTER_KEY = randomBytes(32).toString('hex');
const executable = findNginx();

interface Row {
  readonly seq: number;
  readonly name: string;
}

interface Page {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

describe.runIf(databaseUrl !== undefined && executable !== undefined)('nodes behind nginx', () => {
  const schema = freshSchema();
  const nodes = new Map<number, SvcProcess>();
  let folder = '';
  let nginx: Nginx;
  let worker: SvcProcess;
  let ports: readonly [number, number];
  let publicPort = 0;
  let key = '';

  const environment = () => ({
    DATABASE_URL: `${databaseUrl}?options=-c%20search_path%3D${schema}`,
    SVC_MASTER_KEY: MASTER_KEY,
    SVC_DATA: folder,
    SVC_PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
    SVC_TRUSTED_PROXIES: '127.0.0.1',
    SVC_RATE_FACTOR: '100000',
    SVC_WORKERS: '1',
  });
  const serve = async (port: number) => {
    const node = new SvcProcess('serve', { ...environment(), PORT: String(port) });
    nodes.set(port, node);
    await node.wrote('svc is running');
  };
  const work = async () => {
    worker = new SvcProcess('worker', environment());
    await worker.wrote('svc worker: running');
  };
  const readiness = async (port: number) =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status,
      () => 'refused',
    );
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${nginx.url}${path}`, { method, headers, ...init });
    expect([200, 201]).toContain(response.status);
    return (await response.json()) as Record<string, unknown>;
  };

  beforeAll(async () => {
    const database = await openDatabase({ databaseUrl, schema });
    await database.close();
    folder = await mkdtemp(join(tmpdir(), 'svc-nodes-'));
    ports = [await freePort(), await freePort()];
    publicPort = await freePort();
    for (const port of ports) await serve(port);
    await work();
    nginx = await Nginx.start(executable ?? '', publicPort, ports);
    key = (await readFile(join(folder, 'admin.key'), 'utf8')).trim();
  }, ROUND_MS);
  afterAll(async () => {
    await nginx?.stop();
    for (const node of [...nodes.values(), worker]) await node?.stop();
    const database = await openDatabase({ databaseUrl, schema });
    await dropSchema(database, schema);
    await database.close();
    await rm(folder, { recursive: true });
  });

  /** What is left of the rate of a caller at this address, after a request that claims another. */
  const remaining = (localAddress: string, claimed: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'x-forwarded-for': claimed };
      request(`${nginx.url}/api/svc/pulse`, { localAddress, headers, agent: false }, (response) => {
        response.resume();
        resolve(Number(/;r=(\d+)/.exec(String(response.headers.ratelimit))?.[1]));
      })
        .once('error', reject)
        .end();
    });

  test('each client has the rate of its own address, whichever node answers and whatever it claims', async () => {
    const left: number[] = [];
    for (let i = 1; i <= 10; i++) left.push(await remaining('127.0.0.2', `192.0.2.${i}`));
    // A node learns of the requests at the other one a moment later.
    expect((left.at(0) ?? 0) - (left.at(-1) ?? 0)).toBeGreaterThanOrEqual(4);
    expect(await remaining('127.0.0.3', '192.0.2.1')).toBeGreaterThanOrEqual(left.at(0) ?? 0);
  });

  test(
    'restarting them in turn fails no request, loses and doubles no event, and no stream misses a row',
    async () => {
      const slugs = Array.from({ length: MACHINES }, () => `m-${randomBytes(6).toString('hex')}`);
      for (const slug of slugs) await call('POST', '/api/chain/state-machines', { slug });
      const load = new Load({ url: nginx.url, key, slugs });
      load.start();
      const more = async () => {
        const before = load.requests;
        await expect.poll(() => load.failed.length > 0 || load.requests - before > 20).toBe(true);
        expect(load.failed).toEqual([]);
      };
      await more();
      for (let round = 0; round < ROUNDS; round++) {
        for (const port of ports) {
          expect(await nodes.get(port)?.stop()).toBe(0);
          await more();
          await serve(port);
          await expect.poll(() => readiness(port)).toBe(200);
          // nginx sends it requests again.
          const known = (await nginx.answers()).length;
          const isUsed = async () =>
            (await nginx.answers()).slice(known).some((line) => line.split('|')[0]?.endsWith(`:${port}`));
          await expect.poll(isUsed).toBe(true);
        }
        expect(await worker.stop()).toBe(0);
        await work();
      }
      await load.stop(async (slug) => (await rowsOf(slug)).at(-1)?.seq ?? 0);
      expect(load.failed).toEqual([]);
      const answers = await nginx.answers();
      console.info(
        `${JSON.stringify(load.counts)}, ${load.seen.map(({ kind, connections }) => `${kind} ${connections}`)}, ` +
          `${answers.filter((line) => line.split('|')[0]?.includes(',')).length} of ${answers.length} sent to both nodes`,
      );
      for (const slug of slugs) {
        const rows = await rowsOf(slug);
        const acknowledged = load.acknowledged.filter((event) => event.slug === slug).map(({ name }) => name);
        expect(rows.map(({ name }) => name)).toEqual(acknowledged);
        const { rows: streamed } = load.seen.find((seen) => seen.slug === slug) ?? {};
        expect(streamed).toEqual(rows.map(({ seq }) => seq));
        expect(await call('GET', `/api/chain/${slug}/pohc/validate`)).toMatchObject({ ok: true });
      }
    },
    ROUNDS * ROUND_MS,
  );

  /** The events of a machine, in their order. */
  async function rowsOf(slug: string): Promise<readonly Row[]> {
    const all: Row[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = (await call('GET', `/api/chain/${slug}/events?source=all&limit=200${after}`)) as unknown as Page;
      all.push(...page.rows.map(({ seq, name }) => ({ seq, name })));
      cursor = page.next_cursor;
    }
    return all.sort((one, other) => one.seq - other.seq);
  }
});
