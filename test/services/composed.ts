// Every service on a database of its own, PGlite always and PostgreSQL where there is one, with a clock that the test moves.

import { randomBytes } from 'node:crypto';
import { type Composition, type CompositionOptions, compose } from '../../src/composition.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { SteppedClock, startOfTick, TICK_NS } from '../../src/core/clock.ts';
import { openLog } from '../../src/log.ts';
import type { Principal } from '../../src/services/access/access.ts';
import type { Machine } from '../../src/storage/machines/machines.ts';
import { databaseUrl, dropSchema, freshSchema } from '../storage/databases.ts';

export interface Composed extends Composition {
  wait(ticks: number): void;
  /** Admin of an account of its own, which has an identity. */
  somebody(): Promise<Principal>;
  machine(by: Principal, fields?: { readonly is_public?: boolean }): Promise<Machine>;
  /** A machine as it is now. */
  now(machine: Machine): Promise<Machine>;
  /** One event, so that there is something new. */
  move(machine: Machine, by: Principal): Promise<void>;
}

export interface ComposedDatabase {
  readonly name: string;
  open(): Promise<Composed>;
  dispose(composed: Composed): Promise<void>;
}

const FIRST_TICK = 2_300_000_000;
let made = 0;

/** @param settings  of the environment */
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
    notesRefusals: false,
    ...options,
  });
  const { services, storage } = composition;
  const machine: Composed['machine'] = async (by, fields = {}) =>
    (await services.machines.create(by, { slug: `composed-${made++}`, ...fields }, 'test')).machine;
  return {
    ...composition,
    wait: (ticks) => clock.advance(BigInt(ticks) * TICK_NS),
    machine,
    somebody: async () => {
      const { key } = await services.keys.openAccount({ name: 'test', scope: 'admin', rate_limit_tier: 'high' });
      await machine(await services.access.authenticate(key));
      return services.access.authenticate(key);
    },
    now: async ({ id }) => {
      const [found] = await storage.machines.byIds([id], false);
      if (found === undefined) throw new Error(`There is no machine ${id}.`);
      return found;
    },
    move: async (machine, by) => {
      await services.machineLog.event(machine, by, { name: 'moved' });
    },
  };
}

export function composedDatabases(): readonly ComposedDatabase[] {
  const embedded: ComposedDatabase = {
    name: 'PGlite',
    open: () => composed({}, { inMemory: true }),
    dispose: (one) => one.close(),
  };
  const url = databaseUrl;
  if (url === undefined) return [embedded];
  const schema = freshSchema();
  const postgresql: ComposedDatabase = {
    name: 'PostgreSQL',
    open: () => composed({ DATABASE_URL: url }, { schema }),
    dispose: async (one) => {
      await dropSchema(one.storage.database, schema);
      await one.close();
    },
  };
  return [embedded, postgresql];
}
