// Digests of everything that is stored of one machine beside its rows, to find out whether anything has changed.

import { type Executor, rows } from '../database/sql.ts';

/** Rows and tree are bound by the hash of the last row; of these tables only the number of rows is in the digest. */
const CHAINED: ReadonlySet<string> = new Set(['audit', 'tile']);

/** Rows of no machine that are compared with those of one. */
const RELATED: readonly (readonly [table: string, condition: string])[] = [
  ['identity', 'zid in (select zid from sealing_key where machine_id = ?)'],
  ['api_key', 'account_id in (select account_id from developer_account where machine_id = ?)'],
];

export class DigestInspection {
  readonly #on: Executor;
  #query: Promise<{ readonly text: string; readonly count: number }> | undefined;

  constructor(on: Executor) {
    this.#on = on;
  }

  /** @returns 64 hex digits. Another text of a value, as in another time zone, gives another digest */
  async of(machineId: string): Promise<string> {
    this.#query ??= this.#compose();
    const { text, count } = await this.#query;
    const [row] = await rows<{ digest: string }>(
      this.#on,
      text,
      Array.from({ length: count }, () => machineId),
    );
    if (row === undefined) throw new Error('The digest of a machine is missing.');
    return row.digest;
  }

  /** Reads the catalog, so that a new table is in the digest as well. */
  async #compose(): Promise<{ readonly text: string; readonly count: number }> {
    const columns = await rows<{ table: string; column: string }>(
      this.#on,
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = current_schema() and column_name in ('machine_id', 'mother_id')
       union all select 'machine', 'id' order by 1, 2`,
    );
    const conditions = [...columns.map(({ table, column }) => [table, `${column} = ?`] as const), ...RELATED];
    const parts = conditions.map(([table, condition]) => {
      const hash = `sha256(convert_to(one::text, 'UTF8'))`;
      const content = CHAINED.has(table)
        ? 'count(*)::text'
        : `coalesce(encode(sha256(string_agg(${hash}, ''::bytea order by ${hash})), 'hex'), '')`;
      const name = condition.slice(0, condition.indexOf(' '));
      return `select '${table} ${name} ' || ${content} as part from ${table} as one where ${condition}`;
    });
    const text = `select encode(sha256(convert_to(string_agg(part, ',' order by part collate "C"), 'UTF8')), 'hex') as digest
      from (${parts.join(' union all ')}) as parts`;
    return { text, count: parts.length };
  }
}
