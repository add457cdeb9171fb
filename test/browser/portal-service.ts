// Starts the complete service with its portal, without rate limits.

import pino from 'pino';
import { buildPortal } from '../../scripts/build-portal.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { inMemory } from '../storage/migrated-database.ts';

const UNLIMITED = 100_000;

export async function openPortalService(): Promise<RunningService> {
  await buildPortal();
  return listen({
    configuration: readConfiguration({ PORT: '0' }),
    log: pino({ level: 'silent' }),
    ...(await inMemory()),
    rates: {
      keyless: UNLIMITED,
      demo: UNLIMITED,
      free: UNLIMITED,
      standard: UNLIMITED,
      high: UNLIMITED,
      playground: UNLIMITED,
      spinUp: UNLIMITED,
      machine: UNLIMITED,
      demoKey: UNLIMITED,
      key: UNLIMITED,
      unlock: UNLIMITED,
      anchor: UNLIMITED,
      takenSlug: 1e9,
      nodeReport: 1e9,
      addressBytes: 1e9,
      accountBytes: 1e9,
      addressStored: 1e9,
      accountStored: 1e9,
    },
  });
}
