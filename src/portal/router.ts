// Client-side router: the current URL as a signal, and links that navigate without a reload.

import { signal } from '@preact/signals';

export interface Route {
  readonly path: string;
  readonly search: string;
}

const readRoute = (): Route => ({ path: location.pathname, search: location.search });

export const currentRoute = signal<Route>(readRoute());

/** Opens a page of this portal. */
export function navigate(url: string): void {
  history.pushState(null, '', url);
  currentRoute.value = readRoute();
}

/** Opens another page of this portal in place of an address that has moved. */
export function redirect(url: string): void {
  history.replaceState(null, '', url);
  currentRoute.value = readRoute();
}

/** Updates the URL of the open page without a history entry. */
export function replaceUrl(url: string): void {
  history.replaceState(null, '', url);
}

export function startRouter(): void {
  addEventListener('popstate', () => {
    currentRoute.value = readRoute();
  });
  document.addEventListener('click', (event) => {
    const isPlainClick = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || !isPlainClick || event.defaultPrevented) return;
    if (link.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return;
    if (!link.hasAttribute('data-page')) return;
    event.preventDefault();
    if (link.href !== location.href) navigate(link.href);
  });
}
