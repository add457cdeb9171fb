// The receipt that the server gave: checked here in every claim, seal and replay, without leaving the page.

import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import '../style/verify.css';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { noticeOf } from '../kit/errors.ts';
import { Notice } from '../kit/notice.ts';
import { type Checked, checkReceipt } from '../verify/check.ts';
import { Findings } from '../verify/panel.ts';
import { portalEngine } from '../verify/portal-engine.ts';

export function Receipt({ envelope }: { readonly envelope: Untrusted }) {
  const [checked, setChecked] = useState<Checked | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const isHere = useRef(true);
  useEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  const verify = () => {
    setError(undefined);
    checkReceipt(portalEngine, envelope, (next) => {
      if (isHere.current) setChecked(next);
    }).catch((cause: unknown) => setError(cause));
  };
  return h(
    'section',
    { class: 'receipt', 'aria-labelledby': 'receipt-of-title' },
    h('h2', { id: 'receipt-of-title' }, 'The receipt'),
    h(
      'div',
      { class: 'receipt-head' },
      h('p', null, 'The server sealed this result. Anyone can check it, with or without this server.'),
      h('button', { type: 'button', onClick: verify }, 'Verify receipt'),
    ),
    h(
      'div',
      { 'aria-live': 'polite' },
      error === undefined ? null : h(Notice, noticeOf(error)),
      checked === undefined ? null : h(Findings, { checked }),
    ),
  );
}
