// Events to the contracts of many machines on one node, and what a machine that is not in memory costs itself and others.
//
//   DATABASE_URL=… node bench/scale.ts

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SYSTEM_ACTOR } from '../src/chain/row.ts';
import { openDatabase } from '../src/storage/database/database.ts';
import { rows } from '../src/storage/database/sql.ts';
import { openStorage, type Storage } from '../src/storage/storage.ts';
import { cpuSeconds } from './harness/load.ts';
import {
  AVERAGE,
  createMachines,
  FLIP,
  type Node,
  SWITCH,
  startEngine,
  writeSamples,
} from './harness/many-machines.ts';
import { printHead, printRow } from './harness/table.ts';

const SIZES = [200, 2_000, 3_000, 20_000];
const ROUNDS = 3;
const CLIENTS = 256;
const EVENTS = 20_000;
/** Of 20,000 machines to 200. */
const TARGET_SHARE = 0.8;

/** Clients that keep asking machines in memory while others are loaded. */
const BYSTANDERS = 8;
const COLD_LOADS = 1_000;
const COLD_PAUSE_MS = 5;
const SAMPLES = 100_000;
const TARGETS = { coldMs: 20, delayMs: 5 };

const send = ({ engine }: Node, id: string) => engine.ingest(id, SYSTEM_ACTOR, FLIP);

/** CPU seconds of each session in the database when it was last seen: sessions end, and their time with them. */
const sessionSeconds = new Map<number, number>();

/** CPU seconds so far of this process and of its sessions in the database. */
async function cpuSoFar(storage: Storage): Promise<number> {
  const sessions = await rows<{ pid: number }>(
    storage.database.knex,
    'select pid from pg_stat_activity where datname = current_database()',
  );
  for (const { pid } of sessions) sessionSeconds.set(pid, cpuSeconds({ pid }));
  const { user, system } = process.cpuUsage();
  return [...sessionSeconds.values()].reduce((sum, seconds) => sum + seconds, (user + system) / 1e6);
}

interface Rate {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/** Sends `events` to the machines in turn. */
async function rateOf(storage: Storage, node: Node, ids: readonly string[], events: number): Promise<Rate> {
  const cpuBefore = await cpuSoFar(storage);
  const startMs = performance.now();
  let next = 0;
  const client = async () => {
    for (let i = next++; i < events; i = next++) await send(node, ids[i % ids.length] as string);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const seconds = (performance.now() - startMs) / 1e3;
  return { perSecond: events / seconds, perCpuSecond: events / ((await cpuSoFar(storage)) - cpuBefore) };
}

const better = (a: Rate | undefined, b: Rate): Rate => ({
  perSecond: Math.max(a?.perSecond ?? 0, b.perSecond),
  perCpuSecond: Math.max(a?.perCpuSecond ?? 0, b.perCpuSecond),
});

const percentile = (values: readonly number[], fraction: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * fraction)] ?? Number.NaN;

/** Latencies in ms of clients that keep sending events to machines in memory while `work` runs. */
async function bystandersOf(node: Node, ids: readonly string[], work: () => Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  let isOver = false;
  let next = 0;
  const client = async () => {
    while (!isOver) {
      const startMs = performance.now();
      await send(node, ids[next++ % ids.length] as string);
      latencies.push(performance.now() - startMs);
    }
  };
  const clients = Array.from({ length: BYSTANDERS }, client);
  await work();
  isOver = true;
  await Promise.all(clients);
  return latencies;
}

async function measureSizes(storage: Storage, ids: readonly string[]): Promise<void> {
  const warm = new Map<number, Rate>();
  const cold = new Map<number, Rate>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const size of SIZES) {
      const node = await startEngine(storage);
      const some = ids.slice(0, size);
      cold.set(size, better(cold.get(size), await rateOf(storage, node, some, size)));
      warm.set(size, better(warm.get(size), await rateOf(storage, node, some, EVENTS)));
    }
  }
  const few = warm.get(SIZES[0] as number);
  printHead(
    'machines',
    'events/s',
    'share',
    'target',
    'per CPU second of node and database',
    'share',
    'target',
    'first events of a new node/s',
  );
  for (const [size, { perSecond, perCpuSecond }] of warm) {
    const target = size === SIZES.at(-1) ? `≥ ${TARGET_SHARE}` : '';
    const share = (value: number, of: number | undefined) => (value / (of ?? Number.NaN)).toFixed(2);
    printRow(
      String(size),
      perSecond.toFixed(0),
      share(perSecond, few?.perSecond),
      target,
      perCpuSecond.toFixed(0),
      share(perCpuSecond, few?.perCpuSecond),
      target,
      (cold.get(size)?.perSecond ?? Number.NaN).toFixed(0),
    );
  }
}

