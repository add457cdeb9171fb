// What is known of each row once its faults and the checkpoint are.

import type { Fault } from '../../../chain/validate.ts';
import type { RowRecord } from '../records.ts';
import type { SignedCheckpoint } from './check-rows.ts';

/** good: in the signed tree. linked: holds by itself, and nothing ties it to the checkpoint yet. */
export type RowVerdict = 'good' | 'linked' | { readonly reason: string };

const WORDS: Readonly<Record<Fault, string>> = {
  HASH: 'Its hash is not the hash of what it says.',
  LINK: 'It does not name the row before it.',
  GAP: 'A row is missing before it.',
  TICK: 'Its tick is before that of the row before it.',
  COMMIT: 'Its payload is not the one that was committed to.',
  TREE: 'It does not stand in the signed tree: the history was rewritten.',
};

type Faults = ReadonlyMap<number, Fault>;

/** Nothing leads from the signed root to rows before a broken link. */
export function tiedFrom(faults: Faults): number {
  const breaks = [...faults].filter(([, fault]) => fault !== 'COMMIT' && fault !== 'TREE');
  return Math.max(0, ...breaks.map(([seq]) => seq));
}

/** @param checkpoint  counts for nothing unless a key of the node signed it */
export function verdictsOf(
  rows: readonly RowRecord[],
  faults: Faults,
  checkpoint: SignedCheckpoint | undefined,
): ReadonlyMap<number, RowVerdict> {
  const size = checkpoint?.kid === undefined ? 0 : checkpoint.size;
  const tied = tiedFrom(faults);
  const outside = [...faults].find(([, fault]) => fault === 'TREE')?.[0] ?? Number.POSITIVE_INFINITY;
  const verdictOf = (seq: number): RowVerdict => {
    // Every row after one that is not in the tree leads back to it.
    const fault = faults.get(seq) ?? (seq > outside ? 'TREE' : undefined);
    if (fault !== undefined) return { reason: WORDS[fault] };
    return seq >= tied && seq < size ? 'good' : 'linked';
  };
  return new Map(rows.map(({ seq }) => [seq, verdictOf(seq)]));
}
