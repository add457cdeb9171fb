// Signing keys: HMAC secrets of receipts and Ed25519 keys of seals, newest first. The newest signs, all verify.

import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { NoteSigner } from '../../chain/note.ts';
import { ReceiptKeys } from '../../protocol/receipt.ts';
import { type PublicJwk, publicJwk, type Signer } from '../../protocol/signing.ts';
import type { SecretRing } from './secret-ring.ts';

/** PKCS #8 around a raw Ed25519 seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** SubjectPublicKeyInfo around a raw Ed25519 public key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export interface KeyRing {
  readonly receipts: ReceiptKeys;
  readonly signer: Signer;
  jwks(): { readonly keys: readonly PublicJwk[] };
}

/** @throws DomainError VALIDATION_FAILED if the master key is not the one that sealed the secrets */
export async function openKeyRing(secrets: SecretRing): Promise<KeyRing> {
  const receipts = new ReceiptKeys(await secrets.open('receipt'));
  const signers = (await secrets.open('seal')).map(({ secret }) => signerOf(secret));
  const [signer] = signers;
  if (!signer) throw new Error('The seal key ring is empty.');
  const keys = signers.map((each) => each.publicKey);
  return { receipts, signer, jwks: () => ({ keys }) };
}

function signerOf(seed: Uint8Array): Signer {
  const { publicKey, sign } = ed25519Signer(seed);
  return { publicKey: publicJwk(publicKey), sign };
}

/** Uses node:crypto, an order of magnitude faster than JavaScript. */
export function ed25519Signer(seed: Uint8Array): NoteSigner {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { publicKey: new Uint8Array(spki.subarray(-32)), sign: (bytes) => sign(null, bytes, key) };
}

/** Same result as verifySignature of core/ed25519.ts, for bulk checks. */
export function isSignedByNative(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
}
