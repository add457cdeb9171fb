// State of the request of a form: whether it runs, to disable its controls, and the error that it ended with.

import { useState } from 'preact/hooks';

export interface RequestState {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Clears the error and makes the request. Never rejects. */
  readonly run: (request: () => Promise<unknown>) => Promise<void>;
}

export function useRequest(): RequestState {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const run = async (request: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await request();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}
