// A field of a form: its name in words, symbol and range, its control, and what is said below it.

import { h } from 'preact';
import { formatUnit } from '../kit/format.ts';
import { readingChoices } from '../kit/unit-choices.ts';
import { DrawField } from './drawn/draw-field.ts';
import type { DrawingProps } from './drawn/tools.ts';
import { defaultText, rangeLabel } from './fields.ts';
import { QuantityControl } from './quantity-control.ts';
import { readingText } from './reading.ts';
import { Slider, type SliderRange } from './slider.ts';
import type { FieldDescription } from './solver-description.ts';
import { Toggle, toggleOptions } from './toggle.ts';

interface FieldProps {
  readonly field: FieldDescription;
  readonly help: string;
  readonly value: string | boolean;
  readonly fault: string | undefined;
  readonly slider?: SliderRange | undefined;
  /** How the field may be drawn with the other inputs as they are. */
  readonly drawing?: Pick<DrawingProps, 'form' | 'lengths'> | undefined;
  /** @param isMoving  true while a slider may go on */
  readonly onChange: (value: string | boolean, isMoving?: boolean) => void;
}

export function Field(props: FieldProps) {
  const { field, help, value, fault, slider, drawing, onChange } = props;
  const { name, label, unit, kind } = field;
  const id = `field-${name}`;
  const options = toggleOptions(field);
  const reading = typeof value === 'string' ? readingText(field, value) : undefined;
  const choices = kind === 'number' ? readingChoices(unit) : [];
  const hasChoice = choices.length > 1;
  const beside = reading ?? (unit === '1' || hasChoice ? undefined : formatUnit(unit));
  const attributes = {
    'aria-describedby': beside === undefined ? `${id}-help` : `${id}-unit ${id}-help`,
    'aria-invalid': fault === undefined ? undefined : true,
  };
  const below = h(
    'p',
    { class: 'field-help', id: `${id}-help` },
    fault === undefined ? null : h('strong', { class: 'field-fault' }, fault),
    [isLabel(help, label) ? '' : help, defaultText(field, value)].filter(Boolean).join(' '),
  );
  const state = `field field-${kind}${fault === undefined ? '' : ' is-wrong'}`;
  if (options !== undefined)
    return h(
      'fieldset',
      { ...attributes, class: `${state} has-toggle`, id, role: 'radiogroup' },
      h('legend', null, h('span', { class: 'field-label' }, labelOf(field))),
      h(Toggle, { id, name, options, value: String(value), onChange }),
      below,
    );
  return h(
    'div',
    { class: state },
    h(
      'label',
      { class: 'field-label', for: id },
      labelOf(field),
      h('span', { class: 'field-range' }, rangeLabel(field)),
    ),
    h(
      'div',
      { class: `field-control${hasChoice ? ' has-units' : reading === undefined ? '' : ' has-reading'}` },
      hasChoice
        ? h(QuantityControl, {
            field,
            text: String(value),
            choices,
            attributes: { id, name, ...attributes },
            placeholder: placeholderOf(kind, field.defaultValue),
            onChange: (text: string) => onChange(text),
          })
        : controlOf(field, value, { id, name, ...attributes }, onChange),
      beside === undefined ? null : h('span', { class: 'field-unit', id: `${id}-unit` }, beside),
    ),
    slider === undefined
      ? null
      : h(Slider, {
          label: label ?? name,
          range: slider,
          value: Number(value),
          onChange: (next: string) => onChange(next, true),
        }),
    drawing === undefined
      ? null
      : h(DrawField, {
          key: drawing.form.as,
          ...drawing,
          label: label ?? name,
          unit,
          text: String(value),
          onChange: (text: string) => onChange(text),
        }),
    below,
  );
}

const labelOf = ({ name, label, symbol }: FieldDescription) => [
  h('span', { key: 'name', class: 'field-name' }, label ?? name),
  symbol === undefined || symbol === name
    ? null
    : h('span', { key: 'symbol', class: 'field-symbol' }, symbolView(symbol)),
  label === undefined ? null : h('code', { key: 'code', class: 'field-code' }, name),
];

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
    placeholder: placeholderOf(kind, defaultValue),
    value: String(value),
    onInput,
  });
}

function placeholderOf(kind: FieldDescription['kind'], defaultValue: FieldDescription['defaultValue']): string {
  if (kind === 'list') return 'none';
  const isNumber = kind === 'number' || kind === 'integer';
  return isNumber && defaultValue === undefined ? 'automatic' : String(defaultValue ?? '');
}

/** Renders `N_x` with a subscript. */
function symbolView(symbol: string) {
  const [base = '', index] = symbol.split('_');
  return index === undefined ? base : [base, h('sub', null, index)];
}
