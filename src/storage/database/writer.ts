// Rows of several tables that one transaction writes, grouped by table.

import type { Executor } from './sql.ts';

/** Writes many rows of one table, in one statement where there may be many. */
export interface Writer<Row> {
  write(rows: readonly Row[], on: Executor): Promise<void>;
}

/** One row for one writer; made by `into`. */
export interface Write {
  readonly writer: Writer<never>;
  readonly row: unknown;
}

export function into<Row>(writer: Writer<Row>, row: Row): Write {
  return { writer: writer as Writer<never>, row };
}

/** Calls each writer once with all its rows, in the order in which writers first appear. */
export async function writeAll(writes: readonly Write[], on: Executor): Promise<void> {
  const groups = new Map<Writer<never>, unknown[]>();
  for (const { writer, row } of writes) {
    const group = groups.get(writer);
    if (group) group.push(row);
    else groups.set(writer, [row]);
  }
  for (const [writer, group] of groups) await writer.write(group as never[], on);
}
