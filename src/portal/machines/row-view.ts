// One row: a summary line that opens to payload, hashes and verification.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { shortDateTimeText } from '../kit/date-text.ts';
import { formatCount } from '../kit/format.ts';
import { memo } from '../kit/memo.ts';
import type { RowVerdict } from './audit/row-verdicts.ts';
import type { RowRecord } from './records.ts';
import { RowDetails } from './row-details.ts';
import { rowSummary } from './row-summary.ts';

interface Props {
  readonly slug: string;
  readonly row: RowRecord;
  /** Next row of the list; the previous row of the chain unless the list is filtered. */
  readonly before: RowRecord | undefined;
  readonly verdict: RowVerdict | undefined;
  /** Name of the contract that wrote the row, if known. */
  readonly contract: string | undefined;
}

export const RowView = memo(({ slug, row, before, verdict, contract }: Props) => {
  const [isOpen, setOpen] = useState(false);
  const { seq, at, type } = row;
  const id = `row-${seq}`;
  return h(
    'li',
    { class: `row${isOpen ? ' is-open' : ''}`, 'data-seq': seq, 'data-verdict': verdictName(verdict) },
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
      h('span', { class: 'row-seq' }, formatCount(seq)),
      h('span', { class: `row-type row-type-${type}` }, type),
      h(
        'span',
        { class: 'row-summary' },
        rowSummary(row),
        contract === undefined ? null : h('span', { class: 'row-aside' }, ` · ${contract}`),
      ),
      h('time', { class: 'row-time', dateTime: at }, shortDateTimeText(new Date(at), new Date())),
    ),
    isOpen ? h('div', { class: 'row-open', id }, h(RowDetails, { slug, row, before })) : null,
  );
});

const verdictName = (verdict: RowVerdict | undefined) =>
  verdict === undefined ? 'open' : typeof verdict === 'string' ? verdict : 'bad';

const MARKS = {
  open: ['·', 'not verified'],
  good: ['✓', 'verified, in the signed tree'],
  linked: ['○', 'valid, not covered by a checkpoint yet'],
  bad: ['✗', ''],
} as const;

function VerdictMark({ verdict }: { readonly verdict: RowVerdict | undefined }) {
  const name = verdictName(verdict);
  const [mark, text] = MARKS[name];
  const title = typeof verdict === 'object' ? verdict.reason : text;
  return h(
    'span',
    { class: `row-mark row-mark-${name}`, title },
    h('span', { 'aria-hidden': true }, mark),
    h('span', { class: 'visually-hidden' }, title),
  );
}
