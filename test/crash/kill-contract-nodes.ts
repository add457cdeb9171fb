// Kills nodes at seeded moments while they fire contracts, then checks that no fire is lost or repeated and chains are valid.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { CHAIN_START, validateRows } from '../../src/chain/validate.ts';
import type { DatabaseOptions } from '../../src/storage/database/database.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { MACHINES } from './contract-definitions.ts';

const PROGRAMS = {
  composed: new URL('contract-node.ts', import.meta.url),
  served: new URL('served-contract-node.ts', import.meta.url),
};

export interface KillContractNodesOptions {
  readonly database: DatabaseOptions;
  /** Nodes running at the same time on one database; more than one needs PostgreSQL. */
  readonly nodes: number;
  readonly kills: number;
  readonly seed: number;
  readonly maxEvents: number;
  /** Nodes that change every machine themselves, or that serve and call the owners of machines. */
  readonly program?: keyof typeof PROGRAMS;
}

interface NodeProcess {
  readonly child: ChildProcess;
  readonly acknowledged: string[];
  /** Resolves when this many events have been acknowledged. */
  waitForEvents(events: number): Promise<void>;
  /** Resolves when this many more events have been acknowledged. */
  waitForMoreEvents(events: number): Promise<void>;
  kill(): Promise<void>;
}

/** Maximum delay before a kill: long enough for a few passes of the scheduler, so that the kill may hit one. */
const MAX_DELAY_MS = 1_200;

/** A pseudorandom number in [0, 1) for each kill. */
const randomFraction = (seed: number, kill: number) =>
  createHash('sha256').update(`contracts ${seed}:${kill}`).digest().readUInt32BE() / 2 ** 32;

/** @returns the numbers of acknowledged events and of fires */
export async function killContractNodes({
  database,
  nodes,
  kills,
  seed,
  maxEvents,
  program = 'composed',
}: KillContractNodesOptions): Promise<{ events: number; fires: number }> {
  console.info(`crash: seed ${seed}`);
  const acknowledged: string[] = [];
  const running: NodeProcess[] = [];
  try {
    for (let kill = 0; kill < kills; kill++) {
      while (running.length < nodes) running.push(startNode(database, `${seed}-${kill}-${running.length}`, program));
      const [victim] = running as [NodeProcess];
      await victim.waitForEvents(1 + Math.floor(randomFraction(seed, kill) * maxEvents));
      await sleep(randomFraction(seed, -1 - kill) * MAX_DELAY_MS);
      await victim.kill();
      running.shift();
      acknowledged.push(...victim.acknowledged);
    }
    for (const node of running) {
      await node.waitForEvents(1);
      await node.kill();
      acknowledged.push(...node.acknowledged);
    }
  } finally {
    // After a failure, so that no node writes while the next attempt counts.
    await Promise.all(running.map((node) => node.kill()));
  }
  return expectConsistent(database, acknowledged);
}

export interface StopContractNodesOptions {
  readonly database: DatabaseOptions;
  readonly stops: number;
  readonly seed: number;
  readonly program?: keyof typeof PROGRAMS;
}

/** Longer than the lease of the nodes (contract-node.ts), so that the other node takes over the timers. */
const STOPPED_MS = 1_500;

/**
 * Stops two nodes in turn past their lease while they fire, then continues them: the stopped node still believes that it
 * holds the lease of its timers, which the other node has fired meanwhile.
 */
export async function stopContractNodes({
  database,
  stops,
  seed,
  program = 'composed',
}: StopContractNodesOptions): Promise<{ events: number; fires: number }> {
  console.info(`crash: seed ${seed}`);
  const running = [0, 1].map((node) => startNode(database, `${seed}-${node}`, program));
  try {
    for (const node of running) await node.waitForEvents(1);
    for (let stop = 0; stop < stops; stop++) {
      const [stopped, other] = stop % 2 === 0 ? running : running.toReversed();
      await sleep(randomFraction(seed, stop) * MAX_DELAY_MS);
      stopped?.child.kill('SIGSTOP');
      await Promise.all([other?.waitForMoreEvents(1), sleep(STOPPED_MS)]);
      stopped?.child.kill('SIGCONT');
      await stopped?.waitForMoreEvents(1);
    }
  } finally {
    await Promise.all(running.map((node) => node.kill()));
  }
  return expectConsistent(
    database,
    running.flatMap(({ acknowledged }) => acknowledged),
  );
}

function startNode(
  { databaseUrl, schema, dataFolder }: DatabaseOptions,
  name: string,
  program: keyof typeof PROGRAMS,
): NodeProcess {
  const script = fileURLToPath(PROGRAMS[program]);
  const child = spawn(process.execPath, [script, JSON.stringify({ databaseUrl, schema, dataFolder }), name], {
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
    for (const { events, resolve } of waiting) if (acknowledged.length >= events) resolve();
  });
  let isKilled = false;
  const failed = exited.then(() => {
    if (!isKilled) throw new Error('A node exited unexpectedly.');
  });
  failed.catch(() => undefined);
  const waitForEvents = (events: number) =>
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
    waitForEvents,
    waitForMoreEvents: (events) => waitForEvents(acknowledged.length + events),
    kill: async () => {
      isKilled = true;
      child.kill('SIGKILL');
      await exited;
      await closed;
    },
  };
}

async function expectConsistent(
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
  if (machine === undefined) throw new Error(`Machine ${slug} is missing.`);
  const chain = await storage.audit.range(machine.id, slug, 0, machine.head.seq + 1);
  expect(validateRows(chain, slug, 0, CHAIN_START)).toMatchObject({ valid: true, checked: machine.head.seq + 1 });

  const { knex } = storage.database;
  const keys = new Set(
    (await rows<{ key: string }>(knex, 'select key from event_key where machine_id = ?', [machine.id])).map(
      ({ key }) => `${slug} ${key}`,
    ),
  );
  expect(acknowledged.filter((key) => key.startsWith(`${slug} `) && !keys.has(key))).toEqual([]);

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
  // Two nodes that start together may each deploy one; both must be consistent.
  for (const { id, state } of clockwork) {
    const ticks = fires.filter((fire) => fire.contract_id === id).map(({ occurrence }) => Number(occurrence.slice(1)));
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
