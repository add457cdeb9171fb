// Live list of a chain's rows, newest first. While a row is open or focused, new rows wait behind a button.

import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorNotice } from '../kit/error-notice.ts';
import { formatCount, pluralise } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import type { ChainAudit } from './audit/chain-audit.ts';
import { listRows } from './machine-api.ts';
import type { MachineRecord, RowQuery, RowRecord } from './records.ts';
import { contractIdOf } from './row-summary.ts';
import { RowView } from './row-view.ts';
import { type MachineSnapshot, PAGE_ROWS } from './snapshot.ts';

interface Props {
  readonly machine: MachineRecord;
  readonly snapshot: MachineSnapshot;
  readonly audit: ChainAudit;
}

export function Timeline({ machine, snapshot, audit }: Props) {
  const { slug, head } = machine;
  const [type, setType] = useState('');
  const [rows, setRows] = useState<readonly RowRecord[]>(snapshot.rows.rows);
  const [cursor, setCursor] = useState(snapshot.rows.next_cursor);
  const [pendingRows, setPendingRows] = useState<readonly RowRecord[]>([]);
  const [types, setTypes] = useState(() => Object.keys(snapshot.stats.by_type));
  const [error, setError] = useState<unknown>(undefined);
  const list = useRef<HTMLOListElement>(null);
  const newestSeq = useRef(snapshot.rows.rows[0]?.seq ?? -1);
  const auditState = audit.state.value;
  const names = new Map(snapshot.contracts.map(({ id, name }) => [id, name]));

  const showPage = (page: readonly RowRecord[], next: string | null) => {
    setRows(page);
    setCursor(next);
    setPendingRows([]);
    newestSeq.current = page[0]?.seq ?? newestSeq.current;
  };
  // New rows go on top, or wait while the list is in use.
  useEffect(() => {
    if (head.seq <= newestSeq.current) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    listRows(slug, { type: filterOf(type), limit: PAGE_ROWS }, signal).then(
      (page) => {
        if (signal.aborted) return;
        const newRows = page.rows.filter(({ seq }) => seq > newestSeq.current);
        setError(undefined);
        setTypes((before) => [...new Set([...before, ...newRows.map((row) => row.type)])]);
        if (type === '') void audit.follow(newRows);
        if (newRows.length === 0) newestSeq.current = head.seq;
        else if (newRows.length === page.rows.length && page.next_cursor !== null)
          showPage(page.rows, page.next_cursor);
        else {
          newestSeq.current = newRows[0]?.seq ?? newestSeq.current;
          if (isInUse(list.current)) setPendingRows((before) => [...newRows, ...before]);
          else setRows((before) => [...newRows, ...before]);
        }
      },
      (cause: unknown) => signal.aborted || setError(cause),
    );
    return () => controller.abort();
  }, [slug, head.seq]);

  const loadPage = (rowType: string, from?: string) => {
    setError(undefined);
    return listRows(slug, { type: filterOf(rowType), limit: PAGE_ROWS, cursor: from });
  };
  const changeType = (next: string) => {
    setType(next);
    loadPage(next).then((page) => showPage(page.rows, page.next_cursor), setError);
  };
  const loadEarlier = () =>
    loadPage(type, cursor ?? undefined).then((page) => {
      setRows([...rows, ...page.rows]);
      setCursor(page.next_cursor);
    }, setError);
  const showPendingRows = () => {
    setRows([...pendingRows, ...rows]);
    setPendingRows([]);
  };

  return h(
    'div',
    { class: 'timeline-frame' },
    h(
      'div',
      { class: 'timeline-head' },
      h('p', { class: 'quiet-text' }, `${pluralise(head.seq + 1, 'row')}, newest first`),
      h(
        'label',
        { class: 'timeline-filter' },
        'Show ',
        h(
          'select',
          { value: type, onInput: (event: Event) => changeType((event.target as HTMLSelectElement).value) },
          h('option', { value: '' }, 'all types'),
          types.toSorted().map((option) => h('option', { key: option, value: option }, option)),
        ),
      ),
    ),
    error === undefined ? null : h(Notice, errorNotice(error)),
    pendingRows.length === 0
      ? null
      : h(
          'button',
          { type: 'button', class: 'rows-waiting', onClick: showPendingRows },
          `Show ${pluralise(pendingRows.length, 'new row')}`,
        ),
    rows.length === 0
      ? h(Notice, { kind: 'empty', title: `No rows of type ${type}.` })
      : h(
          'ol',
          { class: 'rows', ref: list },
          rows.map((row, at) =>
            h(RowView, {
              key: row.seq,
              slug,
              row,
              before: rows[at + 1],
              verdict: auditState.verdicts.get(row.seq),
              contract: names.get(contractIdOf(row) ?? ''),
            }),
          ),
        ),
    cursor === null
      ? null
      : h(
          'button',
          { type: 'button', class: 'more', onClick: loadEarlier },
          `Show rows before ${formatCount(rows.at(-1)?.seq ?? 0)}`,
        ),
  );
}

/** True if a row is open or has the focus. */
function isInUse(list: HTMLElement | null): boolean {
  if (list === null) return false;
  return list.querySelector('[aria-expanded=true]') !== null || list.contains(document.activeElement);
}

/** The options of the filter are types of rows, or '' for all. */
const filterOf = (type: string): RowQuery['type'] => (type === '' ? undefined : (type as RowQuery['type']));
