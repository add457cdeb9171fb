// Where the result is looked at: the picture while it runs and after, the number, and how far it can be trusted.

import type { Signal } from '@preact/signals';
import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { noticeOf } from '../kit/errors.ts';
import { inFull, inMilliseconds, inShort, withUnit } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { ReadoutValue } from '../kit/readout-value.ts';
import type { LivePicture, Picture } from '../pictures/picture.ts';
import type { Solved } from '../work/messages.ts';
import type { SolverDescription } from './description.ts';
import { type Here, solvedIn } from './experiment.ts';

interface Pictures {
  readonly Picture: ComponentType<Parameters<Picture>[0]>;
  readonly Live: ComponentType<Parameters<LivePicture>[0]>;
}

export function Stage({ solver, here }: { readonly solver: SolverDescription; readonly here: Signal<Here> }) {
  const [pictures, setPictures] = useState<Pictures | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => {
    import('../pictures/index.ts').then(
      ({ Picture, Live }) => setPictures({ Picture, Live }),
      (cause: unknown) => setError(cause),
    );
  }, []);
  const now = here.value;
  const glimpse = now.state === 'running' ? now.glimpse : undefined;
  const solved = glimpse ? undefined : solvedIn(now);
  return h(
    'section',
    { class: `stage stage-${now.state}`, 'aria-label': 'Result', 'aria-busy': now.state === 'running' },
    h(Progress, { now }),
    now.state === 'failed' ? h(Notice, noticeOf(now.error)) : null,
    error === undefined
      ? null
      : h(Notice, {
          kind: 'error',
          title: 'The pictures could not be loaded.',
          text: 'The numbers below are complete.',
        }),
    now.state === 'idle' ? h(Idle, { why: now.why }) : null,
    glimpse && pictures ? h(pictures.Live, { solver, glimpse }) : null,
    solved === undefined
      ? null
      : h(
          'div',
          { class: 'stage-content' },
          h(Readout, { solved }),
          pictures ? h(pictures.Picture, { key: solved.sha256, solver, solution: solved.solution }) : null,
          h(Evidence, { solved }),
        ),
  );
}

function Progress({ now }: { readonly now: Here }) {
  const fraction = now.state === 'running' ? now.fraction : 0;
  return h('progress', {
    class: 'stage-progress',
    max: 1,
    value: fraction,
    'aria-label': 'Progress of the run',
    'aria-hidden': now.state !== 'running',
  });
}

function Idle({ why }: { readonly why: string | undefined }) {
  return h(
    'div',
    { class: 'stage-idle' },
    h('p', null, why ?? 'Nothing has been computed yet.'),
    h('p', null, 'Run computes it here, in this browser, and lets the server check it.'),
  );
}

function Readout({ solved }: { readonly solved: Solved }) {
  const { value, uncertainty, converged } = solved.solution;
  const { unit } = solved.pure;
  return h(
    'div',
    { class: 'readout' },
    h(ReadoutValue, { value, unit }),
    h(
      'p',
      { class: 'readout-more' },
      `± ${withUnit(inShort(uncertainty, 2), unit)}`,
      converged ? null : h('strong', { class: 'warn' }, 'not converged'),
      h('span', null, `computed in this browser in ${inMilliseconds(solved.elapsedMs)}`),
    ),
  );
}

function Evidence({ solved }: { readonly solved: Solved }) {
  const { solution, pure } = solved;
  const { witness, quantities, notes } = solution;
  return h(
    'div',
    { class: 'evidence' },
    h(
      'div',
      null,
      h('h2', null, 'Evidence'),
      h(
        'dl',
        { class: 'facts' },
        fact('second way', witness.method),
        fact('gives', inFull(witness.reference)),
        witness.observedOrder === undefined ? null : fact('observed order', inShort(witness.observedOrder, 3)),
        pure.invariants.map(({ name, drift, bound, holds }) =>
          fact(name, `${holds ? 'kept' : 'BROKEN'}: drift ${inShort(drift, 2)}, allowed ${inShort(bound, 2)}`),
        ),
      ),
    ),
    h(
      'div',
      null,
      h('h2', null, 'Quantities'),
      h(
        'dl',
        { class: 'facts' },
        quantities.map(({ name, value, unit }) => fact(name.replaceAll('_', ' '), withUnit(inShort(value, 6), unit))),
      ),
    ),
    notes.length === 0
      ? null
      : h(
          'ul',
          { class: 'notes' },
          notes.map((note) => h('li', { key: note }, note)),
        ),
  );
}

const fact = (name: string, text: string) => h('div', { key: name }, h('dt', null, name), h('dd', null, text));
