// The clock of the node, tick by tick.

import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import '../../style/pulse.css';
import { errorNotice } from '../../kit/error-notice.ts';
import { Notice } from '../../kit/notice.ts';
import { Dial } from '../../pulse/dial.ts';
import { type NodeClock, readNodeClock } from '../../pulse/node-clock.ts';

export function TickFigure() {
  const [clock, setClock] = useState<NodeClock | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [isPaused, setPaused] = useState(false);
  useEffect(() => void readNodeClock().then(setClock, setError), []);
  if (error !== undefined) return h(Notice, errorNotice(error));
  return [
    h('div', { class: 'pulse' }, h(Dial, { clock, isPaused })),
    h(
      'figcaption',
      null,
      'The clock of this node, now. The ring closes once a tick; the curve is the pulse. ',
      h(
        'button',
        { type: 'button', disabled: clock === undefined, onClick: () => setPaused(!isPaused) },
        isPaused ? 'Resume' : 'Pause',
      ),
    ),
  ];
}
