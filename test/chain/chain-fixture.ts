// Chain fixtures.

import { appendRow, emptyHead, type OpenRow, type Row, SYSTEM_ACTOR } from '../../src/chain/row.ts';
import { fromHex } from '../../src/core/bits.ts';

export interface RowFixture {
  readonly svcond: number;
  readonly type: string;
  readonly payload: unknown;
}

/** A chain of the given rows; the salt of row i repeats byte i. */
export function chainOf(slug: string, rowFixtures: readonly RowFixture[]): OpenRow[] {
  const rows: OpenRow[] = [];
  for (const [i, fixture] of rowFixtures.entries()) {
    const salt = new Uint8Array(16).fill(i);
    rows.push(appendRow(rows.at(-1) ?? emptyHead(slug), { ...fixture, source: 'system', actor: SYSTEM_ACTOR }, salt));
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
