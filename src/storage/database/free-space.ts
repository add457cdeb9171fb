// Free bytes where the database stores: of the disk of an embedded one, or of the size that PostgreSQL may grow to.

import { statfs } from 'node:fs/promises';
import type { Database } from './database.ts';
import { rows } from './sql.ts';

export interface Place {
  readonly database: Pick<Database, 'kind' | 'knex'>;
  /** Of an embedded database on a disk. */
  readonly dataFolder: string | undefined;
  /** To which a database of PostgreSQL may grow: it does not tell how much its disk holds. */
  readonly maxBytes: number | undefined;
}

/** @returns undefined if nobody can know: in memory, or in PostgreSQL without a maximum */
export async function freeBytesOf({ database, dataFolder, maxBytes }: Place): Promise<number | undefined> {
  if (database.kind === 'postgresql')
    return maxBytes === undefined ? undefined : maxBytes - (await sizeOf(database.knex));
  if (dataFolder === undefined) return undefined;
  const { bavail, bsize } = await statfs(dataFolder);
  return bavail * bsize;
}

async function sizeOf(knex: Database['knex']): Promise<number> {
  const [found] = await rows<{ bytes: number }>(knex, 'select pg_database_size(current_database()) as bytes');
  return found?.bytes ?? 0;
}
