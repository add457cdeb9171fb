// Result in large type, with as many digits as its ± supports, and its unit.

import { h } from 'preact';
import { conciseOf } from './concise.ts';
import { formatExact, formatUnit, superscript } from './format.ts';

interface ReadoutProps {
  readonly value: number;
  readonly uncertainty: number;
  readonly unit: string;
}

export function ReadoutValue({ value, uncertainty, unit }: ReadoutProps) {
  const { groups, lastDigits, exponent } = conciseOf(value, uncertainty);
  return h(
    'p',
    { class: 'readout-value' },
    h(
      'output',
      { 'data-value': String(value), title: formatExact(value) },
      // Space between groups is drawn, not written, so that a copy is a number.
      groups.map((group, at) => h('span', { key: at, class: 'digit-group' }, group)),
      lastDigits === undefined
        ? null
        : h('span', { class: 'readout-last', title: '± in the last digits', 'aria-hidden': true }, `(${lastDigits})`),
      exponent === undefined ? null : ` × 10${superscript(exponent)}`,
    ),
    unit === '1' ? null : h('span', { class: 'readout-unit' }, formatUnit(unit)),
  );
}
