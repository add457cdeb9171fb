// Three rows of a chain. Their hashes are computed again while a payload is edited.

import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { treeRoot } from '../../../chain/merkle.ts';
import {
  commitmentOf,
  isCommittedPayload,
  NO_HASH,
  type OpenRow,
  ROW_VERSION,
  type RowHead,
  rowHashOf,
  SYSTEM_ACTOR,
} from '../../../chain/row.ts';
import { fromHex, toHex } from '../../../core/bits.ts';

const MACHINE = 'boiler';
const FIRST_TICK = 2_290_000_000;
const START = ['{"name":"fill","litres":120}', '{"name":"warm","celsius":64}', '{"name":"drain","litres":40}'];
/** The salts of real rows are random. */
const saltOf = (seq: number) => new Uint8Array(16).fill(seq + 1);

/** The chain of these payloads. The texts need not be JSON, so that every keystroke counts. */
function chainOf(payloads: readonly string[]): readonly OpenRow[] {
  const rows: OpenRow[] = [];
  for (const [seq, payload_text] of payloads.entries()) {
    const salt = saltOf(seq);
    const row: RowHead = {
      v: ROW_VERSION,
      slug: MACHINE,
      seq,
      svcond: FIRST_TICK + 90 * seq,
      type: 'event',
      source: 'api',
      actor: SYSTEM_ACTOR,
      commit: commitmentOf(salt, payload_text),
      prev: rows.at(-1)?.row_hash ?? NO_HASH,
    };
    rows.push({ ...row, row_hash: rowHashOf(row), salt: toHex(salt), payload_text });
  }
  return rows;
}

const rootOf = (rows: readonly OpenRow[]) =>
  toHex(treeRoot(rows.map(({ row_hash }) => fromHex(row_hash) ?? new Uint8Array())));

export function ChainFigure() {
  const [payloads, setPayloads] = useState<readonly string[]>(START);
  /** The rows as they are stored; editing a payload leaves their hashes as they were. */
  const [stored, setStored] = useState<readonly OpenRow[]>(() => chainOf(START));
  const checkpoint = useMemo(() => rootOf(chainOf(START)), []);
  const rows = stored.map((row, seq) => ({ ...row, payload_text: payloads[seq] ?? '' }));
  const now = chainOf(payloads);
  const isValid = rows.every((row) => isCommittedPayload(row) === true);
  const isOriginal = rootOf(stored) === checkpoint;
  const edit = (seq: number, text: string) => setPayloads(payloads.map((old, at) => (at === seq ? text : old)));
  return [
    h('p', { class: 'docs-figure-title' }, 'Three rows. Change a payload and watch the hashes'),
    h(
      'ol',
      { class: 'docs-chain' },
      rows.map((row, seq) => {
        const hash = now[seq]?.row_hash ?? '';
        const fits = hash === row.row_hash;
        return h(
          'li',
          { key: seq, class: fits ? 'is-good' : 'is-bad', 'data-row': seq },
          h('label', { for: `chain-row-${seq}` }, `Row ${seq}, tick ${row.svcond}`),
          h('input', {
            id: `chain-row-${seq}`,
            type: 'text',
            maxLength: 120,
            spellcheck: false,
            autocomplete: 'off',
            value: payloads[seq],
            onInput: (event: Event) => edit(seq, (event.target as HTMLInputElement).value),
          }),
          h(
            'dl',
            null,
            h('dt', null, 'previous'),
            h('dd', null, short(row.prev)),
            h('dt', null, 'stored'),
            h('dd', null, short(row.row_hash)),
            h('dt', null, 'computed'),
            h('dd', { class: 'docs-hash' }, short(hash)),
          ),
          h('p', { class: 'docs-chain-verdict' }, fits ? '✓ fits' : reasonOf(row, seq)),
        );
      }),
    ),
    h(
      'p',
      { class: `docs-figure-verdict is-${isValid && isOriginal ? 'good' : 'bad'}`, role: 'status' },
      !isValid
        ? 'The chain does not validate.'
        : isOriginal
          ? 'The chain validates, and fits the signed checkpoint.'
          : 'Every hash fits again, but the root of the tree is not that of the signed checkpoint.',
    ),
    h(
      'div',
      { class: 'button-row' },
      h(
        'button',
        { type: 'button', disabled: isValid, onClick: () => setStored(now) },
        'Forge: write all hashes again',
      ),
      h(
        'button',
        {
          type: 'button',
          disabled: isValid && isOriginal,
          onClick: () => {
            setPayloads(START);
            setStored(chainOf(START));
          },
        },
        'Start again',
      ),
    ),
    h(
      'figcaption',
      null,
      'Hashes are shortened. The rows are made here in your browser, by the code that makes real rows.',
    ),
  ];
}

const short = (hash: string) => `${hash.slice(0, 8)}…${hash.slice(-4)}`;

const reasonOf = (row: OpenRow, seq: number) =>
  isCommittedPayload(row) === true
    ? `✗ row ${seq - 1} would have another hash, so this one too`
    : '✗ the payload is not the one that was committed to';
