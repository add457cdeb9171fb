// Parses ranges of IP addresses (CIDR) and tests whether an address lies in one.

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** First address and prefix length. */
export type AddressRange = readonly [Address, number];

/** Prefix length of the IPv6 block that IPv4 addresses are mapped into (RFC 4291 §2.5.5.2). */
const MAPPED_BITS = 96;

/** An address in strict notation: no octal, hexadecimal or short forms of IPv4, no zone; undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text);
}

/** Turns an IPv4-mapped IPv6 address into the IPv4 address. */
export function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** @returns undefined unless `text` is address/prefix */
export function parseRange(text: string): AddressRange | undefined {
  const [, base = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(base);
  const bits = Number(digits);
  return address === undefined || bits > bitsOf(address) ? undefined : [address, bits];
}

/** A range written in this program. @throws Error if it is malformed */
export function knownRange(text: string): AddressRange {
  const range = parseRange(text);
  if (range === undefined) throw new Error(`${text} is not a CIDR range.`);
  return range;
}

/** The range with one address. */
export function rangeOf(address: Address): AddressRange {
  return [address, bitsOf(address)];
}

/** Turns a range of IPv4-mapped addresses into the range of IPv4. */
export function unmappedRange([base, bits]: AddressRange): AddressRange {
  const plain = unmapped(base);
  return plain === base || bits < MAPPED_BITS ? [base, bits] : [plain, bits - MAPPED_BITS];
}

export function isWithin(address: Address, [base, bits]: AddressRange): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
}

function bitsOf(address: Address): number {
  return address instanceof ipaddr.IPv4 ? 32 : 128;
}
