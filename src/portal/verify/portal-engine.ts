// The portal's way to verify: a worker computes, and the node that issued a receipt is asked for its HMAC.

import type { Claim } from '../../protocol/seal.ts';
import { askWithKey } from '../session.ts';
import { trustedKeys } from '../solve/experiment.ts';
import { desk } from '../work/desk.ts';
import type { VerifyEngine } from './engine.ts';

/** Without the node's keys the seal proves that nothing was changed, not who signed. */
const trust = () =>
  trustedKeys().then(
    (trusted) => ({ trusted }),
    () => ({}),
  );

export const portalEngine: VerifyEngine = {
  open: (file) => desk.ask('open', { file }),
  seal: async (envelope) => desk.ask('seal', { envelope, ...(await trust()) }),
  replay: async (envelope, onProgress, kernel) =>
    desk.ask('replay', { envelope, ...(await trust()), ...(kernel ? { kernel } : {}) }, { onProgress }),
  bundle: async (bundle) => desk.ask('bundle', { bundle, ...(await trust()) }),
  // Names all that `hmac` sends, and what a replay asks for.
  whereabouts:
    'The file stays in this browser. Of a receipt, this node is sent what its HMAC is checked with (svcProof, operator ids, R_t, svcond, key prefix, value, unit and epoch), and is asked for its kernel by hash.',
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
