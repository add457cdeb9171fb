// Heads of many machines signed by one node: the first head of each, then the next after a row more.
//
//   DATABASE_URL=… node bench/heads.ts [machines]

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NoteSigner } from '../src/chain/note.ts';
import { SteppedClock, startOfTick, TICK_NS, TICK_SECONDS } from '../src/core/clock.ts';
import { LIMITS } from '../src/core/limits.ts';
import { SIGNING_MS, TreeService } from '../src/services/machines/trees.ts';
import { openDatabase } from '../src/storage/database/database.ts';
import { rows } from '../src/storage/database/sql.ts';
import { Ledger } from '../src/storage/machines/ledger.ts';
import { openStorage } from '../src/storage/storage.ts';
import { eventRow } from '../test/services/machines/stored-machine-fixture.ts';
import { newMachine } from '../test/suites/new-machine.ts';
import { printHead, printRow } from './harness/table.ts';

const MACHINES = Number(process.argv[2] ?? 100_000);
/** As a node does. */
const MACHINES_PER_BATCH = 2_000;
const CLIENTS = 512;
/** What a node has for heads that have all waited since the same tick: it begins the sooner, the more there are. */
const SECONDS = LIMITS.chain.checkpointTicks * TICK_SECONDS - (2 * SIGNING_MS) / 1e3;

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const signer: NoteSigner = {
  publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'),
  sign: (message) => sign(null, message, privateKey),
};

const server = process.env.DATABASE_URL;
if (server === undefined) throw new Error('Set DATABASE_URL to the PostgreSQL to measure.');
const name = `bench_${randomBytes(6).toString('hex')}`;
const admin = await openDatabase({ databaseUrl: server });
await admin.knex.raw(`create database ${name}`);
const storage = await openStorage({ databaseUrl: Object.assign(new URL(server), { pathname: `/${name}` }).href });
try {
  const clock = new SteppedClock(startOfTick(1_000));
  const trees = new TreeService({ ...storage, signer, host: 'node.example', clock });
  const ledger = new Ledger({ ...storage, randomBytes });
  const ids: string[] = [];

  printHead(
    'heads of',
    'machines',
    'rows of each',
    'heads/s',
    'needed/s',
    'µs of the node a head',
    'ticks it takes',
    'ticks it has',
  );
  const signAll = async (what: string, rowsOfEach: number): Promise<void> => {
    clock.advance(BigInt(LIMITS.chain.checkpointTicks) * TICK_NS);
    await rows(storage.database.knex, 'analyze');
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    const signed = await trees.signPending((some) => storage.machines.byIds(some, false), {
      limit: MACHINES_PER_BATCH,
    });
    const seconds = (performance.now() - startMs) / 1e3;
    const { user, system } = process.cpuUsage(cpu);
    if (signed !== MACHINES) throw new Error(`${signed} of ${MACHINES} heads were signed.`);
    printRow(
      what,
      String(MACHINES),
      String(rowsOfEach),
      (signed / seconds).toFixed(0),
      (MACHINES / SECONDS).toFixed(0),
      ((user + system) / signed).toFixed(0),
      (seconds / TICK_SECONDS).toFixed(0),
      (SECONDS / TICK_SECONDS).toFixed(0),
    );
  };
  const addRow = async (): Promise<void> => {
    let next = 0;
    const client = async () => {
      for (let id = ids[next++]; id !== undefined; id = ids[next++])
        await ledger.commit(id, () => ({ rows: [eventRow({}, 1_000)], answer: undefined }));
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  };

  for (let from = 0; from < MACHINES; from += MACHINES_PER_BATCH) {
    const some = Array.from({ length: Math.min(MACHINES_PER_BATCH, MACHINES - from) }, (_, i) =>
      newMachine(`heads-${from + i}`, 1_000),
    );
    await storage.transaction(async (on) => {
      for (const { machine } of some) await storage.machines.insert(machine, on);
      await storage.audit.insert(
        some.map(({ machine, genesis }) => ({ machineId: machine.id, row: genesis })),
        on,
      );
    });
    ids.push(...some.map(({ machine }) => machine.id));
  }
  await signAll('new machines', 1);
  await addRow();
  await signAll('machines that grew by a row', 2);
} finally {
  await storage.close();
  await admin.knex.raw(`drop database ${name} with (force)`);
  await admin.close();
}
