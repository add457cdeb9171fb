// Names of several curves with their strokes; a press hides a curve or shows it again.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import { wordsOf } from './picture.ts';
import { seriesClass } from './series-style.ts';

interface LegendProps {
  readonly names: readonly string[];
  readonly hidden: ReadonlySet<number>;
  /** Without it the names are no buttons. */
  readonly toggle?: ((index: number) => void) | undefined;
}

export function Legend({ names, hidden, toggle }: LegendProps) {
  if (names.length < 2) return null;
  return h(
    'span',
    { class: 'chart-key' },
    names.map((name, index) => {
      const look = `chart-key-name ${seriesClass(index)}`;
      return toggle === undefined
        ? h('span', { key: name, class: look }, wordsOf(name))
        : h(
            'button',
            {
              key: name,
              type: 'button',
              class: look,
              'aria-pressed': !hidden.has(index),
              title: hidden.has(index) ? 'Show' : 'Hide',
              onClick: () => toggle(index),
            },
            wordsOf(name),
          );
    }),
  );
}

/** The hidden ones of several curves. */
export function useHidden() {
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const toggle = (index: number) =>
    setHidden((before) => new Set(before.has(index) ? [...before].filter((one) => one !== index) : [...before, index]));
  return { hidden, toggle };
}
