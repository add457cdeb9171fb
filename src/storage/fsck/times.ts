// Rows whose times of the wall clock are far from other records of the same moment: see machines.ts.

import { TICK_SECONDS } from '../../core/clock.ts';
import { type Executor, rows } from '../database/sql.ts';

export interface StoredTime {
  readonly id: string;
  readonly key: Readonly<Record<string, string>>;
  readonly time: string;
  readonly expected: string;
}

export interface FarTimes {
  readonly table: string;
  readonly column: string;
  readonly read: (after: string | undefined, limit: number) => Promise<StoredTime[]>;
}

/** Milliseconds since 1970 in the first 48 bits of a UUID of version 7 (RFC 9562). */
const inId = `(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint)`;
const ofTime = (column: string) => `(extract(epoch from ${column}) * 1000)`;
const ofTick = (column: string) => `(${column}::numeric * ${TICK_SECONDS} * 1000)`;

/** Two records of one moment, in milliseconds. */
const PAIRS: readonly {
  readonly table: string;
  readonly column: string;
  readonly time: string;
  readonly other: string;
}[] = [
  ...['account', 'api_key', 'run', 'machine'].map((table) => ({
    table,
    column: 'created_at',
    time: ofTime('created_at'),
    other: inId,
  })),
  { table: 'account', column: 'created_svcond', time: ofTick('created_svcond'), other: inId },
  { table: 'run', column: 'svcond', time: ofTick('svcond'), other: inId },
  { table: 'contract', column: 'created_svcond', time: ofTick('created_svcond'), other: inId },
  { table: 'outbox', column: 'id', time: inId, other: ofTick('created_svcond') },
];

export class TimeInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  /** Columns, and rows in which they are further apart than `tolerance` milliseconds. */
  farTimes(tolerance: number): FarTimes[] {
    return PAIRS.map(({ table, column, time, other }) => ({
      table,
      column,
      read: async (after, limit) => {
        const found = await rows<{ id: string; time: string; expected: string }>(
          this.#on,
          `select id::text, ${column}::text as time, round(${other})::text || ' ms' as expected from ${table}
           where (id > ?::uuid or ?::uuid is null) and abs(${time} - ${other}) > ? order by ${table}.id limit ?`,
          [after ?? null, after ?? null, tolerance, limit],
        );
        return found.map((row) => ({ ...row, key: { id: row.id } }));
      },
    }));
  }
}
