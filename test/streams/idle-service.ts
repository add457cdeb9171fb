// A service in a separate process, so that its memory is measured without that of its readers.

import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { readConfiguration } from '../../src/configuration.ts';
import { listen } from '../../src/server.ts';

export interface ServiceInfo {
  readonly url: string;
  readonly keys: readonly string[];
  /** Slugs of public machines. */
  readonly machines: readonly string[];
}

export interface Memory {
  readonly streams: number;
  readonly rss: number;
  readonly heap: number;
}

const KEYS = 100;
const MACHINES = 25;

const configuration = readConfiguration({
  PORT: '0',
  SVC_MASTER_KEY: randomBytes(32).toString('hex'),
  SVC_RATE_FACTOR: '1000',
});
const { url, services, streams } = await listen({ configuration, log: pino({ level: 'silent' }), inMemory: true });
const keys: string[] = [];
for (let i = 0; i < KEYS; i++)
  keys.push((await services.keys.openAccount({ name: `${i}`, scope: 'read', rate_limit_tier: 'high' })).key);
const owner = await services.keys.openAccount({ name: 'owner', scope: 'admin', rate_limit_tier: 'high' });
const machines: string[] = [];
for (let i = 0; i < MACHINES; i++) {
  const by = await services.access.authenticate(owner.key);
  machines.push((await services.machines.create(by, { slug: `idle-${i}` }, 'owner')).machine.head.slug);
}

process.on('message', async (command) => {
  if (command === 'write') {
    // Writes one row to each machine.
    for (const slug of machines) {
      const by = await services.access.authenticate(owner.key);
      const machine = await services.machines.find(slug, by, 'operator');
      await services.machineLog.event(machine, by, { name: 'tick' });
    }
    process.send?.('written');
    return;
  }

  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ streams: streams.count(), rss, heap: heapUsed + external } satisfies Memory);
});
process.on('disconnect', () => process.exit());
process.send?.({ url, keys, machines } satisfies ServiceInfo);
