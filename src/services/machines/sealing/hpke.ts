// Hybrid public key encryption: seals to a public key, opens with the private key.
//
// RFC 9180, base mode, one message a context: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. Sealed: the
// encapsulated key (32 bytes), ciphertext, tag (16). The only file that uses the library; about 0.3 ms a message, off
// the event loop.

import { createPrivateKey, createPublicKey } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { concat } from '../../../core/bits.ts';

export const KEY_BYTES = 32;
const ENCAPSULATED_BYTES = 32;
const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

/** Context of a message, equal on both sides: purpose (`info`) and position in the chain (`aad`). */
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
  const recipientPublicKey = await suite.kem.importKey('raw', copyOf(publicKey), true);
  const { enc, ct } = await suite.seal({ recipientPublicKey, info: copyOf(info) }, copyOf(plaintext), copyOf(aad));
  return concat(new Uint8Array(enc), new Uint8Array(ct));
}

/** Undefined if it was sealed to another key or with another binding, or is damaged. */
export async function hpkeOpen(
  privateKey: Uint8Array,
  sealed: Uint8Array,
  { info, aad }: HpkeBinding,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const recipientKey = await suite.kem.importKey('raw', copyOf(privateKey), false);
  const enc = copyOf(sealed.subarray(0, ENCAPSULATED_BYTES));
  try {
    const params = { recipientKey, enc, info: copyOf(info) };
    return new Uint8Array(await suite.open(params, copyOf(sealed.subarray(ENCAPSULATED_BYTES)), copyOf(aad)));
  } catch {
    return undefined;
  }
}

/** PKCS #8 prefix of a raw X25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

export function x25519PublicKey(privateKey: Uint8Array): Uint8Array {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, privateKey]), format: 'der', type: 'pkcs8' });
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url');
}

/** Copies a view: WebCrypto reads the whole buffer behind it. */
function copyOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
