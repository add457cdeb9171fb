// Hybrid public key encryption: what is sealed to a public key, only the holder of its private half opens.
//
// RFC 9180, base mode, one message a context: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. Sealed: the encapsulated
// key (32 bytes), ciphertext, tag (16). The only file that knows the library; about 0.3 ms a message, off the event loop.

import { createPrivateKey, createPublicKey } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { concat } from '../../core/bits.ts';

export const KEY_BYTES = 32;
const ENCAPSULATED_BYTES = 32;
const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

/** What both sides must know alike: a name for the use, and the place that the message belongs to. */
export interface HpkeBinding {
  readonly info: Uint8Array;
  readonly aad: Uint8Array;
}

/** @param publicKey  32 bytes of X25519 */
export async function hpkeSeal(
  publicKey: Uint8Array,
  plaintext: Uint8Array,
  { info, aad }: HpkeBinding,
): Promise<Uint8Array<ArrayBuffer>> {
  const recipientPublicKey = await suite.kem.importKey('raw', owned(publicKey), true);
  const { enc, ct } = await suite.seal({ recipientPublicKey, info: owned(info) }, owned(plaintext), owned(aad));
  return concat(new Uint8Array(enc), new Uint8Array(ct));
}

/** Undefined if it was sealed to another key or for another place, or is damaged. */
export async function hpkeOpen(
  privateKey: Uint8Array,
  sealed: Uint8Array,
  { info, aad }: HpkeBinding,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const recipientKey = await suite.kem.importKey('raw', owned(privateKey), false);
  const enc = owned(sealed.subarray(0, ENCAPSULATED_BYTES));
  try {
    const params = { recipientKey, enc, info: owned(info) };
    return new Uint8Array(await suite.open(params, owned(sealed.subarray(ENCAPSULATED_BYTES)), owned(aad)));
  } catch {
    return undefined;
  }
}

/** RFC 8410: what stands before the 32 bytes of an X25519 private key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

export function x25519PublicKey(privateKey: Uint8Array): Uint8Array {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, privateKey]), format: 'der', type: 'pkcs8' });
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url');
}

/** WebCrypto reads the whole buffer behind a view: a copy has none of the neighbours. */
function owned(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
