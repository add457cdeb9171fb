// The registry as a whole: a search that answers while one types, and the tree of domains.

import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAsked } from '../kit/asked.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { place, rename } from '../route.ts';
import { DomainTree } from './domain-tree.ts';
import { HitList, moveFocus } from './hit-list.ts';
import {
  type DomainListing,
  type DomainRow,
  type Domains,
  type Found,
  findOperators,
  readDomain,
  readDomains,
} from './registry.ts';

/** Asked once the visitor pauses. */
const TYPING_MS = 180;
/** As many as the route reads. */
const LONGEST_TERM = 200;

/** Where there is room for it a few laws show what is to be found. */
const hasRoom = matchMedia('(min-width: 60.01rem)');
const EXAMPLE = { term: 'energy', laws: 6 };
const BEGINNINGS = ['kinetic energy', 'Reynolds number', 'hbar', 'm*v^2', 'half-life', 'QM5'];

const addressOf = (term: string, domain: string) => {
  const query = new URLSearchParams({ ...(term === '' ? {} : { q: term }), ...(domain === '' ? {} : { domain }) });
  const text = query.toString();
  return `/operators${text === '' ? '' : `?${text}`}`;
};

export function Browse() {
  const here = place.value;
  const said = new URLSearchParams(here.search);
  const domain = (said.get('domain') ?? '').toUpperCase();
  const [term, setTerm] = useState(said.get('q') ?? '');
  const [asked, setAsked] = useState(term.trim());
  const soon = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(soon.current), []);
  // Every visit, also one to an address that was renamed since; what was typed before it is not asked after it.
  // In the same turn as the page, so that no key falls between the field and what it is filled with.
  useLayoutEffect(() => {
    clearTimeout(soon.current);
    const next = new URLSearchParams(here.search).get('q') ?? '';
    setTerm(next);
    setAsked(next.trim());
    document.title = 'Operators · svc';
  }, [here]);

  // Enter may come before the answer to what was typed; it opens the first law of that answer, not of the one before.
  const isEntered = useRef(false);
  const type = (text: string) => {
    setTerm(text);
    isEntered.current = false;
    rename(addressOf(text.trim(), domain));
    clearTimeout(soon.current);
    soon.current = setTimeout(() => setAsked(text.trim()), TYPING_MS);
  };

  const domains = useAsked('all', readDomains);
  const listing = useAsked(domain === '' ? undefined : domain, readDomain);
  const found = useAsked(asked === '' ? undefined : asked, findOperators);
  const content = useRef<HTMLDivElement>(null);
  const isAnswered = asked !== '' && asked === term.trim() && !found.isBusy;
  const openFirst = () => {
    isEntered.current = false;
    content.current?.querySelector<HTMLElement>('.hit-link')?.click();
  };
  useEffect(() => {
    if (isAnswered && isEntered.current) openFirst();
  }, [isAnswered]);
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') moveFocus(content.current, 'first');
    else if (event.key === 'Enter' && term.trim() !== '') {
      clearTimeout(soon.current);
      setAsked(term.trim());
      isEntered.current = true;
      if (isAnswered) openFirst();
    } else return;
    event.preventDefault();
  };

  return h(
    'div',
    { class: 'page browse' },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Operators'),
      h(
        'p',
        { class: 'lead' },
        'Closed-form laws with units, ranges and sources. Each can be tried here, and computed under a seal.',
      ),
    ),
    h(
      'search',
      { class: 'browse-search' },
      h('label', { class: 'filter-label', for: 'term' }, 'Find a law'),
      h('input', {
        id: 'term',
        type: 'search',
        maxLength: LONGEST_TERM,
        autocomplete: 'off',
        spellcheck: false,
        placeholder: 'A name, a symbol, part of an equation, an id',
        'aria-describedby': 'term-help',
        value: term,
        onInput: (event: Event) => type((event.target as HTMLInputElement).value),
        onKeyDown: keys,
      }),
      h(
        'p',
        { class: 'field-help', id: 'term-help' },
        'The arrow keys go through what is found; Enter opens the first.',
      ),
    ),
    h(
      'div',
      {
        class: `browse-content${asked === '' && domain === '' ? '' : ' is-asked'}`,
        ref: content,
        'aria-busy': asked === '' ? listing.isBusy : found.isBusy,
      },
      asked !== ''
        ? h(Hits, { term: asked, found })
        : domain !== ''
          ? h(DomainView, { listing })
          : h(Beginnings, { domains: domains.answer, isCounting: domains.error === undefined }),
    ),
    h(
      'aside',
      { class: 'browse-domains', 'aria-labelledby': 'domains-title', 'aria-busy': domains.isBusy },
      h('h2', { id: 'domains-title' }, 'Domains'),
      domains.error === undefined
        ? null
        : h(Notice, { ...noticeOf(domains.error), action: { label: 'Try again', run: domains.again } }),
      domains.answer === undefined
        ? null
        : h(DomainList, { domains: domains.answer.rows, open: domain, listing: listing.answer }),
    ),
  );
}

