// What a visitor takes along: the experiment as code, its result as files, its address.

import { h } from 'preact';
import { CopyButton } from '../kit/copy-button.ts';
import type { Experiment } from './experiment.ts';
import { download, tablesOf, toCsv, toJson } from './export.ts';

interface Props {
  /** Of the files. */
  readonly name: string;
  /** Undefined while some field cannot be read: half an experiment is not taken along. */
  readonly copies: readonly { readonly label: string; readonly text: () => string }[] | undefined;
  readonly experiment: Experiment;
}

export function Takeaway({ name, copies, experiment }: Props) {
  return h(
    'section',
    { class: 'takeaway', 'aria-label': 'Take it along' },
    h(
      'div',
      { class: 'button-row', role: 'group', 'aria-label': 'Copy the experiment' },
      h('span', { class: 'button-row-name', 'aria-hidden': true }, 'Copy'),
      copies === undefined
        ? h('span', { class: 'button-row-empty' }, 'once every input can be read')
        : [
            h(CopyButton, { key: 'link', label: 'link', text: () => location.href }),
            copies.map(({ label, text }) => h(CopyButton, { key: label, label, text })),
          ],
    ),
    h(Files, { name, experiment }),
  );
}

function Files({ name, experiment }: { readonly name: string; readonly experiment: Experiment }) {
  const here = experiment.here.value;
  const there = experiment.there.value;
  const solution = here.state === 'done' ? here.solved.solution : undefined;
  const file = (label: string, save: () => void) => h('button', { key: label, type: 'button', onClick: save }, label);
  return h(
    'div',
    { class: 'button-row', role: 'group', 'aria-label': 'Save the result' },
    h('span', { class: 'button-row-name', 'aria-hidden': true }, 'Save'),
    solution === undefined
      ? h('span', { class: 'button-row-empty' }, 'once there is a result')
      : [
          tablesOf(solution).map((table) =>
            file(`${table.name}.csv`, () => download(`${name}-${table.name}.csv`, 'text/csv', toCsv(table))),
          ),
          file('result.json', () => download(`${name}.json`, 'application/json', toJson(solution))),
        ],
    there.state === 'done'
      ? file('receipt.json', () => download(`${name}-receipt.json`, 'application/json', toJson(there.envelope)))
      : null,
  );
}
