// Verdict on each row, from its faults and the signed checkpoint.

import type { RowFault } from '../../../chain/validate.ts';
import type { RowRecord } from '../records.ts';
import type { SignedCheckpoint } from './chain-checks.ts';

/** good: in the signed tree. linked: valid, but not covered by the checkpoint yet. */
export type RowVerdict = 'good' | 'linked' | { readonly reason: string };

const FAULT_TEXTS: Readonly<Record<RowFault, string>> = {
  HASH: 'Its hash does not match its content.',
  LINK: 'It does not link to the previous row.',
  GAP: 'The row before it is missing.',
  TICK: 'Its tick is before that of the previous row.',
  COMMIT: 'Its payload does not match its commitment.',
  TREE: 'It is not in the signed tree: the history was rewritten.',
};

type Faults = ReadonlyMap<number, RowFault>;

/** First row linked to the signed root: rows before a broken link are not. */
export function firstLinkedRow(faults: Faults): number {
  const breaks = [...faults].filter(([, fault]) => fault !== 'COMMIT' && fault !== 'TREE');
  return Math.max(0, ...breaks.map(([seq]) => seq));
}

/** @param checkpoint  ignored unless signed by a key of the node */
export function rowVerdicts(
  rows: readonly RowRecord[],
  faults: Faults,
  checkpoint: SignedCheckpoint | undefined,
): ReadonlyMap<number, RowVerdict> {
  const size = checkpoint?.kid === undefined ? 0 : checkpoint.size;
  const firstLinked = firstLinkedRow(faults);
  const firstOutside = [...faults].find(([, fault]) => fault === 'TREE')?.[0] ?? Number.POSITIVE_INFINITY;
  const verdictOf = (seq: number): RowVerdict => {
    // Every row after the first one outside the tree links back to it.
    const fault = faults.get(seq) ?? (seq > firstOutside ? 'TREE' : undefined);
    if (fault !== undefined) return { reason: FAULT_TEXTS[fault] };
    return seq >= firstLinked && seq < size ? 'good' : 'linked';
  };
  return new Map(rows.map(({ seq }) => [seq, verdictOf(seq)]));
}
