// A result with its ±: as many digits as ± supports, and on demand all digits and where ± comes from.

import { h } from 'preact';
import { roundedPair } from '../../core/rounded.ts';
import type { UncertaintyPart } from '../../protocol/pure-fields.ts';
import { mainSourceOf, sharesOf } from '../../protocol/words/budget.ts';
import { BudgetBar, BudgetTable } from './budget-bar.ts';
import { bitsText } from './concise.ts';
import { fact } from './fact.ts';
import { formatExact, formatRounded, withPower, withUnit } from './format.ts';

interface MeasuredProps {
  readonly value: number;
  readonly uncertainty: number;
  readonly unit: string;
}

const typographic = (text: string) => text.replaceAll('-', '−');

/** `625 ± 28 J`; all digits where ± supports them. */
export function measuredText({ value, uncertainty, unit }: MeasuredProps): string {
  const pair = roundedPair(value, uncertainty);
  return pair === undefined
    ? withUnit(formatExact(value), unit)
    : withUnit(`${typographic(pair.value)} ± ${typographic(pair.uncertainty)}`, unit);
}

/** The ± beside a readout: `± 28 J, mostly inputs`. */
export function uncertaintyText(
  { value, uncertainty, unit }: MeasuredProps,
  budget: readonly UncertaintyPart[],
): string {
  const pair = roundedPair(value, uncertainty);
  const text = withPower(typographic(pair?.uncertainty ?? formatRounded(uncertainty, 2)));
  const source = mainSourceOf(budget);
  return `± ${withUnit(text, unit)}${source === undefined ? '' : `, mostly ${source}`}`;
}

interface BudgetProps extends MeasuredProps {
  readonly budget: readonly UncertaintyPart[];
  /** Of the part of the inputs, by symbol. */
  readonly inputShares?: Readonly<Record<string, number>> | undefined;
}

/** Where ± comes from as one bar; on demand all digits, the bits, and the numbers behind the bar. */
export function Budget({ value, uncertainty, unit, budget, inputShares }: BudgetProps) {
  const parts = sharesOf(budget);
  return [
    h(BudgetBar, { parts, inputShares }),
    h(
      'details',
      { class: 'budget' },
      h('summary', null, 'All digits, and where ± comes from'),
      h(
        'dl',
        { class: 'facts' },
        fact('all digits', `${withUnit(formatExact(value), unit)} ± ${withUnit(formatExact(uncertainty), unit)}`),
        fact('bits', h('code', null, bitsText(value))),
      ),
      parts.length === 0 ? null : h(BudgetTable, { parts, unit }),
    ),
  ];
}
