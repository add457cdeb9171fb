// The whole service with its portal, as a browser meets it.

import pino from 'pino';
import { buildPortal } from '../../scripts/build-portal.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { listen, type RunningService } from '../../src/server.ts';

const MANY = 100_000;

export async function openPortalService(): Promise<RunningService> {
  await buildPortal();
  return listen({
    configuration: readConfiguration({ PORT: '0' }),
    log: pino({ level: 'silent' }),
    inMemory: true,
    rates: {
      keyless: MANY,
      demo: MANY,
      free: MANY,
      standard: MANY,
      high: MANY,
      playground: MANY,
      spinUp: MANY,
      unlock: MANY,
    },
  });
}
