// Button of the search, and its keys: Ctrl K or ⌘ K searches, ? lists the shortcuts. The rest is loaded on first use.

import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { NamedPage, PaletteProps } from './palette.ts';

/** An opening of the dialog. Each has a dialog of its own, since one that has been closed stays so. */
interface Opened {
  readonly view: PaletteProps['view'];
  readonly no: number;
}

/** A browser tells later that a dialog has been closed, maybe after the next one was opened. */
const closedOf =
  ({ no }: Opened) =>
  (now: Opened | undefined): Opened | undefined =>
    now?.no === no ? undefined : now;

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export function SearchButton({ pages }: { readonly pages: readonly NamedPage[] }) {
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | undefined>(undefined);
  const open = (view: PaletteProps['view']) => {
    const isOpen = document.querySelector('dialog.palette[open]') !== null;
    // The same keys again keep what was typed.
    setOpened((last) => (isOpen && last?.view === view ? last : { view, no: (last?.no ?? 0) + 1 }));
    // After an update of the node the script may be gone; the next try, after a reload, finds the new one.
    import('./dialog.ts').then(
      (module) => setPalette(() => module.Palette),
      () => setOpened(undefined),
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
    opened !== undefined && Palette !== undefined
      ? h(Palette, { key: opened.no, view: opened.view, pages, onClose: () => setOpened(closedOf(opened)) })
      : null,
  ];
}

const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
