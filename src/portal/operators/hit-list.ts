// Operators one below the other, each with its formula; the arrow keys go from one to the next.

import { h } from 'preact';
import { unitOf } from '../kit/format.ts';
import { ShortFormula } from './formula-view.ts';
import type { Summary } from './registry.ts';

interface ListProps {
  readonly rows: readonly Summary[];
  readonly isDomainShown: boolean;
}

export function HitList({ rows, isDomainShown }: ListProps) {
  const keys = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (!moveFocus(event.currentTarget as HTMLElement, step) && step === 'previous')
      document.getElementById('term')?.focus();
  };
  return h(
    'ol',
    { class: 'hits', onKeyDown: keys },
    rows.map((row) => h(Hit, { key: row.id, row, isDomainShown })),
  );
}

type Step = 'first' | 'previous' | 'next' | 'last';
const STEPS: Readonly<Record<string, Step>> = { ArrowDown: 'next', ArrowUp: 'previous', Home: 'first', End: 'last' };

/** @returns false if there is none in that direction */
export function moveFocus(place: HTMLElement | null, step: Step): boolean {
  const links = [...(place?.querySelectorAll<HTMLElement>('.hit-link') ?? [])];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = { first: 0, last: links.length - 1, next: at + 1, previous: at - 1 }[step];
  links[next]?.focus();
  return links[next] !== undefined;
}

function Hit({ row, isDomainShown }: { readonly row: Summary; readonly isDomainShown: boolean }) {
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
      output.unit === '1' ? h('span', null, 'a pure number') : h('span', null, `in ${unitOf(output.unit)}`),
    ),
  );
}
