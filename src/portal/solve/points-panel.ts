// A run over many points of the inputs of a form: its own form, a picture, the table as a file, and its receipt from the
// server.

import { type ComponentChildren, h } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { tableCsv } from '../../protocol/sweep/csv.ts';
import { countsOf, isSweepPlot, tableArrays } from '../../protocol/sweep/plots.ts';
import { download } from '../kit/download.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatCount, formatRounded } from '../kit/format.ts';
import { measuredText } from '../kit/measured-value.ts';
import { Notice } from '../kit/notice.ts';
import type { RunResult } from '../worker/messages.ts';
import { currentResult, Experiment, type ExperimentSpec, type Input, isOfInput } from './experiment.ts';
import { ExportPanel } from './export-panel.ts';
import { ResultComparison } from './result-comparison.ts';
import { StaleNote } from './stale-note.ts';

/** A request as the form states it, or why it states none. */
export type ParsedRequest = { readonly input: Input } | { readonly fault: string };

export const OTHER_FAULT = 'Another input is invalid; see the marked fields.';

interface Props {
  /** Of what runs: `sweep`, `samples`. */
  readonly kind: string;
  /** Base name of files. */
  readonly name: string;
  readonly spec: ExperimentSpec;
  readonly title: string;
  readonly runLabel: string;
  readonly parse: () => ParsedRequest;
  /** Fields of the form. */
  readonly children: ComponentChildren;
  /** Further buttons. */
  readonly actions: ComponentChildren;
}

type Pictures = typeof import('../pictures/index.ts');

export function PointsPanel({ kind, name, spec, title, runLabel, parse, children, actions }: Props) {
  const experiment = useMemo(() => new Experiment(spec), [spec]);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [pictures, setPictures] = useState<Pictures | undefined>(undefined);
  useEffect(() => () => experiment.cancel(), [experiment]);
  useEffect(() => void import('../pictures/index.ts').then(setPictures), []);
  const run = (event: Event) => {
    event.preventDefault();
    const parsed = parse();
    setFault('fault' in parsed ? parsed.fault : undefined);
    if ('input' in parsed) void experiment.run(parsed.input);
  };
  const local = experiment.localRun.value;
  const result = currentResult(local);
  const asked = parse();
  const isStale = !isOfInput(local, 'input' in asked ? asked.input : undefined);
  const isRunning = local.state === 'running' || experiment.serverRun.value.state === 'running';
  return h(
    'details',
    { class: `points-panel ${kind}-panel` },
    h('summary', null, title),
    h(
      'form',
      { class: 'points-form', onSubmit: run, noValidate: true, 'aria-label': runLabel },
      children,
      fault === undefined ? null : h('p', { class: 'points-fault', role: 'alert' }, fault),
      h(
        'div',
        { class: 'form-actions' },
        isRunning
          ? h('button', { type: 'button', class: 'primary', onClick: () => experiment.cancel() }, 'Cancel')
          : h('button', { type: 'submit', class: 'primary' }, runLabel),
        actions,
      ),
    ),
    local.state === 'running'
      ? h('progress', { max: 1, value: local.fraction, 'aria-label': `Progress of the ${kind}` })
      : null,
    local.state === 'failed' && !isStale ? h(Notice, errorNotice(local.error)) : null,
    result === undefined ? null : h(PointsResult, { kind, name, result, pictures, isStale }),
    result === undefined ? null : h(ResultComparison, { experiment, isStale }),
    result === undefined ? null : h(ExportPanel, { name: `${name}-${kind}`, snippets: [], experiment, isStale }),
  );
}

interface ResultProps {
  readonly kind: string;
  readonly name: string;
  readonly result: RunResult;
  readonly pictures: Pictures | undefined;
  readonly isStale: boolean;
}

function PointsResult({ kind, name, result, pictures, isStale }: ResultProps) {
  const { solution, pure } = result;
  const { table, samples } = solution;
  if (table === undefined || pure.table === undefined) return null;
  const { refused, unconverged } = table;
  const fields = tableArrays(table, countsOf(pure.sweep ?? []));
  const rows = pure.table.shape[0] ?? 0;
  const lost = refused.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const open = unconverged.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const [first] = refused;
  return h(
    'div',
    { class: 'points-result', inert: isStale },
    isStale ? h(StaleNote, null) : null,
    pictures === undefined
      ? null
      : h(pictures.Picture, {
          key: result.sha256,
          solution: { plots: solution.plots.filter(isSweepPlot), series: [], fields },
        }),
    h(
      'p',
      { class: 'points-summary', role: 'status' },
      samples === undefined ? `${rows} points.` : samplesText(result),
      first === undefined ? '' : ` ${lost} without a value, the first in row ${first.from}: ${first.code}.`,
      open === 0 ? '' : ` ${open} not converged.`,
    ),
    h(
      'button',
      { type: 'button', onClick: () => download(`${name}-${kind}.csv`, 'text/csv', tableCsv(table, table.data)) },
      'Save the table as CSV',
    ),
  );
}

/** The value with its ±, and what the samples say. */
function samplesText({ solution: { value, uncertainty, samples }, pure: { unit } }: RunResult): string {
  if (samples === undefined) return '';
  const { count, mean, standard_deviation: deviation, low, high } = samples;
  const [middle, spread, from, to] = [mean, deviation, low, high].map((one) => formatRounded(one, 4));
  return `${measuredText({ value, uncertainty, unit })}. Of ${formatCount(count)} samples the mean is ${middle}, the standard deviation ${spread}; 95 % lie from ${from} to ${to}.`;
}
