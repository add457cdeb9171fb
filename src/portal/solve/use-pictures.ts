// The code of the pictures, loaded after the page, since charts are larger than the rest of it.

import { useEffect, useState } from 'preact/hooks';

type Pictures = typeof import('../pictures/index.ts');

interface LoadedPictures {
  readonly pictures?: Pictures;
  readonly error?: unknown;
}

export function usePictures(): LoadedPictures {
  const [state, setState] = useState<LoadedPictures>({});
  useEffect(() => {
    import('../pictures/index.ts').then(
      (pictures) => setState({ pictures }),
      (error: unknown) => setState({ error }),
    );
  }, []);
  return state;
}
