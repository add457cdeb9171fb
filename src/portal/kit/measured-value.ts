// A result with its ±: as many digits as ± supports, and on demand all digits and where ± comes from.

import { h } from 'preact';
import { roundedPair } from '../../core/rounded.ts';
import type { UncertaintyPart } from '../../protocol/pure-fields.ts';
import { mainSourceOf, SOURCE_WORDS, sharesOf, shareText } from '../../protocol/words/budget.ts';
import { fact } from './fact.ts';
import { formatExact, formatRounded, withUnit } from './format.ts';

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
  const text = typographic(pair?.uncertainty ?? formatRounded(uncertainty, 2));
  const source = mainSourceOf(budget);
  return `± ${withUnit(text, unit)}${source === undefined ? '' : `, mostly ${source}`}`;
}

interface BudgetProps extends MeasuredProps {
  readonly budget: readonly UncertaintyPart[];
}

/** All digits, and one bar per source of the uncertainty. */
export function Budget({ value, uncertainty, unit, budget }: BudgetProps) {
  return h(
    'details',
    { class: 'budget' },
    h('summary', null, 'All digits, and where ± comes from'),
    h(
      'dl',
      { class: 'facts' },
      fact('all digits', `${withUnit(formatExact(value), unit)} ± ${withUnit(formatExact(uncertainty), unit)}`),
      sharesOf(budget).map(({ source, kind, value: part, basis, share }, i) =>
        h(
          'div',
          { key: i },
          h('dt', null, source, ' ', h('meter', { min: 0, max: 1, value: share, 'aria-label': `Share of ${source}` })),
          h(
            'dd',
            null,
            `${shareText(share)}: ${kind === 'bound' ? 'at most' : 'standard deviation'} `,
            withUnit(formatRounded(part, 2), unit),
            h('br', null),
            basis === '' ? SOURCE_WORDS[source] : basis,
          ),
        ),
      ),
    ),
  );
}
