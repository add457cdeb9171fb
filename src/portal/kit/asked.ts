// What a page asks its node for: not there yet, there, or refused. What was there before stays until there is more.

import { useEffect, useRef, useState } from 'preact/hooks';

export interface Asked<Answer> {
  readonly answer: Answer | undefined;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly again: () => void;
}

/** @param name  asked again when it changes; undefined asks nothing */
export function useAsked<Answer>(
  name: string | undefined,
  read: (name: string, signal: AbortSignal) => Promise<Answer>,
): Asked<Answer> {
  const [state, setState] = useState<{ readonly answer?: Answer; readonly error?: unknown; readonly of?: string }>({});
  const [round, setRound] = useState(0);
  const newest = useRef(read);
  newest.current = read;
  useEffect(() => {
    if (name === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    newest.current(name, signal).then(
      (answer) => signal.aborted || setState({ answer, of: name }),
      (error: unknown) => signal.aborted || setState({ error, of: name }),
    );
    return () => controller.abort();
  }, [name, round]);
  const again = () => {
    setState({});
    setRound(round + 1);
  };
  return { answer: state.answer, error: state.error, isBusy: name !== undefined && state.of !== name, again };
}
