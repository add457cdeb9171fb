// One hundred kills with one node and one hundred with two, while contracts fire.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database/database.ts';
import { dropSchema, freshSchema } from '../storage/databases.ts';
import { killContractNodes, stopContractNodes } from './kill-contract-nodes.ts';

const LONG_MS = 1_200_000;
const databaseUrl = process.env.DATABASE_URL;
const dataFolder = mkdtempSync(join(tmpdir(), 'svc-contracts-'));
const schemas = [freshSchema(), freshSchema(), freshSchema()];

afterAll(async () => {
  rmSync(dataFolder, { recursive: true, force: true });
  for (const schema of databaseUrl === undefined ? [] : schemas) {
    const cleaner = await openDatabase({ databaseUrl, schema });
    await dropSchema(cleaner, schema);
    await cleaner.close();
  }
});

test(
  'PGlite: 100 kills -9 mid-fire on one node',
  async () => {
    const { events, fires } = await killContractNodes({
      database: { dataFolder },
      nodes: 1,
      kills: 100,
      seed: 12,
      maxEvents: 200,
    });
    console.info(`${events} events acknowledged, ${fires} fires`);
    expect(fires).toBeGreaterThan(events);
  },
  LONG_MS,
);

describe.skipIf(databaseUrl === undefined)('PostgreSQL', () => {
  test.each([1, 2])(
    '100 kills -9 mid-fire on %i node(s)',
    async (nodes) => {
      const database = { databaseUrl, schema: schemas[nodes - 1] };
      const { events, fires } = await killContractNodes({
        database,
        nodes,
        kills: 100,
        seed: 12 + nodes,
        maxEvents: 200,
      });
      console.info(`${events} events acknowledged, ${fires} fires`);
      expect(fires).toBeGreaterThan(events);
    },
    LONG_MS,
  );

  test(
    'two nodes never fire one occurrence twice when each is stopped past its lease, 20 times',
    async () => {
      const { events, fires } = await stopContractNodes({
        database: { databaseUrl, schema: schemas[2] },
        stops: 20,
        seed: 15,
      });
      console.info(`${events} events acknowledged, ${fires} fires`);
      expect(fires).toBeGreaterThan(events);
    },
    LONG_MS,
  );
});
