// Pages of instances: with every filter, all pages together have what the filter says, in order.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InstanceFilter, InstancePlace, StoredInstance } from '../../src/storage/contracts/instances.ts';
import { rows } from '../../src/storage/database/sql.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { testDatabases } from './databases.ts';
import { contractId, grow, machineId, NOW } from './plans/grown-database.ts';

const INSTANCES = 12_000;

const FILTERS: readonly (readonly [name: string, filter: InstanceFilter])[] = [
  ['nothing', {}],
  ['a state', { state: 'disputed' }],
  ['a status', { status: 'active' }],
  ['a state and a status', { state: 'open', status: 'failed' }],
  ['timers', { dueBefore: NOW + 3_000 }],
  ['timers and a rare state', { dueBefore: NOW + 10 ** 9, state: 'disputed' }],
  ['timers and a status', { dueBefore: NOW + 10 ** 9, status: 'active' }],
  ['changes', { updatedSince: NOW - 5 }],
  ['changes, a state and a status', { updatedSince: NOW - 500, state: 'open', status: 'active' }],
  ['no instance', { state: 'none', updatedSince: NOW }],
];

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    let all: readonly StoredInstance[];
    const [machine, contract] = [machineId(1), contractId(1)];

    const pages = async (filter: InstanceFilter, limit: number) => {
      const found: StoredInstance[] = [];
      let after: InstancePlace | undefined;
      for (let count = 1; ; count++) {
        const page = await storage.contractInstances.page(machine, contract, {
          ...filter,
          limit,
          maxBytes: 1e6,
          after,
        });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        found.push(...page.rows);
        if (page.next === undefined) return { found, count };
        expect(count).toBeLessThan(INSTANCES);
        after = { key: page.next.key, nextFire: page.next.nextFire };
      }
    };

    beforeAll(async () => {
      storage = await database.open();
      const { knex } = storage.database;
      await grow(knex, { machines: 100, rows: 200, instances: INSTANCES, runs: 1, keys: 1 });
      // Several are due in one tick.
      await rows(
        knex,
        `update contract_instance set next_fire = ${NOW} where next_fire between ${NOW} and ${NOW + 900}`,
      );
      all = (await pages({}, 5_000)).found;
    });
    afterAll(() => database.dispose(storage));

    test.each(FILTERS)('by %s', async (_, filter) => {
      const { state, status, dueBefore, updatedSince } = filter;
      const asked = all.filter(
        (one) =>
          (status === undefined || one.status === status) &&
          (dueBefore === undefined || (one.nextFire !== undefined && one.nextFire < dueBefore)) &&
          (updatedSince === undefined || one.updatedSvcond >= updatedSince),
      );
      const states = await rows<{ key: string }>(
        storage.database.knex,
        'select key from contract_instance where current_state = coalesce(?::text, current_state)',
        [state ?? null],
      );
      const inState = new Set(states.map(({ key }) => key));
      const expected = asked.filter(({ key }) => inState.has(key));
      if (dueBefore !== undefined) expected.sort((a, b) => (a.nextFire ?? 0) - (b.nextFire ?? 0));
      const { found } = await pages(filter, 97);
      expect(all.length).toBe(INSTANCES);
      expect(found.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
    });

    test('a page that finds little ends after 2,000 instances', async () => {
      const { count } = await pages({ updatedSince: NOW }, 97);
      expect(count).toBe(INSTANCES / 2_000 + 1);
    });

    test('timers of a machine that is paused are not read, and return with it', async () => {
      const [one] = await storage.machines.byIds([machineId(5)], false);
      if (one === undefined) throw new Error('The machine is missing.');
      const due = async () => {
        const shards = Array.from({ length: 64 }, (_, shard) => shard);
        const { machines } = await storage.timers.due(shards, NOW, 500);
        return machines.some((machine) => machine.machineId === one.id);
      };
      const become = (status: 'active' | 'paused', changes: number) =>
        storage.transaction((on) => {
          const after = { ...one, status, changes: changes + 1 };
          return storage.machines.update([{ before: { changes }, after, hasStatus: true }], on);
        });
      expect(await due()).toBe(true);
      await become('paused', 0);
      await become('paused', 1);
      expect(await due()).toBe(false);
      await become('active', 2);
      expect(await due()).toBe(true);
    });
  });
}
