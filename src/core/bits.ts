// Bit patterns of numbers, and text encodings of bytes.

import { toBase64 } from '#base64';

// One f64 viewed as two words and as one integer. Views are faster than a DataView, but use the byte order of the host.
const real = new Float64Array(1);
const words = new Int32Array(real.buffer);
const integer = new BigUint64Array(real.buffer);
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;
const LOW = 1 - HIGH;

/** The upper 32 bits of an f64 (sign, exponent, top of the significand), as a signed word. */
export function highWord(x: number): number {
  real[0] = x;
  return words[HIGH] ?? 0;
}

/** The lower 32 bits of an f64, as a signed word. */
export function lowWord(x: number): number {
  real[0] = x;
  return words[LOW] ?? 0;
}

/** The f64 with these two words. */
export function fromWords(high: number, low: number): number {
  words[HIGH] = high;
  words[LOW] = low;
  return real[0] ?? 0;
}

/** The 64 bits of an f64 as an unsigned integer. */
export function bitsOf(x: number): bigint {
  real[0] = x;
  return integer[0] ?? 0n;
}

/** The f64 with these 64 bits. */
export function fromBits(bits: bigint): number {
  integer[0] = BigInt.asUintN(64, bits);
  return real[0] ?? 0;
}

/** The f64 as 16 lower-case hex digits, big-endian: 1 is `3ff0000000000000`. */
export function toBitsHex(x: number): string {
  return bitsOf(x).toString(16).padStart(16, '0');
}

/** The f64 encoded by 16 hex digits, or undefined for any other text. */
export function fromBitsHex(text: string): number | undefined {
  return /^[0-9a-f]{16}$/i.test(text) ? fromBits(BigInt(`0x${text}`)) : undefined;
}

/** Whether both have the same bits: −0 differs from 0, and NaN equals itself. */
export function isSameBits(a: number, b: number): boolean {
  return Object.is(a, b);
}

/**
 * Distance of a and b in units in the last place: 0 for equal values (also −0 and 0), 1 for neighbours.
 * Exact below 2^53, the nearest double above; infinite if either is NaN.
 */
export function ulpDistance(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.POSITIVE_INFINITY;
  const distance = ordinal(a) - ordinal(b);
  return Number(distance < 0n ? -distance : distance);
}

/**
 * The double halfway between two in the order of doubles, so that 64 halvings reach any of them; one of both if none
 * lies between.
 */
export function middleOf(a: number, b: number): number {
  const middle = (ordinal(a) + ordinal(b)) / 2n;
  return middle < 0n ? -fromBits(-middle) : fromBits(middle);
}

/** Maps doubles to integers of the same order; both zeros map to 0. */
function ordinal(x: number): bigint {
  const magnitude = bitsOf(Math.abs(x));
  return x < 0 ? -magnitude : magnitude;
}

/** Whether the host stores the low word first, as WebAssembly memory does. */
const IS_LITTLE_ENDIAN = HIGH === 1;

/**
 * The bytes of f64s or i32s, little-endian on every host. On a little-endian host they are a view, not a copy.
 */
export function littleEndianBytes(data: Float64Array | Int32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  return IS_LITTLE_ENDIAN ? bytes : reverseElements(bytes, data.BYTES_PER_ELEMENT);
}

/** The f64s in little-endian bytes; undefined unless their number is a multiple of eight. */
export function fromLittleEndianF64(bytes: Uint8Array): Float64Array | undefined {
  return bytes.length % 8 === 0 ? new Float64Array(alignedCopy(bytes, 8)) : undefined;
}

/** The i32s in little-endian bytes; undefined unless their number is a multiple of four. */
export function fromLittleEndianI32(bytes: Uint8Array): Int32Array | undefined {
  return bytes.length % 4 === 0 ? new Int32Array(alignedCopy(bytes, 4)) : undefined;
}

function alignedCopy(bytes: Uint8Array, width: number): ArrayBuffer {
  const copy = Uint8Array.from(bytes);
  return IS_LITTLE_ENDIAN ? copy.buffer : reverseElements(copy, width).buffer;
}

function reverseElements(bytes: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes, (_, at) => bytes[at - (at % width) + width - 1 - (at % width)] ?? 0);
}

const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX_PAIRS[byte] ?? '';
  return text;
}

/** Values of the character codes of hex digits; 255 for every other. */
const HEX_DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit < 0 ? 255 : digit;
});

/** The bytes encoded by an even number of hex digits, or undefined for any other text. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const high = HEX_DIGITS[text.charCodeAt(2 * i)] ?? 255;
    const low = HEX_DIGITS[text.charCodeAt(2 * i + 1)] ?? 255;
    if (high > 15 || low > 15) return undefined;
    bytes[i] = high * 16 + low;
  }
  return bytes;
}

export { toBase64 };

/** The bytes of canonical base64 (padded, no white space, no trailing bits), or undefined for any other text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : undefined;
}

/** Base64url of RFC 4648 §5, without padding, as in JOSE. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes of unpadded base64url, or undefined for any other text. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const padding = '='.repeat((4 - (text.length % 4)) % 4);
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/') + padding);
}

export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Concatenates byte arrays. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
