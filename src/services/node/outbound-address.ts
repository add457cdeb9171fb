// Allowlist of outbound addresses: public ones, and the entries of SVC_OUTBOUND_ALLOW.
//
// Rejects addresses in any special-purpose block (IANA registries, RFC 6890 and later). Also rejects every IPv6 form
// that embeds an IPv4 address (mapped, NAT64, 6to4, Teredo): its block does not tell where such a packet is routed.

import { DomainError } from '../../core/errors.ts';
import { type AddressRange, isWithin, knownRange, parseAddress, parseRange } from './address-range.ts';

/** One entry of SVC_OUTBOUND_ALLOW. */
export type AllowedTarget =
  | { readonly kind: 'host'; readonly host: string; readonly port: number }
  | { readonly kind: 'range'; readonly range: AddressRange };

/** Global unicast space (RFC 4291 §2.4: all that IANA has allocated so far). */
const GLOBAL_V6 = knownRange('2000::/3');

/** @param address  IPv4 or IPv6 in canonical notation; anything else is not public */
export function isPublic(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed?.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || isWithin(parsed, GLOBAL_V6);
}

export function isInAllowedRange(address: string, allowed: readonly AllowedTarget[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && allowed.some((target) => target.kind === 'range' && isWithin(parsed, target.range));
}

export function isAllowedHost(host: string, port: number, allowed: readonly AllowedTarget[]): boolean {
  return allowed.some((target) => target.kind === 'host' && target.host === host && target.port === port);
}

const NAME = 'SVC_OUTBOUND_ALLOW';
const FORMATS = 'must be host:port, [IPv6]:port or a CIDR range, separated by commas';
const HOST_AND_PORT = /^(?:\[[0-9a-f:.]+\]|[^\s/?#@:[\]\\]+):(\d{1,5})$/i;
/** Ranges in production must lie within these; list hosts elsewhere one by one. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map(knownRange);
/** Link-local and cloud metadata addresses; 169.254.169.254 serves credentials. */
const LINK_LOCAL = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128'].map(knownRange);

/**
 * Parses SVC_OUTBOUND_ALLOW.
 *
 * In production a range must lie in private address space, and link-local addresses are rejected.
 *
 * @throws DomainError VALIDATION_FAILED
 */
export function parseAllowedTargets(text: string, isProduction: boolean): AllowedTarget[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '').map((entry) => parseTarget(entry, isProduction));
}

function parseTarget(entry: string, isProduction: boolean): AllowedTarget {
  if (entry.includes('/')) {
    const range = parseRange(entry) ?? refuse(`has an invalid entry ${JSON.stringify(entry)}; entries ${FORMATS}.`);
    if (isProduction && !PRIVATE.some((outer) => range[1] >= outer[1] && isWithin(range[0], outer))) {
      refuse(`has the range ${entry}; production allows ranges within private address space only, and single hosts.`);
    }
    return { kind: 'range', range };
  }
  const [, port = ''] = HOST_AND_PORT.exec(entry) ?? [];
  const url = port === '' ? null : URL.parse(`http://${entry}`);
  if (url === null || Number(port) === 0) refuse(`has an invalid entry ${JSON.stringify(entry)}; entries ${FORMATS}.`);
  const host = hostOf(url);
  const address = parseAddress(host);
  if (isProduction && address !== undefined && LINK_LOCAL.some((range) => isWithin(address, range))) {
    refuse(`has ${entry}, a link-local address; production rejects it.`);
  }
  return { kind: 'host', host, port: Number(port) };
}

/** Host name without IPv6 brackets and trailing dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function refuse(message: string): never {
  throw new DomainError('VALIDATION_FAILED', `${NAME} ${message}`, {
    details: [{ path: NAME, code: 'INVALID', message: `${NAME} ${message}` }],
  });
}
