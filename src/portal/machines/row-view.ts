// One row: what happened in a line; opened, its payload, its hashes, and whether it holds.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { RowVerdict } from './audit/verdicts.ts';
import type { RowRecord } from './records.ts';
import { RowDetails } from './row-details.ts';
import { rowWords } from './row-words.ts';
import { inThousands, timeWords } from './tick-words.ts';

interface Props {
  readonly slug: string;
  readonly row: RowRecord;
  /** The row below it in the list, which is the one before it unless rows are left out. */
  readonly before: RowRecord | undefined;
  readonly verdict: RowVerdict | undefined;
  /** The name of the contract that wrote the row, where it is known. */
  readonly contract: string | undefined;
}

export function RowView({ slug, row, before, verdict, contract }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { seq, at, type } = row;
  const id = `row-${seq}`;
  return h(
    'li',
    { class: `row${isOpen ? ' is-open' : ''}`, 'data-seq': seq, 'data-verdict': wordOf(verdict) },
    h(
      'button',
      {
        type: 'button',
        class: 'row-line',
        'aria-expanded': isOpen,
        ...(isOpen ? { 'aria-controls': id } : {}),
        onClick: () => setOpen(!isOpen),
      },
      h(VerdictMark, { verdict }),
      h('span', { class: 'row-seq' }, inThousands(seq)),
      h('span', { class: `row-type row-type-${type}` }, type),
      h(
        'span',
        { class: 'row-words' },
        rowWords(row),
        contract === undefined ? null : h('span', { class: 'row-aside' }, ` · ${contract}`),
      ),
      h('time', { class: 'row-time', dateTime: at }, timeWords(new Date(at), new Date())),
    ),
    isOpen ? h('div', { class: 'row-open', id }, h(RowDetails, { slug, row, before })) : null,
  );
}

const wordOf = (verdict: RowVerdict | undefined) =>
  verdict === undefined ? 'open' : typeof verdict === 'string' ? verdict : 'bad';

const MARKS = {
  open: ['·', 'not verified'],
  good: ['✓', 'verified, in the signed tree'],
  linked: ['○', 'holds by itself, not in a checkpoint yet'],
  bad: ['✗', ''],
} as const;

function VerdictMark({ verdict }: { readonly verdict: RowVerdict | undefined }) {
  const word = wordOf(verdict);
  const [mark, words] = MARKS[word];
  const said = typeof verdict === 'object' ? verdict.reason : words;
  return h(
    'span',
    { class: `row-mark row-mark-${word}`, title: said },
    h('span', { 'aria-hidden': true }, mark),
    h('span', { class: 'visually-hidden' }, said),
  );
}
