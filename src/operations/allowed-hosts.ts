// Host names that this service answers to, for endpoints that a web page could call.
//
// Prevents DNS rebinding, where a page resolves its own host name to our address: the Host header must be one of our
// names. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports, Security Warning.

import { isIP } from 'node:net';
import { DomainError } from '../core/errors.ts';
import { quoteValue } from '../core/validation.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

export interface ServiceAddress {
  /** Where the service listens. */
  readonly host: string;
  /** The public URL, if the service runs behind a proxy. */
  readonly publicUrl: string | undefined;
}

export class AllowedHosts {
  readonly #names: ReadonlySet<string>;
  readonly #isOpenToAddresses: boolean;

  constructor({ host, publicUrl }: ServiceAddress) {
    const listenName = host.includes(':') ? `[${host}]` : host.toLowerCase();
    this.#names = new Set([...LOOPBACK, listenName, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])]);
    // Rebinding needs a host name: an IP address in the Host header is the one that the client connected to.
    this.#isOpenToAddresses = WILDCARDS.has(host);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** @returns the name in the Host header, without its port. @throws DomainError FORBIDDEN for a foreign one */
  assertAllowed(host: string | undefined): string {
    const name = hostnameOf(`http://${host ?? ''}`);
    if (name !== undefined && (this.has(name) || (this.#isOpenToAddresses && isAddress(name)))) return name;
    throw new DomainError(
      'FORBIDDEN',
      `The Host ${quoteValue(host)} is not a name of this service; SVC_PUBLIC_URL adds one.`,
    );
  }
}

/** The host of an HTTP URL; undefined for anything else. */
export function hostnameOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? hostname : undefined;
}

const isAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0;
