// Verification engine of the portal: computes in the worker and asks the issuing node to check the HMAC.

import type { ApiInput } from '../../client/client.ts';
import type { Claim } from '../../protocol/seal.ts';
import { callApiWithKey } from '../session.ts';
import { loadTrustedKeys } from '../solve/experiment.ts';
import { workerClient } from '../worker/worker-client.ts';
import type { VerifyEngine } from './engine.ts';

/** Without the node's keys, the seal proves integrity but not the identity of the signer. */
const trustOptions = () =>
  loadTrustedKeys().then(
    (trusted) => ({ trusted }),
    () => ({}),
  );

export const portalEngine: VerifyEngine = {
  openFile: (file) => workerClient.request('openFile', { file }),
  verifySeal: async (envelope) => workerClient.request('verifySeal', { envelope, ...(await trustOptions()) }),
  replay: async (envelope, onProgress, kernel) =>
    workerClient.request(
      'replay',
      { envelope, ...(await trustOptions()), ...(kernel ? { kernel } : {}) },
      { onProgress },
    ),
  verifyBundle: async (bundle) => workerClient.request('verifyBundle', { bundle, ...(await trustOptions()) }),
  // Must list every field that `verifyHmac` sends and everything a replay requests.
  privacyNote:
    'The file stays in this browser. For a receipt, this node receives only the fields that its HMAC covers (svcProof, operator ids, R_t, svcond, key prefix, value, unit and epoch) and the hash of the kernel to load.',
  verifyHmac: async (envelope): Promise<Claim> => {
    const { svcProof, operatorChain, R_t, svcond, keyPrefix, value, unit, epoch } = envelope;
    const stamp = { svcProof, operatorIds: operatorChain, R_t, svcond, keyPrefix, value, unit, epoch };
    // The node validates the fields, which come from a file.
    const { valid, reason } = await callApiWithKey('receipt.verify', stamp as ApiInput<'receipt.verify'>);
    return valid === true
      ? { claim: 'hmac', ok: true }
      : { claim: 'hmac', ok: false, reason: REASONS[String(reason)] ?? '' };
  },
};

const REASONS: Readonly<Record<string, string>> = {
  MALFORMED: 'svcProof must be 64 hex digits.',
  VALUE_NOT_SIGNED: 'The node did not sign this value.',
  NO_MATCH: 'Another node issued this receipt, or a signed field was changed.',
  EPOCH_UNKNOWN: 'Its secret epoch is unknown to this node.',
};
