// The same experiment computed twice, here and there, and whether every bit agrees.

import { h } from 'preact';
import { ClaimList } from '../kit/claim-list.ts';
import { noticeOf } from '../kit/errors.ts';
import { inFull, inGroups, inMilliseconds, withUnit } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import type { Comparison, Solved } from '../work/messages.ts';
import { type Experiment, solvedIn, type There } from './experiment.ts';

export function Comparing({ experiment }: { readonly experiment: Experiment }) {
  const solved = solvedIn(experiment.here.value);
  const there = experiment.there.value;
  if (solved === undefined) return h('section', { class: 'comparing', 'aria-hidden': true });
  return h(
    'section',
    { class: 'comparing', 'aria-labelledby': 'comparing-title' },
    h('h2', { id: 'comparing-title' }, 'Computed twice'),
    h(Verdict, { there, onAsk: () => void experiment.check() }),
    h('div', { class: 'twins' }, h(HereColumn, { solved }), h(ThereColumn, { there })),
    there.state === 'done'
      ? h(
          'details',
          { class: 'claims-more' },
          h('summary', null, 'The server’s seal'),
          h(ClaimList, { claims: there.comparison.claims }),
        )
      : null,
  );
}

function Verdict({ there, onAsk }: { readonly there: There; readonly onAsk: () => void }) {
  if (there.state === 'done') return h(Outcome, { comparison: there.comparison });
  if (there.state === 'failed')
    return h(Notice, { ...noticeOf(there.error), action: { label: 'Ask again', run: onAsk } });
  return h(
    'div',
    { class: 'verdict verdict-open' },
    h(
      'p',
      { role: 'status' },
      there.state === 'running' ? 'The server computes …' : 'The server has not been asked yet.',
    ),
    there.state === 'running' ? null : h('button', { type: 'button', onClick: onAsk }, 'Compute it there too'),
  );
}

function Outcome({ comparison }: { readonly comparison: Comparison }) {
  const { isEqual, difference } = comparison;
  return h(
    'div',
    { class: `verdict ${isEqual ? 'verdict-equal' : 'verdict-different'}`, role: 'status' },
    h('p', { class: 'verdict-word' }, isEqual ? 'bits equal' : 'bits differ'),
    h(
      'p',
      null,
      isEqual
        ? 'Every number, series and field of both results has the same bits.'
        : `The first difference is ${difference?.field}: ${JSON.stringify(difference?.recomputed)} here, ${JSON.stringify(difference?.stored)} there.`,
    ),
  );
}

interface Facts {
  readonly value: number;
  readonly unit: string;
  readonly verification: { readonly value_bits: string };
  readonly kernel_sha256: string;
}

function HereColumn({ solved }: { readonly solved: Solved }) {
  const { pure, sha256, elapsedMs } = solved;
  return h(Column, { title: 'This browser', facts: pure, sha256, elapsedMs });
}

function ThereColumn({ there }: { readonly there: There }) {
  if (there.state !== 'done')
    return h(
      'div',
      { class: 'twin twin-empty' },
      h('h3', null, 'The server'),
      there.state === 'failed' ? h('p', null, 'No answer to compare with.') : null,
    );
  const { envelope, comparison, elapsedMs } = there;
  const facts = envelope as unknown as Facts;
  return h(Column, { title: 'The server', facts, sha256: comparison.there, elapsedMs });
}

interface ColumnProps {
  readonly title: string;
  readonly facts: Facts;
  readonly sha256: string;
  readonly elapsedMs: number;
}

function Column({ title, facts, sha256, elapsedMs }: ColumnProps) {
  const rows = [
    ['value', withUnit(inFull(facts.value), facts.unit)],
    ['its bits', facts.verification.value_bits],
    ['kernel', inGroups(facts.kernel_sha256)],
    ['result SHA-256', inGroups(sha256)],
    ['took', inMilliseconds(elapsedMs)],
  ] as const;
  return h(
    'div',
    { class: 'twin' },
    h('h3', null, title),
    h(
      'dl',
      null,
      rows.map(([name, text]) => h('div', { key: name }, h('dt', null, name), h('dd', null, text))),
    ),
  );
}
