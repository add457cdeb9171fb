// Hook that lists the filed runs with the words of a term: the newest at once, older ones when asked for.
//
// Rows of an earlier term stay until the answer for the newest one, and an answer for an earlier one is dropped.

import { useState } from 'preact/hooks';
import { useQuery } from '../kit/use-query.ts';
import { callApiAsVisitor } from '../session.ts';
import type { RunRow } from './filed-run.ts';

const PAGE_ROWS = 50;

export interface RunList {
  /** The term that the rows were found by; undefined before the first answer. */
  readonly term: string | undefined;
  readonly rows: readonly RunRow[];
  readonly hasOlder: boolean;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly loadOlder: () => void;
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
  const loadOlder = async () => {
    if (first.data === undefined || found === undefined || own.isLoading) return;
    const start = { first: first.data, found };
    setOlder({ ...start, isLoading: true });
    let end: Older;
    try {
      const next = await find(found.term, found.cursor);
      end = { first: first.data, found: { ...next, rows: [...found.rows, ...next.rows] } };
    } catch (error) {
      end = { ...start, error };
    }
    setOlder((current) => (current.first === start.first ? end : current));
  };
  return {
    term: found?.term,
    rows: found?.rows ?? [],
    hasOlder: typeof found?.cursor === 'string',
    isLoading: first.isLoading || own.isLoading === true,
    error: first.error ?? own.error,
    loadOlder: () => void loadOlder(),
    retry: first.error === undefined ? () => void loadOlder() : first.refetch,
  };
}

interface Older {
  readonly first?: Found;
  /** The first page and those after it. */
  readonly found?: Found;
  readonly isLoading?: boolean;
  readonly error?: unknown;
}
