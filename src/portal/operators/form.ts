// The form of an operator: a number for each symbol, in the unit of the visitor's choice, with its uncertainty if wanted.

import { h } from 'preact';
import { asBound, asSentence, capitalised, inShort, unitOf } from '../kit/format.ts';
import type { Draft, Quantity, Reading } from './draft.ts';
import { SymbolView } from './formula-view.ts';
import type { FullOperator } from './registry.ts';
import { unitChoices } from './unit-choices.ts';

type Input = FullOperator['inputs'][string];

/** `1 to 10⁶`, with its unit if it has one. */
export function rangeOf({ min, max, unit, integer }: Input): string {
  const kind = integer === true ? 'whole, ' : '';
  const tail = unit === '1' ? '' : ` ${unitOf(unit)}`;
  if (min === undefined && max === undefined) return integer === true ? 'whole' : '';
  if (min === undefined) return `${kind}up to ${asBound(max ?? 0)}${tail}`;
  if (max === undefined) return `${kind}from ${asBound(min)}${tail}`;
  return `${kind}${asBound(min)} to ${asBound(max)}${tail}`;
}

interface FormProps {
  readonly operator: FullOperator;
  readonly draft: Draft;
  readonly faults: Reading['faults'];
  readonly hasSigmas: boolean;
  readonly onChange: (symbol: string, quantity: Quantity) => void;
}

export function QuantityList({ operator, draft, faults, hasSigmas, onChange }: FormProps) {
  return h(
    'div',
    { class: 'fields quantities' },
    Object.entries(operator.inputs).map(([symbol, input]) =>
      h(QuantityField, {
        key: symbol,
        symbol,
        input,
        meanings: operator.inputs,
        quantity: draft[symbol] ?? { value: '', unit: input.unit, sigma: '' },
        fault: faults[symbol],
        hasSigma: hasSigmas,
        onChange: (quantity: Quantity) => onChange(symbol, quantity),
      }),
    ),
  );
}

interface FieldProps {
  readonly symbol: string;
  readonly input: Input;
  readonly meanings: FullOperator['inputs'];
  readonly quantity: Quantity;
  readonly fault: string | undefined;
  readonly hasSigma: boolean;
  readonly onChange: (quantity: Quantity) => void;
}

function QuantityField({ symbol, input, meanings, quantity, fault, hasSigma, onChange }: FieldProps) {
  const id = `quantity-${symbol}`;
  const text = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value;
  const number = { type: 'text', inputMode: 'decimal', spellcheck: false, autocomplete: 'off' } as const;
  return h(
    'div',
    { class: `field${fault === undefined ? '' : ' is-wrong'}` },
    h(
      'label',
      { for: id },
      h('span', { class: 'field-name' }, h(SymbolView, { name: symbol, meanings })),
      h('span', { class: 'quantity-meaning' }, input.description),
    ),
    h(
      'div',
      { class: `quantity-row${hasSigma ? ' has-sigma' : ''}` },
      h('input', {
        ...number,
        id,
        name: symbol,
        class: 'quantity-value',
        placeholder: input.default === undefined ? '' : String(input.default),
        'aria-describedby': `${id}-help`,
        'aria-invalid': fault === undefined ? undefined : true,
        value: quantity.value,
        onInput: (event: Event) => onChange({ ...quantity, value: text(event) }),
      }),
      hasSigma
        ? [
            h('span', { class: 'quantity-sign', 'aria-hidden': true }, '±'),
            h('input', {
              ...number,
              class: 'quantity-sigma',
              'aria-label': `Standard uncertainty of ${symbol}`,
              placeholder: '0',
              value: quantity.sigma,
              onInput: (event: Event) => onChange({ ...quantity, sigma: text(event) }),
            }),
          ]
        : null,
      input.unit === '1'
        ? null
        : h(UnitChoice, {
            label: `Unit of ${symbol}`,
            declared: input.unit,
            unit: quantity.unit,
            onChange: (unit: string) => onChange({ ...quantity, unit }),
          }),
    ),
    h(
      'p',
      { class: 'field-help', id: `${id}-help` },
      fault === undefined ? null : h('strong', { class: 'field-fault' }, fault),
      helpOf(input),
    ),
  );
}

function helpOf(input: Input): string {
  const range = rangeOf(input);
  const standard = input.default === undefined ? '' : `${inShort(input.default, 17)} when empty.`;
  return `${range === '' ? '' : asSentence(capitalised(range))} ${standard}`.trim();
}

interface UnitProps {
  readonly label: string;
  readonly declared: string;
  readonly unit: string;
  readonly onChange: (unit: string) => void;
}

/** The usual units to choose from; where there are none, any text that is a unit. */
function UnitChoice({ label, declared, unit, onChange }: UnitProps) {
  const choices = unitChoices(declared);
  const onInput = (event: Event) => onChange((event.target as HTMLInputElement | HTMLSelectElement).value);
  if (choices.length === 0) {
    return h('input', {
      type: 'text',
      class: 'quantity-unit',
      'aria-label': label,
      spellcheck: false,
      autocomplete: 'off',
      placeholder: declared,
      value: unit,
      onInput,
    });
  }
  const all = choices.includes(unit) ? choices : [...choices, unit];
  return h(
    'select',
    { class: 'quantity-unit', 'aria-label': label, value: unit, onInput },
    all.map((one) => h('option', { key: one, value: one, selected: one === unit }, unitOf(one))),
  );
}
