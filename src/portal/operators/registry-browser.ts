// Registry page: search as you type, and the tree of domains.

import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorNotice } from '../kit/error-notice.ts';
import { pluralise } from '../kit/format.ts';
import { moveFocus } from '../kit/move-focus.ts';
import { Notice } from '../kit/notice.ts';
import { useDebounce } from '../kit/use-debounce.ts';
import { type Query, useQuery } from '../kit/use-query.ts';
import { LAWS_PAGE } from '../page-paths.ts';
import { currentRoute, replaceUrl } from '../router.ts';
import { DomainTree } from './domain-tree.ts';
import { OperatorList } from './operator-list.ts';
import {
  type DomainList,
  type DomainListing,
  getDomain,
  listDomains,
  type SearchResult,
  searchOperators,
} from './registry.ts';

/** Debounce time before a search. */
const DEBOUNCE_MS = 180;
/** Limit of the search route. */
const MAX_TERM_LENGTH = 200;

/** Wide windows show a few laws. */
const wideQuery = matchMedia('(min-width: 60.01rem)');
const EXAMPLES = { term: 'energy', count: 6 };
const SAMPLE_TERMS = [
  'how long to cool',
  'stopping distance',
  'loan payment',
  'how high will a ball go',
  'heat loss through a window',
  'kinetic energy',
  'm*v^2',
  'QM5',
];

const withLaws = ({ rows }: DomainList) =>
  rows.filter(({ operators }) => operators > 0).toSorted((a, b) => (a.name < b.name ? -1 : 1));

const urlOf = (term: string, domain: string) => {
  const query = new URLSearchParams({ ...(term === '' ? {} : { q: term }), ...(domain === '' ? {} : { domain }) });
  const text = query.toString();
  return `/operators${text === '' ? '' : `?${text}`}`;
};

export function RegistryBrowser() {
  const route = currentRoute.value;
  const parameters = new URLSearchParams(route.search);
  const domain = (parameters.get('domain') ?? '').toUpperCase();
  const [term, setTerm] = useState(parameters.get('q') ?? '');
  const [searchTerm, setSearchTerm] = useState(term.trim());
  const debounce = useDebounce(DEBOUNCE_MS);
  // Runs on every navigation, also to a URL that replaceUrl has changed since; cancels a pending search.
  // A layout effect, so that no key press comes before the field is filled.
  useLayoutEffect(() => {
    debounce.cancel();
    const next = new URLSearchParams(route.search).get('q') ?? '';
    setTerm(next);
    setSearchTerm(next.trim());
    document.title = `${LAWS_PAGE.name} · svc`;
  }, [route]);

  // Enter may precede the results of the typed term; it opens the first of those results, not of the previous ones.
  const isEnterPending = useRef(false);
  const onTermInput = (text: string) => {
    setTerm(text);
    isEnterPending.current = false;
    replaceUrl(urlOf(text.trim(), domain));
    debounce.schedule(() => setSearchTerm(text.trim()));
  };

  const domains = useQuery('all', listDomains);
  const listing = useQuery(domain === '' ? undefined : domain, getDomain);
  const search = useQuery(searchTerm === '' ? undefined : searchTerm, searchOperators);
  const content = useRef<HTMLDivElement>(null);
  const isUpToDate = searchTerm !== '' && searchTerm === term.trim() && !search.isLoading;
  const openFirst = () => {
    isEnterPending.current = false;
    content.current?.querySelector<HTMLElement>('.hit-link')?.click();
  };
  useEffect(() => {
    if (isUpToDate && isEnterPending.current) openFirst();
  }, [isUpToDate]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') moveFocus(content.current, '.hit-link', 'first');
    else if (event.key === 'Enter' && term.trim() !== '') {
      debounce.cancel();
      setSearchTerm(term.trim());
      isEnterPending.current = true;
      if (isUpToDate) openFirst();
    } else return;
    event.preventDefault();
  };

  return h(
    'div',
    { class: 'page browse' },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, LAWS_PAGE.name),
      h(
        'p',
        { class: 'lead' },
        'A law is an equation with units, a valid range and a source. Say what you want to know, and try the law here; the server signs its result.',
      ),
    ),
    h(
      'search',
      { class: 'browse-search' },
      h('label', { class: 'filter-label', for: 'term' }, 'Find a law'),
      h('input', {
        id: 'term',
        type: 'search',
        maxLength: MAX_TERM_LENGTH,
        autocomplete: 'off',
        spellcheck: false,
        placeholder: 'Everyday words, a name, or part of an equation',
        'aria-describedby': 'term-help',
        value: term,
        onInput: (event: Event) => onTermInput((event.target as HTMLInputElement).value),
        onKeyDown,
      }),
      h(
        'p',
        { class: 'field-help', id: 'term-help' },
        'Use the arrow keys to move through the results; Enter opens the first one.',
      ),
    ),
    h(
      'div',
      {
        class: `browse-content${searchTerm === '' && domain === '' ? '' : ' is-filtered'}`,
        ref: content,
        'aria-busy': searchTerm === '' ? listing.isLoading : search.isLoading,
      },
      searchTerm !== ''
        ? h(SearchResults, { term: searchTerm, search })
        : domain !== ''
          ? h(DomainView, { listing })
          : h(StartPanel, { domains: domains.data, isLoading: domains.error === undefined }),
    ),
    h(
      'aside',
      { class: 'browse-domains', 'aria-labelledby': 'domains-title', 'aria-busy': domains.isLoading },
      h('h2', { id: 'domains-title' }, 'Subjects'),
      domains.error === undefined
        ? null
        : h(Notice, { ...errorNotice(domains.error), action: { label: 'Try again', run: domains.refetch } }),
      domains.data === undefined
        ? null
        : h(DomainTree, { domains: withLaws(domains.data), open: domain, listing: listing.data }),
    ),
  );
}

