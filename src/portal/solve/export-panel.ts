// Export panel: copies the experiment as a link or code, and saves its result as files.

import { h } from 'preact';
import { CopyButton } from '../kit/copy-button.ts';
import { download } from '../kit/download.ts';
import type { RunResult } from '../worker/messages.ts';
import type { Experiment, ServerEnvelope } from './experiment.ts';
import { tablesOf, toCsv, toJson } from './export.ts';

interface Props {
  /** Base name of the files. */
  readonly name: string;
  /** Undefined while a field is invalid. */
  readonly snippets: readonly { readonly label: string; readonly text: () => string }[] | undefined;
  readonly experiment: Experiment;
  /** The link to copy, from that of the page. */
  readonly linkOf?: (href: string) => string;
}

export function ExportPanel({ name, snippets, experiment, linkOf = (href) => href }: Props) {
  return h(
    'section',
    { class: 'export-panel', 'aria-label': 'Export' },
    h(
      'div',
      { class: 'button-row', role: 'group', 'aria-label': 'Copy the experiment' },
      h('span', { class: 'button-row-name', 'aria-hidden': true }, 'Copy'),
      snippets === undefined
        ? h('span', { class: 'button-row-empty' }, 'available once all inputs are valid')
        : [
            h(CopyButton, { key: 'link', label: 'link', text: () => linkOf(location.href) }),
            snippets.map(({ label, text }) => h(CopyButton, { key: label, label, text })),
          ],
    ),
    h(Files, { name, experiment }),
  );
}

function Files({ name, experiment }: { readonly name: string; readonly experiment: Experiment }) {
  const localRun = experiment.localRun.value;
  const serverRun = experiment.serverRun.value;
  const result = localRun.state === 'done' ? localRun.result : undefined;
  // A receipt of other bits is no receipt of this result.
  const envelope = serverRun.state === 'done' && serverRun.comparison.isEqual ? serverRun.envelope : undefined;
  const file = (label: string, save: () => void | Promise<void>) =>
    h('button', { key: label, type: 'button', onClick: save }, label);
  return h(
    'div',
    { class: 'button-row', role: 'group', 'aria-label': 'Save the result' },
    h('span', { class: 'button-row-name', 'aria-hidden': true }, 'Save'),
    result === undefined
      ? h('span', { class: 'button-row-empty' }, 'available after a run')
      : [
          tablesOf(result.solution).map((table) =>
            file(`${table.name}.csv`, () => download(`${name}-${table.name}.csv`, 'text/csv', toCsv(table))),
          ),
          file('result.json', async () => {
            const { resultFileOf } = await loadFormats();
            download(`${name}.json`, 'application/json', toJson(resultFileOf({ ...result, envelope })));
          }),
        ],
    serverRun.state === 'done'
      ? file('receipt.json', async () => {
          const receipt = await receiptOf(serverRun.envelope, result);
          download(`${name}-receipt.json`, 'application/json', toJson(receipt));
        })
      : null,
  );
}

/** The receipt with the bytes of its arrays, as far as this page computed the same ones. */
const receiptOf = async (envelope: ServerEnvelope, result: RunResult | undefined) =>
  result === undefined ? envelope : (await loadFormats()).completeReceipt({ ...envelope }, result);

/** Loaded with the first file: the formats carry schemas, which the page does not need to start. */
const loadFormats = () => import('../../protocol/result-file.ts');
