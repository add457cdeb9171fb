// What an API key or a share token looks like: a scheme prefix, 32 random bytes in base62, and a checksum.
//
// The checksum (CRC-32 of all that stands before it) tells a mistyped key from an unknown one without asking the
// database, and lets a scanner of leaked secrets be sure of what it found.

import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);

export const KEY_BYTES = 32;
/** 62^43 > 2^256 and 62^6 > 2^32. */
const BODY_DIGITS = 43;
const CHECK_DIGITS = 6;
const SHOWN_DIGITS = 8;

const KEY_FORMAT = /^(svc_(?:ak_(?:demo_)?|sh_))([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** What share tokens begin with: they have the form of keys and open one machine for reading. */
export const SHARE_SCHEME = 'svc_sh_';

export type KeyScheme = 'svc_ak_' | 'svc_ak_demo_' | typeof SHARE_SCHEME;

/** @param random  32 random bytes */
export function formatKey(scheme: KeyScheme, random: Uint8Array): string {
  if (random.length !== KEY_BYTES) throw new RangeError(`A key needs ${KEY_BYTES} random bytes, not ${random.length}.`);
  const unchecked = scheme + base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), BODY_DIGITS);
  return unchecked + checkOf(unchecked);
}

/** The prefix that may be shown; undefined unless the text is a key whose checksum holds. */
export function prefixOf(text: string): string | undefined {
  const [, scheme, body, check] = KEY_FORMAT.exec(text) ?? [];
  if (scheme === undefined || body === undefined || check !== checkOf(scheme + body)) return undefined;
  return scheme + body.slice(0, SHOWN_DIGITS);
}

const KEY_ANYWHERE = /(svc_(?:ak_(?:demo_)?|sh_)[0-9A-Za-z]{8})[0-9A-Za-z]{8,}/g;

/** The text with every key in it, whole or cut off, shortened to the part that may be shown. */
export function withoutKeys(text: string): string {
  return text.replaceAll(KEY_ANYWHERE, '$1…');
}

function checkOf(text: string): string {
  return base62(BigInt(crc32(text)), CHECK_DIGITS);
}

/** Most significant digit first, padded to `width`. */
export function base62(value: bigint, width: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= BASE) text = DIGITS.charAt(Number(rest % BASE)) + text;
  return text.padStart(width, '0');
}
