// Contract throughput: transitions per second by events, and five thousand timers due in one tick.
//
//   node bench/contracts.ts                  on the embedded database
//   DATABASE_URL=… node bench/contracts.ts   also on PostgreSQL, in a temporary schema

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Composition, compose } from '../src/composition.ts';
import { readConfiguration } from '../src/configuration.ts';
import { Definition } from '../src/contracts/definition.ts';
import { tickOf } from '../src/core/clock.ts';
import { openLog } from '../src/log.ts';
import type { Principal } from '../src/services/access/access.ts';
import { rows } from '../src/storage/database/sql.ts';
import type { Machine } from '../src/storage/machines/machines.ts';

const MACHINES = 200;
const CLIENTS = 128;
const SECONDS = 4;
const TIMERS = 5_000;

/** Two states, toggled by an event. */
const SWITCH = Definition.parse({
  name: 'switch',
  version: '1.0',
  operators: ['KO42'],
  initial: 'off',
  events: { flip: { payload: {} } },
  emits: ['flipped'],
  states: { off: { role: 'initial' }, on: { role: 'intermediate' } },
  transitions: ['off', 'on'].map((from) => ({
    id: `from_${from}`,
    from,
    to: from === 'off' ? 'on' : 'off',
    operator: 'KO42',
    proof: false,
    trigger: { kind: 'event', event: 'flip' },
    post: [{ emit: 'flipped' }],
  })),
});

/** One timer that completes the contract. */
const TIMER = Definition.parse({
  name: 'timer',
  version: '1.0',
  operators: ['KO42'],
  initial: 'waiting',
  parameters: { delay: { type: 'ticks', default: 1_000_000 } },
  states: { waiting: { role: 'initial' }, done: { role: 'terminal', outcome: 'success' } },
  transitions: [
    {
      id: 'expire',
      from: 'waiting',
      to: 'done',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'one_shot', after: 'delay' },
    },
  ],
});

async function createMachines({ services }: Composition, by: Principal): Promise<Machine[]> {
  const machines: Machine[] = [];
  let owner = by;
  for (let i = 0; i < MACHINES; i++) {
    const { machine, credentials } = await services.machines.create(owner, { slug: `bench-${i}` }, 'bench');
    if (credentials) owner = { ...owner, zid: credentials.zid };
    machines.push(machine);
  }
  return machines;
}

async function transitions(composition: Composition, by: Principal, machines: readonly Machine[]): Promise<string> {
  const { services } = composition;
  for (const machine of machines) await services.contracts.deploy(machine, by, { definition: SWITCH });
  let fired = 0;
  let next = 0;
  const endMs = performance.now() + SECONDS * 1e3;
  const before = process.cpuUsage();
  const startMs = performance.now();
  const client = async () => {
    while (performance.now() < endMs) {
      const machine = machines[next++ % machines.length] as Machine;
      const outcome = await services.machineLog.event(machine, by, { name: 'flip' });
      fired += outcome.fired.length;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const cpu = process.cpuUsage(before);
  const seconds = (performance.now() - startMs) / 1e3;
  return `${(fired / seconds).toFixed(0)} | ${(fired / ((cpu.user + cpu.system) / 1e6)).toFixed(0)}`;
}

/** @returns the number of timers that fired, and the maximum delay in ticks */
async function timers(composition: Composition, by: Principal, machines: readonly Machine[]): Promise<string> {
  const { services, storage, clock } = composition;
  const due = tickOf(clock.now()) + 60;
  for (let i = 0; i < TIMERS; i += CLIENTS) {
    const batch = Array.from(
      { length: Math.min(CLIENTS, TIMERS - i) },
      (_, k) => machines[(i + k) % machines.length] as Machine,
    );
    const delay = due - tickOf(clock.now());
    await Promise.all(
      batch.map((machine) => services.contracts.deploy(machine, by, { definition: TIMER, parameters: { delay } })),
    );
  }
  const { knex } = storage.database;
  for (;;) {
    const [{ count } = { count: 0 }] = await rows<{ count: number }>(
      knex,
      "select count(*) as count from contract where name = 'timer' and status = 'completed'",
    );
    if (count === TIMERS) break;
    await sleep(200);
  }
  const [result] = await rows<{ max_delay: number; fired: number }>(
    knex,
    `select max(svcond - substr(occurrence, 2)::bigint) as max_delay, count(*) as fired from fire where transition = 'expire'`,
  );
  return `${result?.fired} | ${result?.max_delay}`;
}

console.log('| database | transitions/s | per CPU second of this process | timers fired | max ticks late |');
console.log('|---|---|---|---|---|');
const databaseUrl = process.env.DATABASE_URL;
for (const kind of databaseUrl === undefined ? ['PGlite'] : ['PGlite', 'PostgreSQL']) {
  const schema = `bench_${randomBytes(6).toString('hex')}`;
  const composition = await compose({
    configuration: {
      ...readConfiguration({ SVC_MASTER_KEY: randomBytes(32).toString('hex') }),
      databaseUrl: kind === 'PGlite' ? undefined : databaseUrl,
    },
    log: openLog('error'),
    ...(kind === 'PGlite' ? { inMemory: true } : { schema }),
  });
  try {
    const { key } = await composition.services.keys.openAccount({
      name: 'bench',
      scope: 'admin',
      rate_limit_tier: 'high',
    });
    const by = await composition.services.access.authenticate(key);
    const machines = await createMachines(composition, by);
    const owner = { ...by, zid: '0'.repeat(32) };
    console.log(
      `| ${kind} | ${await transitions(composition, owner, machines)} | ${await timers(composition, owner, machines)} |`,
    );
  } finally {
    if (kind === 'PostgreSQL') await composition.storage.database.knex.raw(`drop schema ${schema} cascade`);
    await composition.close();
  }
}
