// Form of an operator: a value for each symbol, with a choice of unit and an optional uncertainty.

import { h } from 'preact';
import { capitalise, formatBound, formatRounded, formatUnit, withFullStop } from '../kit/format.ts';
import { UnitChoice } from '../kit/unit-choice.ts';
import { type Draft, fieldsOf, type ParsedDraft, type Quantity, unknownOf } from './draft.ts';
import { SymbolView } from './formula-view.ts';
import type { FullOperator } from './registry.ts';

type Input = FullOperator['inputs'][string];

/** `1 to 10⁶`, with the unit if any. */
export function rangeLabel({ min, max, unit, integer }: Input): string {
  const kind = integer === true ? 'whole, ' : '';
  const tail = unit === '1' ? '' : ` ${formatUnit(unit)}`;
  if (min === undefined && max === undefined) return integer === true ? 'whole' : '';
  if (min === undefined) return `${kind}up to ${formatBound(max ?? 0)}${tail}`;
  if (max === undefined) return `${kind}from ${formatBound(min)}${tail}`;
  return `${kind}${formatBound(min)} to ${formatBound(max)}${tail}`;
}

interface FormProps {
  readonly operator: FullOperator;
  readonly draft: Draft;
  readonly faults: ParsedDraft['faults'];
  readonly hasSigmas: boolean;
  readonly onChange: (symbol: string, quantity: Quantity) => void;
}

export function QuantityList({ operator, draft, faults, hasSigmas, onChange }: FormProps) {
  return h(
    'div',
    { class: 'fields quantities' },
    Object.entries(fieldsOf(operator, draft)).map(([symbol, input]) =>
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

interface UnknownProps {
  readonly operator: FullOperator;
  readonly draft: Draft;
  readonly onChange: (symbol: string) => void;
}

/** Choice of what to find: the output of the law, or one of its inputs. */
export function UnknownChoice({ operator, draft, onChange }: UnknownProps) {
  const { symbol: output } = operator.output;
  const chosen = unknownOf(operator, draft) ?? output;
  return h(
    'div',
    { class: 'field' },
    h('label', { for: 'solve-for' }, h('span', { class: 'field-name' }, 'Find')),
    h(
      'select',
      {
        id: 'solve-for',
        value: chosen,
        onInput: (event: Event) => onChange((event.target as HTMLSelectElement).value),
      },
      [[output, operator.output] as const, ...Object.entries(operator.inputs)].map(([symbol, { description }]) =>
        h(
          'option',
          { key: symbol, value: symbol, selected: symbol === chosen },
          description === undefined ? symbol : `${symbol}, ${description}`,
        ),
      ),
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
      helpText(input),
    ),
  );
}

function helpText(input: Input): string {
  const range = rangeLabel(input);
  const defaultText = input.default === undefined ? '' : `Default ${formatRounded(input.default, 17)}.`;
  return `${range === '' ? '' : withFullStop(capitalise(range))} ${defaultText}`.trim();
}
