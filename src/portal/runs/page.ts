// Runs page: the filed runs of the visitor's key, found by words, opened, checked and compared.

import { h } from 'preact';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import { LIMITS } from '../../core/limits.ts';
import '../style/runs.css';
import { errorNotice } from '../kit/error-notice.ts';
import { formatCount, pluralise } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { useDebounce } from '../kit/use-debounce.ts';
import { useQuery } from '../kit/use-query.ts';
import { useRequest } from '../kit/use-request.ts';
import { navigate } from '../router.ts';
import { currentKey } from '../session.ts';
import { loadSummaries } from '../solve/solver-description.ts';
import type { ComparedRun } from './compared-run.ts';
import { RunComparison } from './comparison.ts';
import { comparedRun, loadRun } from './filed-run.ts';
import { Row } from './row.ts';
import { type RunList, useRunList } from './use-run-list.ts';

/** Debounce time before a search. */
const DEBOUNCE_MS = 180;
/** More columns than this cannot be read. */
const MAX_COMPARED = 6;

export function RunsPage() {
  const key = currentKey.value;
  return h(
    'div',
    { class: 'page runs' },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Runs'),
      h(
        'p',
        { class: 'lead' },
        'Results that you filed, each with the receipt as it was sealed. Open one to change its inputs, check it, or compare several.',
      ),
    ),
    key === undefined
      ? h(Notice, {
          kind: 'empty',
          title: 'No runs yet.',
          text: 'Runs belong to a key. Compute something on the server and press File, or enter the key under which you filed runs.',
          action: { label: 'Enter a key', run: () => navigate('/keys') },
        })
      : h(Library, { key: key.key }),
  );
}

function Library() {
  const [term, setTerm] = useState('');
  const [sought, setSought] = useState('');
  const debounce = useDebounce(DEBOUNCE_MS);
  const list = useRunList(sought);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const solvers = useQuery('all', loadSummaries);
  const titles = useMemo(() => new Map((solvers.data ?? []).map(({ id, title }) => [id, title])), [solvers.data]);
  const toggle = useCallback(
    (id: string) =>
      setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    [],
  );
  const find = (text: string) => {
    setTerm(text);
    debounce.schedule(() => setSought(wordsIn(text)));
  };
  const { rows, newerCount, hasOlder, isLoading, error, showNewer, showOlder, retry } = list;
  const failure =
    error === undefined
      ? null
      : h(Notice, { key: 'error', ...errorNotice(error), action: { label: 'Try again', run: retry } });
  // The field stays from then on, whatever an answer says: somebody may be typing in it.
  const isOpen = useRef(false);
  isOpen.current ||= list.term !== undefined;
  if (!isOpen.current) return failure ?? h('p', { 'aria-busy': true }, 'Loading …');
  if (term === '' && list.term === '' && rows.length === 0)
    return h(Notice, {
      kind: 'empty',
      title: 'No runs are filed under this key.',
      text: 'Compute something on the server and press File: it is kept here with its receipt.',
      action: { label: 'Open a solver', run: () => navigate('/gallery') },
    });
  return [
    h(
      'search',
      { key: 'find', class: 'run-find' },
      h('label', { class: 'filter-label', for: 'runs-term' }, 'Find a run'),
      h('input', {
        id: 'runs-term',
        type: 'search',
        maxLength: LIMITS.search.runCharacters,
        autocomplete: 'off',
        spellcheck: false,
        placeholder: 'Law, solver or folder',
        value: term,
        onInput: (event: Event) => find((event.target as HTMLInputElement).value),
      }),
    ),
    h(
      'p',
      { key: 'count', class: 'run-note', role: 'status' },
      wordsIn(term) !== sought || isLoading ? 'Searching …' : countText(list),
    ),
    failure,
    newerCount > 0
      ? h('button', { key: 'newer', type: 'button', onClick: showNewer }, `Newer runs (${formatCount(newerCount)})`)
      : null,
    h(
      'ul',
      { key: 'list', class: 'run-list', 'aria-busy': isLoading },
      rows.map((row) => h(Row, { key: row.id, row, titles, isChosen: chosen.has(row.id), toggle })),
    ),
    hasOlder
      ? h('button', { key: 'more', type: 'button', disabled: isLoading, onClick: showOlder }, 'Older runs')
      : null,
    h(Compare, { key: 'compare', ids: [...chosen], toggle }),
  ];
}

/** The words of a term, with one space between. */
const wordsIn = (text: string) => text.trim().split(/\s+/).join(' ');

function countText({ term = '', count, hasMore, error }: RunList): string {
  if (error !== undefined) return '';
  if (count === 0) return `No run has “${term}” in its law, solver or folder. Try fewer words.`;
  const found = pluralise(count, 'run');
  return `${found}${term === '' ? '' : ` with “${term}”`}${hasMore ? ', and older ones' : ''}`;
}

interface CompareProps {
  readonly ids: readonly string[];
  readonly toggle: (id: string) => void;
}

function Compare({ ids, toggle }: CompareProps) {
  const request = useRequest();
  const [runs, setRuns] = useState<readonly ComparedRun[]>([]);
  const shown = runs.filter(({ id }) => ids.includes(id));
  const compare = () =>
    request.run(async () => {
      const compared: ComparedRun[] = [];
      for (const id of ids) compared.push(await comparedRun(await loadRun(id)));
      setRuns(compared);
    });
  const hint =
    ids.length < 2
      ? 'Choose two or more runs.'
      : ids.length > MAX_COMPARED
        ? `Choose at most ${MAX_COMPARED} runs.`
        : `${pluralise(ids.length, 'run')} chosen; each is computed again in this browser.`;
  return h(
    'section',
    { class: 'run-compare', 'aria-labelledby': 'run-compare-title' },
    h('h2', { id: 'run-compare-title' }, 'Compare'),
    h(
      'div',
      { class: 'button-row' },
      h(
        'button',
        {
          type: 'button',
          class: 'primary',
          disabled: request.isBusy || ids.length < 2 || ids.length > MAX_COMPARED,
          onClick: () => void compare(),
        },
        request.isBusy ? 'Computing …' : 'Compare',
      ),
      h('span', { class: 'button-row-empty', role: 'status' }, hint),
    ),
    request.error === undefined ? null : h(Notice, errorNotice(request.error)),
    shown.length > 1 ? h(RunComparison, { runs: shown, onRemove: toggle }) : null,
  );
}
