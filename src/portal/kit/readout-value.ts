// Result in large type, with all digits and its unit.

import { h } from 'preact';
import { formatExact, formatUnit } from './format.ts';

export function ReadoutValue({ value, unit }: { readonly value: number; readonly unit: string }) {
  return h(
    'p',
    { class: 'readout-value' },
    h('output', { 'data-value': String(value) }, formatExact(value)),
    unit === '1' ? null : h('span', { class: 'readout-unit' }, formatUnit(unit)),
  );
}
