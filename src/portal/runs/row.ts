// A filed run in the list: what it computed, its value, and what can be done with it.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import '../style/cards.css';
import { dateTimeText } from '../kit/date-text.ts';
import { download } from '../kit/download.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatExact, formatRounded, withPower, withUnit } from '../kit/format.ts';
import { memo } from '../kit/memo.ts';
import { Notice } from '../kit/notice.ts';
import { useRequest } from '../kit/use-request.ts';
import { navigate } from '../router.ts';
import { verdictText } from '../verify/verdict-text.ts';
import { verdictOf } from '../verify/verification.ts';
import { checkRun, LAWS, loadRun, pageOf, type RunRow, titleOf } from './filed-run.ts';

/** The laws or the solver of a run. */
const nameOf = ({ solver, law_title: law }: RunRow, titles: ReadonlyMap<string, string>) =>
  solver === LAWS ? (law ?? 'A law') : (titles.get(solver) ?? solver);

interface RowProps {
  readonly row: RunRow;
  /** Titles of solvers. */
  readonly titles: ReadonlyMap<string, string>;
  readonly isChosen: boolean;
  readonly toggle: (id: string) => void;
}

export const Row = memo(({ row, titles, isChosen, toggle }: RowProps) => {
  const { id, folder, value, unit, law_id: law } = row;
  const date = dateTimeText(new Date(row.created_at));
  const request = useRequest();
  const [verdict, setVerdict] = useState<ReturnType<typeof verdictText> | undefined>(undefined);
  const [readTitle, setReadTitle] = useState<string | undefined>(undefined);
  const name = readTitle ?? nameOf(row, titles);
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
    // The list does not name the law of an old run; its receipt does.
    if (law === null) setReadTitle(await titleOf(run));
    const verification = await checkRun(run);
    setVerdict(verdictText(verification, verdictOf(verification)));
  };
  const button = (label: string, action: () => Promise<void>) =>
    h(
      'button',
      { type: 'button', class: 'quiet', disabled: request.isBusy, onClick: () => void request.run(action) },
      label,
      h('span', { class: 'visually-hidden' }, ` ${name}, ${date}`),
    );
  return h(
    'li',
    { class: 'card run-row' },
    h(
      'label',
      { class: 'run-choice' },
      h('input', { type: 'checkbox', checked: isChosen, onInput: () => toggle(id) }),
      h('span', { class: 'run-name' }, law === null ? null : h('span', { class: 'run-law' }, law, ' '), name),
    ),
    h(
      'span',
      { class: 'run-value', title: withUnit(formatExact(value), unit) },
      withUnit(withPower(formatRounded(value, 10)), unit),
    ),
    h('span', { class: 'run-when' }, folder === null ? date : `${folder} · ${date}`),
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
});
