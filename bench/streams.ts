// From an event on one node to the reader of a stream on another, over one PostgreSQL: sent, committed, told, read.
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

const EVENTS = 400;
const PAUSE_MS = 5;
const OTHER_READERS = 50;
const BARS = { half: 10, most: 50 };

const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined) throw new Error('This bench needs DATABASE_URL: two nodes share one PostgreSQL.');

/** A node of its own, so that writer and reader do not share a thread. */
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

/** The data of each frame with the moment at which it was read. */
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

const part = (sorted: readonly number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;

/** What the machine can do at this moment: NOTIFY on one connection, heard on another. */
async function bareNews(): Promise<{ measure(): Promise<number>; close(): Promise<void> }> {
  const [said, heard] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
  for (const client of [said, heard]) await client.connect();
  const channel = `bench_${randomBytes(6).toString('hex')}`;
  await heard.query(`listen ${channel}`);
  return {
    async measure() {
      const began = performance.now();
      const news = once(heard, 'notification');
      await said.query('select pg_notify($1, $2)', [channel, 'x']);
      await news;
      return performance.now() - began;
    },
    close: async () => void (await Promise.all([said.end(), heard.end()])),
  };
}

async function measure(writer: string, reader: string): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const spinUp = async () => {
    const made = await fetch(`${writer}/api/chain/state-machines`, { method: 'POST', headers: json, body: '{}' });
    return (await made.json()) as { machine: { slug: string }; key: string };
  };
  const { machine, key } = await spinUp();
  // A key may have so many streams open.
  const keys: string[] = [];
  for (let i = 0; i < OTHER_READERS; i += LIMITS.stream.perCaller) keys.push((await spinUp()).key);
  const headers = { ...json, authorization: `Bearer ${key}` };
  const send = (n: number) =>
    fetch(`${writer}/api/chain/${machine.slug}/event`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'tick', payload: { n } }),
    }).then((answer) => answer.arrayBuffer());
  const stop = new AbortController();
  const bare = await bareNews();
  console.log(
    '| readers there | events | event → SSE p50, ms | p99, ms | answer to the writer p50, ms | bare NOTIFY p50, ms | bar |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const readers of [1, 1 + OTHER_READERS]) {
    const path = `${reader}/api/chain/${machine.slug}/explore/sse`;
    const others = Array.from({ length: readers - 1 }, (_, i) =>
      fetch(path, {
        signal: stop.signal,
        headers: { authorization: `Bearer ${keys[Math.floor(i / LIMITS.stream.perCaller)]}` },
      }),
    );
    // They only have to be sent to: what they take is thrown away.
    for (const other of await Promise.all(others)) void other.body?.pipeTo(new WritableStream()).catch(() => undefined);
    const stream = frames(path, key);
    await stream.next();
    const taken: number[] = [];
    const noticed: number[] = [];
    const answered: number[] = [];
    for (let n = 0; n < EVENTS; n++) {
      const began = performance.now();
      const told = stream.next();
      await send(n);
      answered.push(performance.now() - began);
      taken.push((await told).value?.at - began);
      noticed.push(await bare.measure());
      await sleep(PAUSE_MS);
    }
    await stream.return(undefined);
    for (const all of [taken, answered, noticed]) all.sort((a, b) => a - b);
    const cells = [part(taken, 0.5), part(taken, 0.99), part(answered, 0.5), part(noticed, 0.5)].map((ms) =>
      ms.toFixed(1),
    );
    console.log(`| ${readers} | ${EVENTS} | ${cells.join(' | ')} | p50 < ${BARS.half}, p99 < ${BARS.most} |`);
  }
  stop.abort();
  await bare.close();
}

const [, , given] = process.argv;
if (given !== undefined) await serve(given);
else {
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
