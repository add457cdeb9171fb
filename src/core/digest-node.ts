// SHA-256 by node:crypto, several times as fast as JavaScript. Imported as `#digest`; browsers get digest-browser.ts.
// HMAC uses two one-shot hashes: an Hmac object of Node takes six times as long for a short text.
//
// A digest is read as Latin-1 text (`binary`): a Buffer from Node is memory outside of the heap, which costs more than
// the hash.

import { hash } from 'node:crypto';

export function sha256(content: Uint8Array | string): Uint8Array {
  const digest = hash('sha256', content, 'binary');
  const bytes = new Uint8Array(DIGEST_BYTES);
  for (let i = 0; i < DIGEST_BYTES; i++) bytes[i] = digest.charCodeAt(i);
  return bytes;
}

/** 64 lower-case hex digits. */
export function sha256Hex(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}

/** 64 lower-case hex digits. */
export function hmacSha256Hex(key: Uint8Array, text: string): string {
  const { inner, outer } = padsOf(key);
  // Three bytes at most for each UTF-16 code unit.
  const isShort = text.length * 3 <= SCRATCH_BYTES - BLOCK_BYTES;
  const message = isShort ? scratch : new Uint8Array(BLOCK_BYTES + Buffer.byteLength(text));
  message.set(inner);
  const { written } = ENCODER.encodeInto(text, message.subarray(BLOCK_BYTES));
  const digest = hash('sha256', message.subarray(0, BLOCK_BYTES + written), 'binary');
  outerScratch.set(outer);
  for (let i = 0; i < DIGEST_BYTES; i++) outerScratch[BLOCK_BYTES + i] = digest.charCodeAt(i);
  return hash('sha256', outerScratch, 'hex');
}

const ENCODER = new TextEncoder();
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const SCRATCH_BYTES = 4_096;

// Reused by every call, which is synchronous. Not from the buffer pool of Node: the pads are as secret as the key.
const scratch = new Uint8Array(SCRATCH_BYTES);
const outerScratch = new Uint8Array(BLOCK_BYTES + DIGEST_BYTES);

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
