// A run over many points of the inputs of a form: its own form, a picture, the table as a file, and its receipt from the
// server.

import { type ComponentChildren, h } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { tableCsv } from '../../protocol/sweep/csv.ts';
import { countsOf, isSweepPlot, tableArrays } from '../../protocol/sweep/plots.ts';
import type { Field } from '../../solvers/field.ts';
import type { Plot } from '../../solvers/plot.ts';
import { download } from '../kit/download.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatCount, formatRounded } from '../kit/format.ts';
import { measuredText } from '../kit/measured-value.ts';
import { Notice } from '../kit/notice.ts';
import { useDebounce } from '../kit/use-debounce.ts';
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
  readonly curve?: Curve | undefined;
  /** What the form states, as a key: an open panel computes it in the browser whenever it changes. */
  readonly preview?: string | undefined;
}

/** Names on a curve over one input, and the point that the form of the page has. */
export interface Curve {
  /** Of the value. */
  readonly name: string;
  readonly point?: { readonly at: number; readonly text: string } | undefined;
}

/** Time before a changed axis is computed. */
const DEBOUNCE_MS = 250;

type Pictures = typeof import('../pictures/index.ts');

export function PointsPanel({ kind, name, spec, title, runLabel, parse, children, actions, curve, preview }: Props) {
  const experiment = useMemo(() => new Experiment(spec), [spec]);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [pictures, setPictures] = useState<Pictures | undefined>(undefined);
  useEffect(() => () => experiment.cancel(), [experiment]);
  useEffect(() => void import('../pictures/index.ts').then(setPictures), []);
  const debounce = useDebounce(DEBOUNCE_MS);
  const [isOpen, setOpen] = useState(false);
  const latestParse = useRef(parse);
  latestParse.current = parse;
  const start = (compute: (input: Input) => Promise<void>) => {
    const parsed = latestParse.current();
    setFault('fault' in parsed ? parsed.fault : undefined);
    if ('input' in parsed) void compute(parsed.input);
  };
  const run = (event: Event) => {
    event.preventDefault();
    debounce.cancel();
    start((input) => experiment.run(input));
  };
  useEffect(() => {
    if (isOpen && preview !== undefined) debounce.schedule(() => start((input) => experiment.preview(input)));
  }, [isOpen, preview]);
  const local = experiment.localRun.value;
  const result = currentResult(local);
  const asked = parse();
  const isStale = !isOfInput(local, 'input' in asked ? asked.input : undefined);
  const isRunning = local.state === 'running' || experiment.serverRun.value.state === 'running';
  return h(
    'details',
    {
      class: `points-panel ${kind}-panel`,
      onToggle: (event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open),
    },
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
    result === undefined ? null : h(PointsResult, { kind, name, result, pictures, isStale, curve }),
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
  readonly curve: Curve | undefined;
}

function PointsResult({ kind, name, result, pictures, isStale, curve }: ResultProps) {
  const { solution, pure } = result;
  const { table, samples } = solution;
  if (table === undefined || pure.table === undefined) return null;
  const { refused, unconverged } = table;
  const fields = tableArrays(table, countsOf(pure.sweep ?? []));
  const rows = pure.table.shape[0] ?? 0;
  const lost = refused.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const open = unconverged.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const [first] = refused;
  const drawn = namedCurve({ plots: solution.plots.filter(isSweepPlot), fields }, curve?.name);
  return h(
    'div',
    { class: 'points-result', inert: isStale },
    isStale ? h(StaleNote, null) : null,
    pictures === undefined
      ? null
      : h(pictures.Picture, {
          key: result.sha256,
          solution: { ...drawn, series: [] },
          at: curve?.point?.at,
        }),
    h(
      'p',
      { class: 'points-summary', role: 'status' },
      samples === undefined ? `${rows} points.` : samplesText(result),
      curve?.point === undefined ? '' : ` ${curve.point.text}`,
      first === undefined ? '' : ` ${refusedText(first, lost, curve !== undefined)}`,
      open === 0 ? '' : ` ${open} not converged.`,
    ),
    h(
      'button',
      { type: 'button', onClick: () => download(`${name}-${kind}.csv`, 'text/csv', tableCsv(table, table.data)) },
      'Save the table as CSV',
    ),
  );
}

function refusedText(
  { from, code }: { readonly from: number; readonly code: string },
  count: number,
  isCurve: boolean,
): string {
  const place = `the first in row ${from}: ${code}.`;
  return isCurve
    ? `${count} left out, where the law does not hold or has no value; ${place}`
    : `${count} without a value, ${place}`;
}

/** The value and the inputs under their own names. */
function namedCurve<Arrays extends { readonly plots: readonly Plot[]; readonly fields: readonly Field[] }>(
  arrays: Arrays,
  value: string | undefined,
): Pick<Arrays, 'plots' | 'fields'> {
  const { plots, fields } = arrays;
  if (value === undefined) return arrays;
  const rename = (name: string) => (name === 'sweep value' ? value : name.replace(/^sweep /, ''));
  const renamed = JSON.parse(JSON.stringify(plots), (_, text: unknown) =>
    typeof text === 'string' && text.startsWith('sweep ') ? rename(text) : text,
  ) as Plot[];
  return {
    plots: renamed.map((plot) => ({ ...plot, title: plot.title.replace(/^value /, `${value} `) })),
    fields: fields.map((field) => ({ ...field, name: rename(field.name) })),
  };
}

/** The value with its ±, and what the samples say. */
function samplesText({ solution: { value, uncertainty, samples }, pure: { unit } }: RunResult): string {
  if (samples === undefined) return '';
  const { count, mean, standard_deviation: deviation, low, high } = samples;
  const [middle, spread, from, to] = [mean, deviation, low, high].map((one) => formatRounded(one, 4));
  return `${measuredText({ value, uncertainty, unit })}. Of ${formatCount(count)} samples the mean is ${middle}, the standard deviation ${spread}; 95 % lie from ${from} to ${to}.`;
}
