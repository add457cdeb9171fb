// Events to machines over HTTP at one node, and at two nodes that share the machines: half of the calls at two nodes
// reach a node that does not own the machine. CPU time of the nodes and their sessions in the database together.
//
//   DATABASE_URL=… [NATS_URL=…] node bench/scale-nodes.ts

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../src/storage/database/database.ts';
import { rows } from '../src/storage/database/sql.ts';
import { cpuSeconds, launchNode, type Target } from './harness/load.ts';
import { SWITCH } from './harness/many-machines.ts';
import { printHead, printRow } from './harness/table.ts';

const MACHINES = 64;
/** At each node: a node is added for more clients. Fewer of a node make smaller group commits, which cost more an event. */
const CLIENTS = Number(process.env.CLIENTS ?? 64);
const EVENTS = Number(process.env.EVENTS ?? 4_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const TARGET_SHARE = 0.8;
/** Longer than the hand-over of half of the machines. */
const SETTLE_MS = 4_000;

let agent = new Agent({ keepAlive: true });

function post(url: string, path: string, key: string, body: unknown): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(`${url}${path}`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.once('error', reject);
    sent.end(JSON.stringify(body));
  });
}

async function expectCreated(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status !== 200 && status !== 201) throw new Error(text);
}

const sessionSeconds = new Map<number, number>();

/** CPU seconds so far of the nodes and of all sessions in the database. */
async function cpuSoFar(database: Database, nodes: readonly Target[]): Promise<number> {
  const sessions = await rows<{ pid: number }>(
    database.knex,
    'select pid from pg_stat_activity where datname = current_database()',
  );
  for (const { pid } of sessions) sessionSeconds.set(pid, cpuSeconds({ pid }));
  const ofNodes = nodes.reduce((sum, { child }) => sum + cpuSeconds(child), 0);
  return [...sessionSeconds.values()].reduce((sum, seconds) => sum + seconds, ofNodes);
}

interface Rate {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

async function rateOf(
  database: Database,
  nodes: readonly Target[],
  key: string,
  slugs: readonly string[],
): Promise<Rate> {
  // Nodes close connections that were idle while another one started.
  agent.destroy();
  agent = new Agent({ keepAlive: true });
  const before = await cpuSoFar(database, nodes);
  const startMs = performance.now();
  let next = 0;
  const client = async () => {
    for (let i = next++; i < EVENTS; i = next++) {
      // Each machine is called at each node in turn.
      const { url } = nodes[(i + Math.floor(i / MACHINES)) % nodes.length] as Target;
      const path = `/api/chain/${slugs[i % MACHINES]}/event`;
      await expectCreated(post(url, path, key, { name: 'flip', payload: { ms: 5 } }));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS * nodes.length }, client));
  const seconds = (performance.now() - startMs) / 1e3;
  return { perSecond: EVENTS / seconds, perCpuSecond: EVENTS / ((await cpuSoFar(database, nodes)) - before) };
}

async function stop({ child }: Target): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

const server = process.env.DATABASE_URL;
if (server === undefined) throw new Error('Set DATABASE_URL to the PostgreSQL to measure.');
const name = `bench_${randomBytes(6).toString('hex')}`;
const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href;
const dataFolder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const admin = await openDatabase({ databaseUrl: server });
await admin.knex.raw(`create database ${name}`);
const database = await openDatabase({ databaseUrl });
const env = {
  DATABASE_URL: databaseUrl,
  SVC_DATA: dataFolder,
  SVC_MASTER_KEY: randomBytes(32).toString('hex'),
  SVC_RATE_FACTOR: '1000000',
  SVC_LOG: 'error',
  NODE_ENV: 'production',
  PORT: '0',
  SVC_WORKERS: '1',
};
const running: Target[] = [];
try {
  const first = await launchNode(env);
  running.push(first);
  const key = readFileSync(join(dataFolder, 'admin.key'), 'utf8').trim();
  const slugs = Array.from({ length: MACHINES }, (_, i) => `scale-${i}`);
  for (const slug of slugs) {
    await expectCreated(post(first.url, '/api/chain/state-machines', key, { slug }));
    await expectCreated(post(first.url, `/api/chain/${slug}/contracts/custom`, key, { definition: SWITCH }));
  }
  const best: Rate[][] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [mode, found] of best.entries()) {
      if (mode === 1) {
        running.push(await launchNode(env));
        await sleep(SETTLE_MS);
      }
      // Warm: every node has compiled its code, and its contracts are in memory.
      await rateOf(database, running, key, slugs);
      found.push(await rateOf(database, running, key, slugs));
    }
    await stop(running.pop() as Target);
  }
  printHead(
    'nodes',
    'events/s, median',
    'events per CPU second of nodes and database, all rounds',
    'median',
    'share of one node',
    'target',
  );
  const median = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const [one = Number.NaN] = best.map((rates) => median(rates.map(({ perCpuSecond }) => perCpuSecond)));
  for (const [mode, rates] of best.entries()) {
    const perCpu = rates.map(({ perCpuSecond }) => perCpuSecond);
    printRow(
      String(mode + 1),
      median(rates.map(({ perSecond }) => perSecond)).toFixed(0),
      perCpu.map((value) => value.toFixed(0)).join(', '),
      median(perCpu).toFixed(0),
      (median(perCpu) / one).toFixed(2),
      mode === 0 ? '' : `≥ ${TARGET_SHARE}`,
    );
  }
} finally {
  for (const node of running) await stop(node);
  await database.close();
  await admin.knex.raw(`drop database ${name} with (force)`);
  await admin.close();
  rmSync(dataFolder, { recursive: true, force: true });
}
