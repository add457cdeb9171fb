// The place where a receipt or a bundle is dropped, and what is found about it. The portal and the verifier's file show the same.

import { type ComponentChildren, h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { ClaimList } from '../kit/claim-list.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice, type NoticeProps } from '../kit/notice.ts';
import type { Opened } from '../work/open-file.ts';
import { type Checked, checkFile, type Verdict, verdictOf } from './check.ts';
import type { VerifyEngine } from './engine.ts';
import { ChainSummary, ReceiptSummary, row, shownJson } from './summary.ts';

type State =
  | { readonly kind: 'empty' }
  | { readonly kind: 'reading'; readonly name: string }
  | { readonly kind: 'checked'; readonly checked: Checked }
  | { readonly kind: 'failed'; readonly error: unknown };

interface PanelProps {
  readonly engine: VerifyEngine;
  /** A receipt for whoever has none at hand. */
  readonly sample?: (() => Promise<Untrusted>) | undefined;
  /** What came with the page, to be checked at once. */
  readonly inside?: Blob | undefined;
}

export function VerifyPanel({ engine, sample, inside }: PanelProps) {
  const [state, setState] = useState<State>({ kind: 'empty' });
  const round = useRef(0);

  /** What an earlier receipt still has to say is not heard any more. */
  const check = async (name: string, read: () => Promise<Opened>) => {
    const own = ++round.current;
    const show = (next: State) => {
      if (round.current === own) setState(next);
    };
    show({ kind: 'reading', name });
    try {
      await checkFile(engine, await read(), (checked) => show({ kind: 'checked', checked }));
    } catch (error) {
      show({ kind: 'failed', error });
    }
  };
  const take = async (file: File) => {
    if (!file.name.endsWith('.wasm') || !engine.addKernel) return check(file.name, () => engine.open(file));
    await engine.addKernel(file);
    const { envelope } = state.kind === 'checked' ? state.checked : {};
    if (envelope) await check(file.name, async () => ({ kind: 'receipt', envelope }));
  };
  useEffect(() => {
    if (inside) void check('what is inside', () => engine.open(inside));
  }, []);

  return h(
    'div',
    { class: 'verify' },
    h(DropZone, {
      onFile: (file: File) => void take(file),
      isBusy: state.kind === 'reading',
      whereabouts: engine.whereabouts,
    }),
    sample === undefined
      ? null
      : h(
          'p',
          { class: 'verify-sample' },
          'No receipt at hand? ',
          h(
            'button',
            {
              type: 'button',
              onClick: () => void check('sample', async () => ({ kind: 'receipt', envelope: await sample() })),
            },
            'Make one',
          ),
        ),
    h('div', { class: 'verify-result', 'aria-live': 'polite' }, resultOf(state)),
  );
}

function resultOf(state: State): ComponentChildren {
  if (state.kind === 'reading') return h('p', { class: 'lead' }, `Reading ${state.name} …`);
  if (state.kind === 'failed') return h(Notice, fileNotice(state.error));
  if (state.kind === 'checked') return h(Findings, { checked: state.checked });
  return h('p', { class: 'lead' }, 'Nothing has been checked yet.');
}

/** What is not as it should be stands in a file; the visitor filled in nothing. */
function fileNotice(error: unknown): NoticeProps {
  const notice = noticeOf(error);
  const isStrange =
    error instanceof DomainError && (error.code === 'BAD_REQUEST' || error.code === 'VALIDATION_FAILED');
  return isStrange ? { ...notice, title: 'This is neither a receipt nor a bundle.' } : notice;
}

interface DropZoneProps {
  readonly onFile: (file: File) => void;
  readonly isBusy: boolean;
  readonly whereabouts: string;
}

function DropZone({ onFile, isBusy, whereabouts }: DropZoneProps) {
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
    h('span', { class: 'drop-title' }, isBusy ? 'Reading …' : 'Drop a receipt or a bundle here, or choose a file'),
    h('span', { class: 'drop-more' }, `The JSON that a solver answered, or the bundle of a machine. ${whereabouts}`),
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

const CHAIN_WORDS: typeof WORDS = {
  good: { title: 'valid, nothing rewritten', text: 'Every row is what it was when the checkpoint was signed.' },
  bad: { title: 'not valid', text: 'At least one claim fails. Do not rely on this history.' },
  partial: {
    title: 'valid, as far as it can be checked',
    text: 'Nothing fails; what is missing stands beside its claim.',
  },
  open: { title: 'checking …', text: 'Every row is hashed again.' },
};

export function Findings({ checked }: { readonly checked: Checked }) {
  const verdict = verdictOf(checked);
  const { bundle, envelope, elapsedMs, difference, fraction } = checked;
  const words = (bundle ? CHAIN_WORDS : WORDS)[verdict];
  const tone = { good: 'equal', bad: 'different', partial: 'open', open: 'open' }[verdict];
  return [
    h(
      'div',
      {
        class: `verdict verdict-${tone}`,
        'data-verdict': verdict,
        'data-elapsed-ms': elapsedMs,
        'aria-busy': fraction !== undefined,
      },
      h('p', { class: 'verdict-word' }, words.title),
      h('p', null, words.text),
    ),
    h('progress', {
      max: 1,
      value: fraction ?? 0,
      'aria-label': 'Progress',
      'aria-hidden': fraction === undefined,
    }),
    h(ClaimList, { claims: checked.claims }),
    difference === undefined
      ? null
      : h(
          'dl',
          { class: 'facts difference' },
          row('first difference', difference.field),
          row('in the receipt', shownJson(difference.stored)),
          row('computed again', shownJson(difference.recomputed)),
        ),
    bundle ? h(ChainSummary, { bundle, elapsedMs }) : null,
    envelope ? h(ReceiptSummary, { envelope }) : null,
  ];
}
