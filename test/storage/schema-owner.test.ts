// Schemas of killed test processes: the next run drops them, and leaves those of living processes alone.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database/database.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { databaseUrl } from './databases.ts';
import { claimOwner } from './schema-owner.ts';

const HOLDER = fileURLToPath(new URL('schema-holder.ts', import.meta.url));

interface Holder {
  readonly schema: string;
  kill(): Promise<void>;
}

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a process that creates a schema, and waits until it exists. */
async function startHolder(): Promise<Holder> {
  const child = spawn(process.execPath, [HOLDER], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [schema] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return { schema, kill };
}

test.runIf(databaseUrl !== undefined)('a schema is dropped by the next run after its process was killed', async () => {
  const url = databaseUrl ?? '';
  const database = await openDatabase({ databaseUrl: url });
  const existing = async (...schemas: string[]) =>
    (
      await rows<{ schema: string }>(
        database.knex,
        'select nspname as schema from pg_namespace where nspname = any(?) order by nspname',
        [schemas],
      )
    ).map(({ schema }) => schema);
  try {
    const killed = await startHolder();
    const living = await startHolder();
    const both = [killed.schema, living.schema];
    await claimOwner(url);
    expect(await existing(...both)).toEqual([...both].sort());

    await killed.kill();
    // The server may notice the end of the connection a moment later; every attempt stands for a run.
    await expect
      .poll(async () => {
        await claimOwner(url);
        return existing(...both);
      })
      .toEqual([living.schema]);

    await living.kill();
    await expect
      .poll(async () => {
        await claimOwner(url);
        return existing(...both);
      })
      .toEqual([]);
  } finally {
    await database.close();
  }
});
