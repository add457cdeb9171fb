// A frame that scrolls where its content is larger, and can then have the focus.

import { type ComponentChildren, h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

export function ScrollRegion({ label, class: name = 'docs-scroll', children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [overflow, setOverflow] = useState<'sideways' | 'down' | undefined>(undefined);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = () => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      if (scrollWidth > clientWidth + 1) setOverflow('sideways');
      else setOverflow(scrollHeight > clientHeight + 1 ? 'down' : undefined);
    };
    const observer = new ResizeObserver(measure);
    for (const observed of [element, ...element.children]) observer.observe(observed);
    return () => observer.disconnect();
  }, []);
  return h(
    'div',
    {
      ref: frame,
      class: name,
      ...(overflow === undefined ? {} : { tabIndex: 0, role: 'group', 'aria-label': `${label}, scrolls ${overflow}` }),
    },
    children,
  );
}
