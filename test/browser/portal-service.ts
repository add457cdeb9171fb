// Starts the complete service with its portal, without rate limits.

import pino from 'pino';
import { buildPortal } from '../../scripts/build-portal.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { inMemory } from '../storage/migrated-database.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';

export async function openPortalService(): Promise<RunningService> {
  await buildPortal();
  return listen({
    configuration: readConfiguration({ PORT: '0' }),
    log: pino({ level: 'silent' }),
    ...(await inMemory()),
    rates: unlimitedRates(),
  });
}
