// Rejects requests to /api/mcp from foreign hosts and origins, before authentication.
//
// The Host must be an allowed name of this service. The Origin, which only browsers send, must be one of its pages:
// operations/allowed-hosts.ts explains why.

import type { IncomingMessage } from 'node:http';
import { DomainError } from '../core/errors.ts';
import { quoteValue } from '../core/validation.ts';
import { AllowedHosts, hostnameOf, type ServiceAddress } from '../operations/allowed-hosts.ts';
import { TOOL_PROFILES, type ToolProfile } from './tools.ts';

/** Raw keys, and the parameter names under which clients put them into URLs. */
const KEY_IN_QUERY = /svc_(ak|sh)_|(^|[?&])(key|api_?key|token|access_token|authorization)=/i;

export class OriginGuard {
  readonly #allowedHosts: AllowedHosts;

  constructor(address: ServiceAddress) {
    this.#allowedHosts = new AllowedHosts(address);
  }

  /** @throws DomainError FORBIDDEN for a foreign host or origin, BAD_REQUEST for a key in the URL */
  admit({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): void {
    const { host, origin } = headers;
    const hostname = this.#allowedHosts.assertAllowed(host);
    const page = origin === undefined ? hostname : hostnameOf(origin);
    if (page === undefined || !(this.#allowedHosts.has(page) || page === hostname)) {
      throw new DomainError('FORBIDDEN', `The Origin ${quoteValue(origin)} is not a page of this service.`);
    }
    if (KEY_IN_QUERY.test(url) || KEY_IN_QUERY.test(decodeQuery(queryOf(url)))) {
      const message = 'A key must not be in the URL, which logs record; send it as `Authorization: Bearer …`.';
      throw new DomainError('BAD_REQUEST', message);
    }
  }
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

/** Decodes percent-encoding, so that `%6bey=` is recognized as `key=`. */
const decodeQuery = (query: URLSearchParams) => [...query].map((pair) => pair.join('=')).join('&');

/** @throws DomainError BAD_REQUEST naming the profiles */
export function profileOf(url: string): ToolProfile {
  const requested = queryOf(url).get('profile');
  if (requested === null) return 'all';
  const profile = TOOL_PROFILES.find((name) => name === requested);
  if (profile === undefined) {
    throw new DomainError(
      'BAD_REQUEST',
      `profile must be one of ${TOOL_PROFILES.join(', ')}; got ${quoteValue(requested)}.`,
    );
  }
  return profile;
}
