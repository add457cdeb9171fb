// What a visitor takes along: the experiment as code, its result as files, its address.

import { h } from 'preact';
import { CopyButton } from '../kit/copy-button.ts';
import type { SolverDescription } from './description.ts';
import type { Experiment, Input } from './experiment.ts';
import { download, tablesOf, toCsv, toJson } from './export.ts';
import { asCurl, asMcpCall, asTypeScript } from './snippets.ts';

interface Props {
  readonly solver: SolverDescription;
  /** Undefined while some field cannot be read: half an experiment is not taken along. */
  readonly input: Input | undefined;
  readonly experiment: Experiment;
}

export function Takeaway({ solver, input, experiment }: Props) {
  const { id } = solver;
  return h(
    'section',
    { class: 'takeaway', 'aria-label': 'Take it along' },
    h(
      'div',
      { class: 'button-row', role: 'group', 'aria-label': 'Copy the experiment' },
      h('span', { class: 'button-row-name', 'aria-hidden': true }, 'Copy'),
      input === undefined
        ? h('span', { class: 'button-row-empty' }, 'once every input can be read')
        : [
            h(CopyButton, { label: 'link', text: () => location.href }),
            h(CopyButton, { label: 'curl', text: () => asCurl(location.origin, id, input) }),
            h(CopyButton, { label: 'TypeScript', text: () => asTypeScript(id, input) }),
            h(CopyButton, { label: 'MCP call', text: () => asMcpCall(id, input) }),
          ],
    ),
    h(Files, { id, experiment }),
  );
}

function Files({ id, experiment }: { readonly id: string; readonly experiment: Experiment }) {
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
            file(`${table.name}.csv`, () => download(`${id}-${table.name}.csv`, 'text/csv', toCsv(table))),
          ),
          file('result.json', () => download(`${id}.json`, 'application/json', toJson(solution))),
        ],
    there.state === 'done'
      ? file('receipt.json', () => download(`${id}-receipt.json`, 'application/json', toJson(there.envelope)))
      : null,
  );
}
