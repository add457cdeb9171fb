// Pulse page: the node's clock, tick by tick, and the modulation R(t) recorded with every result.

import { h } from 'preact';
import '../style/pulse.css';
import { useEffect, useState } from 'preact/hooks';
import { ALPHA, PULSE_HZ, TICK_SECONDS } from '../../core/clock.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { Notice } from '../kit/notice.ts';
import { Dial } from './dial.ts';
import { type NodeClock, readNodeClock } from './node-clock.ts';

export function PulsePage() {
  const [clock, setClock] = useState<NodeClock | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [isPaused, setPaused] = useState(false);
  const read = () => {
    setError(undefined);
    readNodeClock().then(setClock, setError);
  };
  useEffect(read, []);
  return h(
    'div',
    { class: 'page narrow pulse' },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Pulse'),
      h(
        'p',
        { class: 'lead' },
        'One clock timestamps every result. It counts ticks of 0.777 000 777 s and oscillates at 1.287 Hz.',
      ),
    ),
    error === undefined ? null : h(Notice, { ...errorNotice(error), action: { label: 'Try again', run: read } }),
    h(Dial, { clock, isPaused }),
    h(
      'div',
      { class: 'pulse-actions' },
      h(
        'button',
        { type: 'button', disabled: clock === undefined, onClick: () => setPaused(!isPaused) },
        isPaused ? 'Resume' : 'Pause',
      ),
    ),
    h(Facts, { clock }),
  );
}

function Facts({ clock }: { readonly clock: NodeClock | undefined }) {
  const { genesisAt, sinceGenesis, clockSource, precision } = clock?.record ?? {};
  const text = (value: unknown) => (value === undefined ? '…' : String(value));
  const rows = [
    ['tick', `${TICK_SECONDS} s, counted from 1970`],
    ['pulse', `${PULSE_HZ} Hz`],
    ['modulation', `R(t) = 1 + α sin(2π f t), α = ${ALPHA}`],
    ['node started', text(genesisAt).replace('T', ' ').replace('Z', ' UTC')],
    ['ticks since start', text(sinceGenesis)],
    ['|R(t) − 1| at the last reading', text(precision)],
    ['clock source', text(clockSource)],
    ['clock uncertainty', clock ? `${clock.uncertaintyMs.toFixed(1)} ms` : '…'],
  ] as const;
  return h(
    'dl',
    { class: 'facts' },
    rows.map(([name, value]) => h('div', { key: name }, h('dt', null, name), h('dd', null, value))),
  );
}
