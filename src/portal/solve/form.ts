// Form of a solver, generated from its schema.

import { type ComponentChildren, h } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatUnit } from '../kit/format.ts';
import { type Draft, defaultText, fieldHelp, isChanged, type ParsedDraft, rangeLabel } from './fields.ts';
import type { FieldDescription, SolverDescription } from './solver-description.ts';

interface FormProps {
  readonly solver: SolverDescription;
  readonly draft: Draft;
  readonly faults: ParsedDraft['faults'];
  readonly onChange: (name: string, value: string | boolean) => void;
}

export function FieldList({ solver, draft, faults, onChange }: FormProps) {
  const fields = solver.fields.map((field) => ({ field, guidance: fieldHelp(field, solver, draft) }));
  const input = ({ field, guidance }: (typeof fields)[number]) =>
    h(Field, {
      key: field.name,
      field,
      help: guidance.text,
      value: draft[field.name] ?? '',
      fault: faults[field.name],
      onChange: (value: string | boolean) => onChange(field.name, value),
    });
  const used = fields.filter(({ guidance }) => guidance.isUsed);
  const numerics = used.filter(({ field }) => field.isNumerics);
  const unused = fields.filter(({ guidance }) => !guidance.isUsed);
  const changed = numerics.filter(({ field }) => isChanged(field, draft[field.name])).length;
  const hasFault = (some: typeof fields) => some.some(({ field }) => faults[field.name] !== undefined);
  return [
    h('div', { class: 'fields' }, used.filter(({ field }) => !field.isNumerics).map(input)),
    numerics.length === 0
      ? null
      : h(
          Folded,
          {
            key: 'numerics',
            title: `Numerics${changed === 0 ? '' : `, ${changed} changed`}`,
            hasFault: hasFault(numerics),
          },
          numerics.map(input),
        ),
    unused.length === 0
      ? null
      : h(
          Folded,
          {
            key: 'unused',
            title: unused.length === 1 ? '1 unused field' : `${unused.length} unused fields`,
            hasFault: hasFault(unused),
          },
          unused.map(input),
        ),
  ];
}

/** Fields behind a title. A fault is never folded away, and nothing is folded while somebody mends it. */
function Folded(props: { title: string; hasFault: boolean; children?: ComponentChildren }) {
  const { title, hasFault, children } = props;
  const details = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (hasFault && details.current) details.current.open = true;
  }, [hasFault]);
  return h(
    'details',
    { class: 'folded', ref: details },
    h('summary', null, title),
    h('div', { class: 'fields' }, children),
  );
}

interface FieldProps {
  readonly field: FieldDescription;
  readonly help: string;
  readonly value: string | boolean;
  readonly fault: string | undefined;
  readonly onChange: (value: string | boolean) => void;
}

function Field({ field, help, value, fault, onChange }: FieldProps) {
  const { name, label, unit, symbol, kind } = field;
  const id = `field-${name}`;
  const attributes = {
    id,
    name,
    'aria-describedby': `${id}-help`,
    'aria-invalid': fault === undefined ? undefined : true,
  };
  return h(
    'div',
    { class: `field field-${kind}${fault === undefined ? '' : ' is-wrong'}` },
    h(
      'label',
      { for: id },
      h('span', { class: 'field-name' }, label ?? name),
      symbol === undefined || symbol === name ? null : h('span', { class: 'field-symbol' }, symbolView(symbol)),
      label === undefined ? null : h('code', { class: 'field-code' }, name),
      h('span', { class: 'field-range' }, rangeLabel(field)),
    ),
    h(
      'div',
      { class: 'field-control' },
      controlOf(field, value, attributes, onChange),
      unit === '1' ? null : h('span', { class: 'field-unit' }, formatUnit(unit)),
    ),
    h(
      'p',
      { class: 'field-help', id: `${id}-help` },
      fault === undefined ? null : h('strong', { class: 'field-fault' }, fault),
      [isLabel(help, label) ? '' : help, defaultText(field, value)].filter(Boolean).join(' '),
    ),
  );
}

/** A label needs no help that repeats it. */
const isLabel = (help: string, label = '') => help.toLowerCase() === `${label.toLowerCase()}.`;

type ControlAttributes = Readonly<Record<string, string | boolean | undefined>>;

function controlOf(
  { kind, choices = [], rows, defaultValue }: FieldDescription,
  value: string | boolean,
  attributes: ControlAttributes,
  onChange: FieldProps['onChange'],
) {
  if (kind === 'switch') {
    const onInput = (event: Event) => onChange((event.target as HTMLInputElement).checked);
    return h('input', { ...attributes, type: 'checkbox', checked: value === true, onInput });
  }
  const onInput = (event: Event) => onChange((event.target as HTMLInputElement | HTMLSelectElement).value);
  if (rows !== undefined)
    return h('textarea', { ...attributes, rows, spellcheck: false, value: String(value), onInput });
  if (kind === 'choice') {
    return h(
      'select',
      { ...attributes, value: String(value), onInput },
      defaultValue === undefined ? h('option', { value: '' }, 'automatic') : null,
      choices.map((choice) => h('option', { key: choice, value: choice }, choice.replaceAll('_', ' '))),
    );
  }
  const isNumber = kind === 'number' || kind === 'integer';
  return h('input', {
    ...attributes,
    type: 'text',
    inputMode: isNumber ? 'decimal' : 'text',
    spellcheck: false,
    autocomplete: 'off',
    placeholder:
      kind === 'list' ? 'none' : isNumber && defaultValue === undefined ? 'automatic' : String(defaultValue ?? ''),
    value: String(value),
    onInput,
  });
}

/** Renders `N_x` with a subscript. */
function symbolView(symbol: string) {
  const [base = '', index] = symbol.split('_');
  return index === undefined ? base : [base, h('sub', null, index)];
}
