// All solvers by subject, filtered while typing: a column of links beside the workbench, folded in narrow windows. The
// links are one tab stop; the arrow keys move between them.

import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { SUBJECTS } from '../../solvers/subject.ts';
import { pluralise } from '../kit/format.ts';
import { hasWords } from '../kit/has-words.ts';
import { mediaQuery } from '../kit/media-query.ts';
import { moveFocus, stepOfKey } from '../kit/move-focus.ts';
import { Notice } from '../kit/notice.ts';
import type { SolverSummary } from './solver-description.ts';

/** Windows with room for the list beside the workbench. */
const hasColumn = mediaQuery('(min-width: 76.01rem)');

const LINK = '.solver-link';

interface ListProps {
  readonly solvers: readonly SolverSummary[];
  /** Id of the open solver. */
  readonly current: string;
}

export function SolverList({ solvers, current }: ListProps) {
  const [term, setTerm] = useState('');
  const list = useRef<HTMLDetailsElement>(null);
  const matches = solvers.filter(({ id, title, subject, domain, summary }) =>
    hasWords([id, title, subject, domain, summary], term),
  );
  const isFolding = !hasColumn.value;
  useLayoutEffect(() => {
    if (list.current) openOrFold(list.current, isFolding);
  }, [current, isFolding]);

  const onTermKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') moveFocus(list.current, LINK, 'first');
    else if (event.key === 'Enter' && term.trim() !== '') list.current?.querySelector<HTMLElement>(LINK)?.click();
    else return;
    event.preventDefault();
  };
  return h(
    'details',
    { class: 'solver-list', ref: list },
    h('summary', null, `All ${solvers.length} solvers`),
    h(
      'search',
      { class: 'solver-find' },
      h('label', { class: 'filter-label', for: 'solver-term' }, 'Find a solver'),
      h('input', {
        id: 'solver-term',
        type: 'search',
        maxLength: 80,
        autocomplete: 'off',
        spellcheck: false,
        placeholder: 'Name, field or method',
        'aria-describedby': 'solver-term-help',
        value: term,
        onInput: (event: Event) => setTerm((event.target as HTMLInputElement).value),
        onKeyDown: onTermKey,
      }),
      h(
        'p',
        { class: 'visually-hidden', id: 'solver-term-help' },
        'Use the arrow keys to move through the solvers; Enter opens the first one.',
      ),
      h('p', { class: 'solver-count', role: 'status' }, countText(solvers, matches)),
    ),
    matches.length === 0
      ? h(Notice, {
          kind: 'empty',
          title: `No solver matches ${term.trim()}.`,
          text: 'Try fewer or different words.',
          action: { label: 'Show all', run: () => setTerm('') },
        })
      : h(Subjects, { solvers: matches, current }),
  );
}

function countText(solvers: readonly SolverSummary[], matches: readonly SolverSummary[]): string {
  if (matches.length < solvers.length) return `${matches.length} of ${pluralise(solvers.length, 'solver')}`;
  return `${pluralise(solvers.length, 'solver')} in ${pluralise(subjectsOf(solvers).length, 'subject')}`;
}

const subjectsOf = (solvers: readonly SolverSummary[]) =>
  SUBJECTS.filter((subject) => solvers.some((solver) => solver.subject === subject));

/** Opens the list at the current solver, or folds it, so that a narrow window shows the solver that was chosen. */
function openOrFold(list: HTMLDetailsElement, isFolding: boolean): void {
  const link = list.querySelector<HTMLElement>('[aria-current]');
  list.open = !isFolding || link === null;
  if (isFolding || link === null) return;
  const { offsetTop, offsetHeight } = link;
  const isVisible = offsetTop >= list.scrollTop && offsetTop + offsetHeight <= list.scrollTop + list.clientHeight;
  if (!isVisible) list.scrollTop = offsetTop - list.clientHeight / 2;
}

function Subjects({ solvers, current }: ListProps) {
  const stop = (solvers.find(({ id }) => id === current) ?? solvers[0])?.id;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOfKey(event.key);
    if (step === undefined) return;
    event.preventDefault();
    if (!moveFocus(event.currentTarget as HTMLElement, LINK, step) && step === 'previous')
      document.getElementById('solver-term')?.focus();
  };
  return h(
    'nav',
    { class: 'solver-subjects', 'aria-label': 'Solvers', onKeyDown },
    subjectsOf(solvers).map((subject, at) => [
      h('p', { key: `${subject} name`, class: 'solver-subject', id: `solver-subject-${at}` }, subject),
      h(
        'ul',
        { key: subject, 'aria-labelledby': `solver-subject-${at}` },
        solvers
          .filter((solver) => solver.subject === subject)
          .sort((a, b) => (a.title < b.title ? -1 : 1))
          .map(({ id, title, summary }) =>
            h(
              'li',
              { key: id },
              h(
                'a',
                {
                  class: 'solver-link',
                  href: `/solve/${id}`,
                  title: summary,
                  'data-page': '',
                  tabIndex: id === stop ? 0 : -1,
                  'aria-current': id === current ? 'page' : undefined,
                },
                title,
              ),
            ),
          ),
      ),
    ]),
  );
}
