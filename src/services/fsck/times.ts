// Compares times of the wall clock with other records of the same moment: the time in a UUID of version 7, a tick.

import { tickOf } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import type { StoredTime, TimeInspection } from '../../storage/fsck/times.ts';
import type { ReportFault } from './faults.ts';
import { paginate } from './unreadable-rows.ts';

/** The records are not made at once, and a clock may be corrected in between. */
export const TOLERANCE_MS = 600_000;

export function isNearTime(ms: number, otherMs: number): boolean {
  return Math.abs(ms - otherMs) <= TOLERANCE_MS;
}

/** The tick of a row. */
export interface RowTick {
  readonly svcond: number;
  /** Whether it is the clock's; otherwise the clock was behind the row before, and the tick is that row's. */
  readonly isOnTime: boolean;
}

/** Whether what was stored with a row may have this tick. No row is written if the clock is further behind. */
export function mayBeTickOf(tick: number, { svcond, isOnTime }: RowTick): boolean {
  return tick === svcond || (!isOnTime && tick < svcond && tick >= svcond - LIMITS.clock.aheadTicks);
}

/** The last tick that a clock which is right within the tolerance may have had. */
export function latestTick(nowMs: number): number {
  return tickOf(BigInt(nowMs + TOLERANCE_MS) * 1_000_000n);
}

/** Of a contract or an instance: it changes after its beginning, and not in the future. */
export function changeFault(
  { created_svcond: created, updated_svcond: updated }: Readonly<Record<'created_svcond' | 'updated_svcond', string>>,
  nowMs: number,
): string | undefined {
  const last = latestTick(nowMs);
  if (BigInt(updated) >= BigInt(created) && Number(updated) <= last) return undefined;
  return `updated_svcond is ${updated}; it must be between ${created} and ${last}.`;
}

export async function checkTimes(inspection: TimeInspection, report: ReportFault): Promise<void> {
  for (const { table, column, read } of inspection.farTimes(TOLERANCE_MS)) {
    for await (const far of paginate(read, ({ id }: StoredTime) => id))
      report(table, far.key, 'SAID', `${column} is ${far.time}, not near ${far.expected}.`, column);
  }
}
