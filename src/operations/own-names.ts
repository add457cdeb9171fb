// The names that this service answers to, for doors that a page in somebody's browser could reach.
//
// Such a page must not reach a service on that person's machine by giving its own name our address (DNS rebinding): the
// Host must be a name of ours.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports, Security Warning.

import { isIP } from 'node:net';
import { DomainError } from '../core/errors.ts';
import { show } from '../core/validation.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

export interface OwnAddress {
  /** Where the service listens. */
  readonly host: string;
  /** The address of the service, when it stands behind another one. */
  readonly publicUrl: string | undefined;
}

export class OwnNames {
  readonly #names: ReadonlySet<string>;
  readonly #isOpenToAddresses: boolean;

  constructor({ host, publicUrl }: OwnAddress) {
    const own = host.includes(':') ? `[${host}]` : host.toLowerCase();
    this.#names = new Set([...LOOPBACK, own, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])]);
    // Rebinding needs a name: an address in the Host header is the one that the caller dialled.
    this.#isOpenToAddresses = WILDCARDS.has(host);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** @returns the name in the Host header, without its port. @throws DomainError FORBIDDEN for a foreign one */
  admit(host: string | undefined): string {
    const name = nameIn(`http://${host ?? ''}`);
    if (name !== undefined && (this.has(name) || (this.#isOpenToAddresses && isAddress(name)))) return name;
    throw new DomainError(
      'FORBIDDEN',
      `The Host ${show(host)} is not a name of this service; SVC_PUBLIC_URL adds one.`,
    );
  }
}

/** The host of a web address; undefined for what is none. */
export function nameIn(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? hostname : undefined;
}

const isAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0;
