// Verification engine of the portal: computes in the worker and asks the issuing node to check the HMAC.

import type { ApiInput } from '../../client/client.ts';
import { type Operator, PULSE_OPERATOR } from '../../operators/operator.ts';
import type { Claim } from '../../protocol/seal.ts';
import { keyidOf, type PublicJwk } from '../../protocol/signing.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { REASONS } from '../../protocol/words/verdict.ts';
import { getOperator } from '../operators/registry.ts';
import { callApiWithKey } from '../session.ts';
import { loadTrustedKeys } from '../solve/experiment.ts';
import type { CitedReceipt } from '../worker/messages.ts';
import { workerClient } from '../worker/worker-client.ts';
import type { VerifyEngine } from './engine.ts';
import { withKeyOwner } from './key-owner.ts';

/** This page trusts the keys of the node that serves it. */
const OWNER = 'It is a key of this node.';

/** Without the node's keys, the seal proves integrity but not the identity of the signer. */
const trustOptions = (): Promise<{ readonly trusted?: readonly PublicJwk[] }> =>
  loadTrustedKeys().then(
    (trusted) => ({ trusted }),
    () => ({}),
  );

/** The citation of a receipt, with a link to this portal. The node is its publisher only if the key is one of its own. */
export async function citeHere(envelope: Untrusted): Promise<CitedReceipt> {
  const { trusted = [] } = await trustOptions();
  const isOfThisNode = trusted.some(({ kid }) => kid === keyidOf(envelope));
  return workerClient.request('cite', {
    envelope,
    laws: await lawsOf(envelope),
    address: location.origin,
    publisher: isOfThisNode ? location.host : undefined,
  });
}

export const portalEngine: VerifyEngine = {
  openFile: (file) => workerClient.request('openFile', { file }),
  verifySeal: async (envelope) =>
    withKeyOwner(await workerClient.request('verifySeal', { envelope, ...(await trustOptions()) }), OWNER),
  describe: async (envelope, isSigned) =>
    workerClient.request('describe', {
      envelope,
      isSigned,
      laws: await lawsOf(envelope),
      ...(await trustOptions()),
    }),
  replay: async ({ envelope, isSealed, kernel }, onProgress) =>
    workerClient.request(
      'replay',
      { envelope, isSealed, ...(await trustOptions()), ...(kernel ? { kernel } : {}) },
      { onProgress },
    ),
  cite: citeHere,
  verifyBundle: async (bundle) => {
    const { claims, elapsedMs } = await workerClient.request('verifyBundle', { bundle, ...(await trustOptions()) });
    return { claims: withKeyOwner(claims, OWNER), elapsedMs };
  },
  hints: { 'key pinned': 'The keys of this node could not be loaded.' },
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
      : { claim: 'hmac', ok: false, reason: REASONS[reason as keyof typeof REASONS] ?? '' };
  },
};

const MAX_LAWS = 8;
/** An id of the registry; any other text is not sent. */
const OPERATOR_ID = /^[A-Z][A-Z0-9-]{0,19}$/;

/** The node's own records of the laws that a receipt names; those that it does not have are left out. */
async function lawsOf({ operatorChain }: Untrusted): Promise<readonly Operator[]> {
  const ids = (Array.isArray(operatorChain) ? operatorChain : [])
    .filter((id) => typeof id === 'string' && id !== PULSE_OPERATOR && OPERATOR_ID.test(id))
    .slice(0, MAX_LAWS) as readonly string[];
  const laws = await Promise.all(ids.map((id) => getOperator(id).catch(() => undefined)));
  return laws.filter((law) => law !== undefined);
}
