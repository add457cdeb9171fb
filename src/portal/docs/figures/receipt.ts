// Claims of a small receipt, and what becomes of them when a digit of its value is changed.

import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { Untrusted } from '../../../protocol/untrusted.ts';
import { ClaimList } from '../../kit/claim-list.ts';
import { errorNotice } from '../../kit/error-notice.ts';
import { Notice } from '../../kit/notice.ts';
import { useRequest } from '../../kit/use-request.ts';
import { portalEngine } from '../../verify/portal-engine.ts';
import { type Verification, verdictOf, verifyReceipt } from '../../verify/verification.ts';
import { sealedReceipt } from '../../worker/opened-file.ts';
import { sampleReceipt } from './sample-receipt.ts';

const TITLES: Partial<Record<ReturnType<typeof verdictOf>, string>> = {
  good: 'Valid, bits equal',
  bad: 'NOT VALID',
  open: 'Checking …',
};

export function ReceiptFigure() {
  const [verification, setVerification] = useState<Verification | undefined>(undefined);
  const { isBusy, error, run } = useRequest();
  const check = (change: (receipt: Untrusted) => Untrusted) =>
    void run(async () => verifyReceipt(portalEngine, sealedReceipt(change(await sampleReceipt())), setVerification));
  const verdict = verification && verdictOf(verification);
  return [
    h('p', { class: 'docs-figure-title' }, 'A receipt of 2 kg at 90 km/h: its kinetic energy'),
    h(
      'div',
      { class: 'button-row' },
      h(
        'button',
        { type: 'button', class: 'primary', disabled: isBusy, onClick: () => check((receipt) => receipt) },
        verification === undefined ? 'Make it and check it' : 'Check it',
      ),
      h(
        'button',
        { type: 'button', disabled: isBusy || verification === undefined, onClick: () => check(forged) },
        'Change the value and check again',
      ),
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      error === undefined ? null : h(Notice, errorNotice(error)),
      verification === undefined || verdict === undefined
        ? null
        : [
            h(
              'p',
              { class: `docs-figure-verdict is-${verdict}`, 'data-verdict': verdict },
              `${String(verification.receipt?.envelope.value)} ${String(verification.receipt?.envelope.unit)}: ${TITLES[verdict] ?? 'Valid in part'}`,
            ),
            h(ClaimList, { claims: verification.claims }),
          ],
    ),
    h('figcaption', null, 'This node seals it; your browser checks each claim and runs the kernel again.'),
  ];
}

/** The same receipt with another value. */
const forged = (receipt: Untrusted): Untrusted => ({ ...receipt, value: Number(receipt.value) + 1 });
