// Summaries of an unverified receipt or bundle; trust them only if the claims above hold.

import { h } from 'preact';
import type { MachineBundle } from '../../chain/bundle.ts';
import { isoFromNs, startOfTick } from '../../core/clock.ts';
import type { ReceiptWords } from '../../protocol/words/describe.ts';
import { fact } from '../kit/fact.ts';
import { groupHex } from '../kit/format.ts';

interface ReceiptProps {
  readonly words: ReceiptWords;
  /** What the signature covers. */
  readonly coverage: string;
}

/** The receipt in words. What this page adds stands apart from what the receipt says. */
export function ReceiptSummary({ words: { lines, warnings }, coverage }: ReceiptProps) {
  return h(
    'section',
    { class: 'verify-summary', 'aria-labelledby': 'receipt-title' },
    h('h2', { id: 'receipt-title' }, 'What the receipt says'),
    h(
      'p',
      { class: 'receipt-coverage' },
      coverage,
      ' ',
      h('span', { class: 'added' }, 'This page adds text set like this.'),
    ),
    warnings.map((warning) => h('p', { key: warning, class: 'receipt-warning' }, warning)),
    h(
      'dl',
      { class: 'facts receipt-lines' },
      lines.map(({ kind, label, text, added }, at) =>
        h(
          'div',
          { key: at, 'data-line': kind },
          h('dt', null, h('bdi', null, label)),
          h(
            'dd',
            null,
            h('bdi', { class: 'said' }, text),
            added.length === 0 ? null : h('span', { class: 'added' }, h('bdi', null, added.join('; '))),
          ),
        ),
      ),
    ),
  );
}

interface ChainProps {
  readonly bundle: MachineBundle;
  readonly elapsedMs: number | undefined;
}

export function ChainSummary({ bundle, elapsedMs }: ChainProps) {
  const { machine, from, to, next_from, rows, checkpoint, versions } = bundle;
  const last = rows.at(-1);
  return h(
    'section',
    { class: 'verify-summary', 'aria-labelledby': 'bundle-title' },
    h('h2', { id: 'bundle-title' }, 'Contents'),
    h(
      'dl',
      { class: 'facts' },
      fact('machine', machine.slug),
      fact('identity', groupHex(machine.id_hash)),
      fact('rows', `${from} to ${to}${next_from === null ? ', up to the head of the chain' : ''}`),
      fact('time', `${tickTime(rows[0]?.svcond)} to ${tickTime(last?.svcond)}`),
      fact('last hash', groupHex(last?.row_hash ?? '')),
      fact('signed with', checkpoint?.verifier_key ?? 'not yet'),
      fact('contracts', `${new Set(versions.map(({ contract }) => contract)).size}, ${versions.length} versions`),
      elapsedMs === undefined ? null : fact('checked in', `${Math.round(elapsedMs)} ms`),
    ),
  );
}

/** Untrusted ticks may exceed the range of dates. */
function tickTime(svcond: number | undefined): string {
  if (svcond === undefined || svcond > MAX_TICK) return 'unknown';
  return isoFromNs(startOfTick(svcond)).replace('T', ' ').replace('Z', ' UTC');
}

/** About the year 9000. */
const MAX_TICK = 280_000_000_000;
