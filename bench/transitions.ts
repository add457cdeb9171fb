// Durable transitions over HTTP per two CPU seconds of the server and PostgreSQL together.
//
//   DATABASE_URL=… node bench/transitions.ts

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/storage/database/database.ts';
import { cpuSeconds, cpuSecondsOf, launchNode, load } from './harness/load.ts';

const MACHINES = 50;
const ROUNDS = 4;
const CALLS = 8_000;
const TARGET = 3_000;

const SWITCH = {
  name: 'switch',
  version: '1.0',
  operators: ['KO42'],
  initial: 'off',
  events: { flip: { payload: {} } },
  states: { off: { role: 'initial' }, on: { role: 'intermediate' } },
  transitions: ['off', 'on'].map((from) => ({
    id: `from_${from}`,
    from,
    to: from === 'off' ? 'on' : 'off',
    operator: 'KO42',
    proof: false,
    trigger: { kind: 'event', event: 'flip' },
  })),
};

const server = process.env.DATABASE_URL;
if (server === undefined) throw new Error('Set DATABASE_URL to the PostgreSQL to measure.');
const name = `bench_${randomBytes(6).toString('hex')}`;
const admin = await openDatabase({ databaseUrl: server });
await admin.knex.raw(`create database ${name}`);
const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href;
const data = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const svc = await launchNode({
  PORT: '0',
  SVC_DATA: data,
  DATABASE_URL: databaseUrl,
  SVC_MASTER_KEY: randomBytes(32).toString('hex'),
  SVC_RATE_FACTOR: '100000',
  NODE_ENV: 'production',
});

async function post(path: string, body: object, key: string | undefined): Promise<Record<string, unknown>> {
  const response = await fetch(svc.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

try {
  const first = await post('/api/chain/state-machines', { slug: 'bench-0', is_public: true }, undefined);
  const key = String(first.key);
  for (let i = 1; i < MACHINES; i++)
    await post('/api/chain/state-machines', { slug: `bench-${i}`, is_public: true }, key);
  for (let i = 0; i < MACHINES; i++) {
    await post(`/api/chain/bench-${i}/contracts/custom`, { definition: SWITCH }, key);
  }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const url = (call: number) => `${svc.url}/api/chain/bench-${call % MACHINES}/event`;
  await load(CALLS / 4, url, 'POST', headers, '{"name":"flip"}');
  let best = { server: Number.POSITIVE_INFINITY, database: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const before = { server: cpuSeconds(svc.child), database: cpuSecondsOf('postgres') };
    await load(CALLS, url, 'POST', headers, '{"name":"flip"}');
    const used = {
      server: cpuSeconds(svc.child) - before.server,
      database: cpuSecondsOf('postgres') - before.database,
    };
    if (used.server + used.database < best.server + best.database) best = used;
  }
  const perTwoCpuSeconds = (2 * CALLS) / (best.server + best.database);
  const microsecondsEach = (seconds: number) => ((seconds / CALLS) * 1e6).toFixed(0);
  console.log('| transitions per 2 CPU seconds | server, µs each | PostgreSQL, µs each | target |');
  console.log('|---|---|---|---|');
  console.log(
    `| ${perTwoCpuSeconds.toFixed(0)} | ${microsecondsEach(best.server)} | ${microsecondsEach(best.database)} | ≥ ${TARGET} |`,
  );
} finally {
  svc.child.kill('SIGTERM');
  await new Promise((resolve) => svc.child.once('exit', resolve));
  await admin.knex.raw(`drop database ${name} with (force)`);
  await admin.close();
  rmSync(data, { recursive: true, force: true });
}
