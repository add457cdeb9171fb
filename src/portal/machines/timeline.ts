// The rows of a chain, the newest first, as they come. Rows that would push aside what somebody reads wait for a word.

import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import type { Audit } from './audit/audit.ts';
import type { Beginning } from './machine-view.ts';
import { readRows } from './node.ts';
import type { MachineRecord, RowRecord } from './records.ts';
import { RowView } from './row-view.ts';
import { contractOf } from './row-words.ts';
import { inThousands, manyOf } from './tick-words.ts';

export const PAGE_ROWS = 50;

interface Props {
  readonly machine: MachineRecord;
  readonly beginning: Beginning;
  readonly audit: Audit;
}

export function Timeline({ machine, beginning, audit }: Props) {
  const { slug, head } = machine;
  const [type, setType] = useState('');
  const [rows, setRows] = useState<readonly RowRecord[]>(beginning.rows.rows);
  const [cursor, setCursor] = useState(beginning.rows.next_cursor);
  const [waiting, setWaiting] = useState<readonly RowRecord[]>([]);
  const [types, setTypes] = useState(() => Object.keys(beginning.stats.by_type));
  const [error, setError] = useState<unknown>(undefined);
  const list = useRef<HTMLOListElement>(null);
  const known = useRef(beginning.rows.rows[0]?.seq ?? -1);
  const seen = audit.seen.value;
  const names = new Map(beginning.contracts.map(({ id, name }) => [id, name]));

  const begin = (page: readonly RowRecord[], next: string | null) => {
    setRows(page);
    setCursor(next);
    setWaiting([]);
    known.current = page[0]?.seq ?? known.current;
  };
  // What has come since: on top if nobody is reading here, else waiting.
  useEffect(() => {
    if (head.seq <= known.current) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    readRows(slug, { type: type === '' ? undefined : type, limit: PAGE_ROWS }, signal).then(
      (page) => {
        if (signal.aborted) return;
        const fresh = page.rows.filter(({ seq }) => seq > known.current);
        setError(undefined);
        setTypes((before) => [...new Set([...before, ...fresh.map((row) => row.type)])]);
        if (type === '') void audit.follow(fresh);
        if (fresh.length === 0) known.current = head.seq;
        else if (fresh.length === page.rows.length && page.next_cursor !== null) begin(page.rows, page.next_cursor);
        else {
          known.current = fresh[0]?.seq ?? known.current;
          if (isBeingRead(list.current)) setWaiting((before) => [...fresh, ...before]);
          else setRows((before) => [...fresh, ...before]);
        }
      },
      (cause: unknown) => signal.aborted || setError(cause),
    );
    return () => controller.abort();
  }, [slug, head.seq]);

  const ask = (nextType: string, from?: string) => {
    setError(undefined);
    return readRows(slug, { type: nextType === '' ? undefined : nextType, limit: PAGE_ROWS, cursor: from });
  };
  const filter = (next: string) => {
    setType(next);
    ask(next).then((page) => begin(page.rows, page.next_cursor), setError);
  };
  const earlier = () =>
    ask(type, cursor ?? undefined).then((page) => {
      setRows([...rows, ...page.rows]);
      setCursor(page.next_cursor);
    }, setError);
  const showWaiting = () => {
    setRows([...waiting, ...rows]);
    setWaiting([]);
  };

  return h(
    'div',
    { class: 'timeline-frame' },
    h(
      'div',
      { class: 'timeline-head' },
      h('p', { class: 'quiet-text' }, `${manyOf(head.seq + 1, 'row')}, the newest first`),
      h(
        'label',
        { class: 'timeline-filter' },
        'Show ',
        h(
          'select',
          { value: type, onInput: (event: Event) => filter((event.target as HTMLSelectElement).value) },
          h('option', { value: '' }, 'all types'),
          types.toSorted().map((one) => h('option', { key: one, value: one }, one)),
        ),
      ),
    ),
    error === undefined ? null : h(Notice, noticeOf(error)),
    waiting.length === 0
      ? null
      : h(
          'button',
          { type: 'button', class: 'rows-waiting', onClick: showWaiting },
          `Show ${manyOf(waiting.length, 'new row')}`,
        ),
    rows.length === 0
      ? h(Notice, { kind: 'empty', title: `There is no row of the type ${type}.` })
      : h(
          'ol',
          { class: 'rows', ref: list },
          rows.map((row, at) =>
            h(RowView, {
              key: row.seq,
              slug,
              row,
              before: rows[at + 1],
              verdict: seen.verdicts.get(row.seq),
              contract: names.get(contractOf(row) ?? ''),
            }),
          ),
        ),
    cursor === null
      ? null
      : h(
          'button',
          { type: 'button', class: 'more', onClick: earlier },
          `Show rows before ${inThousands(rows.at(-1)?.seq ?? 0)}`,
        ),
  );
}

/** A row is open, or the focus is on one. */
function isBeingRead(list: HTMLElement | null): boolean {
  if (list === null) return false;
  return list.querySelector('[aria-expanded=true]') !== null || list.contains(document.activeElement);
}
