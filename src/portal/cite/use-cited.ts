// The citation of a receipt, once the worker has made it.

import { useEffect, useState } from 'preact/hooks';
import type { CitedReceipt } from '../worker/messages.ts';

interface Cited {
  readonly cited?: CitedReceipt;
  readonly error?: unknown;
}

/** @param load  the same function for the same receipt */
export function useCited(load: (() => Promise<CitedReceipt>) | undefined): Cited {
  const [state, setState] = useState<Cited>({});
  useEffect(() => {
    let isCurrent = true;
    setState({});
    load?.().then(
      (cited) => isCurrent && setState({ cited }),
      (error: unknown) => isCurrent && setState({ error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [load]);
  return state;
}
