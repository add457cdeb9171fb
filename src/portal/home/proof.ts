// The proof beside the computation: the server's result compared with the browser's, and its receipt, which a visitor
// may tamper with. Every verdict is computed, of the changed receipt as of the true one.

import { h } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { AnswerWords } from '../../solvers/solver-form.ts';
import '../style/verify.css';
import { receiptVerdict } from '../../protocol/words/verdict.ts';
import { ClaimList } from '../kit/claim-list.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { formatUnit } from '../kit/format.ts';
import { Notice } from '../kit/notice.ts';
import type { Experiment, ServerEnvelope } from '../solve/experiment.ts';
import { Outcome } from '../solve/result-comparison.ts';
import { DifferenceFacts, VerdictBox } from '../verify/panel.ts';
import { portalEngine } from '../verify/portal-engine.ts';
import { ReceiptSummary } from '../verify/summary.ts';
import { type Verification, verifyReceipt } from '../verify/verification.ts';
import { sealedReceipt } from '../worker/opened-file.ts';
import { withChangedDigit } from './tamper.ts';

interface ProofProps {
  readonly experiment: Experiment;
  readonly answer: AnswerWords | undefined;
  readonly onRetry: () => void;
}

export function Proof({ experiment, answer, onRetry }: ProofProps) {
  const local = experiment.localRun.value;
  const server = experiment.serverRun.value;
  return h(
    'section',
    { class: 'home-proof', 'aria-labelledby': 'home-proof' },
    h('h2', { id: 'home-proof' }, 'Computed here and on the server'),
    server.state === 'done'
      ? h(Outcome, { comparison: server.comparison })
      : server.state === 'failed'
        ? h(ServerRefusal, { error: server.error, onRetry })
        : h(
            'div',
            { class: 'verdict verdict-open', role: 'status' },
            h('p', null, local.state === 'done' ? 'The server computes the same inputs …' : WAITING[local.state]),
          ),
    server.state === 'done' ? h(Receipt, { envelope: server.envelope, answer }) : null,
  );
}

const WAITING = {
  idle: 'Nothing is computed yet.',
  running: 'Your browser is computing …',
  failed: 'Your browser could not compute, so there is nothing to compare.',
} as const;

function ServerRefusal({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return [
    h(Notice, { key: 'error', ...errorNotice(error), action: { label: 'Try again', run: onRetry } }),
    h(
      'p',
      { key: 'words', class: 'home-words' },
      'The number on this page is of your browser alone: the server did not compute it, so nothing was compared and there is no receipt.',
    ),
  ];
}

interface ReceiptProps {
  readonly envelope: ServerEnvelope;
  readonly answer: AnswerWords | undefined;
}

function Receipt({ envelope, answer }: ReceiptProps) {
  const [isTampered, setTampered] = useState(false);
  const changed = useMemo(() => withChangedDigit(envelope.value), [envelope]);
  const shown: Untrusted = useMemo(
    () => (isTampered ? { ...envelope, value: changed.value } : envelope),
    [envelope, changed, isTampered],
  );
  const { verification, error } = useVerification(shown);
  return h(
    'div',
    { class: 'home-receipt' },
    h('h3', null, 'The receipt of the server'),
    h(
      'p',
      { class: 'home-sealed' },
      h('span', { class: 'readout-name' }, answer?.name ?? 'Result'),
      h(
        'span',
        { class: 'home-number' },
        h(Digits, { value: Number(shown.value), at: isTampered ? changed.at : undefined }),
        envelope.unit === '1' ? null : h('span', { class: 'readout-unit' }, formatUnit(envelope.unit)),
      ),
    ),
    h(
      'div',
      { class: 'home-verdict', 'aria-live': 'polite' },
      error === undefined ? null : h(Notice, errorNotice(error)),
      verification === undefined ? null : h(VerdictBox, { verification }),
    ),
    h(
      'p',
      { class: 'button-row' },
      h(
        'button',
        { type: 'button', onClick: () => setTampered(!isTampered) },
        isTampered ? 'Put it back' : 'Tamper with this receipt',
      ),
      h(
        'span',
        { class: 'home-words' },
        isTampered
          ? 'One digit was changed after the receipt was signed.'
          : 'This changes one digit of the sealed number and checks the receipt again.',
      ),
    ),
    verification === undefined ? null : h(Checks, { verification }),
  );
}

/** What fails, and on demand all checks and the receipt in words. */
function Checks({ verification }: { readonly verification: Verification }) {
  const { claims, words } = verification;
  const broken = claims.filter(({ claim, ok }) => ok === false && !DERIVED_CLAIMS.has(claim));
  return [
    broken.length === 0 ? null : h('h3', { key: 'title' }, 'What breaks'),
    broken.length === 0 ? null : h(ClaimList, { key: 'broken', claims: broken }),
    h(DifferenceFacts, { key: 'difference', verification }),
    h(
      'details',
      { key: 'claims', class: 'home-checks' },
      h('summary', null, `All ${claims.length} checks`),
      h(ClaimList, { claims }),
    ),
    words === undefined
      ? null
      : h(
          'details',
          { key: 'words' },
          h('summary', null, 'The whole receipt in words'),
          h(ReceiptSummary, { words, coverage: receiptVerdict(claims).coverage }),
        ),
  ];
}

/** Claims about numbers that follow from the sealed one and fail with it; they stand among all checks. */
const DERIVED_CLAIMS: ReadonlySet<string> = new Set(['stamps']);

/** All digits, the changed one marked. */
function Digits({ value, at }: { readonly value: number; readonly at: number | undefined }) {
  const text = String(value);
  const parts = at === undefined ? [text] : [text.slice(0, at), h('mark', null, text[at]), text.slice(at + 1)];
  return h('output', { class: 'home-digits' }, parts);
}

/** Checks the receipt again whenever it changes. */
function useVerification(envelope: Untrusted) {
  const [state, setState] = useState<{ readonly verification?: Verification; readonly error?: unknown }>({});
  useEffect(() => {
    let isCurrent = true;
    const update = (next: typeof state) => {
      if (isCurrent) setState(next);
    };
    verifyReceipt(portalEngine, sealedReceipt(envelope), (verification) => update({ verification })).catch(
      (error: unknown) => update({ error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [envelope]);
  return state;
}
