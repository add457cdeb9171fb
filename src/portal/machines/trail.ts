// The way back, one level after the other.

import { h } from 'preact';

export interface Level {
  readonly name: string;
  /** Undefined for the page itself. */
  readonly href?: string;
}

export function Trail({ levels }: { readonly levels: readonly Level[] }) {
  return h(
    'nav',
    { class: 'trail', 'aria-label': 'Where this is' },
    levels.map(({ name, href }, at) => [
      at === 0 ? null : h('span', { key: `slash-${at}`, 'aria-hidden': true }, '/'),
      href === undefined
        ? h('span', { key: at, 'aria-current': 'page' }, name)
        : h('a', { key: at, href, 'data-page': '' }, name),
    ]),
  );
}

export const machinePath = (slug: string) => `/machines/${encodeURIComponent(slug)}`;
export const contractPath = (slug: string, id: string) => `${machinePath(slug)}/contracts/${encodeURIComponent(id)}`;
