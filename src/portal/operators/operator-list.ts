// List of operators with their formulas; the arrow keys move between them.

import { h } from 'preact';
import { formatUnit } from '../kit/format.ts';
import { moveFocus, stepOfKey } from '../kit/move-focus.ts';
import { ShortFormula } from './formula-view.ts';
import { matchTexts } from './match-text.ts';
import type { OperatorSummary, SearchResult } from './registry.ts';

interface ListProps {
  readonly rows: readonly OperatorSummary[];
  /** Of a search: why each was found. */
  readonly matches?: SearchResult['matches'];
  readonly isDomainShown: boolean;
}

export function OperatorList({ rows, matches = {}, isDomainShown }: ListProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOfKey(event.key);
    if (step === undefined) return;
    event.preventDefault();
    if (!moveFocus(event.currentTarget as HTMLElement, '.hit-link', step) && step === 'previous')
      document.getElementById('term')?.focus();
  };
  return h(
    'ol',
    { class: 'hits', onKeyDown },
    rows.map((row) => h(OperatorCard, { key: row.id, row, matches: matches[row.id] ?? [], isDomainShown })),
  );
}

interface CardProps extends Pick<ListProps, 'isDomainShown'> {
  readonly row: OperatorSummary;
  readonly matches: SearchResult['matches'][string];
}

function OperatorCard({ row, matches, isDomainShown }: CardProps) {
  const { id, name, domain, output } = row;
  return h(
    'li',
    { class: 'card' },
    h(
      'div',
      { class: 'card-head' },
      h('a', { class: 'card-link hit-link', href: `/operators/${id}`, 'data-page': '' }, name),
      h('span', { class: 'hit-id' }, id),
    ),
    h('div', { class: 'hit-formula' }, h(ShortFormula, row)),
    h(
      'p',
      { class: 'card-more' },
      isDomainShown ? h('span', null, domain) : null,
      output.unit === '1' ? h('span', null, 'dimensionless') : h('span', null, `in ${formatUnit(output.unit)}`),
    ),
    matches.length === 0 ? null : h('p', { class: 'hit-matches' }, `Found by ${matchTexts(matches).join('; ')}`),
  );
}
