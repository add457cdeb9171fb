// A choice between a few short words: radio buttons in a row, with the keyboard of radio buttons.

import { h } from 'preact';
import type { FieldDescription } from './solver-description.ts';

const MAX_OPTIONS = 4;
const MAX_LETTERS = 14;
/** Of all words together, which share a row. */
const MAX_ROW = 32;
const AUTOMATIC = 'automatic';

interface ToggleOption {
  readonly value: string;
  readonly word: string;
}

/** The options of a toggle; undefined for fields that are none. An empty value leaves the choice to the solver. */
export function toggleOptions({ kind, choices, min, max, isExclusive, defaultValue }: FieldDescription) {
  const values = kind === 'choice' ? choices : kind === 'integer' && !isExclusive ? integers(min, max) : undefined;
  if (values === undefined) return undefined;
  const named = values.map((value): ToggleOption => ({ value, word: value.replaceAll('_', ' ') }));
  const options = defaultValue === undefined ? [{ value: '', word: AUTOMATIC }, ...named] : named;
  const letters = options.map(({ word }) => word.length);
  const isShort = Math.max(...letters) <= MAX_LETTERS && letters.reduce((sum, count) => sum + count, 0) <= MAX_ROW;
  return options.length >= 2 && options.length <= MAX_OPTIONS && isShort ? options : undefined;
}

function integers(min: number | undefined, max: number | undefined): readonly string[] | undefined {
  if (min === undefined || max === undefined || max - min >= MAX_OPTIONS) return undefined;
  return Array.from({ length: max - min + 1 }, (_, at) => String(min + at));
}

interface ToggleProps {
  readonly id: string;
  readonly name: string;
  readonly options: readonly ToggleOption[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function Toggle({ id, name, options, value, onChange }: ToggleProps) {
  return h(
    'div',
    { class: 'toggle' },
    options.map((option) =>
      h(
        'label',
        { key: option.value, class: 'toggle-option' },
        h('input', {
          type: 'radio',
          id: `${id}-${option.value || AUTOMATIC}`,
          name,
          value: option.value,
          checked: option.value === value,
          onChange: () => onChange(option.value),
        }),
        h('span', null, option.word),
      ),
    ),
  );
}
