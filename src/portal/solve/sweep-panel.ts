// Sweep of one or two inputs of a form: a curve or a map.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { AxisSpec } from '../../protocol/sweep/axes.ts';
import { formatRounded, formatUnit, withUnit } from '../kit/format.ts';
import { parseNumber } from '../kit/parse-number.ts';
import type { ExperimentSpec, Input } from './experiment.ts';
import { type Curve, OTHER_FAULT, type ParsedRequest, PointsPanel } from './points-panel.ts';
import { type AxisDraft, axisDraft, parseAxes, SCALES, type SweepInput } from './sweep-draft.ts';

interface Props {
  /** Base name of files. */
  readonly name: string;
  readonly spec: ExperimentSpec;
  readonly title?: string;
  /** Inputs that can be swept. */
  readonly inputs: readonly SweepInput[];
  /** Symbol of the result; a page with one draws the curve at once, in the browser. */
  readonly result?: { readonly name: string; readonly value: number | undefined; readonly unit: string } | undefined;
  /** The request of these axes; undefined while another input is invalid. */
  readonly requestOf: ((sweep: Readonly<Record<string, AxisSpec>>) => Input) | undefined;
}

export function SweepPanel({ name, title = TITLE, spec, inputs, result, requestOf }: Props) {
  const [axes, setAxes] = useState<readonly AxisDraft[]>(() => inputs.slice(0, 1).map(axisDraft));
  if (inputs.length === 0) return null;
  const change = (at: number, next: Partial<AxisDraft>) =>
    setAxes(axes.map((axis, index) => (index === at ? { ...axis, ...next } : axis)));
  const parse = (): ParsedRequest => {
    const parsed = parseAxes(axes, (text, field) => parseNumber(text, { name: field, isWhole: false }));
    if ('fault' in parsed) return parsed;
    return requestOf === undefined ? { fault: OTHER_FAULT } : { input: requestOf(parsed.axes) };
  };
  const second = inputs.find((input) => input.name !== axes[0]?.name);
  const button = (label: string, next: readonly AxisDraft[]) =>
    h('button', { type: 'button', class: 'quiet', onClick: () => setAxes(next) }, label);
  return h(PointsPanel, {
    ...{ kind: 'sweep', name, spec, parse },
    title,
    runLabel: result === undefined ? 'Run the sweep' : 'Run on the server too',
    ...(result === undefined ? {} : { curve: curveOf(axes, inputs, result), preview: JSON.stringify([axes, parse()]) }),
    actions: [
      axes.length === 1 && second !== undefined ? button('Add a second input', [...axes, axisDraft(second)]) : null,
      axes.length === 2 ? button('Remove the second input', axes.slice(0, 1)) : null,
    ],
    children: axes.map((axis, at) =>
      h(AxisFields, {
        key: at,
        id: `sweep-${at}`,
        axis,
        inputs: inputs.filter((input) => input.name === axis.name || axes.every((one) => one.name !== input.name)),
        onChange: (next: Partial<AxisDraft>) => change(at, next),
      }),
    ),
  });
}

const TITLE = 'Sweep: one or two inputs over many values';

/** Names of a curve over one input, and the point that the form has; no point over two. */
function curveOf(
  axes: readonly AxisDraft[],
  inputs: readonly SweepInput[],
  result: NonNullable<Props['result']>,
): Curve {
  const [axis] = axes;
  const input = axes.length === 1 ? inputs.find(({ name }) => name === axis?.name) : undefined;
  if (axis === undefined || input?.value === undefined || !isInside(axis, input.value)) return { name: result.name };
  const { name, value, unit } = input;
  const at = `${name} = ${withUnit(formatRounded(value, 6), unit)}`;
  const of =
    result.value === undefined ? '' : `, ${result.name} = ${withUnit(formatRounded(result.value, 6), result.unit)}`;
  return { name: result.name, point: { at: value, text: `The dashed line is the form: ${at}${of}.` } };
}

function isInside({ from, to }: AxisDraft, value: number): boolean {
  const ends = [from, to].map((text) => parseNumber(text, { name: '', isWhole: false }));
  const numbers = ends.flatMap((end) => ('value' in end ? [end.value] : []));
  return numbers.length === 2 && value >= Math.min(...numbers) && value <= Math.max(...numbers);
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
    { class: 'points-fields' },
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
