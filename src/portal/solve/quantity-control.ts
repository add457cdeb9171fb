// Number with a choice of its unit beside it. The text of the field holds both: `12 cm`; a number alone is in the unit of
// the field.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { parseNumber } from '../kit/parse-number.ts';
import { UnitChoice } from '../kit/unit-choice.ts';
import { readingParts } from './reading.ts';
import type { FieldDescription } from './solver-description.ts';

interface QuantityProps {
  readonly field: FieldDescription;
  readonly text: string;
  readonly choices: readonly string[];
  /** Of the number. */
  readonly attributes: Readonly<Record<string, string | boolean | undefined>>;
  readonly placeholder: string;
  readonly onChange: (text: string) => void;
}

export function QuantityControl({ field, text, choices, attributes, placeholder, onChange }: QuantityProps) {
  const { name, label = name, unit: declared } = field;
  // Of an empty field, until it has a number.
  const [chosen, choose] = useState(declared);
  // What is typed stays as it is until the field is left.
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const parts = readingParts(field, text);
  const unit = text.trim() === '' ? chosen : parts.unit;
  // What is no number, or has a unit of its own, stays as it is typed, and faults quote it so.
  const withUnit = (digits: string, next: string) =>
    next !== declared && 'value' in parseNumber(digits, { name, isWhole: false }) ? `${digits.trim()} ${next}` : digits;
  const change = (next: string) => {
    setTyped(next);
    onChange(withUnit(next, unit));
  };
  return [
    h('input', {
      key: 'number',
      ...attributes,
      type: 'text',
      inputMode: 'decimal',
      spellcheck: false,
      autocomplete: 'off',
      placeholder,
      value: typed ?? parts.digits,
      onInput: (event: Event) => change((event.target as HTMLInputElement).value),
      onBlur: () => setTyped(undefined),
    }),
    h(UnitChoice, {
      key: 'unit',
      label: `Unit of ${label}`,
      ...{ declared, unit, choices },
      onChange: (next: string) => {
        choose(next);
        setTyped(undefined);
        if (text.trim() !== '') onChange(withUnit(parts.digits, next));
      },
    }),
  ];
}
