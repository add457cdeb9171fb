// Verify: a receipt against its signature, its node and its own kernel; a bundle of a chain against its checkpoint.

import { h } from 'preact';
import '../style/verify.css';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { askWithKey } from '../session.ts';
import { VerifyPanel } from './panel.ts';
import { portalEngine } from './portal-engine.ts';

const sample = (): Promise<Untrusted> => askWithKey('POST', '/api/svc/heat', { body: { dim: 1, nx: 64 } });

export function VerifyPage() {
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
        'Who signed it, and whether anything was changed since: a receipt is computed again bit by bit, a chain is hashed again row by row.',
      ),
    ),
    h(VerifyPanel, { engine: portalEngine, sample }),
    h(
      'section',
      { class: 'panel verify-offline', 'aria-labelledby': 'offline-title' },
      h('h2', { id: 'offline-title' }, 'Without this server'),
      h(
        'p',
        null,
        'The verifier is one HTML file with its script and all kernels inside. It works from a disk, with the network off, and after this server is gone.',
      ),
      h('a', { class: 'button', href: '/verifier.html', download: 'svc-verifier.html' }, 'Download verifier'),
    ),
  );
}
