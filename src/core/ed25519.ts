// Ed25519 (RFC 8032) checked in JavaScript, the same in Node and in browsers. Signing is the business of whoever holds a key.

import { ed25519 } from '@noble/curves/ed25519.js';

/** How signatures are checked, where there is something faster than JavaScript. */
export type SignatureCheck = typeof isSignedBy;

/** False as well for bytes that are no signature or no key: what cannot be checked does not hold. */
export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}
