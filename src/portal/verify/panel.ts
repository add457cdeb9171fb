// The place where a receipt is dropped, and what is found about it. The portal and the verifier's file show the same.

import { type ComponentChildren, h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isoFromNs } from '../../core/clock.ts';
import type { Untrusted } from '../../protocol/replay.ts';
import { ClaimList } from '../kit/claim-list.ts';
import { noticeOf } from '../kit/errors.ts';
import { inFull, inGroups, withUnit } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import { type Checked, checkReceipt, type Verdict, verdictOf } from './check.ts';
import type { VerifyEngine } from './engine.ts';

type State =
  | { readonly kind: 'empty' }
  | { readonly kind: 'reading'; readonly name: string }
  | { readonly kind: 'checked'; readonly checked: Checked }
  | { readonly kind: 'failed'; readonly error: unknown };

interface PanelProps {
  readonly engine: VerifyEngine;
  /** A receipt for whoever has none at hand. */
  readonly sample?: (() => Promise<Untrusted>) | undefined;
}

export function VerifyPanel({ engine, sample }: PanelProps) {
  const [state, setState] = useState<State>({ kind: 'empty' });
  const round = useRef(0);

  /** What an earlier receipt still has to say is not heard any more. */
  const check = async (name: string, read: () => Promise<Untrusted>) => {
    const own = ++round.current;
    const show = (next: State) => {
      if (round.current === own) setState(next);
    };
    show({ kind: 'reading', name });
    try {
      await checkReceipt(engine, await read(), (checked) => show({ kind: 'checked', checked }));
    } catch (error) {
      show({ kind: 'failed', error });
    }
  };
  const take = async (file: File) => {
    if (!file.name.endsWith('.wasm') || !engine.addKernel) return check(file.name, () => engine.read(file));
    await engine.addKernel(file);
    if (state.kind === 'checked') await check(file.name, async () => state.checked.envelope);
  };

  return h(
    'div',
    { class: 'verify' },
    h(DropZone, { onFile: (file: File) => void take(file), isBusy: state.kind === 'reading' }),
    sample === undefined
      ? null
      : h(
          'p',
          { class: 'verify-sample' },
          'No receipt at hand? ',
          h('button', { type: 'button', onClick: () => void check('sample', sample) }, 'Make one'),
        ),
    h('div', { class: 'verify-result', 'aria-live': 'polite' }, resultOf(state)),
  );
}

function resultOf(state: State): ComponentChildren {
  if (state.kind === 'reading') return h('p', { class: 'lead' }, `Reading ${state.name} …`);
  if (state.kind === 'failed') return h(Notice, noticeOf(state.error));
  if (state.kind === 'checked') return h(Findings, { checked: state.checked });
  return h('p', { class: 'lead' }, 'Nothing has been checked yet.');
}

function DropZone({ onFile, isBusy }: { readonly onFile: (file: File) => void; readonly isBusy: boolean }) {
  const [isOver, setOver] = useState(false);
  // A file that misses the zone must not replace the page.
  useEffect(() => {
    const keep = (event: Event) => event.preventDefault();
    addEventListener('dragover', keep);
    addEventListener('drop', keep);
    return () => {
      removeEventListener('dragover', keep);
      removeEventListener('drop', keep);
    };
  }, []);
  const takeFirst = (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (file) onFile(file);
  };
  return h(
    'label',
    {
      class: `drop${isOver ? ' is-over' : ''}`,
      onDragOver: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false);
        takeFirst(event.dataTransfer?.files);
      },
    },
    h('span', { class: 'drop-title' }, isBusy ? 'Reading …' : 'Drop a receipt here, or choose a file'),
    h('span', { class: 'drop-more' }, 'The JSON that a solver answered. It stays in this browser.'),
    h('input', {
      type: 'file',
      accept: '.json,.wasm,application/json',
      class: 'visually-hidden',
      onInput: (event: Event) => {
        const input = event.target as HTMLInputElement;
        takeFirst(input.files);
        input.value = '';
      },
    }),
  );
}

const WORDS: Readonly<Record<Verdict, { readonly title: string; readonly text: string }>> = {
  good: { title: 'valid, bits equal', text: 'Signed, unchanged, and computed again bit for bit.' },
  bad: { title: 'not valid', text: 'At least one claim fails. Do not rely on this receipt.' },
  partial: { title: 'signed, not replayed', text: 'What could be checked holds. The result was not computed again.' },
  open: { title: 'checking …', text: 'The receipt is computed again from its kernel.' },
};

function Findings({ checked }: { readonly checked: Checked }) {
  const verdict = verdictOf(checked);
  const { difference, fraction } = checked;
  const tone = { good: 'equal', bad: 'different', partial: 'open', open: 'open' }[verdict];
  return [
    h(
      'div',
      { class: `verdict verdict-${tone}`, 'data-verdict': verdict, 'aria-busy': fraction !== undefined },
      h('p', { class: 'verdict-word' }, WORDS[verdict].title),
      h('p', null, WORDS[verdict].text),
    ),
    h('progress', {
      max: 1,
      value: fraction ?? 0,
      'aria-label': 'Progress of the replay',
      'aria-hidden': fraction === undefined,
    }),
    h(ClaimList, { claims: checked.claims }),
    difference === undefined
      ? null
      : h(
          'dl',
          { class: 'facts difference' },
          row('first difference', difference.field),
          row('in the receipt', jsonOf(difference.stored)),
          row('computed again', jsonOf(difference.recomputed)),
        ),
    h(Summary, { envelope: checked.envelope }),
  ];
}

const row = (name: string, text: string) => h('div', { key: name }, h('dt', null, name), h('dd', null, text));
const LONGEST = 400;

function jsonOf(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}

/** What the receipt says of itself; nothing of it is believed before the claims above hold. */
function Summary({ envelope }: { readonly envelope: Untrusted }) {
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
      row('value', withUnit(typeof value === 'number' ? inFull(value) : jsonOf(value), String(unit))),
      row('when', timeOf(stamps)),
      row('kernel', inGroups(String(kernel_sha256))),
      row('signed with', String(kid)),
      row('issued to', String(keyPrefix)),
      row('inputs', jsonOf(inputs)),
    ),
  );
}

function timeOf(stamps: unknown): string {
  const stamp = Array.isArray(stamps) ? String(stamps[5]) : '';
  return /^\d{1,19}$/.test(stamp) ? isoFromNs(BigInt(stamp)).replace('T', ' ').replace('Z', ' UTC') : 'not said';
}
