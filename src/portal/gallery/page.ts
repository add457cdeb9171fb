// Gallery: every example of every solver by subject, found by words. A card opens the solver and runs the example.

import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { byRenown, SUBJECTS } from '../../solvers/subject.ts';
import '../style/cards.css';
import '../style/gallery.css';
import { pluralise } from '../kit/format.ts';
import { hasWords } from '../kit/has-words.ts';
import { NotLoaded } from '../kit/lazy-page.ts';
import { ModelEquations } from '../kit/model-equations.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { currentRoute, replaceUrl } from '../router.ts';
import { type GalleryCard, type GallerySolver, loadGallery } from './gallery-index.ts';

/** A solver with those of its cards that match. */
type Shown = GallerySolver;

export function GalleryPage() {
  const { data, error } = useQuery('all', loadGallery);
  const [term, setTerm] = useState(() => new URLSearchParams(currentRoute.value.search).get('q') ?? '');
  const change = (text: string) => {
    setTerm(text);
    const query = new URLSearchParams(text.trim() === '' ? {} : { q: text.trim() }).toString();
    replaceUrl(query === '' ? '/gallery' : `/gallery?${query}`);
  };
  const shown = useMemo(() => matching(data ?? [], term), [data, term]);
  if (error !== undefined) return h(NotLoaded, { what: 'The list of experiments' });
  return h(
    'div',
    { class: 'page gallery', 'aria-busy': data === undefined },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Gallery'),
      h(
        'p',
        { class: 'lead' },
        'Experiments to start from. Each picture was computed by its solver; a click computes it again in your browser and on the server, and compares the two.',
      ),
    ),
    h(
      'search',
      { class: 'gallery-find' },
      h('label', { class: 'filter-label', for: 'gallery-term' }, 'Find an experiment'),
      h('input', {
        id: 'gallery-term',
        type: 'search',
        maxLength: 80,
        autocomplete: 'off',
        spellcheck: false,
        placeholder: 'pendulum, epidemic, option, crack …',
        value: term,
        onInput: (event: Event) => change((event.target as HTMLInputElement).value),
      }),
    ),
    data === undefined
      ? null
      : [
          h('p', { key: 'count', class: 'gallery-count', role: 'status' }, countText(data, shown)),
          shown.length === 0
            ? h(Notice, {
                key: 'none',
                kind: 'empty',
                title: `No experiment matches ${term.trim()}.`,
                text: 'Try fewer or different words.',
                action: { label: 'Show all', run: () => change('') },
              })
            : SUBJECTS.map((subject) =>
                h(Subject, {
                  key: subject,
                  subject,
                  solvers: byRenown(shown.filter((solver) => solver.subject === subject)),
                }),
              ),
        ],
  );
}

function matching(solvers: readonly GallerySolver[], term: string): readonly Shown[] {
  return solvers.flatMap((solver) => {
    const { id, title, subject, domain } = solver;
    const cards = solver.cards.filter((card) =>
      hasWords([card.title, card.look, card.equations ?? '', id, title, subject, domain], term),
    );
    return cards.length === 0 ? [] : [{ ...solver, cards }];
  });
}

const cardsOf = (solvers: readonly Shown[]) => solvers.reduce((sum, { cards }) => sum + cards.length, 0);

function countText(all: readonly Shown[], shown: readonly Shown[]): string {
  const [total, some] = [cardsOf(all), cardsOf(shown)];
  if (some < total) return `${some} of ${pluralise(total, 'experiment')}`;
  return `${pluralise(total, 'experiment')} of ${pluralise(all.length, 'solver')}`;
}

function Subject({ subject, solvers }: { readonly subject: string; readonly solvers: readonly Shown[] }) {
  if (solvers.length === 0) return null;
  const id = `gallery-${subject.toLowerCase().replaceAll(/\W+/g, '-')}`;
  return h(
    'section',
    { class: 'gallery-subject', 'aria-labelledby': id },
    h('h2', { id }, subject),
    solvers.map((solver) =>
      h(
        'section',
        { key: solver.id, 'aria-labelledby': `${id}-${solver.id}` },
        h(
          'h3',
          { id: `${id}-${solver.id}`, class: 'gallery-solver' },
          h('a', { href: `/solve/${solver.id}`, 'data-page': '' }, solver.title),
          ' ',
          h('span', { class: 'gallery-number' }, pluralise(solver.cards.length, 'experiment')),
        ),
        h(ModelEquations, { equations: solver.equations }),
        h(
          'ul',
          { class: 'gallery-cards' },
          solver.cards.map((card) => h(Card, { key: card.href, card })),
        ),
      ),
    ),
  );
}

function Card({ card: { title, look, equations, image, imageText, href } }: { readonly card: GalleryCard }) {
  return h(
    'li',
    { class: 'card gallery-card' },
    h(
      'div',
      { class: 'gallery-picture' },
      image === undefined
        ? null
        : h('img', { src: image, alt: imageText ?? '', width: 320, height: 200, loading: 'lazy', decoding: 'async' }),
    ),
    h('p', { class: 'card-head' }, h('a', { class: 'card-link', href, 'data-page': '' }, title)),
    h('p', { class: 'card-text' }, look),
    equations === undefined ? null : h('p', { class: 'gallery-own' }, h('code', null, equations)),
  );
}
