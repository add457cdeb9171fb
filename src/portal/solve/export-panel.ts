// Export panel: copies the experiment as a link or code, and saves its result as files.

import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { LIMITS } from '../../core/limits.ts';
import { tablesOf, toCsv } from '../../protocol/solution-tables.ts';
import type { MeshFields } from '../../solvers/field.ts';
import { CiteRow } from '../cite/cite-row.ts';
import { CopyButton } from '../kit/copy-button.ts';
import { download } from '../kit/download.ts';
import type { RunResult } from '../worker/messages.ts';
import type { Experiment, ServerEnvelope } from './experiment.ts';

interface Props {
  /** Base name of the files. */
  readonly name: string;
  /** Undefined while a field is invalid. */
  readonly snippets: readonly { readonly label: string; readonly text: () => string }[] | undefined;
  readonly experiment: Experiment;
  /** Whether the result is of earlier inputs. */
  readonly isStale: boolean;
  /** Of a solver whose result is on a mesh. */
  readonly mesh?: MeshFields | undefined;
  /** The link to copy, from that of the page. */
  readonly linkOf?: (href: string) => string;
}

export function ExportPanel({ name, snippets, experiment, isStale, mesh, linkOf = (href) => href }: Props) {
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
    h(Files, { name, experiment, isStale, mesh }),
    h(Filing, { experiment, isStale }),
    h(Citing, { experiment, isStale }),
  );
}

/** Cites and prints the result. A receipt of other bits is no receipt of it. */
function Citing({ experiment, isStale }: Pick<Props, 'experiment' | 'isStale'>) {
  const { localRun, serverRun } = experiment;
  const result = localRun.value.state === 'done' && !isStale ? localRun.value.result : undefined;
  const run = serverRun.value;
  const envelope = result !== undefined && run.state === 'done' && run.comparison.isEqual ? run.envelope : undefined;
  const load = useMemo(() => (envelope === undefined ? undefined : () => cite(envelope)), [envelope]);
  return h(CiteRow, { load, result, empty: 'available once the server has computed the same' });
}

async function cite(envelope: ServerEnvelope) {
  const { citeHere } = await import('../verify/portal-engine.ts');
  return citeHere({ ...envelope });
}

/** Keeps the run of the server, with its receipt, where the visitor finds it again. */
function Filing({ experiment, isStale }: Pick<Props, 'experiment' | 'isStale'>) {
  const [folder, setFolder] = useState('portal');
  const { localRun, serverRun } = experiment;
  const isDone = localRun.value.state === 'done' && !isStale;
  const filedId = serverRun.value.state === 'done' ? serverRun.value.envelope.run_id : undefined;
  if (filedId !== undefined)
    return h(
      'div',
      { class: 'button-row', role: 'status' },
      h('span', { class: 'button-row-name', 'aria-hidden': true }, 'File'),
      h('span', null, 'Filed. ', h('a', { href: '/runs', 'data-page': '' }, 'See your runs')),
    );
  const file = (event: Event) => {
    event.preventDefault();
    void experiment.runOnServer(folder.trim());
  };
  return h(
    'form',
    { class: 'button-row', onSubmit: file, 'aria-label': 'File the run' },
    h('span', { class: 'button-row-name', 'aria-hidden': true }, 'File'),
    h('input', {
      class: 'file-folder',
      type: 'text',
      'aria-label': 'Folder of the run',
      title: 'Letters, digits, spaces, full stops, hyphens and underscores',
      required: true,
      maxLength: LIMITS.folderCharacters,
      pattern: '[\\w .\\-]*\\w[\\w .\\-]*',
      value: folder,
      onInput: (event: Event) => setFolder((event.target as HTMLInputElement).value),
    }),
    h('button', { type: 'submit', disabled: !isDone || serverRun.value.state === 'running' }, 'File under Runs'),
  );
}

function Files({ name, experiment, isStale, mesh }: Omit<Props, 'snippets'>) {
  const localRun = experiment.localRun.value;
  const serverRun = experiment.serverRun.value;
  const result = localRun.state === 'done' && !isStale ? localRun.result : undefined;
  // A receipt of other bits is no receipt of this result.
  const envelope = serverRun.state === 'done' && serverRun.comparison.isEqual ? serverRun.envelope : undefined;
  const file = (label: string, save: () => void | Promise<void>) =>
    h('button', { key: label, type: 'button', onClick: save }, label);
  return h(
    'div',
    { class: 'button-row', role: 'group', 'aria-label': 'Save the result' },
    h('span', { class: 'button-row-name', 'aria-hidden': true }, 'Save'),
    result === undefined
      ? h('span', { class: 'button-row-empty' }, 'available after a run of these inputs')
      : [
          tablesOf(result.solution).map((table) =>
            file(`${table.name}.csv`, () => download(`${name}-${table.name}.csv`, 'text/csv', toCsv(table))),
          ),
          mesh === undefined
            ? null
            : file('mesh.vtk', async () => {
                const { meshVtk } = await import('../../protocol/mesh-file.ts');
                const text = meshVtk(name, mesh, result.solution.fields);
                if (text !== undefined) download(`${name}.vtk`, 'text/plain', text);
              }),
          file('result.json', async () => {
            const { resultFileOf } = await loadFormats();
            download(`${name}.json`, 'application/json', toJson(resultFileOf({ ...result, envelope })));
          }),
        ],
    serverRun.state === 'done' && !isStale
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

function toJson(value: unknown): string {
  const replacer = (_: string, item: unknown) => (item instanceof Float64Array ? [...item] : item);
  return `${JSON.stringify(value, replacer, 2)}\n`;
}
