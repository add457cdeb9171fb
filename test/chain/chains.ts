// Chains to try things on.

import { appendRow, emptyHead, type OpenRow, type Row, SYSTEM_ACTOR } from '../../src/chain/row.ts';
import { fromHex } from '../../src/core/bits.ts';

export interface Happening {
  readonly svcond: number;
  readonly type: string;
  readonly payload: unknown;
}

/** A chain of what happened; the salts count. */
export function chainOf(slug: string, happenings: readonly Happening[]): OpenRow[] {
  const rows: OpenRow[] = [];
  for (const [i, one] of happenings.entries()) {
    const salt = new Uint8Array(16).fill(i);
    rows.push(appendRow(rows.at(-1) ?? emptyHead(slug), { ...one, source: 'system', actor: SYSTEM_ACTOR }, salt));
  }
  return rows;
}

export function longChain(slug: string, length: number): OpenRow[] {
  return chainOf(
    slug,
    Array.from({ length }, (_, i) => ({ svcond: 100 + (i >> 1), type: i === 0 ? 'genesis' : 'event', payload: { i } })),
  );
}

export const leavesOf = (rows: readonly Row[]) => rows.map((row) => fromHex(row.row_hash) ?? new Uint8Array());
