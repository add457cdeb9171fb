// SHA-256 by node:crypto, several times as fast as JavaScript. Imported as `#digest`; browsers get digest-browser.ts.
// HMAC uses two one-shot hashes: an Hmac object of Node takes six times as long for a short text.

import { hash } from 'node:crypto';

export function sha256(content: Uint8Array | string): Uint8Array {
  return hash('sha256', content, 'buffer');
}

/** 64 lower-case hex digits. */
export function sha256Hex(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}

export function hmacSha256(key: Uint8Array, text: string): Uint8Array {
  const { inner, outer } = padsOf(key);
  // Not from the buffer pool of Node: the pads are as secret as the key.
  const message = new Uint8Array(BLOCK_BYTES + Buffer.byteLength(text));
  message.set(inner);
  ENCODER.encodeInto(text, message.subarray(BLOCK_BYTES));
  const outerMessage = new Uint8Array(BLOCK_BYTES + DIGEST_BYTES);
  outerMessage.set(outer);
  outerMessage.set(hash('sha256', message, 'buffer'), BLOCK_BYTES);
  return hash('sha256', outerMessage, 'buffer');
}

const ENCODER = new TextEncoder();
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

interface Pads {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

const pads = new WeakMap<Uint8Array, Pads>();

/** Pads of RFC 2104, §2, cached by key object; a key must not be modified. */
function padsOf(key: Uint8Array): Pads {
  const cached = pads.get(key);
  if (cached) return cached;
  const padded = new Uint8Array(BLOCK_BYTES);
  padded.set(key.length > BLOCK_BYTES ? sha256(key) : key);
  const computed = { inner: padded.map((byte) => byte ^ 0x36), outer: padded.map((byte) => byte ^ 0x5c) };
  pads.set(key, computed);
  return computed;
}
