// Button of the search, and its keys: Ctrl K or ⌘ K searches, ? lists the shortcuts. The rest is loaded on first use.

import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { NamedPage, PaletteProps } from './palette.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export function SearchButton({ pages }: { readonly pages: readonly NamedPage[] }) {
  const [view, setView] = useState<PaletteProps['view'] | undefined>(undefined);
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | undefined>(undefined);
  const open = (next: PaletteProps['view']) => {
    setView(next);
    // After an update of the node the script may be gone; the next try, after a reload, finds the new one.
    import('./dialog.ts').then(
      (module) => setPalette(() => module.Palette),
      () => setView(undefined),
    );
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isSearch = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
      const isHelp = event.key === '?' && !event.ctrlKey && !event.metaKey && !isEditable(event.target);
      if (!isSearch && !isHelp) return;
      event.preventDefault();
      open(isSearch ? 'search' : 'keys');
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return [
    h(
      'button',
      {
        type: 'button',
        class: 'search-button',
        'aria-haspopup': 'dialog',
        'aria-keyshortcuts': isMac ? 'Meta+K' : 'Control+K',
        onClick: () => open('search'),
      },
      h(
        'svg',
        { viewBox: '0 0 20 20', width: 16, height: 16, 'aria-hidden': 'true' },
        h('path', { class: 'search-glass', d: 'M13.5 13.5 18 18M15 8.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0Z' }),
      ),
      h('span', { class: 'search-word' }, 'Search'),
      h('kbd', { 'aria-hidden': 'true' }, isMac ? '⌘K' : 'Ctrl K'),
    ),
    view !== undefined && Palette !== undefined
      ? h(Palette, { key: 'palette', view, pages, onClose: () => setView(undefined) })
      : null,
  ];
}

const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
