// Contracts at work: transitions a second by events, and five thousand timers that are due in one tick.
//
//   node bench/contracts.ts            the embedded database
//   DATABASE_URL=… node bench/contracts.ts   and PostgreSQL, in a schema of its own

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

/** Two states that an event changes. */
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

/** One state that is left when its time has come. */
const EGG = Definition.parse({
  name: 'egg',
  version: '1.0',
  operators: ['KO42'],
  initial: 'raw',
  parameters: { boils: { type: 'ticks', default: 1_000_000 } },
  states: { raw: { role: 'initial' }, boiled: { role: 'terminal', outcome: 'success' } },
  transitions: [
    {
      id: 'boil',
      from: 'raw',
      to: 'boiled',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'one_shot', after: 'boils' },
    },
  ],
});

async function machinesOf({ services }: Composition, by: Principal): Promise<Machine[]> {
  const made: Machine[] = [];
  let owner = by;
  for (let i = 0; i < MACHINES; i++) {
    const { machine, spunUp } = await services.machines.create(owner, { slug: `bench-${i}` }, 'bench');
    if (spunUp) owner = { ...owner, zid: spunUp.zid };
    made.push(machine);
  }
  return made;
}

async function transitions(composition: Composition, by: Principal, machines: readonly Machine[]): Promise<string> {
  const { services } = composition;
  for (const machine of machines) await services.contracts.deploy(machine, by, { definition: SWITCH });
  let fired = 0;
  let turn = 0;
  const until = performance.now() + SECONDS * 1e3;
  const before = process.cpuUsage();
  const began = performance.now();
  const client = async () => {
    while (performance.now() < until) {
      const machine = machines[turn++ % machines.length] as Machine;
      const moved = await services.machineLog.event(machine, by, { name: 'flip' });
      fired += moved.fired.length;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const cpu = process.cpuUsage(before);
  const seconds = (performance.now() - began) / 1e3;
  return `${(fired / seconds).toFixed(0)} | ${(fired / ((cpu.user + cpu.system) / 1e6)).toFixed(0)}`;
}

/** @returns how many fired, and how many ticks after they were due the last one did */
async function timers(composition: Composition, by: Principal, machines: readonly Machine[]): Promise<string> {
  const { services, storage, clock } = composition;
  const due = tickOf(clock.now()) + 60;
  for (let i = 0; i < TIMERS; i += CLIENTS) {
    const some = Array.from(
      { length: Math.min(CLIENTS, TIMERS - i) },
      (_, k) => machines[(i + k) % machines.length] as Machine,
    );
    const boils = due - tickOf(clock.now());
    await Promise.all(
      some.map((machine) => services.contracts.deploy(machine, by, { definition: EGG, parameters: { boils } })),
    );
  }
  const { knex } = storage.database;
  for (;;) {
    const [{ count } = { count: 0 }] = await rows<{ count: number }>(
      knex,
      "select count(*) as count from contract where name = 'egg' and status = 'completed'",
    );
    if (count === TIMERS) break;
    await sleep(200);
  }
  const [late] = await rows<{ worst: number; fired: number }>(
    knex,
    `select max(svcond - substr(occurrence, 2)::bigint) as worst, count(*) as fired from fire where transition = 'boil'`,
  );
  return `${late?.fired} | ${late?.worst}`;
}

console.log('| database | transitions/s | per CPU second of this process | timers fired | ticks late at most |');
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
    const machines = await machinesOf(composition, by);
    const owner = { ...by, zid: '0'.repeat(32) };
    console.log(
      `| ${kind} | ${await transitions(composition, owner, machines)} | ${await timers(composition, owner, machines)} |`,
    );
  } finally {
    if (kind === 'PostgreSQL') await composition.storage.database.knex.raw(`drop schema ${schema} cascade`);
    await composition.close();
  }
}
