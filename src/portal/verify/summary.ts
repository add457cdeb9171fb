// What a receipt or a bundle says of itself; nothing of it is believed before the claims above hold.

import { h } from 'preact';
import type { MachineBundle } from '../../chain/bundle.ts';
import { isoFromNs, startOfTick } from '../../core/clock.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { inFull, inGroups, withUnit } from '../kit/format.ts';

export const row = (name: string, text: string) => h('div', { key: name }, h('dt', null, name), h('dd', null, text));
const LONGEST = 400;

/** Short enough to be shown. */
export function shownJson(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}

export function ReceiptSummary({ envelope }: { readonly envelope: Untrusted }) {
  const { solver, value, unit, kernel_sha256, keyPrefix, inputs, stamps, public_key } = envelope;
  const kid = (public_key as { kid?: unknown } | undefined)?.kid;
  return h(
    'section',
    { class: 'verify-summary', 'aria-labelledby': 'receipt-title' },
    h('h2', { id: 'receipt-title' }, 'What it says'),
    h(
      'dl',
      { class: 'facts' },
      row('solver', String(solver)),
      row('value', withUnit(typeof value === 'number' ? inFull(value) : shownJson(value), String(unit))),
      row('when', timeOf(stamps)),
      row('kernel', inGroups(String(kernel_sha256))),
      row('signed with', String(kid)),
      row('issued to', String(keyPrefix)),
      row('inputs', shownJson(inputs)),
    ),
  );
}

function timeOf(stamps: unknown): string {
  const stamp = Array.isArray(stamps) ? String(stamps[5]) : '';
  return /^\d{1,19}$/.test(stamp) ? isoFromNs(BigInt(stamp)).replace('T', ' ').replace('Z', ' UTC') : 'not said';
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
    h('h2', { id: 'bundle-title' }, 'What it says'),
    h(
      'dl',
      { class: 'facts' },
      row('machine', machine.slug),
      row('identity', inGroups(machine.id_hash)),
      row('rows', `${from} to ${to}${next_from === null ? ', the head of the chain' : ''}`),
      row('when', `${timeOfTick(rows[0]?.svcond)} to ${timeOfTick(last?.svcond)}`),
      row('last hash', inGroups(last?.row_hash ?? '')),
      row('signed with', checkpoint?.verifier_key ?? 'not yet'),
      row('contracts', `${new Set(versions.map(({ contract }) => contract)).size}, ${versions.length} versions`),
      elapsedMs === undefined ? null : row('checked in', `${Math.round(elapsedMs)} ms`),
    ),
  );
}

/** Ticks of a stranger may lie beyond what a calendar knows. */
function timeOfTick(svcond: number | undefined): string {
  if (svcond === undefined || svcond > MOST_TICKS) return 'not said';
  return isoFromNs(startOfTick(svcond)).replace('T', ' ').replace('Z', ' UTC');
}

/** About the year 9000. */
const MOST_TICKS = 280_000_000_000;
