// Button of a field that opens its drawing, whose code comes with the first one.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { DrawnForm } from '../../../solvers/solver-form.ts';
import type { DrawingProps } from './tools.ts';

type Panel = typeof import('./drawing-panel.ts')['DrawingPanel'];

const WORDS: Readonly<Record<DrawnForm['as'], string>> = {
  numbers: 'Draw the curve',
  pairs: 'Draw the curve',
  curve: 'Draw the curve',
  spots: 'Paint spots',
  marks: 'Paint it',
};

export function DrawField(props: DrawingProps) {
  const [state, setState] = useState<Panel | 'open' | 'failed' | undefined>(undefined);
  const [isOpen, setOpen] = useState(false);
  const toggle = () => {
    setOpen(!isOpen);
    if (typeof state === 'function') return;
    setState('open');
    import('./drawing-panel.ts').then(
      ({ DrawingPanel }) => setState(() => DrawingPanel),
      () => setState('failed'),
    );
  };
  return h(
    'div',
    { class: 'draw-field' },
    h(
      'button',
      { type: 'button', class: 'quiet', 'aria-expanded': isOpen, onClick: toggle },
      isOpen ? 'Close the drawing' : WORDS[props.form.as],
    ),
    isOpen && typeof state === 'function' ? h(state, props) : null,
    isOpen && state === 'failed'
      ? h('p', { class: 'field-fault', role: 'alert' }, 'The drawing could not be loaded. Reload the page.')
      : null,
  );
}
