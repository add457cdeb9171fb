// Authenticated encryption of stored secrets under the master key, and MACs of rows under keys derived from it.
//
// AES-256-GCM with a random nonce. The record's name is additional authenticated data, so one record cannot replace
// another. Stored: nonce (12 bytes), ciphertext, tag (16). NIST SP 800-38D, doi:10.6028/NIST.SP.800-38D. Keys of MACs are
// derived with HKDF (RFC 5869).

import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { RowMac } from '../../storage/access/account-macs.ts';

export const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MAC_KEY_BYTES = 32;
/** Bytes that sealing adds to the plaintext. */
export const SEAL_OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES;

export class SealedBox {
  readonly #masterKey: Uint8Array;
  readonly #randomBytes: (count: number) => Uint8Array;

  constructor(masterKey: Uint8Array, randomBytes: (count: number) => Uint8Array) {
    this.#masterKey = masterKey;
    this.#randomBytes = randomBytes;
  }

  /** HMAC-SHA-256 under a key for this purpose alone. */
  rowMac(purpose: string): RowMac {
    const key = Buffer.from(
      hkdfSync('sha256', this.#masterKey, Buffer.alloc(0), `svc-rows\0${purpose}`, MAC_KEY_BYTES),
    );
    return (text) => new Uint8Array(createHmac('sha256', key).update(text).digest());
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
