// Fires of a contract, newest first; each opens to its row in the chain, with its receipt and verification.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shortDateTimeText } from '../kit/date-text.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatCount, pluralise } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { getRow, listFires } from '../machines/machine-api.ts';
import type { FireRow, RowRecord } from '../machines/records.ts';
import { RowDetails } from '../machines/row-details.ts';
import { tickDate } from '../machines/tick-format.ts';
import { currentKey } from '../session.ts';

interface Props {
  readonly slug: string;
  readonly id: string;
  /** Newest fires, loaded with the contract. */
  readonly fires: readonly FireRow[];
  readonly count: number;
}

export function History({ slug, id, fires, count }: Props) {
  const [older, setOlder] = useState<readonly FireRow[]>([]);
  const [error, setError] = useState<unknown>(undefined);
  const newest = fires[0]?.seq ?? -1;
  const oldestNew = fires.at(-1)?.seq ?? -1;
  // Keeps fires that newer ones pushed out of the first page.
  const [retained, setRetained] = useState<readonly FireRow[]>([]);
  useEffect(() => {
    setRetained((before) => mergeFires(fires, before));
  }, [newest, oldestNew]);
  const all = mergeFires(mergeFires(fires, retained), older);
  const last = all.at(-1);
  const hasMore = all.length < count && last !== undefined;
  const load = () => {
    setError(undefined);
    listFires(slug, id, String(last?.seq)).then((page) => setOlder([...older, ...page.rows]), setError);
  };
  return h(
    'section',
    { class: 'history', 'aria-labelledby': 'history-title' },
    h('h2', { id: 'history-title' }, 'History'),
    all.length === 0
      ? h('p', { class: 'quiet-text' }, 'No transition has fired yet.')
      : h(
          'ol',
          { class: 'rows' },
          all.map((fire) => h(Fire, { key: fire.seq, slug, fire })),
        ),
    error === undefined ? null : h(Notice, errorNotice(error)),
    hasMore && currentKey.value !== undefined
      ? h('button', { type: 'button', class: 'more', onClick: load }, 'Show earlier fires')
      : null,
    hasMore && currentKey.value === undefined
      ? h('p', { class: 'quiet-text' }, `${pluralise(count - all.length, 'earlier fire')}; enter a key to see them.`)
      : null,
  );
}

function mergeFires(newer: readonly FireRow[], older: readonly FireRow[]): readonly FireRow[] {
  const oldest = newer.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  return [...newer, ...older.filter(({ seq }) => seq < oldest)];
}

export function Fire({ slug, fire }: { readonly slug: string; readonly fire: FireRow }) {
  const [isOpen, setOpen] = useState(false);
  const [row, setRow] = useState<RowRecord | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const { transition, from, to, version, seq, svcond, instance } = fire;
  const toggle = () => {
    setOpen(!isOpen);
    if (isOpen || row !== undefined) return;
    setError(undefined);
    getRow(slug, svcond, seq).then(setRow, setError);
  };
  const date = tickDate(svcond);
  return h(
    'li',
    { class: `row${isOpen ? ' is-open' : ''}`, 'data-seq': seq },
    h(
      'button',
      { type: 'button', class: 'row-line', 'aria-expanded': isOpen, onClick: toggle },
      h('span', { class: 'row-mark', 'aria-hidden': true }, isOpen ? '▾' : '▸'),
      h('span', { class: 'row-seq' }, formatCount(seq)),
      h('span', { class: 'row-type' }, transition),
      h(
        'span',
        { class: 'row-summary' },
        instance === undefined ? null : h('span', { class: 'row-aside' }, `${instance} `),
        `${from} → ${to}`,
        version > 1 ? h('span', { class: 'row-aside' }, ` version ${version}`) : null,
      ),
      h('time', { class: 'row-time', dateTime: date.toISOString() }, shortDateTimeText(date, new Date())),
    ),
    isOpen
      ? h(
          'div',
          { class: 'row-open', 'aria-busy': row === undefined && error === undefined },
          error === undefined ? null : h(Notice, errorNotice(error)),
          row === undefined ? null : h(RowDetails, { slug, row }),
        )
      : null,
  );
}
