// Hook that lists the filed runs with the words of a term: the newest at once, older ones when asked for.
//
// Rows of an earlier term stay until the answer for the newest one, and an answer for an earlier one is dropped. The page
// gets a part of the loaded rows: a new search takes out of the document what stands there.

import { useState } from 'preact/hooks';
import { useQuery } from '../kit/use-query.ts';
import { callApiAsVisitor } from '../session.ts';
import type { RunRow } from './filed-run.ts';

const PAGE_ROWS = 50;
/** Rows in the document. */
const MAX_SHOWN = 200;

export interface RunList {
  /** The term that the rows were found by; undefined before the first answer. */
  readonly term: string | undefined;
  /** The shown ones of those that are loaded. */
  readonly rows: readonly RunRow[];
  /** Loaded rows. */
  readonly count: number;
  /** Loaded rows before the shown ones. */
  readonly newerCount: number;
  readonly hasOlder: boolean;
  /** Whether there are rows that are not loaded. */
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly showNewer: () => void;
  readonly showOlder: () => void;
  readonly retry: () => void;
}

interface Found {
  readonly term: string;
  readonly rows: readonly RunRow[];
  readonly cursor: string | null;
}

async function find(term: string, cursor: string | null, signal?: AbortSignal): Promise<Found> {
  const input = {
    limit: PAGE_ROWS,
    ...(term === '' ? {} : { search: term }),
    ...(cursor === null ? {} : { cursor }),
  };
  const { rows, next_cursor } = await callApiAsVisitor('run.list', input, signal);
  return { term, rows, cursor: next_cursor };
}

/** @param term  empty for all runs */
export function useRunList(term: string): RunList {
  const first = useQuery(term, (key, signal) => find(key, null, signal));
  const [older, setOlder] = useState<Older>({});
  // Older rows belong to the first page that they follow.
  const own: Older = older.first === first.data ? older : {};
  const found = own.found ?? first.data;
  const { hidden = 0 } = own;
  const rows = found?.rows ?? [];
  const end = rows.length - hidden;
  const start = Math.max(0, end - MAX_SHOWN);
  const hasMore = typeof found?.cursor === 'string';
  const loadOlder = async () => {
    if (first.data === undefined || found === undefined || own.isLoading) return;
    const before = { first: first.data, found };
    setOlder({ ...before, isLoading: true });
    let after: Older;
    try {
      const next = await find(found.term, found.cursor);
      after = { first: first.data, found: { ...next, rows: [...found.rows, ...next.rows] } };
    } catch (error) {
      after = { ...before, error };
    }
    setOlder((current) => (current.first === before.first ? after : current));
  };
  const move = (by: number) => setOlder({ ...own, first: first.data, hidden: Math.max(0, hidden + by) });
  return {
    term: found?.term,
    rows: rows.slice(start, end),
    count: rows.length,
    newerCount: start,
    hasOlder: hidden > 0 || hasMore,
    hasMore,
    isLoading: first.isLoading || own.isLoading === true,
    error: first.error ?? own.error,
    showNewer: () => move(Math.min(PAGE_ROWS, start)),
    showOlder: () => (hidden > 0 ? move(-PAGE_ROWS) : void loadOlder()),
    retry: first.error === undefined ? () => void loadOlder() : first.refetch,
  };
}

interface Older {
  readonly first?: Found | undefined;
  /** The first page and those after it. */
  readonly found?: Found;
  /** Loaded rows behind the shown ones. */
  readonly hidden?: number;
  readonly isLoading?: boolean;
  readonly error?: unknown;
}
