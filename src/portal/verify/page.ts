// Verify page: checks a receipt against its signature, node and kernel, or a chain bundle against its checkpoint.

import { h } from 'preact';
import '../style/verify.css';
import { receiptInLink } from '../../protocol/citation/receipt-link.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { currentRoute } from '../router.ts';
import { callApiAsVisitor, callApiWithKey, currentKey } from '../session.ts';
import { VerifyPanel } from './panel.ts';
import { portalEngine } from './portal-engine.ts';

const createSample = (): Promise<Untrusted> => callApiWithKey('heat.solve', { dim: 1, nx: 64 });

/** The run of a link, as its owner filed it. */
async function loadRun(id: string): Promise<Untrusted> {
  const { envelope } = await callApiAsVisitor('run.get', { id });
  return { ...envelope };
}

export function VerifyPage() {
  const named = receiptInLink(currentRoute.value.search);
  const { runId } = named ?? {};
  return h(
    'div',
    { class: 'page narrow' },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Verify a receipt or a history'),
      h(
        'p',
        { class: 'lead' },
        'Check who signed a file and whether it has changed since: a receipt is recomputed bit for bit, a chain is rehashed row by row.',
      ),
    ),
    h(VerifyPanel, {
      engine: portalEngine,
      createSample,
      named,
      loadRun: runId === undefined || currentKey.value === undefined ? undefined : () => loadRun(runId),
    }),
    h(
      'section',
      { class: 'panel verify-offline', 'aria-labelledby': 'offline-title' },
      h('h2', { id: 'offline-title' }, 'Offline verifier'),
      h(
        'p',
        null,
        'The verifier is a single HTML file that contains its script and all kernels. Open it from disk; it needs neither a network nor this server.',
      ),
      h('a', { class: 'button', href: '/verifier.html', download: 'svc-verifier.html' }, 'Download verifier'),
    ),
  );
}
