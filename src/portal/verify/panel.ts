// Drop zone for a receipt or bundle, and the verification result. Shared by the portal and the offline verifier.

import { type ComponentChildren, h } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DomainError } from '../../core/errors.ts';
import { shortText } from '../../core/plain-text.ts';
import type { NamedReceipt } from '../../protocol/citation/receipt-link.ts';
import { keyidOf } from '../../protocol/signing.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { previewValue } from '../../protocol/words/preview.ts';
import { receiptVerdict, UNCHECKABLE } from '../../protocol/words/verdict.ts';
import { CiteRow } from '../cite/cite-row.ts';
import { ClaimList } from '../kit/claim-list.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { fact } from '../kit/fact.ts';
import { withFullStop } from '../kit/format.ts';
import { Notice, type NoticeProps } from '../kit/notice.ts';
import { type OpenedFile, sealedReceipt } from '../worker/opened-file.ts';
import type { VerifyEngine } from './engine.ts';
import { NamedReceiptNotice } from './named-receipt.ts';
import { PinForm } from './pin-form.ts';
import { RevisionComparison } from './revision.ts';
import { ChainSummary, ReceiptSummary } from './summary.ts';
import { verdictText } from './verdict-text.ts';
import { type Verification, verdictOf, verifyFile } from './verification.ts';

type State =
  | { readonly kind: 'empty' }
  | { readonly kind: 'reading'; readonly name: string }
  | { readonly kind: 'verified'; readonly verification: Verification }
  | { readonly kind: 'failed'; readonly error: unknown };

interface PanelProps {
  readonly engine: VerifyEngine;
  /** Creates a sample receipt. */
  readonly createSample?: (() => Promise<Untrusted>) | undefined;
  /** The receipt that the address of the page names. */
  readonly named?: NamedReceipt | undefined;
  /** Loads the run of `named`; undefined if it has none or the visitor has no key. */
  readonly loadRun?: (() => Promise<Untrusted>) | undefined;
  /** File embedded in the page, verified on load. */
  readonly embedded?: Blob | undefined;
}

export function VerifyPanel({ engine, createSample, named, loadRun, embedded }: PanelProps) {
  const [state, setState] = useState<State>({ kind: 'empty' });
  const latestRun = useRef(0);
  const latest = useRef<{ readonly name: string; readonly file: OpenedFile } | undefined>(undefined);

  /** Ignores updates of an earlier file. */
  const verify = async (name: string, open: () => Promise<OpenedFile>) => {
    const run = ++latestRun.current;
    const update = (next: State) => {
      if (latestRun.current === run) setState(next);
    };
    update({ kind: 'reading', name });
    try {
      const file = await open();
      if (latestRun.current === run) latest.current = { name, file };
      await verifyFile(engine, file, (verification) => update({ kind: 'verified', verification }));
    } catch (error) {
      update({ kind: 'failed', error });
    }
  };
  /** Another kernel or key changes the verdict. */
  const verifyAgain = async () => {
    const { name, file } = latest.current ?? {};
    if (name === undefined || file === undefined) setState({ kind: 'empty' });
    else await verify(name, async () => file);
  };
  const onFile = async (file: File) => {
    setState({ kind: 'reading', name: file.name });
    try {
      if (await engine.addTool?.(file)) return await verifyAgain();
    } catch (error) {
      return setState({ kind: 'failed', error });
    }
    await verify(file.name, () => engine.openFile(file));
  };
  useEffect(() => {
    if (embedded) void verify('the embedded bundle', () => engine.openFile(embedded));
  }, []);

  return h(
    'div',
    { class: 'verify' },
    named === undefined
      ? null
      : h(NamedReceiptNotice, {
          named,
          opened: state.kind === 'verified' ? state.verification.cited?.sha256 : undefined,
          openRun: loadRun && (() => void verify('the filed run', async () => sealedReceipt(await loadRun()))),
        }),
    h(DropZone, {
      onFile: (file: File) => void onFile(file),
      isBusy: state.kind === 'reading',
      note: `${engine.addTool === undefined ? CONTENTS : CONTENTS_AND_TOOLS} ${engine.privacyNote}`,
    }),
    engine.pins === undefined ? null : h(PinForm, { pins: engine.pins, onChange: () => void verifyAgain() }),
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
  if (state.kind === 'verified') {
    const { verification } = state;
    return [h(VerificationResult, { key: 'result', verification }), h(Citing, { key: 'cite', verification })];
  }
  return h('p', { class: 'lead verify-none' }, 'Nothing verified yet.');
}

/** Of a receipt of which no check fails. */
function Citing({ verification }: PartProps) {
  const { cited, fraction } = verification;
  const isOpen = fraction !== undefined || verdictOf(verification) === 'bad';
  const load = useMemo(() => (cited === undefined || isOpen ? undefined : async () => cited), [cited, isOpen]);
  return load === undefined ? null : h(CiteRow, { load, result: undefined, empty: '' });
}

/** Titles input errors for a file, not for a form. */
function fileNotice(error: unknown): NoticeProps {
  const notice = errorNotice(error);
  const isWrongFormat =
    error instanceof DomainError && (error.code === 'BAD_REQUEST' || error.code === 'VALIDATION_FAILED');
  return isWrongFormat ? { ...notice, title: 'This is neither a receipt nor a bundle.' } : notice;
}

const CONTENTS = 'A receipt, a saved result or the bundle of a machine.';
const CONTENTS_AND_TOOLS =
  'A receipt, a saved result or the bundle of a machine; also a key set (JWKS) or a kernel (.wasm) that it needs.';

interface DropZoneProps {
  readonly onFile: (file: File) => void;
  readonly isBusy: boolean;
  readonly note: string;
}

function DropZone({ onFile, isBusy, note }: DropZoneProps) {
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
    h('span', { class: 'drop-more' }, note),
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

/** Sets the fingerprint in the title apart, which is long and has no place to break. */
function titleView(title: string, keyid: string | undefined): ComponentChildren {
  const at = keyid === undefined ? -1 : title.indexOf(keyid);
  if (keyid === undefined || at < 0) return title;
  return [title.slice(0, at), h('code', null, keyid), title.slice(at + keyid.length)];
}

export function VerificationResult({ verification }: { readonly verification: Verification }) {
  const { receipt, bundle, words, claims, elapsedMs, revision, fraction } = verification;
  return [
    h(VerdictBox, { verification }),
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
    h(DifferenceFacts, { verification }),
    receipt && revision ? h(RevisionComparison, { envelope: receipt.envelope, revision }) : null,
    bundle ? h(ChainSummary, { bundle, elapsedMs }) : null,
  ];
}

interface PartProps {
  readonly verification: Verification;
}

export function VerdictBox({ verification }: PartProps) {
  const verdict = verdictOf(verification);
  const { receipt, elapsedMs, fraction } = verification;
  const { title, text, colour } = verdictText(verification, verdict);
  return h(
    'div',
    {
      class: `verdict verdict-${colour}`,
      'data-verdict': verdict,
      'data-elapsed-ms': elapsedMs,
      'aria-busy': fraction !== undefined,
    },
    h('p', { class: 'verdict-word' }, titleView(title, receipt && keyidOf(receipt.envelope))),
    h('p', null, text),
  );
}

/** The first field that the recomputation does not confirm. */
export function DifferenceFacts({ verification: { difference } }: PartProps) {
  if (difference === undefined) return null;
  return h(
    'dl',
    { class: 'facts difference' },
    fact('first difference', shortText(difference.field)),
    fact('in the receipt', previewValue(difference.stored)),
    fact('recomputed', previewValue(difference.recomputed)),
  );
}