function SearchResults({ term, search }: { readonly term: string; readonly search: Query<SearchResult> }) {
  const { data, error, refetch, isLoading } = search;
  if (error !== undefined) return h(Notice, { ...errorNotice(error), action: { label: 'Try again', run: refetch } });
  if (data === undefined) return h('p', { class: 'lead' }, 'Searching …');
  const { count, total, rows, matches, read_as = {} } = data;
  if (total === 0) {
    return h(Notice, {
      kind: 'empty',
      title: `No law matches ${term}.`,
      text: 'Try fewer or different words, or browse the subjects.',
    });
  }
  const replacements = Object.entries(read_as).map(([word, others]) => `${word} interpreted as ${others.join(', ')}`);
  const countText = total === 1 ? '1 law' : count < total ? `The best ${count} of ${total} laws` : `${total} laws`;
  return [
    h('h2', { class: 'visually-hidden' }, 'Search results'),
    h('p', { class: 'hit-count', role: 'status' }, isLoading ? 'Searching …' : [countText, ...replacements].join('; ')),
    h(OperatorList, { rows, matches, isDomainShown: true }),
  ];
}

function DomainView({ listing }: { readonly listing: Query<DomainListing> }) {
  const { data, error, refetch } = listing;
  if (error !== undefined) return h(Notice, { ...errorNotice(error), action: { label: 'Try again', run: refetch } });
  if (data === undefined) return null;
  const { name, prefix, description, operators, rows } = data;
  return [
    h('div', { class: 'domain-head' }, h('h2', null, name), h('span', { class: 'chip' }, prefix)),
    h('p', { class: 'domain-text' }, `${description}.`),
    h('p', { class: 'hit-count', role: 'status' }, operators === 0 ? 'No laws yet.' : pluralise(operators, 'law')),
    rows.length === 0 ? null : h(OperatorList, { rows, isDomainShown: false }),
  ];
}

interface StartPanelProps {
  readonly domains: DomainList | undefined;
  readonly isLoading: boolean;
}

function StartPanel({ domains, isLoading }: StartPanelProps) {
  const examples = useQuery(wideQuery.matches ? EXAMPLES.term : undefined, searchOperators);
  return h(
    'div',
    { class: 'beginnings' },
    h('h2', null, 'Get started'),
    h(
      'p',
      { class: 'domain-text' },
      domains === undefined
        ? isLoading
          ? 'Loading …'
          : 'The number of laws is unavailable.'
        : `${domains.operators} laws in ${withLaws(domains).length} subjects, each with a worked example and its source.`,
    ),
    h('p', { class: 'domain-text' }, 'Search in your own words, or by symbol, equation or id:'),
    h(
      'ul',
      { class: 'sample-terms' },
      SAMPLE_TERMS.map((text) =>
        h('li', { key: text }, h('a', { class: 'chip-link', href: urlOf(text, ''), 'data-page': '' }, text)),
      ),
    ),
    examples.data === undefined
      ? null
      : h(OperatorList, { rows: examples.data.rows.slice(0, EXAMPLES.count), isDomainShown: true }),
  );
}
