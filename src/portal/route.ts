// Where the visitor is: the address bar as a signal, and links that do not reload.

import { signal } from '@preact/signals';

export interface Place {
  readonly path: string;
  readonly search: string;
}

const here = (): Place => ({ path: location.pathname, search: location.search });

export const place = signal<Place>(here());

/** Go to a page of this portal. */
export function visit(address: string): void {
  history.pushState(null, '', address);
  place.value = here();
}

/** The page stays; its address says more. No entry in the history. */
export function rename(address: string): void {
  history.replaceState(null, '', address);
}

export function watchAddress(): void {
  addEventListener('popstate', () => {
    place.value = here();
  });
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || !isPlain || event.defaultPrevented) return;
    if (link.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return;
    if (!link.hasAttribute('data-page')) return;
    event.preventDefault();
    if (link.href !== location.href) visit(link.href);
  });
}
