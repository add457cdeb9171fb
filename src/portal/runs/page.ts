// Runs page: the filed runs of the visitor's key, found by words, opened, checked and compared.

import { h } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import '../style/runs.css';
import { dateTimeText } from '../kit/date-text.ts';
import { download } from '../kit/download.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatExact, pluralise, withUnit } from '../kit/format.ts';
import { hasWords } from '../kit/has-words.ts';
import { Notice } from '../kit/notice.ts';
import { useQuery } from '../kit/use-query.ts';
import { useRequest } from '../kit/use-request.ts';
import { navigate } from '../router.ts';
import { callApiAsVisitor, currentKey } from '../session.ts';
import { loadSummaries } from '../solve/solver-description.ts';
import { verdictText } from '../verify/verdict-text.ts';
import { verdictOf } from '../verify/verification.ts';
import type { ComparedRun } from './compared-run.ts';
import { RunComparison } from './comparison.ts';
import { checkRun, comparedRun, LAWS, loadRun, pageOf, type RunRow, titleOf } from './filed-run.ts';

const PAGE = 50;
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
  const [rows, setRows] = useState<readonly RunRow[] | undefined>(undefined);
  const [cursor, setCursor] = useState<string | null>(null);
  const [term, setTerm] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const request = useRequest();
  const solvers = useQuery('all', loadSummaries);
  const titles = useMemo(() => new Map((solvers.data ?? []).map(({ id, title }) => [id, title])), [solvers.data]);
  const load = (from: string | null) =>
    request.run(async () => {
      const page = await callApiAsVisitor('run.list', { limit: PAGE, ...(from === null ? {} : { cursor: from }) });
      setRows((before) => [...(from === null ? [] : (before ?? [])), ...page.rows]);
      setCursor(page.next_cursor);
    });
  useEffect(() => void load(null), []);
  const nameOf = ({ solver }: RunRow) => (solver === LAWS ? 'A law' : (titles.get(solver) ?? solver));
  const shown = (rows ?? []).filter((row) =>
    hasWords([nameOf(row), row.solver, row.folder ?? '', row.unit, String(row.value), dateText(row)], term),
  );
  const toggle = (id: string) =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  if (rows === undefined)
    return request.error === undefined
      ? h('p', { 'aria-busy': true }, 'Loading …')
      : h(Notice, { ...errorNotice(request.error), action: { label: 'Try again', run: () => void load(null) } });
  if (rows.length === 0)
    return h(Notice, {
      kind: 'empty',
      title: 'No runs are filed under this key.',
      text: 'Compute something on the server and press File: it is kept here with its receipt.',
      action: { label: 'Open a solver', run: () => navigate('/gallery') },
    });
  return [
    h(
      'search',
      { key: 'find', class: 'gallery-find' },
      h('label', { class: 'filter-label', for: 'runs-term' }, 'Find a run'),
      h('input', {
        id: 'runs-term',
        type: 'search',
        maxLength: 80,
        autocomplete: 'off',
        spellcheck: false,
        placeholder: 'Solver, folder, value or date',
        value: term,
        onInput: (event: Event) => setTerm((event.target as HTMLInputElement).value),
      }),
    ),
    h(
      'p',
      { key: 'count', class: 'run-note', role: 'status' },
      shown.length === rows.length
        ? pluralise(rows.length, 'run')
        : `${shown.length} of ${pluralise(rows.length, 'run')}`,
      cursor === null ? '' : ', and older ones',
    ),
    h(
      'ul',
      { key: 'list', class: 'run-list' },
      shown.map((row) =>
        h(Row, { key: row.id, row, name: nameOf(row), isChosen: chosen.has(row.id), toggle: () => toggle(row.id) }),
      ),
    ),
    cursor === null
      ? null
      : h(
          'button',
          { key: 'more', type: 'button', disabled: request.isBusy, onClick: () => void load(cursor) },
          'Older runs',
        ),
    request.error === undefined ? null : h(Notice, { key: 'error', ...errorNotice(request.error) }),
    h(Compare, { key: 'compare', ids: [...chosen], toggle }),
  ];
}

const dateText = ({ created_at: at }: RunRow) => dateTimeText(new Date(at));

interface RowProps {
  readonly row: RunRow;
  readonly name: string;
  readonly isChosen: boolean;
  readonly toggle: () => void;
}

function Row({ row, name, isChosen, toggle }: RowProps) {
  const { id, folder, value, unit } = row;
  const request = useRequest();
  const [verdict, setVerdict] = useState<ReturnType<typeof verdictText> | undefined>(undefined);
  const [title, setTitle] = useState(name);
  const open = async () => {
    const page = await pageOf(await loadRun(id));
    if (page === undefined) await save();
    else navigate(page);
  };
  const save = async () => {
    const { envelope } = await loadRun(id);
    download(`run-${id}.json`, 'application/json', JSON.stringify(envelope, undefined, 2));
  };
  const check = async () => {
    const run = await loadRun(id);
    setTitle(await titleOf(run));
    const verification = await checkRun(run);
    setVerdict(verdictText(verification, verdictOf(verification)));
  };
  const button = (label: string, action: () => Promise<void>) =>
    h(
      'button',
      { type: 'button', class: 'quiet', disabled: request.isBusy, onClick: () => void request.run(action) },
      label,
      h('span', { class: 'visually-hidden' }, ` ${name}, ${dateText(row)}`),
    );
  return h(
    'li',
    { class: 'card run-row' },
    h(
      'label',
      { class: 'run-choice' },
      h('input', { type: 'checkbox', checked: isChosen, onInput: toggle }),
      h('span', { class: 'run-name' }, title),
    ),
    h('span', { class: 'run-value' }, withUnit(formatExact(value), unit)),
    h('span', { class: 'run-when' }, folder === null ? dateText(row) : `${folder} · ${dateText(row)}`),
    h('span', { class: 'run-actions' }, button('Open', open), button('Check', check), button('Receipt', save)),
    verdict === undefined
      ? null
      : h(
          'div',
          { class: `verdict verdict-${verdict.colour}`, role: 'status' },
          h('p', { class: 'verdict-word' }, verdict.title),
          h('p', null, verdict.text),
        ),
    request.error === undefined ? null : h(Notice, errorNotice(request.error)),
  );
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
