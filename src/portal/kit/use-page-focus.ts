// Announces a new page within a tab to screen readers and scrolls to its top, as between two tabs.

import { useLayoutEffect, useRef } from 'preact/hooks';

/** @param page  identifies the page; nothing happens on the first render, which the shell announces */
export function usePageFocus(page: string): void {
  const isFirstRender = useRef(true);
  useLayoutEffect(() => {
    if (isFirstRender.current) {
      isFirstRender.current = false;
      return;
    }
    document.getElementById('main')?.focus();
    scrollTo(0, 0);
  }, [page]);
}
