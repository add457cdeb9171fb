// Fills a database and holds the statements of the hot path to pages and plans.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { TestDatabase } from '../databases.ts';
import { type Explained, explaining } from './explained.ts';
import { type Grown, grow } from './grown-database.ts';
import { type HotStatement, hotStatements } from './hot-statements.ts';

/** Pages of 8 kB that a statement may read, and further ones for each thing that it works on. */
const BUFFERS = 200;
const BUFFERS_PER_ITEM = 16;
/** Tables that grow without end: none of them is read from one end to the other. */
const LARGE = [
  'api_key',
  'audit',
  'checkpoint',
  'contract',
  'contract_instance',
  'contract_seat',
  'contract_version',
  'event_key',
  'fire',
  'idempotency',
  'machine',
  'member',
  'rate_window',
  'run',
  'tile',
  'timer',
];

class Undone extends Error {}

/** Indexes without which a statement must be found out; each is dropped in turn. */
const PLANTED: readonly (readonly [index: string, statement: string])[] = [
  ['audit_name', 'events of a rare name'],
  ['audit_contract', 'rows of a rare contract'],
  ['machine_pending', 'machines that wait for a checkpoint'],
  ['timer_due', 'nothing due'],
  ['contract_instance_state', 'instances in a rare state'],
  ['contract_instance_status', 'instances that failed'],
  ['contract_seat_status', 'seats that failed'],
  ['run_folder', 'runs of a rare folder'],
  ['fire_newest', 'transitions of a contract'],
];

export function describeHotPath(database: TestDatabase, grown: Grown, timeoutMs: number): void {
  describe(`on ${database.name}, with ${grown.rows} rows and ${grown.machines} machines`, () => {
    let storage: Storage;
    const statements = hotStatements(grown);

    beforeAll(async () => {
      storage = await database.open();
      const { knex } = storage.database;
      await grow(knex, grown);
      await rows(knex, 'vacuum analyze');
    }, timeoutMs);
    afterAll(() => database.dispose(storage));

    /** Runs a statement, after `before`, and undoes it. */
    const explained = async ({ run }: HotStatement, before?: string): Promise<Explained[]> => {
      const all: Explained[] = [];
      await storage.database.knex
        .transaction(async (on) => {
          if (before !== undefined) await rows(on, before);
          await run(storage, explaining(on, all));
          throw new Undone();
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undone)) throw error;
        });
      return all;
    };

    const faultsOf = ({ name, items = 0 }: HotStatement, all: readonly Explained[]): string[] => {
      const most = BUFFERS + BUFFERS_PER_ITEM * items;
      return all.flatMap(({ statement, buffers, scans }) => [
        ...(buffers > most ? [`${name}: ${buffers} pages, at most ${most}: ${statement}`] : []),
        ...scans
          .filter((scan) => LARGE.some((table) => scan === `Seq Scan ${table}`))
          .map((scan) => `${name}: ${scan}`),
      ]);
    };

    test(
      'no statement of the hot path reads a large table, or many pages',
      async () => {
        const faults: string[] = [];
        let count = 0;
        for (const statement of statements) {
          const all = await explained(statement);
          expect(all.length, statement.name).toBeGreaterThan(0);
          count += all.length;
          faults.push(...faultsOf(statement, all));
        }
        expect(faults).toEqual([]);
        expect(count).toBeGreaterThan(60);
      },
      timeoutMs,
    );

    test.each(PLANTED)(
      'without the index %s, %s is found out',
      async (index, name) => {
        const statement = statements.find((one) => one.name === name);
        if (statement === undefined) throw new Error(`There is no statement "${name}".`);
        expect(faultsOf(statement, await explained(statement))).toEqual([]);
        expect(faultsOf(statement, await explained(statement, `drop index ${index}`))).not.toEqual([]);
      },
      timeoutMs,
    );

    test(
      'timers that were moved cost the next poll little, before any vacuum',
      async () => {
        const due = statements.find(({ name }) => name === 'nothing due');
        if (due === undefined) throw new Error('The statement is missing.');
        // As fires do: each timer was due long ago, and is set anew.
        await rows(storage.database.knex, 'update timer set fire_tick = 1 where shard >= 0 and fire_tick % 4 = 0');
        const moved = await rows(
          storage.database.knex,
          'update timer set fire_tick = 60000000 where fire_tick = 1 returning 1',
        );
        await due.run(storage, storage.database.knex);
        const [{ buffers } = { buffers: Number.NaN }] = await explained(due);
        // Their dead entries fill pages of the index, some hundred to each.
        expect(buffers).toBeLessThan(BUFFERS + moved.length / 100);
        expect(moved.length).toBeGreaterThan(2 * BUFFERS);
      },
      timeoutMs,
    );
  });
}
