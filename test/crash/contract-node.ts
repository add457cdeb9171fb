// The child of the contracts' crash tests: a node with its scheduler that fires contracts every tick and sends itself events,
// printing the key of each when it was acknowledged, until it is killed.
//
// argv: databaseUrl and schema, or dataFolder, as JSON; the name of this life, which begins the keys of its events.

import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { compose } from '../../src/composition.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { DomainError } from '../../src/core/errors.ts';
import { openLog } from '../../src/log.ts';
import type { Machine } from '../../src/storage/machines/machines.ts';
import { CLOCKWORK, COUNTER, MACHINES } from './contract-definitions.ts';

interface Place {
  readonly databaseUrl?: string;
  readonly schema?: string;
  readonly dataFolder?: string;
}

const [json = '{}', life = ''] = process.argv.slice(2);
const { schema, ...place } = JSON.parse(json) as Place;
const MASTER_KEY = 'f1c9a8e27b3d4650918273645546372819a0b1c2d3e4f5061728394a5b6c7d8e';
const configuration = { ...readConfiguration({ SVC_MASTER_KEY: MASTER_KEY, SVC_WORKERS: '1' }), ...place };
const composition = await compose({
  configuration,
  log: openLog('error'),
  leaseMs: 600,
  ...(schema === undefined ? {} : { schema }),
});
const { services, storage } = composition;
const by = {
  accountId: '',
  keyId: '',
  keyPrefix: '',
  scope: 'admin',
  tier: 'high',
  isDemo: false,
  zid: 'c'.repeat(32),
} as const;

async function machineOf(slug: string): Promise<Machine> {
  const known = await storage.machines.bySlug(slug);
  if (known) return known;
  try {
    const { machine } = await services.machines.create(by, { slug }, 'crash');
    return machine;
  } catch {
    return machineOf(slug); // another node was faster
  }
}

const machines: Machine[] = [];
for (let i = 0; i < MACHINES; i++) machines.push(await machineOf(`crash-${i}`));
for (const machine of machines) {
  const names = (await services.contracts.list(machine)).map(({ name }) => name);
  for (const definition of [CLOCKWORK, COUNTER]) {
    if (!names.includes(definition.name))
      await services.contracts.deploy(machine, by, { definition, name: definition.name });
  }
}

/** As a client would: what may or may not have been written is sent again with its key. */
async function send(machine: Machine, key: string): Promise<void> {
  for (;;) {
    try {
      await services.machineLog.event(machine, by, { name: 'hit', key });
      return;
    } catch (error) {
      // The server ends the connection of a node that was stopped in the middle of a transaction.
      if (!(error instanceof DomainError) || error.code !== 'STORAGE_UNAVAILABLE') throw error;
      await setImmediate();
    }
  }
}

// Synchronously, so that the line is out before the next event is sent.
const say = (line: string) => writeSync(1, `${line}\n`);

say('ready');
for (let turn = 0; ; turn++) {
  const machine = machines[turn % machines.length] as Machine;
  const key = `${life}-${turn}`;
  await send(machine, key);
  say(`${machine.head.slug} ${key}`);
  // The embedded database answers without leaving the turn of the event loop; the scheduler needs one.
  await setImmediate();
}
