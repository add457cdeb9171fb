// Frames of runs; and with DATABASE_URL the latency from an event on one node to a stream reader on another node, over
// one PostgreSQL.
//
//   DATABASE_URL=… node bench/streams.ts

import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import pino from 'pino';
import { readConfiguration } from '../src/configuration.ts';
import { LIMITS } from '../src/core/limits.ts';
import { listen } from '../src/server.ts';
import { openDatabase } from '../src/storage/database/database.ts';
import { measureLiveRuns } from './harness/live-runs.ts';

const EVENTS = 400;
const PAUSE_MS = 5;
const OTHER_READERS = 50;
const TARGETS = { p50: 10, p99: 50 };

const databaseUrl = process.env.DATABASE_URL;

/** Runs a node in this process, which the parent process has forked for it. */
async function serve(schema: string): Promise<void> {
  const configuration = readConfiguration({ ...process.env, PORT: '0' });
  const node = await listen({ configuration, log: pino({ level: 'error' }), schema });
  process.on('message', () => void node.close().then(() => process.exit()));
  process.send?.(node.url);
}

async function startNode(schema: string, masterKey: string): Promise<{ child: ChildProcess; url: string }> {
  const env = { ...process.env, SVC_MASTER_KEY: masterKey, SVC_RATE_FACTOR: '1000', SVC_WORKERS: '1' };
  const child = fork(fileURLToPath(import.meta.url), [schema], { env });
  return { child, url: (await once(child, 'message'))[0] as string };
}

/** Yields the data of each frame and the time at which it was read. */
async function* frames(
  url: string,
  key: string,
): AsyncGenerator<{ readonly data: Record<string, unknown>; readonly at: number }> {
  const { body } = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  let rest = '';
  for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const at = performance.now();
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined) yield { data: JSON.parse(data), at };
    }
  }
}

const percentile = (sorted: readonly number[], fraction: number) =>
  sorted[Math.floor((sorted.length - 1) * fraction)] ?? Number.NaN;

/** Measures the baseline: NOTIFY on one connection, received on another. */
async function bareNotify(): Promise<{ measure(): Promise<number>; close(): Promise<void> }> {
  const [sender, listener] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
  for (const client of [sender, listener]) await client.connect();
  const channel = `bench_${randomBytes(6).toString('hex')}`;
  await listener.query(`listen ${channel}`);
  return {
    async measure() {
      const startMs = performance.now();
      const notification = once(listener, 'notification');
      await sender.query('select pg_notify($1, $2)', [channel, 'x']);
      await notification;
      return performance.now() - startMs;
    },
    close: async () => void (await Promise.all([sender.end(), listener.end()])),
  };
}

async function measure(writer: string, reader: string): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const spinUp = async () => {
    const response = await fetch(`${writer}/api/chain/state-machines`, {
      method: 'POST',
      headers: json,
      body: '{"is_public":true}',
    });
    return (await response.json()) as { machine: { slug: string }; key: string };
  };
  const { machine, key } = await spinUp();
  // One key per LIMITS.stream.perCaller readers.
  const keys: string[] = [];
  for (let i = 0; i < OTHER_READERS; i += LIMITS.stream.perCaller) keys.push((await spinUp()).key);
  const headers = { ...json, authorization: `Bearer ${key}` };
  const send = (n: number) =>
    fetch(`${writer}/api/chain/${machine.slug}/event`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'tick', payload: { n } }),
    }).then((response) => response.arrayBuffer());
  const controller = new AbortController();
  const notify = await bareNotify();
  console.log(
    '| readers | events | event → SSE p50, ms | p99, ms | response to the writer p50, ms | bare NOTIFY p50, ms | target |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const readers of [1, 1 + OTHER_READERS]) {
    const path = `${reader}/api/chain/${machine.slug}/explore/sse`;
    const others = Array.from({ length: readers - 1 }, (_, i) =>
      fetch(path, {
        signal: controller.signal,
        headers: { authorization: `Bearer ${keys[Math.floor(i / LIMITS.stream.perCaller)]}` },
      }),
    );
    // These readers only add load; their frames are discarded.
    for (const other of await Promise.all(others)) void other.body?.pipeTo(new WritableStream()).catch(() => undefined);
    const stream = frames(path, key);
    await stream.next();
    const delivered: number[] = [];
    const notified: number[] = [];
    const responded: number[] = [];
    for (let n = 0; n < EVENTS; n++) {
      const startMs = performance.now();
      const frame = stream.next();
      await send(n);
      responded.push(performance.now() - startMs);
      delivered.push((await frame).value?.at - startMs);
      notified.push(await notify.measure());
      await sleep(PAUSE_MS);
    }
    await stream.return(undefined);
    for (const latencies of [delivered, responded, notified]) latencies.sort((a, b) => a - b);
    const cells = [
      percentile(delivered, 0.5),
      percentile(delivered, 0.99),
      percentile(responded, 0.5),
      percentile(notified, 0.5),
    ].map((ms) => ms.toFixed(1));
    console.log(`| ${readers} | ${EVENTS} | ${cells.join(' | ')} | p50 < ${TARGETS.p50}, p99 < ${TARGETS.p99} |`);
  }
  controller.abort();
  await notify.close();
}

const [, , schemaArgument] = process.argv;
if (schemaArgument !== undefined) await serve(schemaArgument);
else await measureLiveRuns();
if (schemaArgument === undefined && databaseUrl !== undefined) {
  console.log('');
  const schema = `bench_${randomBytes(6).toString('hex')}`;
  const masterKey = randomBytes(32).toString('hex');
  const nodes = [await startNode(schema, masterKey), await startNode(schema, masterKey)];
  const [writer, reader] = nodes;
  try {
    await measure(writer?.url ?? '', reader?.url ?? '');
  } finally {
    for (const { child } of nodes) child.send('stop');
    await Promise.all(nodes.map(({ child }) => once(child, 'exit')));
    const database = await openDatabase({ databaseUrl });
    await database.knex.raw(`drop schema if exists ${schema} cascade`);
    await database.close();
  }
}
