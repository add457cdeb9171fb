// Instances of one contract by key: time to route an event among 1,000 and 100,000 of them, memory of idle ones, and the
// first event after a restart.
//
//   DATABASE_URL=… node --expose-gc bench/instances.ts

import { SYSTEM_ACTOR } from '../src/chain/row.ts';
import { Definition } from '../src/contracts/definition.ts';
import { DomainError } from '../src/core/errors.ts';
import { openDatabase } from '../src/storage/database/database.ts';
import { openStorage } from '../src/storage/storage.ts';
import { ORDERS } from '../test/contracts/instances/orders.ts';
import { createMachines, type Node, startEngine } from './harness/many-machines.ts';
import { fixed, printHead, printRow } from './harness/table.ts';

const SIZES = [1_000, 100_000];
const SPAWNED_TOGETHER = 100;
const EVENTS = 1_000;
const TARGETS = { bytes: 1_000, restartMs: 5_000 };

const server = process.env.DATABASE_URL;
if (server === undefined) throw new Error('DATABASE_URL is missing.');
const name = `bench_instances_${process.pid}`;
const admin = await openDatabase({ databaseUrl: server });
await admin.knex.raw(`create database ${name}`);
const storage = await openStorage({ databaseUrl: Object.assign(new URL(server), { pathname: `/${name}` }).href });
/** Timers so far away that the run ends before them. */
const definition = { ...ORDERS, parameters: { pay_within: { type: 'ticks', default: 10_000_000 } } };
const withoutReminders = {
  ...definition,
  emits: ['shipped'],
  transitions: ORDERS.transitions.filter(({ id }) => id !== 'remind'),
};

/** The same, with a customer of its own who pays, and a window of the payments. */
const withWindowAndParty = Definition.parse({
  ...withoutReminders,
  parties: { customer: { bind: 'event.customer' } },
  windows: { fast: { event: 'pay', fn: 'sum', field: 'amount', within: 1_000_000 } },
  events: {
    ...ORDERS.events,
    order: { payload: { order_id: 'string', amount: 'integer', customer: 'string' } },
    pay: { payload: { order_id: 'string', amount: 'integer' }, from: 'customer' },
  },
  transitions: [
    ...withoutReminders.transitions,
    {
      id: 'flag',
      from: 'placed',
      to: 'placed',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'windows' },
      fires_when: 'fast.value > 1000',
    },
  ],
});

const KINDS = { orders: withoutReminders, 'orders with a window and a party': withWindowAndParty };

const customer = (i: number) => i.toString(16).padStart(32, '0');
const order = (i: number) => ({
  name: 'order',
  payload: { order_id: `order-${i}`, amount: 2, customer: customer(i) },
});
const item = (i: number) => ({
  name: 'pay',
  payload: { order_id: `order-${i}`, amount: 0 },
  sender: { zid: customer(i) },
});

/** Tries again when the machine has spent its allowance of this tick. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'RATE_LIMITED') throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function spawnAll({ engine }: Node, machine: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += SPAWNED_TOGETHER) {
    const batch = Array.from({ length: Math.min(SPAWNED_TOGETHER, count - from) }, (_, i) => order(from + i));
    await patiently(() => engine.ingestAll(machine, SYSTEM_ACTOR, batch));
  }
}

/** Milliseconds of an event, one after the other, each to another instance. */
async function eventMs({ engine }: Node, machine: string, count: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < EVENTS; i++) {
    const startMs = performance.now();
    const { fired } = await engine.ingest(machine, SYSTEM_ACTOR, item((i * 7_919) % count));
    if (fired.length !== 1) throw new Error('The event has not reached its instance.');
    times.push(performance.now() - startMs);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

const heap = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

printHead(
  'instances',
  'spawned per s',
  'event ms (median)',
  'heap bytes an idle instance',
  'first event after a restart ms',
);
const runs = Object.entries(KINDS).flatMap(([kind, of]) => SIZES.map((count) => [kind, of, count] as const));
for (const [kind, of, count] of runs) {
  let node = await startEngine(storage);
  const [machine = ''] = await createMachines(storage, node, 1, of);
  const before = heap();
  const startMs = performance.now();
  await spawnAll(node, machine, count);
  const perSecond = count / ((performance.now() - startMs) / 1e3);
  const bytes = (heap() - before) / count;
  const ms = await eventMs(node, machine, count);
  const restartMs = performance.now();
  node = await startEngine(storage);
  await node.engine.ingest(machine, SYSTEM_ACTOR, item(0));
  printRow(
    `${count} ${kind}`,
    fixed(perSecond, 0),
    fixed(ms, 2),
    fixed(bytes, 0),
    fixed(performance.now() - restartMs, 0),
  );
}
console.log(`\nTargets: at most ${TARGETS.bytes} bytes each of 100,000, and ${TARGETS.restartMs} ms.`);
await storage.close();
await admin.knex.raw(`drop database ${name}`);
await admin.close();
