// Drop zone for a receipt or bundle, and the verification result. Shared by the portal and the offline verifier.

import { type ComponentChildren, h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { shortText } from '../../core/plain-text.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { previewValue } from '../../protocol/words/preview.ts';
import { receiptVerdict, UNCHECKABLE } from '../../protocol/words/verdict.ts';
import { ClaimList } from '../kit/claim-list.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { fact } from '../kit/fact.ts';
import { withFullStop } from '../kit/format.ts';
import { Notice, type NoticeProps } from '../kit/notice.ts';
import { type OpenedFile, sealedReceipt } from '../worker/opened-file.ts';
import type { VerifyEngine } from './engine.ts';
import { ChainSummary, ReceiptSummary } from './summary.ts';
import { type Verdict, type Verification, verdictOf, verifyFile } from './verification.ts';

type State =
  | { readonly kind: 'empty' }
  | { readonly kind: 'reading'; readonly name: string }
  | { readonly kind: 'verified'; readonly verification: Verification }
  | { readonly kind: 'failed'; readonly error: unknown };

interface PanelProps {
  readonly engine: VerifyEngine;
  /** Creates a sample receipt. */
  readonly createSample?: (() => Promise<Untrusted>) | undefined;
  /** File embedded in the page, verified on load. */
  readonly embedded?: Blob | undefined;
}

export function VerifyPanel({ engine, createSample, embedded }: PanelProps) {
  const [state, setState] = useState<State>({ kind: 'empty' });
  const latestRun = useRef(0);

  /** Ignores updates of an earlier file. */
  const verify = async (name: string, open: () => Promise<OpenedFile>) => {
    const run = ++latestRun.current;
    const update = (next: State) => {
      if (latestRun.current === run) setState(next);
    };
    update({ kind: 'reading', name });
    try {
      await verifyFile(engine, await open(), (verification) => update({ kind: 'verified', verification }));
    } catch (error) {
      update({ kind: 'failed', error });
    }
  };
  const onFile = async (file: File) => {
    if (!file.name.endsWith('.wasm') || !engine.addKernel) return verify(file.name, () => engine.openFile(file));
    await engine.addKernel(file);
    const { receipt } = state.kind === 'verified' ? state.verification : {};
    if (receipt) await verify(file.name, async () => receipt);
  };
  useEffect(() => {
    if (embedded) void verify('the embedded bundle', () => engine.openFile(embedded));
  }, []);

  return h(
    'div',
    { class: 'verify' },
    h(DropZone, {
      onFile: (file: File) => void onFile(file),
      isBusy: state.kind === 'reading',
      privacyNote: engine.privacyNote,
    }),
    createSample === undefined
      ? null
      : h(
          'p',
          { class: 'verify-sample' },
          'No receipt yet? ',
          h(
            'button',
            {
              type: 'button',
              onClick: () => void verify('sample', async () => sealedReceipt(await createSample())),
            },
            'Create a sample',
          ),
        ),
    h('div', { class: 'verify-result', 'aria-live': 'polite' }, stateView(state)),
  );
}

function stateView(state: State): ComponentChildren {
  if (state.kind === 'reading') return h('p', { class: 'lead' }, `Reading ${state.name} …`);
  if (state.kind === 'failed') return h(Notice, fileNotice(state.error));
  if (state.kind === 'verified') return h(VerificationResult, { verification: state.verification });
  return h('p', { class: 'lead' }, 'Nothing verified yet.');
}

/** Titles input errors for a file, not for a form. */
function fileNotice(error: unknown): NoticeProps {
  const notice = errorNotice(error);
  const isWrongFormat =
    error instanceof DomainError && (error.code === 'BAD_REQUEST' || error.code === 'VALIDATION_FAILED');
  return isWrongFormat ? { ...notice, title: 'This is neither a receipt nor a bundle.' } : notice;
}

interface DropZoneProps {
  readonly onFile: (file: File) => void;
  readonly isBusy: boolean;
  readonly privacyNote: string;
}

function DropZone({ onFile, isBusy, privacyNote }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  // Keep the browser from opening a file dropped outside the zone.
  useEffect(() => {
    const prevent = (event: Event) => event.preventDefault();
    addEventListener('dragover', prevent);
    addEventListener('drop', prevent);
    return () => {
      removeEventListener('dragover', prevent);
      removeEventListener('drop', prevent);
    };
  }, []);
  const onFiles = (files: FileList | null | undefined) => {
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
        onFiles(event.dataTransfer?.files);
      },
    },
    h('span', { class: 'drop-title' }, isBusy ? 'Reading …' : 'Drop a receipt or a bundle here, or choose a file'),
    h('span', { class: 'drop-more' }, `A receipt, a saved result or the bundle of a machine. ${privacyNote}`),
    h('input', {
      type: 'file',
      accept: '.json,.wasm,application/json',
      class: 'visually-hidden',
      onInput: (event: Event) => {
        const input = event.target as HTMLInputElement;
        onFiles(input.files);
        input.value = '';
      },
    }),
  );
}

