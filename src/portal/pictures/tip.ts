// Values at the pointer, beside it, inside the frame of a picture.

import { type ComponentChildren, h } from 'preact';

interface TipProps {
  /** Pixels in the frame. */
  readonly left: number;
  readonly top: number;
  /** Width of the frame: the tip stands on the side that has more room. */
  readonly width: number;
  readonly children?: ComponentChildren;
}

const GAP = 14;

export function Tip({ left, top, width, children }: TipProps) {
  const side = left > width / 2 ? { right: `${width - left + GAP}px` } : { left: `${left + GAP}px` };
  return h('div', { class: 'tip', role: 'status', style: { top: `${Math.max(0, top - GAP)}px`, ...side } }, children);
}
