// Search over everything that has an address, and the list of shortcuts, in a modal dialog. The browser keeps the focus in
// it, closes it on Escape, and gives the focus back.

import { type ComponentChildren, h } from 'preact';
import '../style/palette.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useDebounce } from '../kit/use-debounce.ts';
import { useModal } from '../kit/use-modal.ts';
import { useQuery } from '../kit/use-query.ts';
import { searchOperators } from '../operators/registry.ts';
import { navigate } from '../router.ts';
import { loadEntries, loadMachineEntries } from './entries.ts';
import type { NamedPage, PaletteProps } from './palette.ts';
import { type Entry, rank } from './rank.ts';

export function Palette({ view, pages, onClose }: PaletteProps) {
  const { attributes, close } = useModal();
  return h(
    'dialog',
    {
      ...attributes,
      class: 'palette',
      'aria-label': view === 'search' ? 'Search' : 'Keyboard shortcuts',
      onClose,
    },
    view === 'search' ? h(Search, { pages, close }) : h(Shortcuts, { close }),
  );
}

const MAX_RESULTS = 14;
const MAX_LAWS = 5;
const DEBOUNCE_MS = 180;
const MIN_LAW_TERM = 2;
const MAX_TERM_LENGTH = 200;

interface SearchProps {
  readonly pages: readonly NamedPage[];
  readonly close: () => void;
}

function Search({ pages, close }: SearchProps) {
  const [term, setTerm] = useState('');
  const [lawTerm, setLawTerm] = useState('');
  const [selected, setSelected] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const debounce = useDebounce(DEBOUNCE_MS);
  const entries = useQuery('all', () => loadEntries(pages));
  const machines = useQuery('newest', loadMachineEntries);
  const laws = useQuery(lawTerm.length < MIN_LAW_TERM ? undefined : lawTerm, searchOperators);

  const query = term.trim();
  const found: readonly Entry[] =
    query === ''
      ? pages.map(({ name, path }) => ({ title: name, path, place: 'Page' }))
      : rank([...(entries.data ?? []), ...(machines.data ?? [])], query, MAX_RESULTS);
  const lawEntries: readonly Entry[] =
    query === '' || lawTerm !== query
      ? []
      : (laws.data?.rows ?? []).slice(0, MAX_LAWS).map(({ id, name }) => ({
          title: `${id} ${name}`,
          path: `/operators/${id}`,
          place: 'Law',
        }));
  const results = [...found, ...lawEntries];
  const current = Math.min(selected, results.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const onInput = (text: string) => {
    setTerm(text);
    setSelected(0);
    debounce.schedule(() => setLawTerm(text.trim()));
  };
  const open = ({ path }: Entry) => {
    close();
    navigate(path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = results.length - 1;
    const target = results[current];
    if (event.key === 'ArrowDown') setSelected(current >= last ? 0 : current + 1);
    else if (event.key === 'ArrowUp') setSelected(current <= 0 ? last : current - 1);
    else if (event.key === 'Enter' && target) open(target);
    else return;
    event.preventDefault();
  };
  const isLoading = entries.isLoading || (query.length >= MIN_LAW_TERM && lawTerm !== query) || laws.isLoading;
  return h(
    'div',
    { class: 'palette-search' },
    h('input', {
      type: 'text',
      role: 'combobox',
      'aria-label': 'Search pages, solvers, laws, routes and machines',
      'aria-expanded': results.length > 0,
      'aria-controls': 'palette-results',
      'aria-autocomplete': 'list',
      'aria-activedescendant': results.length > 0 ? `palette-${current}` : undefined,
      placeholder: 'Search pages, solvers, laws, routes …',
      maxLength: MAX_TERM_LENGTH,
      autocomplete: 'off',
      spellcheck: false,
      autofocus: true,
      value: term,
      onInput: (event: Event) => onInput((event.target as HTMLInputElement).value),
      onKeyDown,
    }),
    h(
      'div',
      { ref: list, class: 'palette-results', id: 'palette-results', role: 'listbox', 'aria-label': 'Results' },
      results.map((entry, at) =>
        h(
          'div',
          {
            key: `${entry.path} ${entry.title}`,
            id: `palette-${at}`,
            role: 'option',
            class: 'palette-result',
            'aria-selected': at === current,
            'data-path': entry.path,
            onClick: () => open(entry),
            onPointerMove: () => at !== current && setSelected(at),
          },
          h('span', null, entry.title),
          h('span', { class: 'palette-place' }, entry.place),
        ),
      ),
    ),
    h('p', { class: 'palette-status', role: 'status' }, statusOf(query, results.length, isLoading, entries.error)),
    h(
      'div',
      { class: 'palette-foot' },
      h('span', { class: 'palette-hints', 'aria-hidden': 'true' }, '↑ ↓ to choose, Enter to open, Esc to close'),
      h('button', { type: 'button', class: 'quiet', onClick: close }, 'Close'),
    ),
  );
}

function statusOf(query: string, count: number, isLoading: boolean, error: unknown): string {
  if (error !== undefined) return 'The list of pages could not be fetched; laws are found.';
  if (query === '') return '';
  if (count > 0) return `${count} ${count === 1 ? 'result' : 'results'}`;
  return isLoading ? 'Searching …' : `Nothing matches ${query}. Try fewer or different words.`;
}

const SHORTCUTS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['Ctrl K', '⌘ K'], 'Search pages, solvers, laws, routes and machines'],
  [['?'], 'Show these shortcuts'],
  [['Esc'], 'Close a dialog'],
  [['↑', '↓'], 'Move in the results, and in lists of solvers and operators'],
  [['Enter'], 'Open the chosen result; run a form'],
  [['Home', 'End'], 'First and last of a list'],
  [['Tab'], 'Next control'],
];

function Shortcuts({ close }: { readonly close: () => void }) {
  const keys = (names: readonly string[]): ComponentChildren =>
    names.map((name, at) => [at === 0 ? null : ' ', h('kbd', { key: name }, name)]);
  return h(
    'div',
    { class: 'palette-keys' },
    h('h2', null, 'Keyboard shortcuts'),
    h(
      'dl',
      null,
      SHORTCUTS.map(([names, does]) => h('div', { key: does }, h('dt', null, keys(names)), h('dd', null, does))),
    ),
    h('button', { type: 'button', onClick: close }, 'Close'),
  );
}
