// Fixture: machines with sealed payloads on a restartable node, and a dump of its database.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Composition, compose } from '../../../../src/composition.ts';
import { readConfiguration } from '../../../../src/configuration.ts';
import { openLog } from '../../../../src/log.ts';
import type { Principal } from '../../../../src/services/access/access.ts';
import { rows } from '../../../../src/storage/database/sql.ts';
import type { Machine } from '../../../../src/storage/machines/machines.ts';
import { databaseUrl, dropSchema, freshSchema } from '../../../storage/databases.ts';

const MASTER_KEY = '0d6f1c9a8e27b3d4650918273645546372819a0b1c2d3e4f5061728394a5b6c7';

/** A node that can be stopped and started again on the same data. */
export interface RestartableNode {
  readonly name: string;
  /** Log lines since the first start. */
  readonly logged: string[];
  start(): Promise<Composition>;
  dispose(last: Composition): Promise<void>;
}

export function restartableNodes(): RestartableNode[] {
  const logged: string[] = [];
  const log = openLog('debug', { write: (line: string) => logged.push(line) });
  const configuration = readConfiguration({ SVC_MASTER_KEY: MASTER_KEY, SVC_WORKERS: '1' });
  const dataFolder = mkdtempSync(join(tmpdir(), 'svc-sealed-'));
  const embedded: RestartableNode = {
    name: 'PGlite',
    logged,
    start: () => compose({ configuration: { ...configuration, dataFolder }, log }),
    dispose: async (last) => {
      await last.close();
      rmSync(dataFolder, { recursive: true });
    },
  };
  if (databaseUrl === undefined) return [embedded];
  const schema = freshSchema();
  const server: RestartableNode = {
    name: 'PostgreSQL',
    logged,
    start: () => compose({ configuration: { ...configuration, databaseUrl }, schema, log }),
    dispose: async (last) => {
      await dropSchema(last.storage.database, schema);
      await last.close();
    },
  };
  return [embedded, server];
}

export interface OwnedMachine {
  readonly machine: Machine;
  readonly owner: Principal;
  readonly equation: string;
}

export async function createOwnedMachine(
  { services }: Composition,
  name: string,
  isPublic = false,
): Promise<OwnedMachine> {
  const created = await services.machines.create(undefined, { name, is_public: isPublic }, `${name}.test`);
  const { equation = '', key = '' } = created.credentials ?? {};
  return { machine: created.machine, owner: await services.access.authenticate(key), equation };
}

/** Every table of the database as text, bytes in hex. */
export async function dumpTables({ storage }: Composition): Promise<ReadonlyMap<string, string>> {
  const { knex } = storage.database;
  const tables = await rows<{ name: string }>(
    knex,
    `select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  );
  const dumped = new Map<string, string>();
  for (const { name } of tables) {
    const all = await rows<{ text: string }>(knex, `select row_to_json(t)::text as text from "${name}" t`);
    dumped.set(name, all.map(({ text }) => text).join('\n'));
  }
  return dumped;
}
