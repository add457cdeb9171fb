// Two serving nodes, each the owner of some machines and a client of the other, which are killed and stopped.
// SVC_OWNER_KILLS sets the number of kills.

import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database/database.ts';
import { databaseUrl, dropSchema, freshSchema } from '../storage/databases.ts';
import { killContractNodes, stopContractNodes } from './kill-contract-nodes.ts';

const KILLS = Number(process.env.SVC_OWNER_KILLS ?? 5);
const MS_PER_KILL = 60_000;
const schemas: string[] = [];

/** A schema for one attempt of one test. */
function schema(): string {
  const fresh = freshSchema();
  schemas.push(fresh);
  return fresh;
}

afterAll(async () => {
  for (const schema of databaseUrl === undefined ? [] : schemas) {
    const cleaner = await openDatabase({ databaseUrl, schema });
    await dropSchema(cleaner, schema);
    await cleaner.close();
  }
});

describe.skipIf(databaseUrl === undefined)('owners of machines', () => {
  test(
    `after ${KILLS} kills -9 of an owner no event or fire is lost or repeated`,
    async () => {
      const database = { databaseUrl, schema: schema() };
      const options = { database, nodes: 2, kills: KILLS, seed: 44, maxEvents: 60, program: 'served' } as const;
      const { events, fires } = await killContractNodes(options);
      console.info(`${events} events acknowledged, ${fires} fires`);
      expect(fires).toBeGreaterThan(events);
    },
    (KILLS + 2) * MS_PER_KILL,
  );

  test(
    'an owner that is stopped past its lease writes no fork and fires nothing twice',
    async () => {
      const options = { database: { databaseUrl, schema: schema() }, stops: 4, seed: 45, program: 'served' } as const;
      const { events, fires } = await stopContractNodes(options);
      expect(fires).toBeGreaterThan(events);
    },
    6 * MS_PER_KILL,
  );
});
