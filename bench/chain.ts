// A long chain on PostgreSQL: validation of a window, inclusion and consistency proofs, and fsck of the whole chain.
//
//   DATABASE_URL=… node bench/chain.ts   creates a schema and drops it at the end

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isConsistent, isIncluded } from '../src/chain/merkle.ts';
import type { NoteSigner } from '../src/chain/note.ts';
import { appendRow, emptyHead, type OpenRow, SALT_BYTES, SYSTEM_ACTOR } from '../src/chain/row.ts';
import { SteppedClock, startOfTick, TICK_NS } from '../src/core/clock.ts';
import { uuidV7 } from '../src/core/ids.ts';
import { fsck } from '../src/services/fsck/fsck.ts';
import { TreeService } from '../src/services/machines/trees.ts';
import type { Machine } from '../src/storage/machines/machines.ts';
import { openStorage, type Storage } from '../src/storage/storage.ts';

const ROWS = 1_000_000;
const BATCH_ROWS = 10_000;
const WINDOW = 10_000;
const ROUNDS = 5;
const FIRST_TICK = 2_303_730_000;
const SLUG = 'long';

function nodeSigner(): NoteSigner {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey: new Uint8Array(raw), sign: (message) => sign(null, message, privateKey) };
}

/** Builds a chain of sensor readings and inserts it in bulk. */
async function buildChain(storage: Storage): Promise<Machine> {
  const id = uuidV7(Date.now(), randomBytes(10));
  const salts = randomBytes(SALT_BYTES * BATCH_ROWS);
  let head: OpenRow | undefined;
  let genesis: OpenRow | undefined;
  for (let first = 0; first < ROWS; first += BATCH_ROWS) {
    const batch: OpenRow[] = [];
    for (let i = 0; i < BATCH_ROWS; i++) {
      const seq = first + i;
      const payload =
        seq === 0 ? { slug: SLUG, genesis_tick: FIRST_TICK } : { name: 'reading', payload: { celsius: seq % 100 } };
      const row = {
        svcond: FIRST_TICK + seq,
        type: seq === 0 ? 'genesis' : 'event',
        source: 'api',
        actor: SYSTEM_ACTOR,
        payload,
      };
      head = appendRow(head ?? emptyHead(SLUG), row, salts.subarray(SALT_BYTES * i, SALT_BYTES * (i + 1)));
      genesis ??= head;
      batch.push(head);
    }
    await storage.transaction((on) =>
      storage.audit.insert(
        batch.map((row) => ({ machineId: id, row })),
        on,
      ),
    );
  }
  if (head === undefined || genesis === undefined) throw new Error('the chain is empty');
  const machine: Machine = {
    id,
    name: SLUG,
    description: '',
    status: 'active',
    isPublic: true,
    settings: {},
    settingsVersion: 0,
    genesisTick: FIRST_TICK,
    genesisHash: genesis.row_hash,
    head: { slug: SLUG, seq: head.seq, svcond: head.svcond, row_hash: head.row_hash },
    changes: 0,
    checkpointSize: 0,
    erased: 0,
    createdMs: 0,
  };
  await storage.machines.insert(machine);
  return machine;
}

/** Best time of several rounds in milliseconds, and the last result. */
async function bestOf<T>(measured: (round: number) => Promise<T>): Promise<{ readonly ms: number; readonly last: T }> {
  let ms = Number.POSITIVE_INFINITY;
  let last: T | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const startMs = performance.now();
    last = await measured(round);
    ms = Math.min(ms, performance.now() - startMs);
  }
  return { ms, last: last as T };
}

const secondsSince = (startMs: number) => ((performance.now() - startMs) / 1e3).toFixed(1);

const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined) throw new Error('Set DATABASE_URL to the PostgreSQL to measure.');
const schema = `bench_${randomBytes(6).toString('hex')}`;
const storage = await openStorage({ databaseUrl, schema });
try {
  const signer = nodeSigner();
  const clock = new SteppedClock(startOfTick(FIRST_TICK + ROWS));
  const trees = new TreeService({ ...storage, signer, host: 'node.example', clock });
  let startMs = performance.now();
  const machine = await buildChain(storage);
  const built = secondsSince(startMs);
  // An earlier checkpoint covers half of the chain, for the consistency proof.
  const half = ROWS / 2;
  startMs = performance.now();
  await trees.checkpoint({ ...machine, head: { ...machine.head, seq: half - 1 } });
  clock.advance(100n * TICK_NS);
  const { size, root } = await trees.checkpoint(machine);
  const signed = secondsSince(startMs);
  await storage.database.knex.raw('analyze');

  const windowStart = (round: number) => Math.floor(((round + 0.5) / ROUNDS) * (ROWS - WINDOW));
  const validated = await bestOf((round) =>
    trees.validate(machine, windowStart(round), windowStart(round) + WINDOW - 1),
  );
  if (!validated.last.valid || validated.last.checked !== WINDOW) throw new Error('the window is not valid');
  const inclusion = await bestOf(async (round) => {
    const seq = windowStart(round);
    return { seq, ...(await trees.inclusion(machine, seq, size)) };
  });
  const { seq, leaf, path } = inclusion.last;
  if (!isIncluded(leaf, seq, size, path, root)) throw new Error('the inclusion proof is not valid');
  const consistency = await bestOf(() => trees.consistency(machine, half, size));
  const [before, after] = consistency.last.roots;
  if (!isConsistent(half, size, before, after, consistency.last.path))
    throw new Error('the consistency proof is not valid');
  const siblings = await bestOf((round) =>
    trees.siblingHashes(machine, windowStart(round), windowStart(round) + WINDOW, size),
  );
  startMs = performance.now();
  const summary = await storage.database.snapshot((on) =>
    fsck(on, { keys: [signer.publicKey], nowMs: Date.now(), onFault: () => {} }),
  );
  if (summary.faults > 0 || summary.rows !== ROWS) throw new Error('fsck found faults');
  const checked = secondsSince(startMs);

  console.log(`| ${ROWS.toLocaleString('en')} rows on PostgreSQL | best of ${ROUNDS} | target |`);
  console.log('|---|---|---|');
  console.log(`| validate ${WINDOW.toLocaleString('en')} rows | ${validated.ms.toFixed(0)} ms | < 500 ms |`);
  console.log(`| inclusion proof, ${path.length} hashes | ${inclusion.ms.toFixed(2)} ms | < 5 ms |`);
  console.log(
    `| consistency proof, ${consistency.last.path.length} hashes | ${consistency.ms.toFixed(2)} ms | < 5 ms |`,
  );
  console.log(
    `| proof of ${WINDOW.toLocaleString('en')} rows in a bundle, ${siblings.last.length} hashes | ${siblings.ms.toFixed(2)} ms | |`,
  );
  console.log(`| fsck of the whole chain, one run | ${checked} s | |`);
  console.log(`| bulk insert, one run | ${built} s | |`);
  console.log(`| tiles and two checkpoints, one run | ${signed} s | |`);
} finally {
  await storage.database.knex.raw(`drop schema ${schema} cascade`);
  await storage.close();
}
