// Maintenance removes what has expired, however much there is, and nothing else.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tickOf } from '../../../src/core/clock.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { nodeMaintenance } from '../../../src/services/node/maintenance.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { testDatabases } from '../../storage/databases.ts';
import { contractId, machineId } from '../../storage/plans/grown-database.ts';

const NOW_NS = 1_780_272_000_000_000_000n;
const DAY_NS = 86_400_000_000_000n;
const tickDaysAgo = (days: number) => tickOf(NOW_NS - BigInt(days) * DAY_NS);

/** More than any batch, of each kind. */
const EXPIRED = 5_501;
const KEPT = 3;

const TABLES: readonly (readonly [table: string, insert: (count: number, isExpired: boolean) => string])[] = [
  [
    'event_key',
    (count, isExpired) =>
      `insert into event_key (machine_id, key, seq, svcond) select '${machineId(1)}', '${isExpired}' || n, n,
         ${tickDaysAgo(LIMITS.eventKeyDays) + (isExpired ? -1 : 1)} from generate_series(1, ${count}) as n`,
  ],
  [
    'outbox',
    (count, isExpired) =>
      `insert into outbox (id, machine_id, contract_id, url, host, body, attempts, final_attempt, delivered_svcond,
         created_svcond) select gen_random_uuid(), '${machineId(1)}', '${contractId(1)}', 'https://a.example/', 'a.example',
         '{}', 1, 12, 1, ${tickDaysAgo(LIMITS.webhooks.retentionDays) + (isExpired ? -1 : 1)}
       from generate_series(1, ${count}) as n`,
  ],
  [
    'rate_window',
    (count, isExpired) =>
      `insert into rate_window (name, tenant, ends_at, used) select '${isExpired}', n::text,
         to_timestamp(${NOW_NS / 1_000_000_000n}) + interval '${isExpired ? -1 : 1} second', 1
       from generate_series(1, ${count}) as n`,
  ],
  [
    'stream_count',
    (count, isExpired) =>
      `insert into stream_count (name, node, streams, ends_at) select '${isExpired}' || n, 'n', 1,
         to_timestamp(${NOW_NS / 1_000_000_000n}) + interval '${isExpired ? -1 : 1} second'
       from generate_series(1, ${count}) as n`,
  ],
  [
    'idempotency',
    (count, isExpired) =>
      `insert into idempotency (principal, key, route, body_sha256, state, owner, lease_until, expires_at)
       select '${isExpired}', n::text, 'POST /', sha256('x'), 'in_flight', gen_random_uuid(), now(),
         to_timestamp(${NOW_NS / 1_000_000_000n}) + interval '${isExpired ? -1 : 1} second'
       from generate_series(1, ${count}) as n`,
  ],
  [
    'field',
    (count, isExpired) =>
      `insert into field (sha256, bytes, expires_at) select sha256(('${isExpired}' || n)::bytea), '',
         to_timestamp(${NOW_NS / 1_000_000_000n}) + interval '${isExpired ? -1 : 1} second'
       from generate_series(1, ${count}) as n`,
  ],
];

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await database.open();
    });
    afterAll(() => database.dispose(storage));

    test('all rows that have expired are removed in one run, and no other', async () => {
      const { knex } = storage.database;
      for (const [, insert] of TABLES) {
        await rows(knex, insert(EXPIRED, true));
        await rows(knex, insert(KEPT, false));
      }
      const warnings: unknown[] = [];
      const clock = { now: () => NOW_NS };
      const log = { warn: (fields: unknown) => warnings.push(fields) };
      let runs = 0;
      const tasks = [async () => void runs++];
      const platform = { storage, clock, log } as unknown as Parameters<typeof nodeMaintenance>[0];
      const maintenance = nodeMaintenance(platform, tasks, 10);
      maintenance.start();
      await expect.poll(() => runs).toBeGreaterThan(0);
      // It waits for the run in progress.
      await maintenance.stop();
      const left: Record<string, number> = {};
      for (const [table] of TABLES) {
        const [found] = await rows<{ count: number }>(knex, `select count(*) as count from ${table}`);
        left[table] = found?.count ?? Number.NaN;
      }
      expect(left).toEqual(Object.fromEntries(TABLES.map(([table]) => [table, KEPT])));
      expect(warnings).toEqual([]);
    });
  });
}
