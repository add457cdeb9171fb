// Result in large type, with as many digits as its ± supports, and its unit.

import { h } from 'preact';
import { roundedPair } from '../../core/rounded.ts';
import { formatExact, formatUnit } from './format.ts';

interface ReadoutProps {
  readonly value: number;
  readonly uncertainty: number;
  readonly unit: string;
}

export function ReadoutValue({ value, uncertainty, unit }: ReadoutProps) {
  const rounded = roundedPair(value, uncertainty)?.value.replaceAll('-', '−');
  return h(
    'p',
    { class: 'readout-value' },
    h('output', { 'data-value': String(value), title: formatExact(value) }, rounded ?? formatExact(value)),
    unit === '1' ? null : h('span', { class: 'readout-unit' }, formatUnit(unit)),
  );
}
