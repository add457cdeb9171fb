// svc fsck of many machines on PostgreSQL, on one thread and on all: seconds and CPU seconds per million rows. The rows
// are written by the ledger.
//
//   DATABASE_URL=… node bench/fsck.ts [rows]   creates a schema and drops it at the end

import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type FsckOptions, fsck } from '../src/services/fsck/fsck.ts';
import { openStorage, type Storage } from '../src/storage/storage.ts';
import { MachineGrower } from '../test/services/fsck/grown-machine.ts';

const ROWS = Number(process.argv[2] ?? 200_000);
const MACHINES = 20;

async function measure(storage: Storage, name: string, shared: FsckOptions['shared']): Promise<void> {
  const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
  const options = { keys: undefined, nowMs: Date.now(), shared, onFault: () => {} };
  const { rows, faults } = await storage.database.snapshot((on) => fsck(on, options));
  if (faults > 0) throw new Error(`fsck found ${faults} faults`);
  const { user, system } = process.cpuUsage(startCpu);
  const perMillion = (seconds: number) => ((seconds / rows) * 1e6).toFixed(1);
  console.log(
    `| ${name} | ${rows} | ${perMillion((performance.now() - startMs) / 1e3)} | ${perMillion((user + system) / 1e6)} |`,
  );
}

const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined) throw new Error('Set DATABASE_URL to the PostgreSQL to measure.');
const schema = `bench_${randomBytes(6).toString('hex')}`;
const storage = await openStorage({ databaseUrl, schema });
try {
  const grower = new MachineGrower(storage);
  for (let i = 0; i < MACHINES; i++) await grower.create(`bench-${i}`, ROWS / MACHINES);
  await storage.database.knex.raw('analyze');
  console.log('| threads | rows | s per million rows | CPU s of Node per million rows |\n|---|---|---|---|');
  await measure(storage, '1', undefined);
  await measure(storage, String(availableParallelism()), { databaseUrl, schema, workers: availableParallelism() });
} finally {
  await storage.database.knex.raw(`drop schema ${schema} cascade`);
  await storage.close();
}
