// The newest rows of a machine, read in short statements, so that a long window never keeps the database or this thread
// from other machines.

import type { Executor } from '../../storage/database/sql.ts';
import type { AuditRepository, PayloadRow } from '../../storage/machines/audit.ts';

/** Rows of one statement, and rows worked on before others get a turn: about a millisecond. */
export const ROWS_PER_TURN = 250;

interface RecentRows {
  readonly type: string;
  /** Only rows whose payload has one of these as its `name`, and those whose payload is sealed or erased. */
  readonly names?: readonly string[];
  /** Rows of this tick and later. */
  readonly since: number;
  /** Only rows after this one. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function recentRows(
  audit: AuditRepository,
  machineId: string,
  { type, names, since, after, limit }: RecentRows,
  on?: Executor,
): Promise<PayloadRow[]> {
  const found: PayloadRow[] = [];
  let before: number | undefined;
  for (;;) {
    const page = await audit.newestPayloads(machineId, { type, names, before, after, limit: ROWS_PER_TURN }, on);
    for (const row of page) {
      // Ticks never fall along the chain.
      if (row.svcond < since) return found;
      if (row.isAsked) found.push(row);
      if (found.length === limit) return found;
    }
    if (page.length < ROWS_PER_TURN) return found;
    before = page.at(-1)?.seq;
  }
}

/** Lets other work of this thread go on. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