interface Loads {
  readonly name: string;
  readonly run: (node: Node, latencies: number[]) => Promise<void>;
  readonly hasSegments?: boolean;
  readonly target: string;
}

async function measureLoads(storage: Storage, ids: readonly string[], large: string): Promise<void> {
  const warm = ids.slice(0, SIZES[0]);
  const timed = async (node: Node, id: string, latencies: number[]) => {
    const startMs = performance.now();
    await send(node, id);
    latencies.push(performance.now() - startMs);
  };
  const loads: readonly Loads[] = [
    {
      name: `${COLD_LOADS} machines, one each ${COLD_PAUSE_MS} ms`,
      target: `≤ ${TARGETS.coldMs}`,
      run: async (node, latencies) => {
        const sent: Promise<void>[] = [];
        for (const id of ids.slice(-COLD_LOADS)) {
          sent.push(timed(node, id, latencies));
          await sleep(COLD_PAUSE_MS);
        }
        await Promise.all(sent);
      },
    },
    {
      name: `one window of ${SAMPLES} samples, from its rows`,
      target: '',
      hasSegments: false,
      run: (node, latencies) => timed(node, large, latencies),
    },
    {
      name: `the same, from segments`,
      target: '',
      run: (node, latencies) => timed(node, large, latencies),
    },
  ];
  console.log();
  printHead(
    'loads',
    'p99 of these, ms',
    'target',
    'p99 of others meanwhile, ms',
    'before, ms',
    'target',
    'longest of others, ms',
    'before, ms',
    'others/s',
    'before/s',
  );
  for (const { name, run, hasSegments, target } of loads) {
    let best: readonly string[] = [];
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      const node = await startEngine(storage, hasSegments);
      await rateOf(storage, node, warm, warm.length * 10);
      const latencies: number[] = [];
      let startMs = performance.now();
      const before = await bystandersOf(node, warm, () => sleep(3_000));
      const perSecondBefore = (before.length / (performance.now() - startMs)) * 1e3;
      startMs = performance.now();
      const meanwhile = await bystandersOf(node, warm, () => run(node, latencies));
      const perSecond = (meanwhile.length / (performance.now() - startMs)) * 1e3;
      const p99 = percentile(meanwhile, 0.99);
      if (p99 >= least) continue;
      least = p99;
      best = [
        percentile(latencies, 0.99).toFixed(1),
        target,
        p99.toFixed(1),
        percentile(before, 0.99).toFixed(1),
        `≤ ${TARGETS.delayMs} more`,
        Math.max(...meanwhile).toFixed(1),
        Math.max(...before).toFixed(1),
        perSecond.toFixed(0),
        perSecondBefore.toFixed(0),
      ];
    }
    printRow(name, ...best);
  }
}

const server = process.env.DATABASE_URL;
if (server === undefined) throw new Error('Set DATABASE_URL to the PostgreSQL to measure.');
const name = `bench_${randomBytes(6).toString('hex')}`;
const admin = await openDatabase({ databaseUrl: server });
await admin.knex.raw(`create database ${name}`);
const storage = await openStorage({
  databaseUrl: Object.assign(new URL(server), { pathname: `/${name}` }).href,
  // The CPU time of a session is lost when it ends.
  timeouts: { idleMs: 3_600_000 },
});
try {
  const node = await startEngine(storage);
  const ids = await createMachines(storage, node, SIZES.at(-1) as number, SWITCH);
  const [large] = await createMachines(storage, node, 1, AVERAGE);
  await writeSamples(node, large as string, SAMPLES);
  // Reads the rows, and stores the first segment with this event.
  await send(node, large as string);
  await rows(storage.database.knex, 'analyze');
  await measureSizes(storage, ids);
  await measureLoads(storage, ids, large as string);
} finally {
  await storage.close();
  await admin.knex.raw(`drop database ${name} with (force)`);
  await admin.close();
}
