// The form of a sweep: texts as typed, and the axes that they state.

import type { AxisSpec } from '../../protocol/sweep/axes.ts';
import type { ParsedNumber } from '../kit/parse-number.ts';

export interface SweepInput {
  readonly name: string;
  readonly unit: string;
  readonly isWhole: boolean;
  /** In the form; undefined if it is empty. */
  readonly value: number | undefined;
  /** The range that is allowed, in the same unit. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

export const SCALES = ['linear', 'log'] as const;

export interface AxisDraft {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly count: string;
  readonly scale: (typeof SCALES)[number];
}

/** A range around the number in the form, within the allowed one. */
export function axisDraft({
  name,
  value,
  isWhole,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
}: SweepInput): AxisDraft {
  const center = value ?? 1;
  const around = center === 0 ? [0, 1] : [center / 2, 2 * center].toSorted((a, b) => a - b);
  const [from = 0, to = 1] = around.map((end) => Math.min(max, Math.max(min, end)));
  if (!isWhole) return { name, from: shown(from), to: shown(to), count: '25', scale: 'linear' };
  const first = Math.max(1, Math.floor(from));
  const last = Math.max(first + 1, Math.ceil(to));
  const step = Math.max(1, Math.ceil((last - first) / 24));
  const count = Math.floor((last - first) / step) + 1;
  return { name, from: String(first), to: String(first + (count - 1) * step), count: String(count), scale: 'linear' };
}

const shown = (value: number) => String(Number(value.toPrecision(6)));

/** @param parse  reads a number or says why it is none */
export function parseAxes(
  drafts: readonly AxisDraft[],
  parse: (text: string, name: string) => ParsedNumber,
): { readonly axes: Readonly<Record<string, AxisSpec>> } | { readonly fault: string } {
  const axes: Record<string, AxisSpec> = {};
  for (const { name, from, to, count, scale } of drafts) {
    const numbers: number[] = [];
    for (const [field, text] of [
      ['from', from],
      ['to', to],
      ['count', count],
    ] as const) {
      const parsed = parse(text, `${field} of ${name}`);
      if ('fault' in parsed) return { fault: parsed.fault };
      numbers.push(parsed.value);
    }
    const [first = 0, last = 0, total = 0] = numbers;
    axes[name] = { from: first, to: last, count: total, ...(scale === 'linear' ? {} : { scale }) };
  }
  return { axes };
}
