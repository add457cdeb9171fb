// Child process of the contract crash tests: a node with a scheduler that fires contracts every tick and sends events to
// itself, printing the key of each acknowledged event, until it is killed.
//
// argv: databaseUrl and schema, or dataFolder, as JSON; a name for this process, the prefix of its event keys.

import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { compose } from '../../src/composition.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { DomainError } from '../../src/core/errors.ts';
import { openLog } from '../../src/log.ts';
import type { Machine } from '../../src/storage/machines/machines.ts';
import { CLOCKWORK, COUNTER, MACHINES } from './contract-definitions.ts';
import { by, MASTER_KEY } from './crash-owner.ts';

interface DatabaseLocation {
  readonly databaseUrl?: string;
  readonly schema?: string;
  readonly dataFolder?: string;
}

const [json = '{}', processName = ''] = process.argv.slice(2);
const { schema, ...location } = JSON.parse(json) as DatabaseLocation;
const configuration = { ...readConfiguration({ SVC_MASTER_KEY: MASTER_KEY, SVC_WORKERS: '1' }), ...location };
const composition = await compose({
  configuration,
  log: openLog('error'),
  leaseMs: 600,
  ...(schema === undefined ? {} : { schema }),
});
const { services, storage } = composition;
async function machineOf(slug: string): Promise<Machine> {
  const known = await storage.machines.bySlug(slug);
  if (known) return known;
  try {
    const { machine } = await services.machines.create(by, { slug }, 'crash');
    return machine;
  } catch {
    return machineOf(slug); // another node created it first
  }
}

const machines: Machine[] = [];
for (let i = 0; i < MACHINES; i++) machines.push(await machineOf(`crash-${i}`));
for (const machine of machines) {
  const names = (await services.contracts.list(machine, { limit: 200 })).rows.map(({ name }) => name);
  for (const definition of [CLOCKWORK, COUNTER]) {
    if (!names.includes(definition.name))
      await services.contracts.deploy(machine, by, { definition, name: definition.name });
  }
}

/** Sends an event; if the outcome is unknown, sends it again with the same key, as a client would. */
async function send(machine: Machine, key: string): Promise<void> {
  for (;;) {
    try {
      await services.machineLog.event(machine, by, { name: 'hit', key });
      return;
    } catch (error) {
      // PostgreSQL closes the connection of a node that was stopped during a transaction.
      if (!(error instanceof DomainError) || error.code !== 'STORAGE_UNAVAILABLE') throw error;
      await setImmediate();
    }
  }
}

// Synchronous, so that the line is written before the next event is sent.
const print = (line: string) => writeSync(1, `${line}\n`);

print('ready');
for (let turn = 0; ; turn++) {
  const machine = machines[turn % machines.length] as Machine;
  const key = `${processName}-${turn}`;
  await send(machine, key);
  print(`${machine.head.slug} ${key}`);
  // The embedded database answers within one turn of the event loop; yield so that the scheduler can run.
  await setImmediate();
}
