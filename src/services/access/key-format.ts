// Format of API keys and share tokens: a scheme prefix, 32 random bytes in base62, and a checksum.
//
// The checksum (CRC-32 of the preceding characters) detects mistyped keys without a database query, and lets secret
// scanners confirm a match.

import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);

export const KEY_BYTES = 32;
/** 62^43 > 2^256 and 62^6 > 2^32. */
const BODY_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const PREFIX_DIGITS = 8;

const KEY_FORMAT = /^(svc_(?:ak_(?:demo_)?|sh_))([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** Prefix of share tokens, which have the format of keys and grant read access to one machine. */
export const SHARE_SCHEME = 'svc_sh_';

export type KeyScheme = 'svc_ak_' | 'svc_ak_demo_' | typeof SHARE_SCHEME;

/** @param random  32 random bytes */
export function formatKey(scheme: KeyScheme, random: Uint8Array): string {
  if (random.length !== KEY_BYTES) throw new RangeError(`A key needs ${KEY_BYTES} random bytes, not ${random.length}.`);
  const unchecked = scheme + base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), BODY_DIGITS);
  return unchecked + checksumOf(unchecked);
}

/** The displayable prefix of a key; undefined if the format or checksum is invalid. */
export function prefixOf(text: string): string | undefined {
  const [, scheme, body, check] = KEY_FORMAT.exec(text) ?? [];
  if (scheme === undefined || body === undefined || check !== checksumOf(scheme + body)) return undefined;
  return scheme + body.slice(0, PREFIX_DIGITS);
}

const KEYS_IN_TEXT = /(svc_(?:ak_(?:demo_)?|sh_)[0-9A-Za-z]{8})[0-9A-Za-z]{8,}/g;

/** Redacts every key in the text, complete or truncated, to its displayable prefix. */
export function redactKeys(text: string): string {
  return text.replaceAll(KEYS_IN_TEXT, '$1…');
}

function checksumOf(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_DIGITS);
}

/** Most significant digit first, padded to `width`. */
export function base62(value: bigint, width: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= BASE) text = DIGITS.charAt(Number(rest % BASE)) + text;
  return text.padStart(width, '0');
}
