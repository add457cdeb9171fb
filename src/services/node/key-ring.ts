// The keys that sign: HMAC secrets of receipts and Ed25519 keys of seals, newest first. The newest signs, all verify.

import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { NoteSigner } from '../../chain/note.ts';
import { ReceiptKeys } from '../../protocol/receipt.ts';
import { type PublicJwk, publicJwk, type Signer } from '../../protocol/seal.ts';
import type { SecretRing } from './secret-ring.ts';

/** PKCS #8 around a raw Ed25519 seed (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
/** SubjectPublicKeyInfo around a raw Ed25519 public key. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

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
  if (!signer) throw new Error('The ring of seals is empty.');
  const keys = signers.map((one) => one.publicKey);
  return { receipts, signer, jwks: () => ({ keys }) };
}

function signerOf(seed: Uint8Array): Signer {
  const { publicKey, sign } = ed25519Signer(seed);
  return { publicKey: publicJwk(publicKey), sign };
}

/** Node's own crypto: an order of magnitude faster than JavaScript. */
export function ed25519Signer(seed: Uint8Array): NoteSigner {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { publicKey: new Uint8Array(spki.subarray(-32)), sign: (bytes) => sign(null, bytes, key) };
}

/** As isSignedBy of core/ed25519.ts, for whoever checks thousands. */
export function isSignedFast(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
}
