// Hook that fetches data and tracks loading and errors. Earlier data stays until newer data or an error arrives.

import { useEffect, useRef, useState } from 'preact/hooks';

export interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly refetch: () => void;
}

/** @param key  fetches again when it changes; undefined fetches nothing */
export function useQuery<Data>(
  key: string | undefined,
  fetchData: (key: string, signal: AbortSignal) => Promise<Data>,
): Query<Data> {
  const [state, setState] = useState<{ readonly data?: Data; readonly error?: unknown; readonly key?: string }>({});
  const [attempt, setAttempt] = useState(0);
  const latestFetch = useRef(fetchData);
  latestFetch.current = fetchData;
  useEffect(() => {
    if (key === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    latestFetch.current(key, signal).then(
      (data) => signal.aborted || setState({ data, key }),
      (error: unknown) => signal.aborted || setState({ error, key }),
    );
    return () => controller.abort();
  }, [key, attempt]);
  const refetch = () => {
    setState({});
    setAttempt(attempt + 1);
  };
  return { data: state.data, error: state.error, isLoading: key !== undefined && state.key !== key, refetch };
}