interface DomainListProps {
  readonly domains: readonly DomainRow[];
  readonly open: string;
  readonly listing: DomainListing | undefined;
}

/** Those with laws as a tree; those that are still open apart from them. */
function DomainList({ domains, open, listing }: DomainListProps) {
  const sorted = domains.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const begun = sorted.filter(({ operators }) => operators > 0);
  const others = sorted.filter(({ operators }) => operators === 0);
  return [
    h(DomainTree, { domains: begun, open, listing }),
    others.length === 0
      ? null
      : h(
          'details',
          { class: 'open-domains', open: others.some(({ prefix }) => prefix === open) || undefined },
          h('summary', null, `${others.length} domains are still open`),
          h(
            'ul',
            null,
            others.map(({ prefix, name }) =>
              h(
                'li',
                { key: prefix },
                h(
                  'a',
                  {
                    href: addressOf('', prefix),
                    'data-page': '',
                    'aria-current': prefix === open ? 'true' : undefined,
                  },
                  name,
                ),
              ),
            ),
          ),
        ),
  ];
}

interface AskedOf<Answer> {
  readonly answer: Answer | undefined;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly again: () => void;
}

function Hits({ term, found }: { readonly term: string; readonly found: AskedOf<Found> }) {
  const { answer, error, again, isBusy } = found;
  if (error !== undefined) return h(Notice, { ...noticeOf(error), action: { label: 'Try again', run: again } });
  if (answer === undefined) return h('p', { class: 'lead' }, 'Looking …');
  const { count, total, rows, read_as = {} } = answer;
  if (total === 0) {
    return h(Notice, {
      kind: 'empty',
      title: `No law says anything of ${term}.`,
      text: 'Fewer or other words may find one; the domains show all there are.',
    });
  }
  const read = Object.entries(read_as).map(([word, others]) => `${word} is read as ${others.join(', ')}`);
  const many = total === 1 ? 'One law' : count < total ? `The best ${count} of ${total} laws` : `${total} laws`;
  return [
    h('h2', { class: 'visually-hidden' }, 'Found'),
    h('p', { class: 'hit-count', role: 'status' }, isBusy ? 'Looking …' : [many, ...read].join('; ')),
    h(HitList, { rows, isDomainShown: true }),
  ];
}

function DomainView({ listing }: { readonly listing: AskedOf<DomainListing> }) {
  const { answer, error, again } = listing;
  if (error !== undefined) return h(Notice, { ...noticeOf(error), action: { label: 'Try again', run: again } });
  if (answer === undefined) return null;
  const { name, prefix, description, operators, budget, complete, rows } = answer;
  return [
    h('div', { class: 'domain-head' }, h('h2', null, name), h('span', { class: 'chip' }, prefix)),
    h('p', { class: 'domain-text' }, `${description}.`),
    h(
      'p',
      { class: 'hit-count', role: 'status' },
      complete
        ? `${operators} laws, all that are planned.`
        : operators === 0
          ? `Still open: its ${budget} laws are not written yet.`
          : `${operators} of ${budget} laws so far; the others are still open.`,
    ),
    rows.length === 0 ? null : h(HitList, { rows, isDomainShown: false }),
  ];
}

interface BeginningsProps {
  readonly domains: Domains | undefined;
  readonly isCounting: boolean;
}

function Beginnings({ domains, isCounting }: BeginningsProps) {
  const examples = useAsked(hasRoom.matches ? EXAMPLE.term : undefined, findOperators);
  const begun = domains?.rows.filter(({ operators }) => operators > 0).length;
  return h(
    'div',
    { class: 'beginnings' },
    h('h2', null, 'Where to begin'),
    h(
      'p',
      { class: 'domain-text' },
      domains === undefined
        ? isCounting
          ? 'Counting …'
          : 'How many there are is not known just now.'
        : `${domains.operators} laws of ${domains.budget} stand, in ${begun} of ${domains.count} domains. The others are still open.`,
    ),
    h(
      'ul',
      { class: 'beginning-list' },
      BEGINNINGS.map((text) =>
        h('li', { key: text }, h('a', { class: 'chip-link', href: addressOf(text, ''), 'data-page': '' }, text)),
      ),
    ),
    examples.answer === undefined
      ? null
      : h(HitList, { rows: examples.answer.rows.slice(0, EXAMPLE.laws), isDomainShown: true }),
  );
}
