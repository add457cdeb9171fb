// Finds the address of a caller, and the service's address as the caller sees it, behind trusted proxies.
//
// A proxy appends the address of its peer to X-Forwarded-For, so only entries that trusted proxies appended are true.
// They are read from the right, and all to the left of the first untrusted address is a claim of that client.
// X-Forwarded-Host is not read: many proxies pass it on from clients. SVC_PUBLIC_URL names the host instead.

import { isIPv4 } from 'node:net';
import { type Address, type AddressRange, isWithin, parseAddress, unmapped } from '../node/address-range.ts';
import { addressGroup } from './rate-limit.ts';

/** Headers that proxies add, and `origin`, by which a page of any site asks in a browser of this computer. */
const OF_OTHERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'origin',
] as const;

/** A page that resolves its own name to this computer sends that name. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** The parts of an HTTP request that tell where it comes from. */
export interface ReceivedRequest {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export class ForwardedHeaders {
  readonly #trusted: readonly AddressRange[];
  readonly #publicUrl: string | undefined;

  constructor(trustedProxies: readonly AddressRange[], publicUrl?: string) {
    this.#trusted = trustedProxies;
    this.#publicUrl = publicUrl;
  }

  /** The address of the caller; IPv4-mapped addresses as IPv4. If all hops are trusted, it is that of the farthest. */
  addressOf({ socket: { remoteAddress }, headers }: ReceivedRequest): string {
    if (this.#trusted.length === 0 && remoteAddress !== undefined && isIPv4(remoteAddress)) return remoteAddress;
    const peer = parsePeer(remoteAddress);
    if (peer === undefined) return 'unknown';
    if (!this.#isTrusted(peer)) return peer.toString();
    let nearest = peer;
    for (const entry of lastValues(headers['x-forwarded-for'])) {
      const address = parseEntry(entry);
      if (address === undefined) break;
      nearest = address;
      if (!this.#isTrusted(address)) break;
    }
    return nearest.toString();
  }

  /**
   * Whose connections are counted: those of an address, as `addressGroup` says. Undefined for proxies, trusted ones and
   * those of this computer, through which many callers may speak.
   */
  connectionHolderOf(remoteAddress: string | undefined): string | undefined {
    const peer = parsePeer(remoteAddress);
    if (peer === undefined || peer.range() === 'loopback' || this.#isTrusted(peer)) return undefined;
    return addressGroup(peer.toString());
  }

  /**
   * Whether a request comes from a process of this computer, and no proxy and no page of another site speaks through it.
   * A proxy that adds no header cannot be told from a local process.
   */
  isLocal({ socket: { remoteAddress }, headers }: ReceivedRequest): boolean {
    const isOfPage = !['none', 'same-origin', undefined].includes(headers['sec-fetch-site']?.toString());
    if (isOfPage || OF_OTHERS.some((name) => headers[name] !== undefined)) return false;
    if (!LOCAL_HOST.test(headers.host?.toString() ?? '')) return false;
    return parsePeer(remoteAddress)?.range() === 'loopback';
  }

  /**
   * Protocol and host without a path: SVC_PUBLIC_URL, or what the request says. Its Host has been checked
   * (operations/host-header.ts); HTTP/1.0 may have none.
   */
  baseUrlOf(request: ReceivedRequest): string {
    return this.#publicUrl ?? `${this.#protocolOf(request)}://${request.headers.host ?? 'localhost'}`;
  }

  #protocolOf({ socket, headers }: ReceivedRequest): 'http' | 'https' {
    const { 'x-forwarded-proto': forwarded } = headers;
    if (forwarded === undefined) return 'http';
    const [last = ''] = lastValues(forwarded);
    const peer = parsePeer(socket.remoteAddress);
    return last.toLowerCase() === 'https' && peer !== undefined && this.#isTrusted(peer) ? 'https' : 'http';
  }

  #isTrusted(address: Address): boolean {
    return this.#trusted.some((range) => isWithin(address, range));
  }
}

/** Entries of a comma-separated header, the last first. Node joins the values of repeated headers. */
function lastValues(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return [];
  return String(header)
    .split(',')
    .map((entry) => entry.trim())
    .reverse();
}

/** The socket's address; a zone such as %eth0 names an interface of this machine and is dropped. */
function parsePeer(remoteAddress: string | undefined): Address | undefined {
  const address = parseAddress(remoteAddress?.split('%')[0] ?? '');
  return address && unmapped(address);
}

const ENTRY_WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+)):(\d{1,5})$/;
const MAX_PORT = 65_535;

/** An address, or one with a port as some proxies write it; undefined if malformed. */
function parseEntry(entry: string): Address | undefined {
  const [, v6, v4, port = '0'] = ENTRY_WITH_PORT.exec(entry) ?? [];
  if (Number(port) > MAX_PORT) return undefined;
  const address = parseAddress(v6 ?? v4 ?? entry);
  return address && unmapped(address);
}
