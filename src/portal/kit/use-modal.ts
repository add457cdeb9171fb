// Hook for a modal dialog that is open while it is on the page. A click on the backdrop closes it; the browser keeps the
// focus in it, closes it on Escape, and gives the focus back.

import { useLayoutEffect, useRef } from 'preact/hooks';

export function useModal() {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    ref.current?.showModal();
    return () => ref.current?.close();
  }, []);
  const close = () => ref.current?.close();
  const onClick = (event: Event) => {
    // The backdrop is the dialog itself; its contents are not.
    if (event.target === ref.current) close();
  };
  return { attributes: { ref, onClick }, close };
}
