// Owner of the test schemas of one process on PostgreSQL, so that schemas of a killed process are dropped later.
//
// The process holds an advisory lock as long as it lives. Its schemas carry the key of that lock in their names. If
// another process can take the lock, the owner is gone: the server releases locks when a connection ends.

import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** First key of our advisory locks; the second is the owner. */
const LOCK_CLASS = 0x7376_6373;
const OWNED_SCHEMA = '^test_[0-9a-f]{8}_[0-9a-f]{8}$';
/** A child of a killed process may still use its schema; then the next run drops it. */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Locks a new owner until the process ends, and drops the schemas of owners that are gone. @returns 8 hex digits */
export async function claimOwner(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, lock_timeout: LOCK_TIMEOUT_MS });
  await client.connect();
  const owner = randomBytes(4).toString('hex');
  await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, lockKeyOf(owner)]);
  await dropAbandonedSchemas(client);
  // The connection neither keeps the process alive nor fails it if the server stops.
  client.on('error', () => {});
  (client as pg.Client & { unref(): void }).unref();
  return owner;
}

/** A schema name that `dropAbandonedSchemas` recognizes. */
export const ownedSchema = (owner: string) => `test_${owner}_${randomBytes(4).toString('hex')}`;

async function dropAbandonedSchemas(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    'select nspname as schema from pg_namespace where nspname ~ $1',
    [OWNED_SCHEMA],
  );
  for (const [owner = '', schemas] of Map.groupBy(rows, ({ schema }) => schema.split('_')[1])) {
    const lock = [LOCK_CLASS, lockKeyOf(owner)];
    const taken = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1, $2) as free', lock);
    if (taken.rows[0]?.free !== true) continue;
    for (const { schema } of schemas)
      await client.query(`drop schema if exists ${schema} cascade`).catch((error: pg.DatabaseError) => {
        if (error.code !== LOCK_NOT_AVAILABLE) throw error;
      });
    await client.query('select pg_advisory_unlock($1, $2)', lock);
  }
}

/** The owner as a signed 32-bit integer. */
function lockKeyOf(owner: string): number {
  return Number.parseInt(owner, 16) | 0;
}
