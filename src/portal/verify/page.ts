// Verify: a receipt against its signature, its node and its own kernel.

import { h } from 'preact';
import '../style/verify.css';
import type { Untrusted } from '../../protocol/replay.ts';
import type { Claim } from '../../protocol/seal.ts';
import { askWithKey } from '../session.ts';
import { trustedKeys } from '../solve/experiment.ts';
import { desk } from '../work/desk.ts';
import type { VerifyEngine } from './engine.ts';
import { VerifyPanel } from './panel.ts';

/** Without the node's keys the seal proves that nothing was changed, not who signed. */
const trust = () =>
  trustedKeys().then(
    (trusted) => ({ trusted }),
    () => ({}),
  );

const engine: VerifyEngine = {
  read: (file) => desk.ask('read', { file }),
  seal: async (envelope) => desk.ask('seal', { envelope, ...(await trust()) }),
  replay: async (envelope, onProgress) => desk.ask('replay', { envelope, ...(await trust()) }, { onProgress }),
  hmac: async (envelope): Promise<Claim> => {
    const { svcProof, operatorChain, R_t, svcond, keyPrefix, value, unit, epoch } = envelope;
    const body = { svcProof, operatorIds: operatorChain, R_t, svcond, keyPrefix, value, unit, epoch };
    const { valid, reason } = await askWithKey('POST', '/api/svc/verify', { body });
    return valid === true
      ? { claim: 'hmac', ok: true }
      : { claim: 'hmac', ok: false, reason: REASONS[String(reason)] ?? '' };
  },
};

const REASONS: Readonly<Record<string, string>> = {
  MALFORMED: 'svcProof is not 64 hex digits.',
  VALUE_NOT_SIGNED: 'It was issued without this value.',
  NO_MATCH: 'Another node issued it, or a signed field was changed.',
  EPOCH_UNKNOWN: 'It names a secret that this node never had.',
};

const sample = (): Promise<Untrusted> => askWithKey('POST', '/api/svc/heat', { body: { dim: 1, nx: 64 } });

export function VerifyPage() {
  return h(
    'div',
    { class: 'page narrow' },
    h(
      'header',
      { class: 'page-head' },
      h('h1', null, 'Verify a receipt'),
      h(
        'p',
        { class: 'lead' },
        'Who signed it, whether anything was changed since, and whether the same kernel gives the same bits again.',
      ),
    ),
    h(VerifyPanel, { engine, sample }),
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
