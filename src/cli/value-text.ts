// A number with its ± on the terminal, and where ± comes from.

import { Option } from 'commander';
import { roundedPair } from '../core/rounded.ts';
import { type BudgetPart, sharesOf, shareText } from '../protocol/words/budget.ts';
import { withUnit } from '../protocol/words/numbers.ts';

/** `all`: every digit of the double; otherwise as many as ± supports. */
export type Digits = 'all';

export const digitsOption = () =>
  new Option('--digits <number>', 'print every digit, not only those that the uncertainty supports').choices(['all']);

interface Value {
  readonly value: number;
  readonly unit: string;
  /** Missing for a number without error. */
  readonly uncertainty?: number | undefined;
}

/** `8.676e-20 ± 0.035e-20 J` */
export function valueText({ value, unit, uncertainty }: Value, digits: Digits | undefined): string {
  if (uncertainty === undefined) return withUnit(String(digits === 'all' ? value : Number(value.toPrecision(8))), unit);
  const pair = digits === 'all' ? undefined : roundedPair(value, uncertainty);
  return withUnit(pair === undefined ? `${value} ± ${uncertainty}` : `${pair.value} ± ${pair.uncertainty}`, unit);
}

/** One line per source, the largest first. */
export function budgetLines(budget: readonly (BudgetPart & { readonly basis: string })[]): readonly string[] {
  return [...sharesOf(budget)]
    .sort((a, b) => b.share - a.share)
    .map(({ source, share, basis }) => `  ± ${shareText(share).padStart(5)} ${source}: ${basis}`);
}
