// Verifies Ed25519 signatures (RFC 8032) in JavaScript, identically in Node and in browsers.

import { ed25519 } from '@noble/curves/ed25519.js';

/** Type of a signature verifier, for faster implementations than JavaScript. */
export type SignatureVerifier = typeof verifySignature;

/** Whether the signature is valid. False also for malformed signatures and keys. */
export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}
