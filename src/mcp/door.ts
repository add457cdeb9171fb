// Who may knock at /api/mcp at all, before the key is looked at.
//
// The Host must be a name of ours and the Origin, which only browsers send, one of our pages: operations/own-names.ts says why.

import type { IncomingMessage } from 'node:http';
import { DomainError } from '../core/errors.ts';
import { show } from '../core/validation.ts';
import { nameIn, type OwnAddress, OwnNames } from '../operations/own-names.ts';
import { TOOL_PROFILES, type ToolProfile } from './tools.ts';

/** Raw keys and the names under which people put them into addresses. */
const KEY_IN_QUERY = /svc_(ak|sh)_|(^|[?&])(key|api_?key|token|access_token|authorization)=/i;

export class Door {
  readonly #names: OwnNames;

  constructor(address: OwnAddress) {
    this.#names = new OwnNames(address);
  }

  /** @throws DomainError FORBIDDEN for a foreign host or origin, BAD_REQUEST for a key in the address */
  admit({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): void {
    const { host, origin } = headers;
    const own = this.#names.admit(host);
    const page = origin === undefined ? own : nameIn(origin);
    if (page === undefined || !(this.#names.has(page) || page === own)) {
      throw new DomainError('FORBIDDEN', `The Origin ${show(origin)} is not a page of this service.`);
    }
    if (KEY_IN_QUERY.test(url) || KEY_IN_QUERY.test(decoded(queryOf(url)))) {
      const message =
        'A key does not belong into an address, where logs keep it: send it as `Authorization: Bearer …`.';
      throw new DomainError('BAD_REQUEST', message);
    }
  }
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

/** `%6bey=` is `key=` to everybody who reads it. */
const decoded = (query: URLSearchParams) => [...query].map((pair) => pair.join('=')).join('&');

/** @throws DomainError BAD_REQUEST naming the profiles */
export function profileOf(url: string): ToolProfile {
  const wanted = queryOf(url).get('profile');
  if (wanted === null) return 'all';
  const profile = TOOL_PROFILES.find((name) => name === wanted);
  if (profile === undefined) {
    throw new DomainError('BAD_REQUEST', `There is no profile ${show(wanted)}; ${TOOL_PROFILES.join(', ')} are there.`);
  }
  return profile;
}
