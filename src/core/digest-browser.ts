// Synchronous SHA-256 in JavaScript for browsers. Imported as `#digest`; Node gets digest-node.ts.

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export function sha256(content: Uint8Array | string): Uint8Array {
  return digest(typeof content === 'string' ? utf8ToBytes(content) : content);
}

/** 64 lower-case hex digits. */
export function sha256Hex(content: Uint8Array | string): string {
  return bytesToHex(sha256(content));
}

/** 64 lower-case hex digits. */
export function hmacSha256Hex(key: Uint8Array, text: string): string {
  return bytesToHex(hmac(digest, key, utf8ToBytes(text)));
}
