// A media query as a signal.

import { type ReadonlySignal, signal } from '@preact/signals';

export function mediaQuery(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener('change', (event) => {
    matches.value = event.matches;
  });
  return matches;
}
