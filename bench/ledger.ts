// Audit appends per second: group commit compared with a row lock per append, on one machine and on a thousand.
//
//   node bench/ledger.ts                  on the embedded database
//   DATABASE_URL=… node bench/ledger.ts   also on PostgreSQL, in a temporary schema

import { randomBytes } from 'node:crypto';
import { appendRow, type NewRow, SALT_BYTES, SYSTEM_ACTOR } from '../src/chain/row.ts';
import { Ledger } from '../src/storage/machines/ledger.ts';
import type { Machine } from '../src/storage/machines/machines.ts';
import { openStorage, type Storage } from '../src/storage/storage.ts';
import { newMachine } from '../test/suites/new-machine.ts';

const MACHINES = 1_000;
const CLIENT_COUNTS = [10, 32, 256];
const SECONDS = 3;
/** Warm-up, not measured. */
const WARM_UP_SECONDS = 1;

const event: NewRow = {
  svcond: 2_303_730_001,
  type: 'event',
  source: 'api',
  actor: SYSTEM_ACTOR,
  payload: { name: 'request' },
};

async function createMachine(storage: Storage, slug: string): Promise<Machine> {
  const { machine, genesis } = newMachine(slug, event.svcond);
  await storage.transaction(async (on) => {
    await storage.machines.insert(machine, on);
    await storage.audit.insert([{ machineId: machine.id, row: genesis }], on);
  });
  return machine;
}

/** Baseline: a transaction with a row lock per append. */
function appendUnderLock(storage: Storage, id: string): Promise<void> {
  return storage.transaction(async (on) => {
    const [machine] = await storage.machines.byIds([id], true, on);
    if (machine === undefined) throw new Error('machine not found');
    const row = appendRow(machine.head, event, randomBytes(SALT_BYTES));
    await storage.machines.update([{ before: machine, after: { ...machine, head: row } }], on);
    await storage.audit.insert([{ machineId: id, row }], on);
  });
}

interface Rate {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Runs closed-loop clients and returns the rate of appends and their 99th percentile latency. */
async function run(
  machines: readonly Machine[],
  append: (id: string) => Promise<unknown>,
  clients: number,
): Promise<Rate> {
  const latencies: number[] = [];
  const measureFromMs = performance.now() + WARM_UP_SECONDS * 1e3;
  const endMs = measureFromMs + SECONDS * 1e3;
  let next = 0;
  const client = async () => {
    while (performance.now() < endMs) {
      const machine = machines[next++ % machines.length] as Machine;
      const startMs = performance.now();
      await append(machine.id);
      if (startMs >= measureFromMs) latencies.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / ((performance.now() - measureFromMs) / 1e3),
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  };
}

console.log(
  '| database | machines | row lock, rows/s | row lock p99, ms | clients | group commit, rows/s | ratio | target | p99, ms | target |',
);
console.log('|---|---|---|---|---|---|---|---|---|---|');
const databaseUrl = process.env.DATABASE_URL;
const schema = `bench_${randomBytes(6).toString('hex')}`;
for (const kind of databaseUrl === undefined ? ['PGlite'] : ['PGlite', 'PostgreSQL']) {
  const storage = await openStorage(kind === 'PGlite' ? { inMemory: true } : { databaseUrl, schema });
  try {
    const machines: Machine[] = [];
    for (let i = 0; i < MACHINES; i++) machines.push(await createMachine(storage, `bench-${i}`));
    const ledger = new Ledger({ ...storage, randomBytes });
    for (const [selected, target] of [
      [machines.slice(0, 1), '≥ 20'],
      [machines, '≥ 5'],
    ] as const) {
      const locked = await run(selected, (id) => appendUnderLock(storage, id), 10);
      for (const { id } of selected) ledger.forget(id);
      for (const clients of CLIENT_COUNTS) {
        const append = (id: string) => ledger.commit(id, () => ({ rows: [event], answer: undefined }));
        const { perSecond, p99Ms } = await run(selected, append, clients);
        const cells = [locked.perSecond.toFixed(0), locked.p99Ms.toFixed(1), clients, perSecond.toFixed(0)];
        const ratio = (perSecond / locked.perSecond).toFixed(1);
        console.log(
          `| ${kind} | ${selected.length} | ${cells.join(' | ')} | ${ratio} | ${target} | ${p99Ms.toFixed(1)} | ≤ 10 |`,
        );
      }
    }
  } finally {
    if (kind === 'PostgreSQL') await storage.database.knex.raw(`drop schema ${schema} cascade`);
    await storage.close();
  }
}
