// The form of a solver, made from its schema.

import { h } from 'preact';
import { unitOf } from '../kit/format.ts';
import type { FieldDescription, SolverDescription } from './description.ts';
import { type Draft, guidanceOf, type Reading, rangeOf, standardOf } from './fields.ts';

interface FormProps {
  readonly solver: SolverDescription;
  readonly draft: Draft;
  readonly faults: Reading['faults'];
  readonly onChange: (name: string, value: string | boolean) => void;
}

export function FieldList({ solver, draft, faults, onChange }: FormProps) {
  const fields = solver.fields.map((field) => ({ field, guidance: guidanceOf(field, solver, draft) }));
  const input = ({ field, guidance }: (typeof fields)[number]) =>
    h(Field, {
      key: field.name,
      field,
      help: guidance.text,
      value: draft[field.name] ?? '',
      fault: faults[field.name],
      onChange: (value: string | boolean) => onChange(field.name, value),
    });
  const unused = fields.filter(({ guidance }) => !guidance.isUsed);
  return [
    h('div', { class: 'fields' }, fields.filter(({ guidance }) => guidance.isUsed).map(input)),
    unused.length === 0
      ? null
      : h(
          'details',
          { class: 'unused' },
          h(
            'summary',
            null,
            unused.length === 1 ? '1 field plays no part here' : `${unused.length} fields play no part here`,
          ),
          h('div', { class: 'fields' }, unused.map(input)),
        ),
  ];
}

interface FieldProps {
  readonly field: FieldDescription;
  readonly help: string;
  readonly value: string | boolean;
  readonly fault: string | undefined;
  readonly onChange: (value: string | boolean) => void;
}

function Field({ field, help, value, fault, onChange }: FieldProps) {
  const { name, unit, symbol, kind } = field;
  const id = `field-${name}`;
  const described = {
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
      h('span', { class: 'field-name' }, name),
      symbol === undefined || symbol === name ? null : h('span', { class: 'field-symbol' }, symbolOf(symbol)),
      h('span', { class: 'field-range' }, rangeOf(field)),
    ),
    h(
      'div',
      { class: 'field-control' },
      controlOf(field, value, described, onChange),
      unit === '1' ? null : h('span', { class: 'field-unit' }, unitOf(unit)),
    ),
    h(
      'p',
      { class: 'field-help', id: `${id}-help` },
      fault === undefined ? null : h('strong', { class: 'field-fault' }, fault),
      `${help} ${standardOf(field)}`,
    ),
  );
}

type Described = Readonly<Record<string, string | boolean | undefined>>;

function controlOf(
  { kind, choices = [], rows, standard }: FieldDescription,
  value: string | boolean,
  described: Described,
  onChange: FieldProps['onChange'],
) {
  if (kind === 'switch') {
    const onInput = (event: Event) => onChange((event.target as HTMLInputElement).checked);
    return h('input', { ...described, type: 'checkbox', checked: value === true, onInput });
  }
  const onInput = (event: Event) => onChange((event.target as HTMLInputElement | HTMLSelectElement).value);
  if (rows !== undefined)
    return h('textarea', { ...described, rows, spellcheck: false, value: String(value), onInput });
  if (kind === 'choice') {
    return h(
      'select',
      { ...described, value: String(value), onInput },
      choices.map((choice) => h('option', { key: choice, value: choice }, choice.replaceAll('_', ' '))),
    );
  }
  const isNumber = kind === 'number' || kind === 'integer';
  return h('input', {
    ...described,
    type: 'text',
    inputMode: isNumber ? 'decimal' : 'text',
    spellcheck: false,
    autocomplete: 'off',
    placeholder: kind === 'list' ? 'none' : isNumber && standard === undefined ? 'automatic' : String(standard ?? ''),
    value: String(value),
    onInput,
  });
}

/** `N_x` with its index below the line. */
function symbolOf(symbol: string) {
  const [base = '', index] = symbol.split('_');
  return index === undefined ? base : [base, h('sub', null, index)];
}
