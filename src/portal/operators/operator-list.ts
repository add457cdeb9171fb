// List of operators with their formulas; the arrow keys move between them.

import { h } from 'preact';
import { formatUnit } from '../kit/format.ts';
import { ShortFormula } from './formula-view.ts';
import type { OperatorSummary } from './registry.ts';

interface ListProps {
  readonly rows: readonly OperatorSummary[];
  readonly isDomainShown: boolean;
}

export function OperatorList({ rows, isDomainShown }: ListProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (!moveFocus(event.currentTarget as HTMLElement, step) && step === 'previous')
      document.getElementById('term')?.focus();
  };
  return h(
    'ol',
    { class: 'hits', onKeyDown },
    rows.map((row) => h(OperatorCard, { key: row.id, row, isDomainShown })),
  );
}

type Step = 'first' | 'previous' | 'next' | 'last';
const STEPS: Readonly<Record<string, Step>> = { ArrowDown: 'next', ArrowUp: 'previous', Home: 'first', End: 'last' };

/** @returns false if no link follows in that direction */
export function moveFocus(container: HTMLElement | null, step: Step): boolean {
  const links = [...(container?.querySelectorAll<HTMLElement>('.hit-link') ?? [])];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = { first: 0, last: links.length - 1, next: at + 1, previous: at - 1 }[step];
  links[next]?.focus();
  return links[next] !== undefined;
}

function OperatorCard({ row, isDomainShown }: { readonly row: OperatorSummary; readonly isDomainShown: boolean }) {
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
  );
}
