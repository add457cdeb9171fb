// Breadcrumb navigation, and the paths of machine and contract pages.

import { h } from 'preact';

export interface Level {
  readonly name: string;
  /** Undefined for the current page. */
  readonly href?: string;
}

export function Breadcrumbs({ levels }: { readonly levels: readonly Level[] }) {
  return h(
    'nav',
    { class: 'breadcrumbs', 'aria-label': 'Breadcrumbs' },
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
