// Summaries of an unverified receipt or bundle; trust them only if the claims above hold.

import { h } from 'preact';
import type { MachineBundle } from '../../chain/bundle.ts';
import { isoFromNs, startOfTick } from '../../core/clock.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { fact } from '../kit/fact.ts';
import { formatExact, groupHex, withUnit } from '../kit/format.ts';

const MAX_LENGTH = 400;

/** JSON truncated for display. */
export function previewJson(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text;
}

export function ReceiptSummary({ envelope }: { readonly envelope: Untrusted }) {
  const { solver, value, unit, kernel_sha256, keyPrefix, inputs, stamps, public_key } = envelope;
  const kid = (public_key as { kid?: unknown } | undefined)?.kid;
  return h(
    'section',
    { class: 'verify-summary', 'aria-labelledby': 'receipt-title' },
    h('h2', { id: 'receipt-title' }, 'Contents'),
    h(
      'dl',
      { class: 'facts' },
      fact('solver', String(solver)),
      fact('value', withUnit(typeof value === 'number' ? formatExact(value) : previewJson(value), String(unit))),
      fact('time', stampTime(stamps)),
      fact('kernel', groupHex(String(kernel_sha256))),
      fact('signed with', String(kid)),
      fact('issued to', String(keyPrefix)),
      fact('inputs', previewJson(inputs)),
    ),
  );
}

function stampTime(stamps: unknown): string {
  const stamp = Array.isArray(stamps) ? String(stamps[5]) : '';
  return /^\d{1,19}$/.test(stamp) ? isoFromNs(BigInt(stamp)).replace('T', ' ').replace('Z', ' UTC') : 'unknown';
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
