// Hook for pages whose contents are loaded by path: the page before stays until the next is there, and one that comes
// after another path was opened is dropped.

import { useEffect, useRef, useState } from 'preact/hooks';

interface AtPath {
  readonly path: string;
}

export interface ShownPage<Shown> {
  /** Undefined before the first. */
  readonly shown: Shown | undefined;
  readonly error: unknown;
  /** Loads the path again. */
  readonly load: () => void;
}

export function useShown<Shown extends AtPath>(
  path: string,
  loadShown: (path: string) => Promise<Shown>,
): ShownPage<Shown> {
  const [shown, setShown] = useState<Shown | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const latest = useRef(path);
  latest.current = path;
  const load = () => {
    setError(undefined);
    loadShown(path).then(
      (next) => latest.current === next.path && setShown(next),
      (cause: unknown) => latest.current === path && setError(cause),
    );
  };
  useEffect(load, [path]);
  return { shown, error, load };
}
