// Synchronous SHA-256, HMAC and HKDF, in Node and in browsers.

import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 as digest } from '@noble/hashes/sha2.js';
import { hmacSha256Hex, sha256, sha256Hex } from '#digest';

const ENCODER = new TextEncoder();

/** SHA-256 and its HMAC, 32 bytes or 64 hex digits. Text is hashed as UTF-8. */
export { hmacSha256Hex, sha256, sha256Hex };

/** SHA-256 of nothing (FIPS 180-4), which every receipt without arrays holds. */
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return ENCODER.encode(text);
}

/** HKDF (RFC 5869) with SHA-256. */
export function hkdfSha256(secret: Uint8Array, salt: string, info: string, length: number): Uint8Array {
  return hkdf(digest, secret, utf8(salt), utf8(info), length);
}
