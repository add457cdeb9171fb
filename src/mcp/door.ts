// Who may knock at /api/mcp at all, before the key is looked at.
//
// A page in somebody's browser must not reach a service on that person's machine: the Host must be a name of ours
// (DNS rebinding) and the Origin, which only browsers send, must be one of our pages.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports, Security Warning.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { DomainError } from '../core/errors.ts';
import { show } from '../core/validation.ts';
import { TOOL_PROFILES, type ToolProfile } from './tools.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
/** Raw keys and the names under which people put them into addresses. */
const KEY_IN_QUERY = /svc_(ak|sh)_|(^|[?&])(key|api_?key|token|access_token|authorization)=/i;

export interface DoorOptions {
  /** Where the service listens. */
  readonly host: string;
  readonly publicUrl: string | undefined;
}

export class Door {
  readonly #names: ReadonlySet<string>;
  readonly #isOpenToAddresses: boolean;

  constructor({ host, publicUrl }: DoorOptions) {
    const own = host.includes(':') ? `[${host}]` : host.toLowerCase();
    this.#names = new Set([...LOOPBACK, own, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])]);
    // Rebinding needs a name: an address in the Host header is the one that the caller dialled.
    this.#isOpenToAddresses = WILDCARDS.has(host);
  }

  /** @throws DomainError FORBIDDEN for a foreign host or origin, BAD_REQUEST for a key in the address */
  admit({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): void {
    const { host, origin } = headers;
    const own = nameIn(`http://${host ?? ''}`);
    if (own === undefined || !(this.#names.has(own) || (this.#isOpenToAddresses && isAddress(own)))) {
      const message = `The Host ${show(host)} is not a name of this service; SVC_PUBLIC_URL adds one.`;
      throw new DomainError('FORBIDDEN', message);
    }
    const page = origin === undefined ? own : nameIn(origin);
    if (page === undefined || !(this.#names.has(page) || page === own)) {
      throw new DomainError('FORBIDDEN', `The Origin ${show(origin)} is not a page of this service.`);
    }
    if (KEY_IN_QUERY.test(url)) {
      const message =
        'A key does not belong into an address, where logs keep it: send it as `Authorization: Bearer …`.';
      throw new DomainError('BAD_REQUEST', message);
    }
  }
}

/** The host of a web address; undefined for what is none. */
function nameIn(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? hostname : undefined;
}

const isAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0;

/** @throws DomainError BAD_REQUEST naming the profiles */
export function profileOf(url: string): ToolProfile {
  const at = url.indexOf('?');
  const wanted = at < 0 ? null : new URLSearchParams(url.slice(at + 1)).get('profile');
  if (wanted === null) return 'all';
  const profile = TOOL_PROFILES.find((name) => name === wanted);
  if (profile === undefined) {
    throw new DomainError('BAD_REQUEST', `There is no profile ${show(wanted)}; ${TOOL_PROFILES.join(', ')} are there.`);
  }
  return profile;
}
