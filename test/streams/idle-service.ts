// A service in a process of its own, so that its memory can be told from that of its readers.

import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { readConfiguration } from '../../src/configuration.ts';
import { listen } from '../../src/server.ts';

export interface Ready {
  readonly url: string;
  readonly keys: readonly string[];
}

export interface Memory {
  readonly streams: number;
  readonly rss: number;
  readonly heap: number;
}

const KEYS = 25;

const configuration = readConfiguration({ PORT: '0', SVC_MASTER_KEY: randomBytes(32).toString('hex') });
const { url, services, streams } = await listen({ configuration, log: pino({ level: 'silent' }), inMemory: true });
const keys: string[] = [];
for (let i = 0; i < KEYS; i++)
  keys.push((await services.keys.openAccount({ name: `${i}`, scope: 'read', rate_limit_tier: 'high' })).key);

process.on('message', () => {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ streams: streams.count(), rss, heap: heapUsed + external } satisfies Memory);
});
process.on('disconnect', () => process.exit());
process.send?.({ url, keys } satisfies Ready);
