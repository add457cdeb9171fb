// Which addresses the service may call on somebody's behalf: public ones, and those that its operator has named.
//
// What is public is said by what it is not: an address in any special-purpose block (IANA registries, RFC 6890 and later)
// is refused, and so is every IPv6 form that carries an IPv4 address (mapped, NAT64, 6to4, Teredo), because where such a
// packet ends is not written in the block that it is in.

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DomainError } from '../../core/errors.ts';

/** One entry of SVC_OUTBOUND_ALLOW. */
export type AllowedPlace =
  | { readonly kind: 'host'; readonly host: string; readonly port: number }
  | { readonly kind: 'range'; readonly range: Range };

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Everything that may be reached from anywhere (RFC 4291 §2.4: all that IANA has given out so far). */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** @param address  of IPv4 or IPv6, in its usual spelling; anything else is not public */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_V6);
}

export function isInRanges(address: string, allowed: readonly AllowedPlace[]): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return allowed.some((place) => place.kind === 'range' && within(parsed, place.range));
}

export function isNamed(host: string, port: number, allowed: readonly AllowedPlace[]): boolean {
  return allowed.some((place) => place.kind === 'host' && place.host === host && place.port === port);
}

const NAME = 'SVC_OUTBOUND_ALLOW';
const FORMS = 'host:port, [IPv6]:port and CIDR ranges are allowed, with commas between them';
const HOST_AND_PORT = /^(?:\[[0-9a-f:.]+\]|[^\s/?#@:[\]\\]+):(\d{1,5})$/i;
/** Where a range may lie in production; what lies elsewhere is named host by host. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map(parseRange);
/** Of the machine itself or its link; clouds answer 169.254.169.254 with credentials. */
const LINK_LOCAL = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128'].map(parseRange);

/**
 * The places that an operator has named.
 *
 * In production a range must lie in private address space, and link-local addresses cannot be named at all.
 *
 * @throws DomainError VALIDATION_FAILED
 */
export function parseAllowed(text: string, isProduction: boolean): AllowedPlace[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '').map((entry) => parsePlace(entry, isProduction));
}

function parsePlace(entry: string, isProduction: boolean): AllowedPlace {
  if (entry.includes('/')) {
    const range = ipaddr.isValidCIDR(entry) ? parseRange(entry) : refuse(`holds ${JSON.stringify(entry)}; ${FORMS}.`);
    if (isProduction && !PRIVATE.some((outer) => range[1] >= outer[1] && within(range[0], outer))) {
      refuse(`holds the range ${entry}; production allows ranges within private address space only, and single hosts.`);
    }
    return { kind: 'range', range };
  }
  const [, port = ''] = HOST_AND_PORT.exec(entry) ?? [];
  const url = port === '' ? null : URL.parse(`http://${entry}`);
  if (url === null || Number(port) === 0) refuse(`holds ${JSON.stringify(entry)}; ${FORMS}.`);
  const host = hostOf(url);
  if (isProduction && isIP(host) !== 0 && LINK_LOCAL.some((range) => within(ipaddr.parse(host), range))) {
    refuse(`holds ${entry}, a link-local address; production refuses it.`);
  }
  return { kind: 'host', host, port: Number(port) };
}

/** Without the brackets of an IPv6 address and the dot that ends an absolute name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function parseRange(text: string): Range {
  return ipaddr.parseCIDR(text);
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Range): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
}

function refuse(message: string): never {
  throw new DomainError('VALIDATION_FAILED', `${NAME} ${message}`, {
    details: [{ path: NAME, code: 'INVALID', message: `${NAME} ${message}` }],
  });
}
