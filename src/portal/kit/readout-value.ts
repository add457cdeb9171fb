// A result in large type, every digit of it, with its unit.

import { h } from 'preact';
import { inFull, unitOf } from './format.ts';

export function ReadoutValue({ value, unit }: { readonly value: number; readonly unit: string }) {
  return h(
    'p',
    { class: 'readout-value' },
    h('output', { 'data-value': String(value) }, inFull(value)),
    unit === '1' ? null : h('span', { class: 'readout-unit' }, unitOf(unit)),
  );
}
