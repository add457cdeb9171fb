// Delays an action until no newer one has been scheduled for a while.

import { useEffect, useRef } from 'preact/hooks';

export interface Debounce {
  /** Runs the action after the delay, unless another is scheduled or `cancel` is called before. */
  readonly schedule: (action: () => void) => void;
  readonly cancel: () => void;
}

export function useDebounce(delayMs: number): Debounce {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const cancel = () => clearTimeout(timer.current);
  useEffect(() => cancel, []);
  return {
    schedule: (action) => {
      cancel();
      timer.current = setTimeout(action, delayMs);
    },
    cancel,
  };
}
