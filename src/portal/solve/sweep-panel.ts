// Sweep of one or two inputs of a form: a curve or a map, its table as a file, and its receipt from the server.

import { h } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AxisSpec } from '../../protocol/sweep/axes.ts';
import { tableCsv } from '../../protocol/sweep/csv.ts';
import { countsOf, isSweepPlot, tableArrays } from '../../protocol/sweep/plots.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatUnit } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { parseNumber } from '../kit/parse-number.ts';
import type { RunResult } from '../worker/messages.ts';
import { currentResult, Experiment, type ExperimentSpec, type Input } from './experiment.ts';
import { download } from './export.ts';
import { ExportPanel } from './export-panel.ts';
import { ResultComparison } from './result-comparison.ts';
import { type AxisDraft, axisDraft, parseAxes, SCALES, type SweepInput } from './sweep-draft.ts';

interface Props {
  /** Base name of files. */
  readonly name: string;
  readonly spec: ExperimentSpec;
  /** Inputs that can be swept. */
  readonly inputs: readonly SweepInput[];
  /** The request of these axes; undefined while another input is invalid. */
  readonly requestOf: ((sweep: Readonly<Record<string, AxisSpec>>) => Input) | undefined;
}

type Pictures = typeof import('../pictures/index.ts');

export function SweepPanel({ name, spec, inputs, requestOf }: Props) {
  const experiment = useMemo(() => new Experiment(spec), [spec]);
  const [axes, setAxes] = useState<readonly AxisDraft[]>(() => inputs.slice(0, 1).map(axisDraft));
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [pictures, setPictures] = useState<Pictures | undefined>(undefined);
  useEffect(() => () => experiment.cancel(), [experiment]);
  useEffect(() => void import('../pictures/index.ts').then(setPictures), []);
  if (inputs.length === 0) return null;

  const change = (at: number, next: Partial<AxisDraft>) =>
    setAxes(axes.map((axis, index) => (index === at ? { ...axis, ...next } : axis)));
  const run = (event: Event) => {
    event.preventDefault();
    const parsed = parseAxes(axes, (text, field) => parseNumber(text, { name: field, isWhole: false }));
    const problem = requestOf === undefined ? 'Another input is invalid; see the marked fields.' : undefined;
    setFault('fault' in parsed ? parsed.fault : problem);
    if ('axes' in parsed && requestOf !== undefined) void experiment.run(requestOf(parsed.axes));
  };
  const second = inputs.find((input) => input.name !== axes[0]?.name);
  const local = experiment.localRun.value;
  const result = currentResult(local);
  const isRunning = local.state === 'running' || experiment.serverRun.value.state === 'running';
  return h(
    'details',
    { class: 'sweep-panel' },
    h('summary', null, 'Sweep: one or two inputs over many values'),
    h(
      'form',
      { class: 'sweep-form', onSubmit: run, noValidate: true, 'aria-label': 'Sweep' },
      axes.map((axis, at) =>
        h(AxisFields, {
          key: at,
          id: `sweep-${at}`,
          axis,
          inputs: inputs.filter((input) => input.name === axis.name || axes.every((one) => one.name !== input.name)),
          onChange: (next: Partial<AxisDraft>) => change(at, next),
        }),
      ),
      fault === undefined ? null : h('p', { class: 'sweep-fault', role: 'alert' }, fault),
      h(
        'div',
        { class: 'form-actions' },
        isRunning
          ? h('button', { type: 'button', class: 'primary', onClick: () => experiment.cancel() }, 'Cancel')
          : h('button', { type: 'submit', class: 'primary' }, 'Run the sweep'),
        axes.length === 1 && second !== undefined
          ? h(
              'button',
              { type: 'button', class: 'quiet', onClick: () => setAxes([...axes, axisDraft(second)]) },
              'Add a second input',
            )
          : null,
        axes.length === 2
          ? h(
              'button',
              { type: 'button', class: 'quiet', onClick: () => setAxes(axes.slice(0, 1)) },
              'Remove the second input',
            )
          : null,
      ),
    ),
    local.state === 'running'
      ? h('progress', { max: 1, value: local.fraction, 'aria-label': 'Progress of the sweep' })
      : null,
    local.state === 'failed' ? h(Notice, errorNotice(local.error)) : null,
    result === undefined ? null : h(SweepResult, { name, result, pictures }),
    result === undefined ? null : h(ResultComparison, { experiment }),
    result === undefined ? null : h(ExportPanel, { name: `${name}-sweep`, snippets: [], experiment }),
  );
}

interface AxisProps {
  readonly id: string;
  readonly axis: AxisDraft;
  readonly inputs: readonly SweepInput[];
  readonly onChange: (next: Partial<AxisDraft>) => void;
}

function AxisFields({ id, axis, inputs, onChange }: AxisProps) {
  const unit = inputs.find(({ name }) => name === axis.name)?.unit ?? '1';
  const text = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value;
  const select = (label: string, value: string, options: readonly string[], onPick: (value: string) => void) =>
    h(
      'label',
      null,
      label,
      h(
        'select',
        { name: `${id}-${label}`, value, onInput: (event: Event) => onPick(text(event)) },
        options.map((option) => h('option', { key: option, value: option, selected: option === value }, option)),
      ),
    );
  const number = (label: 'from' | 'to' | 'count') =>
    h(
      'label',
      null,
      label === 'count' || unit === '1' ? label : `${label} [${formatUnit(unit)}]`,
      h('input', {
        type: 'text',
        inputMode: 'decimal',
        autocomplete: 'off',
        spellcheck: false,
        name: `${id}-${label}`,
        value: axis[label],
        onInput: (event: Event) => onChange({ [label]: text(event) }),
      }),
    );
  const pick = (name: string) => {
    const input = inputs.find((one) => one.name === name);
    if (input !== undefined) onChange(axisDraft(input));
  };
  return h(
    'fieldset',
    { class: 'sweep-axis' },
    h('legend', { class: 'visually-hidden' }, `Sweep of ${axis.name}`),
    select(
      'input',
      axis.name,
      inputs.map(({ name }) => name),
      pick,
    ),
    number('from'),
    number('to'),
    number('count'),
    select('scale', axis.scale, SCALES, (scale) => onChange({ scale: scale === 'log' ? 'log' : 'linear' })),
  );
}

interface ResultProps {
  readonly name: string;
  readonly result: RunResult;
  readonly pictures: Pictures | undefined;
}

function SweepResult({ name, result, pictures }: ResultProps) {
  const { solution, pure } = result;
  const { table } = solution;
  if (table === undefined || pure.table === undefined) return null;
  const { refused, unconverged } = table;
  const fields = tableArrays(table, countsOf(pure.sweep ?? []));
  const rows = pure.table.shape[0] ?? 0;
  const lost = refused.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const open = unconverged.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const [first] = refused;
  return h(
    'div',
    { class: 'sweep-result' },
    pictures === undefined
      ? null
      : h(pictures.Picture, {
          key: result.sha256,
          solution: { plots: solution.plots.filter(isSweepPlot), series: [], fields },
        }),
    h(
      'p',
      { class: 'sweep-summary', role: 'status' },
      `${rows} points.`,
      first === undefined ? '' : ` ${lost} without a value, the first in row ${first.from}: ${first.code}.`,
      open === 0 ? '' : ` ${open} not converged.`,
    ),
    h(
      'button',
      { type: 'button', onClick: () => download(`${name}-sweep.csv`, 'text/csv', tableCsv(table, table.data)) },
      'Save the table as CSV',
    ),
  );
}
