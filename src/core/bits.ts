// The bit pattern of numbers, and bytes as text.

// One f64 seen as two words and as one integer. Views are faster than a DataView, but show the host's byte order.
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

/** The f64 that 16 hex digits spell, or undefined if they are anything else. */
export function fromBitsHex(text: string): number | undefined {
  return /^[0-9a-f]{16}$/i.test(text) ? fromBits(BigInt(`0x${text}`)) : undefined;
}

/** True if both have the same bits: −0 differs from 0, and a NaN equals itself. */
export function isSameBits(a: number, b: number): boolean {
  return Object.is(a, b);
}

/**
 * How many representable numbers lie between a and b: 0 for equal values (−0 and 0 too), 1 for neighbours.
 * Exact below 2^53, the nearest double above; NaN is infinitely far from everything.
 */
export function ulpDistance(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.POSITIVE_INFINITY;
  const distance = ordinal(a) - ordinal(b);
  return Number(distance < 0n ? -distance : distance);
}

/** Numbers of growing value have growing ordinals; both zeros have 0. */
function ordinal(x: number): bigint {
  const magnitude = bitsOf(Math.abs(x));
  return x < 0 ? -magnitude : magnitude;
}

/** The bytes of f64s, little-endian, whatever the host's order is. */
export function littleEndianBytes(data: Float64Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of data.entries()) view.setFloat64(index * 8, value, true);
  return bytes;
}

const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX_PAIRS[byte] ?? '';
  return text;
}

/** The bytes that an even number of hex digits spells, or undefined if it is anything else. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(2 * index, 2 * index + 2), 16),
  );
}

// `String.fromCharCode(...bytes)` overflows the stack for large inputs.
const CHUNK = 8_192;

/** Base64 of RFC 4648 §4, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += CHUNK) {
    binary += String.fromCharCode.apply(null, bytes.subarray(from, from + CHUNK) as unknown as number[]);
  }
  return btoa(binary);
}

/** The bytes of canonical base64 (padded, no white space, no stray bits), or undefined if it is anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : undefined;
}

/** Base64url of RFC 4648 §5, without padding, as JOSE writes it. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes of unpadded base64url, or undefined if it is anything else. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const padding = '='.repeat((4 - (text.length % 4)) % 4);
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/') + padding);
}

/** All bytes in a row. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
