// Nodes that fire contracts, killed at seeded moments; afterwards nothing is lost, nothing doubled, and every chain is valid.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { BEGINNING, validateRows } from '../../src/chain/validate.ts';
import type { DatabaseOptions } from '../../src/storage/database/database.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { MACHINES } from './contract-definitions.ts';

const NODE = fileURLToPath(new URL('contract-node.ts', import.meta.url));

export interface ContractKills {
  readonly database: DatabaseOptions;
  /** At once on the same database; PostgreSQL only beyond one. */
  readonly nodes: number;
  readonly kills: number;
  readonly seed: number;
  readonly mostEvents: number;
}

interface Life {
  readonly child: ChildProcess;
  readonly acknowledged: string[];
  /** Resolves when so many events were acknowledged. */
  reach(events: number): Promise<void>;
  /** So many more events from now on. */
  reachMore(events: number): Promise<void>;
  kill(): Promise<void>;
}

/** Long enough for a scheduler to have looked a few times, in the middle of one of which the node is killed. */
const LINGERS_MS = 1_200;

const moment = (seed: number, kill: number) =>
  createHash('sha256').update(`contracts ${seed}:${kill}`).digest().readUInt32BE() / 2 ** 32;

/** @returns what was acknowledged and fired, for the reader */
export async function killContractNodes({
  database,
  nodes,
  kills,
  seed,
  mostEvents,
}: ContractKills): Promise<{ events: number; fires: number }> {
  console.info(`crash: seed ${seed}`);
  const acknowledged: string[] = [];
  const lives: Life[] = [];
  for (let kill = 0; kill < kills; kill++) {
    while (lives.length < nodes) lives.push(begin(database, `${seed}-${kill}-${lives.length}`));
    const victim = lives.shift() as Life;
    await victim.reach(1 + Math.floor(moment(seed, kill) * mostEvents));
    await sleep(moment(seed, -1 - kill) * LINGERS_MS);
    await victim.kill();
    acknowledged.push(...victim.acknowledged);
  }
  for (const life of lives) {
    await life.reach(1);
    await life.kill();
    acknowledged.push(...life.acknowledged);
  }
  return expectWhole(database, acknowledged);
}

export interface ContractStops {
  readonly database: DatabaseOptions;
  readonly stops: number;
  readonly seed: number;
}

/** Longer than the lease of the nodes (contract-node.ts), so that the other one takes over the timers. */
const STOPPED_MS = 1_500;

/**
 * Two nodes, one after the other stopped past its lease in the middle of firing and then let go on: it believes that it
 * still holds its timers, and the other has fired them.
 */
export async function stopContractNodes({
  database,
  stops,
  seed,
}: ContractStops): Promise<{ events: number; fires: number }> {
  console.info(`crash: seed ${seed}`);
  const lives = [0, 1].map((node) => begin(database, `${seed}-${node}`));
  for (const life of lives) await life.reach(1);
  for (let stop = 0; stop < stops; stop++) {
    const [stopped, other] = stop % 2 === 0 ? lives : lives.toReversed();
    await sleep(moment(seed, stop) * LINGERS_MS);
    stopped?.child.kill('SIGSTOP');
    await Promise.all([other?.reachMore(1), sleep(STOPPED_MS)]);
    stopped?.child.kill('SIGCONT');
    await stopped?.reachMore(1);
  }
  for (const life of lives) await life.kill();
  return expectWhole(
    database,
    lives.flatMap(({ acknowledged }) => acknowledged),
  );
}

function begin({ databaseUrl, schema, dataFolder }: DatabaseOptions, name: string): Life {
  const child = spawn(process.execPath, [NODE, JSON.stringify({ databaseUrl, schema, dataFolder }), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const acknowledged: string[] = [];
  const waiting: { events: number; resolve: () => void }[] = [];
  const lines = createInterface({ input: child.stdout });
  const closed = once(lines, 'close');
  lines.on('line', (line) => {
    if (line === 'ready') return;
    acknowledged.push(line);
    for (const one of waiting) if (acknowledged.length >= one.events) one.resolve();
  });
  let isKilled = false;
  const failed = exited.then(() => {
    if (!isKilled) throw new Error('A node ended by itself.');
  });
  failed.catch(() => undefined);
  const reach = (events: number) =>
    Promise.race([
      failed,
      new Promise<void>((resolve) => {
        waiting.push({ events, resolve });
        if (acknowledged.length >= events) resolve();
      }),
    ]);
  return {
    child,
    acknowledged,
    reach,
    reachMore: (events) => reach(acknowledged.length + events),
    kill: async () => {
      isKilled = true;
      child.kill('SIGKILL');
      await exited;
      await closed;
    },
  };
}

async function expectWhole(
  database: DatabaseOptions,
  acknowledged: readonly string[],
): Promise<{ events: number; fires: number }> {
  const storage = await openStorage(database);
  try {
    let fires = 0;
    for (let i = 0; i < MACHINES; i++) fires += await expectMachine(storage, `crash-${i}`, acknowledged);
    return { events: acknowledged.length, fires };
  } finally {
    await storage.close();
  }
}

async function expectMachine(storage: Storage, slug: string, acknowledged: readonly string[]): Promise<number> {
  const machine = await storage.machines.bySlug(slug);
  if (machine === undefined) throw new Error(`${slug} is not there.`);
  const chain = await storage.audit.range(machine.id, slug, 0, machine.head.seq + 1);
  expect(validateRows(chain, slug, 0, BEGINNING)).toMatchObject({ valid: true, checked: machine.head.seq + 1 });

  const { knex } = storage.database;
  const keys = new Set(
    (await rows<{ key: string }>(knex, 'select key from event_key where machine_id = ?', [machine.id])).map(
      ({ key }) => `${slug} ${key}`,
    ),
  );
  expect(acknowledged.filter((one) => one.startsWith(`${slug} `) && !keys.has(one))).toEqual([]);

  const contracts = await storage.contracts.ofMachine(machine.id);
  const fires = await rows<{ contract_id: string; occurrence: string }>(
    knex,
    'select contract_id, occurrence from fire where machine_id = ?',
    [machine.id],
  );
  const ofType = (type: string) => chain.filter((row) => row.type === type).length;
  expect(ofType('transition')).toBe(fires.length);

  const clockwork = contracts.filter(({ name }) => name === 'clockwork');
  const counter = contracts.filter(({ name }) => name === 'counter');
  expect(clockwork.length * counter.length).toBeGreaterThan(0);
  // Two nodes that begin together may each deploy one: each must be whole.
  for (const { id, state } of clockwork) {
    const ticks = fires.filter((one) => one.contract_id === id).map(({ occurrence }) => Number(occurrence.slice(1)));
    ticks.sort((a, b) => a - b);
    const first = ticks[0] ?? 0;
    expect(ticks).toEqual(ticks.map((_, k) => first + k));
    expect([first, state.fires]).toEqual([state.deployed + 1, ticks.length]);
  }
  for (const { id, state } of counter) {
    const since = chain.filter((row) => row.type === 'event' && row.seq > deployedAt(chain, id)).length;
    expect([state.context.hits, state.fires]).toEqual([since, since]);
  }
  return fires.length;
}

function deployedAt(
  chain: readonly { readonly seq: number; readonly type: string; readonly payload_text?: string | undefined }[],
  id: string,
): number {
  return chain.find((row) => row.type === 'contract' && row.payload_text?.includes(id))?.seq ?? Number.MAX_SAFE_INTEGER;
}
