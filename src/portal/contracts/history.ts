// What a contract has done, the newest first; each fire opens to its row in the chain, with its receipt, and can be verified.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { readFires, readRow } from '../machines/node.ts';
import type { FireRow, RowRecord } from '../machines/records.ts';
import { RowDetails } from '../machines/row-details.ts';
import { dateOfTick, inThousands, manyOf, timeWords } from '../machines/tick-words.ts';
import { key } from '../session.ts';

interface Props {
  readonly slug: string;
  readonly id: string;
  /** The newest, as they come with the contract. */
  readonly fires: readonly FireRow[];
  readonly count: number;
}

export function History({ slug, id, fires, count }: Props) {
  const [older, setOlder] = useState<readonly FireRow[]>([]);
  const [error, setError] = useState<unknown>(undefined);
  const newest = fires[0]?.seq ?? -1;
  const oldestNew = fires.at(-1)?.seq ?? -1;
  // Those that the newest pushed out of their page stay in sight.
  const [kept, setKept] = useState<readonly FireRow[]>([]);
  useEffect(() => {
    setKept((before) => merged(fires, before));
  }, [newest, oldestNew]);
  const all = merged(merged(fires, kept), older);
  const last = all.at(-1);
  const isMore = all.length < count && last !== undefined;
  const load = () => {
    setError(undefined);
    readFires(slug, id, String(last?.seq)).then((page) => setOlder([...older, ...page.rows]), setError);
  };
  return h(
    'section',
    { class: 'history', 'aria-labelledby': 'history-title' },
    h('h2', { id: 'history-title' }, 'History'),
    all.length === 0
      ? h('p', { class: 'quiet-text' }, 'Nothing has fired yet.')
      : h(
          'ol',
          { class: 'rows' },
          all.map((fire) => h(Fire, { key: fire.seq, slug, fire })),
        ),
    error === undefined ? null : h(Notice, noticeOf(error)),
    isMore && key.value !== undefined
      ? h('button', { type: 'button', class: 'more', onClick: load }, 'Show earlier fires')
      : null,
    isMore && key.value === undefined
      ? h('p', { class: 'quiet-text' }, `${manyOf(count - all.length, 'earlier fire')}: any key shows them.`)
      : null,
  );
}

function merged(newer: readonly FireRow[], older: readonly FireRow[]): readonly FireRow[] {
  const oldest = newer.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  return [...newer, ...older.filter(({ seq }) => seq < oldest)];
}

function Fire({ slug, fire }: { readonly slug: string; readonly fire: FireRow }) {
  const [isOpen, setOpen] = useState(false);
  const [row, setRow] = useState<RowRecord | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const { transition, from, to, version, seq, svcond } = fire;
  const toggle = () => {
    setOpen(!isOpen);
    if (isOpen || row !== undefined) return;
    setError(undefined);
    readRow(slug, svcond, seq).then(setRow, setError);
  };
  const date = dateOfTick(svcond);
  return h(
    'li',
    { class: `row${isOpen ? ' is-open' : ''}`, 'data-seq': seq },
    h(
      'button',
      { type: 'button', class: 'row-line', 'aria-expanded': isOpen, onClick: toggle },
      h('span', { class: 'row-mark', 'aria-hidden': true }, isOpen ? '▾' : '▸'),
      h('span', { class: 'row-seq' }, inThousands(seq)),
      h('span', { class: 'row-type' }, transition),
      h(
        'span',
        { class: 'row-words' },
        `${from} → ${to}`,
        version > 1 ? h('span', { class: 'row-aside' }, ` version ${version}`) : null,
      ),
      h('time', { class: 'row-time', dateTime: date.toISOString() }, timeWords(date, new Date())),
    ),
    isOpen
      ? h(
          'div',
          { class: 'row-open', 'aria-busy': row === undefined && error === undefined },
          error === undefined ? null : h(Notice, noticeOf(error)),
          row === undefined ? null : h(RowDetails, { slug, row }),
        )
      : null,
  );
}
