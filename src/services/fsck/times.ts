// Compares times of the wall clock with other records of the same moment: the time in a UUID of version 7, a tick.

import type { StoredTime, TimeInspection } from '../../storage/fsck/times.ts';
import type { ReportFault } from './faults.ts';
import { paginate } from './unreadable-rows.ts';

/** The records are not made at once, and a clock may be corrected in between. */
export const TOLERANCE_MS = 600_000;

export function isNearTime(ms: number, otherMs: number): boolean {
  return Math.abs(ms - otherMs) <= TOLERANCE_MS;
}

export async function checkTimes(inspection: TimeInspection, report: ReportFault): Promise<void> {
  for (const { table, column, read } of inspection.farTimes(TOLERANCE_MS)) {
    for await (const far of paginate(read, ({ id }: StoredTime) => id))
      report(table, far.key, 'SAID', `${column} is ${far.time}, not near ${far.expected}.`, column);
  }
}
