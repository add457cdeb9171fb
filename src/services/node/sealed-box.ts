// Authenticated encryption of stored secrets under the master key.
//
// AES-256-GCM with a random nonce. The record's name is additional authenticated data, so one record cannot replace
// another. Stored: nonce (12 bytes), ciphertext, tag (16). NIST SP 800-38D, doi:10.6028/NIST.SP.800-38D.

import { createCipheriv, createDecipheriv } from 'node:crypto';

export const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes that sealing adds to the plaintext. */
export const SEAL_OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES;

export class SealedBox {
  readonly #masterKey: Uint8Array;
  readonly #randomBytes: (count: number) => Uint8Array;

  constructor(masterKey: Uint8Array, randomBytes: (count: number) => Uint8Array) {
    this.#masterKey = masterKey;
    this.#randomBytes = randomBytes;
  }

  seal(name: string, content: Uint8Array): Uint8Array {
    const nonce = this.#randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#masterKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(name));
    return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws Error if sealed under another key or name, or damaged */
  open(name: string, sealed: Uint8Array): Uint8Array {
    const decipher = createDecipheriv(CIPHER, this.#masterKey, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]));
  }
}
