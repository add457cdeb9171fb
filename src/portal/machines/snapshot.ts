// Initial data of a machine page: the newest rows, the counts by type, and the contracts.

import { getStats, listContracts, listRows } from './machine-api.ts';
import type { ContractRecord, Page, RowRecord, Stats } from './records.ts';

export const PAGE_ROWS = 50;

export interface MachineSnapshot {
  readonly rows: Page<RowRecord>;
  readonly stats: Stats;
  readonly contracts: readonly ContractRecord[];
}

export async function getSnapshot(slug: string, signal: AbortSignal): Promise<MachineSnapshot> {
  const [rows, stats, contracts] = await Promise.all([
    listRows(slug, { limit: PAGE_ROWS }, signal),
    getStats(slug, signal),
    listContracts(slug, signal),
  ]);
  return { rows, stats, contracts };
}
