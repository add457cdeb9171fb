// Fixture: all services on a fresh PGlite or PostgreSQL database, with a clock that the test advances.

import { randomBytes } from 'node:crypto';
import { type Composition, type CompositionOptions, compose } from '../../src/composition.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { SteppedClock, startOfTick, TICK_NS } from '../../src/core/clock.ts';
import { openLog } from '../../src/log.ts';
import type { Principal } from '../../src/services/access/access.ts';
import type { Machine } from '../../src/storage/machines/machines.ts';
import { databaseUrl, dropSchema, freshSchema } from '../storage/databases.ts';
import { inMemory } from '../storage/migrated-database.ts';

export interface Composed extends Composition {
  wait(ticks: number): void;
  /** Creates an account with an identity; returns its admin principal. */
  createOwner(): Promise<Principal>;
  machine(by: Principal, fields?: { readonly is_public?: boolean }): Promise<Machine>;
  /** Reads the current machine from the database. */
  reload(machine: Machine): Promise<Machine>;
  /** Appends one event row. */
  appendEvent(machine: Machine, by: Principal): Promise<void>;
}

export interface ComposedDatabase {
  readonly name: string;
  open(): Promise<Composed>;
  dispose(composed: Composed): Promise<void>;
}

const FIRST_TICK = 2_300_000_000;
let created = 0;

/** @param settings  environment variables */
export async function composed(
  settings: Record<string, string>,
  options: Partial<CompositionOptions>,
): Promise<Composed> {
  const clock = new SteppedClock(startOfTick(FIRST_TICK));
  const SVC_MASTER_KEY = randomBytes(32).toString('hex');
  const composition = await compose({
    configuration: readConfiguration({ PORT: '0', SVC_MASTER_KEY, ...settings }),
    log: openLog('silent'),
    clock,
    logsRefusals: false,
    ...options,
  });
  const { services, storage } = composition;
  const machine: Composed['machine'] = async (by, fields = {}) =>
    (await services.machines.create(by, { slug: `composed-${created++}`, is_public: true, ...fields }, 'test')).machine;
  return {
    ...composition,
    wait: (ticks) => clock.advance(BigInt(ticks) * TICK_NS),
    machine,
    createOwner: async () => {
      const { key } = await services.keys.openAccount({ name: 'test', scope: 'admin', rate_limit_tier: 'high' });
      await machine(await services.access.authenticate(key));
      return services.access.authenticate(key);
    },
    reload: async ({ id }) => {
      const [found] = await storage.machines.byIds([id], false);
      if (found === undefined) throw new Error(`Machine ${id} not found.`);
      return found;
    },
    appendEvent: async (machine, by) => {
      await services.machineLog.event(machine, by, { name: 'moved' });
    },
  };
}

export function composedDatabases(): readonly ComposedDatabase[] {
  const embedded: ComposedDatabase = {
    name: 'PGlite',
    open: async () => composed({}, await inMemory()),
    dispose: (composition) => composition.close(),
  };
  const url = databaseUrl;
  if (url === undefined) return [embedded];
  const schema = freshSchema();
  const postgresql: ComposedDatabase = {
    name: 'PostgreSQL',
    open: () => composed({ DATABASE_URL: url }, { schema }),
    dispose: async (composition) => {
      await dropSchema(composition.storage.database, schema);
      await composition.close();
    },
  };
  return [embedded, postgresql];
}
