// Audit appends a second: group commit beside a row lock for each append, on one hot machine and over a thousand.
//
//   node bench/ledger.ts            the embedded database
//   DATABASE_URL=… node bench/ledger.ts   and PostgreSQL, in a schema of its own

import { randomBytes } from 'node:crypto';
import { appendRow, emptyHead, type NewRow, SALT_BYTES, SYSTEM_ACTOR } from '../src/chain/row.ts';
import { uuidV7 } from '../src/core/ids.ts';
import { Ledger } from '../src/storage/machines/ledger.ts';
import type { Machine } from '../src/storage/machines/machines.ts';
import { openStorage, type Storage } from '../src/storage/storage.ts';

const MACHINES = 1_000;
const CROWDS = [10, 32, 256];
const SECONDS = 3;
/** Not counted: code is optimised and pools are filled. */
const WARM_SECONDS = 1;

const event: NewRow = {
  svcond: 2_303_730_001,
  type: 'event',
  source: 'api',
  actor: SYSTEM_ACTOR,
  payload: { name: 'request' },
};

async function machineOf(storage: Storage, slug: string): Promise<Machine> {
  const genesis = appendRow(emptyHead(slug), { ...event, type: 'genesis' }, randomBytes(SALT_BYTES));
  const machine: Machine = {
    id: uuidV7(Date.now(), randomBytes(10)),
    name: slug,
    description: '',
    status: 'active',
    isPublic: true,
    settings: {},
    genesisTick: genesis.svcond,
    genesisHash: genesis.row_hash,
    head: genesis,
    changes: 0,
    checkpointSize: 0,
    erased: 0,
    createdMs: 0,
  };
  await storage.transaction(async (on) => {
    await storage.machines.insert(machine, on);
    await storage.audit.insert([{ machineId: machine.id, row: genesis }], on);
  });
  return machine;
}

/** What group commit is measured against: a transaction with a row lock for each append. */
function appendUnderLock(storage: Storage, id: string): Promise<void> {
  return storage.transaction(async (on) => {
    const [machine] = await storage.machines.byIds([id], true, on);
    if (machine === undefined) throw new Error('no machine');
    const row = appendRow(machine.head, event, randomBytes(SALT_BYTES));
    await storage.machines.move([{ before: machine, after: { ...machine, head: row } }], on);
    await storage.audit.insert([{ machineId: id, row }], on);
  });
}

interface Rate {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Closed loops for a few seconds; how many appends were acknowledged, and how long the slowest hundredth took. */
async function run(
  machines: readonly Machine[],
  append: (id: string) => Promise<unknown>,
  clients: number,
): Promise<Rate> {
  const taken: number[] = [];
  const from = performance.now() + WARM_SECONDS * 1e3;
  const until = from + SECONDS * 1e3;
  let turn = 0;
  const client = async () => {
    while (performance.now() < until) {
      const machine = machines[turn++ % machines.length] as Machine;
      const began = performance.now();
      await append(machine.id);
      if (began >= from) taken.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  taken.sort((a, b) => a - b);
  return {
    perSecond: taken.length / ((performance.now() - from) / 1e3),
    p99Ms: taken[Math.floor(taken.length * 0.99)] ?? Number.NaN,
  };
}

console.log(
  '| database | machines | row lock, rows/s | its p99, ms | clients | group commit, rows/s | ratio | bar | p99, ms | bar |',
);
console.log('|---|---|---|---|---|---|---|---|---|---|');
const databaseUrl = process.env.DATABASE_URL;
const schema = `bench_${randomBytes(6).toString('hex')}`;
for (const kind of databaseUrl === undefined ? ['PGlite'] : ['PGlite', 'PostgreSQL']) {
  const storage = await openStorage(kind === 'PGlite' ? { inMemory: true } : { databaseUrl, schema });
  try {
    const machines: Machine[] = [];
    for (let i = 0; i < MACHINES; i++) machines.push(await machineOf(storage, `bench-${i}`));
    const ledger = new Ledger({ ...storage, randomBytes });
    for (const [used, bar] of [
      [machines.slice(0, 1), '≥ 20'],
      [machines, '≥ 5'],
    ] as const) {
      const locked = await run(used, (id) => appendUnderLock(storage, id), 10);
      for (const { id } of used) ledger.forget(id);
      for (const clients of CROWDS) {
        const append = (id: string) => ledger.commit(id, () => ({ rows: [event], answer: undefined }));
        const { perSecond, p99Ms } = await run(used, append, clients);
        const cells = [locked.perSecond.toFixed(0), locked.p99Ms.toFixed(1), clients, perSecond.toFixed(0)];
        const ratio = (perSecond / locked.perSecond).toFixed(1);
        console.log(
          `| ${kind} | ${used.length} | ${cells.join(' | ')} | ${ratio} | ${bar} | ${p99Ms.toFixed(1)} | ≤ 10 |`,
        );
      }
    }
  } finally {
    if (kind === 'PostgreSQL') await storage.database.knex.raw(`drop schema ${schema} cascade`);
    await storage.close();
  }
}
