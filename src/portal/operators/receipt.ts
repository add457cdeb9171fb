// Receipt from the server, verified on the page: seal, HMAC and replay.

import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import '../style/verify.css';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { errorNotice } from '../kit/error-notice.ts';
import { Notice } from '../kit/notice.ts';
import { VerificationResult } from '../verify/panel.ts';
import { portalEngine } from '../verify/portal-engine.ts';
import { type Verification, verifyReceipt } from '../verify/verification.ts';
import { sealedReceipt } from '../worker/opened-file.ts';

export function Receipt({ envelope }: { readonly envelope: Untrusted }) {
  const [verification, setVerification] = useState<Verification | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const isMounted = useRef(true);
  useEffect(
    () => () => {
      isMounted.current = false;
    },
    [],
  );
  const verify = () => {
    setError(undefined);
    verifyReceipt(portalEngine, sealedReceipt(envelope), (next) => {
      if (isMounted.current) setVerification(next);
    }).catch((cause: unknown) => setError(cause));
  };
  return h(
    'section',
    { class: 'receipt', 'aria-labelledby': 'receipt-of-title' },
    h('h2', { id: 'receipt-of-title' }, 'Receipt'),
    h(
      'div',
      { class: 'receipt-head' },
      h('p', null, 'The server signed this result. Anyone can verify it, with or without this server.'),
      h('button', { type: 'button', onClick: verify }, 'Verify receipt'),
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      error === undefined ? null : h(Notice, errorNotice(error)),
      verification === undefined ? null : h(VerificationResult, { verification }),
    ),
  );
}
