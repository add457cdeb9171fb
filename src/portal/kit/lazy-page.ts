// Page loaded on its first visit; shows a busy placeholder meanwhile.

import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Notice } from './notice.ts';

type LoadState = { readonly page: ComponentType } | { readonly error: unknown } | undefined;

/** Chunk names contain a hash, so a new version of the node may no longer serve an old chunk. */
export function LazyPage({ load }: { readonly load: () => Promise<ComponentType> }) {
  const [loaded, setLoaded] = useState<LoadState>(undefined);
  const fetchPage = () =>
    load().then(
      (page) => setLoaded({ page }),
      (error: unknown) => setLoaded({ error }),
    );
  useEffect(() => void fetchPage(), []);
  if (loaded === undefined) return h('div', { class: 'page', 'aria-busy': 'true' });
  if ('page' in loaded) return h(loaded.page, null);
  return h(NotLoaded, { what: 'The script of this page' });
}

/** @param what  in words, at the start of a sentence: a file that could not be fetched */
export function NotLoaded({ what }: { readonly what: string }) {
  return h(
    'div',
    { class: 'page' },
    h('h1', null, 'Page not loaded'),
    h(Notice, {
      kind: 'error',
      title: `${what} could not be fetched.`,
      text: 'You may be offline, or the node was updated. Reload to get the current version.',
      action: { label: 'Reload', run: () => location.reload() },
    }),
  );
}