interface VerdictText {
  readonly title: string;
  readonly text: string;
}

const RECEIPT_TEXTS: Readonly<Record<Verdict, string>> = {
  good: 'Signed, unchanged and recomputed bit for bit.',
  bad: 'At least one check failed. Do not rely on this receipt.',
  partial: 'All completed checks passed. The result was not recomputed.',
  unsigned: 'Nobody signed this result. Only the recomputation speaks for it.',
  open: 'Recomputing the receipt with its kernel.',
};
const UNKNOWN_KEY_TEXT =
  'Unchanged since this key signed it, and recomputed bit for bit. Anyone can make a key: compare it with one that you trust.';

const CHAIN_VERDICTS: Readonly<Record<Exclude<Verdict, 'unsigned'>, VerdictText>> = {
  good: { title: 'valid, not rewritten', text: 'Every row is unchanged since the checkpoint was signed.' },
  bad: { title: 'not valid', text: 'At least one check failed. Do not rely on this history.' },
  partial: {
    title: 'valid as far as checked',
    text: 'No check failed. See each claim for what could not be checked.',
  },
  open: { title: 'checking …', text: 'Rehashing every row.' },
};

const OUTCOMES: Readonly<Record<Verdict, string>> = {
  good: 'equal',
  bad: 'different',
  partial: 'open',
  unsigned: 'open',
  open: 'open',
};

/** Green only for a key that is trusted. */
function verdictText({ bundle, claims }: Verification, verdict: Verdict): VerdictText & { readonly outcome: string } {
  const outcome = OUTCOMES[verdict];
  if (bundle) return { ...CHAIN_VERDICTS[verdict === 'unsigned' ? 'partial' : verdict], outcome };
  if (verdict === 'open') return { title: 'checking …', text: RECEIPT_TEXTS.open, outcome };
  const { title } = receiptVerdict(claims);
  const isPinned = claims.some(({ claim, ok }) => claim === 'key pinned' && ok === true);
  if (verdict === 'good' && !isPinned) return { title, text: UNKNOWN_KEY_TEXT, outcome: 'open' };
  return { title, text: RECEIPT_TEXTS[verdict], outcome };
}

export function VerificationResult({ verification }: { readonly verification: Verification }) {
  const verdict = verdictOf(verification);
  const { bundle, words, claims, elapsedMs, difference, fraction } = verification;
  const { title, text, outcome } = verdictText(verification, verdict);
  return [
    h(
      'div',
      {
        class: `verdict verdict-${outcome}`,
        'data-verdict': verdict,
        'data-elapsed-ms': elapsedMs,
        'aria-busy': fraction !== undefined,
      },
      h('p', { class: 'verdict-word' }, title),
      h('p', null, text),
    ),
    h('progress', {
      max: 1,
      value: fraction ?? 0,
      'aria-label': 'Progress',
      'aria-hidden': fraction === undefined,
    }),
    words ? h(ReceiptSummary, { words, coverage: receiptVerdict(claims).coverage }) : null,
    h('h2', { class: 'checks-title' }, 'Checks'),
    h(ClaimList, { claims }),
    words ? h('p', { class: 'unchecked' }, withFullStop(UNCHECKABLE)) : null,
    difference === undefined
      ? null
      : h(
          'dl',
          { class: 'facts difference' },
          fact('first difference', shortText(difference.field)),
          fact('in the receipt', previewValue(difference.stored)),
          fact('recomputed', previewValue(difference.recomputed)),
        ),
    bundle ? h(ChainSummary, { bundle, elapsedMs }) : null,
  ];
}
