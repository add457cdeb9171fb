// Choice of a unit beside a number.

import { h } from 'preact';
import { formatUnit } from './format.ts';
import { unitChoices } from './unit-choices.ts';

interface UnitProps {
  readonly label: string;
  readonly declared: string;
  readonly unit: string;
  /** By default those of the dimension of the declared one. */
  readonly choices?: readonly string[];
  readonly onChange: (unit: string) => void;
}

/** Select of common units; a text field for units without a group of choices. */
export function UnitChoice({ label, declared, unit, choices = unitChoices(declared), onChange }: UnitProps) {
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
  const options = choices.includes(unit) ? choices : [...choices, unit];
  return h(
    'select',
    { class: 'quantity-unit', 'aria-label': label, value: unit, onInput },
    options.map((option) => h('option', { key: option, value: option, selected: option === unit }, formatUnit(option))),
  );
}
