// A page that is loaded when it is visited, with a quiet place until it is there.

import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Notice } from './notice.ts';

type Loaded = { readonly page: ComponentType } | { readonly error: unknown } | undefined;

/** The name of a chunk holds its hash, so a new version of the node may no longer have it. */
export function Later({ load }: { readonly load: () => Promise<ComponentType> }) {
  const [loaded, setLoaded] = useState<Loaded>(undefined);
  const fetchPage = () =>
    load().then(
      (page) => setLoaded({ page }),
      (error: unknown) => setLoaded({ error }),
    );
  useEffect(() => void fetchPage(), []);
  if (loaded === undefined) return h('div', { class: 'page', 'aria-busy': 'true' });
  if ('page' in loaded) return h(loaded.page, null);
  return h(
    'div',
    { class: 'page' },
    h('h1', null, 'This page did not load'),
    h(Notice, {
      kind: 'error',
      title: 'Its script could not be fetched.',
      text: 'The network may be gone, or the node has a new version. Reloading gets the current one.',
      action: { label: 'Reload', run: () => location.reload() },
    }),
  );
}
