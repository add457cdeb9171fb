// The Host header of a request. Documents and links print it, so it must be exactly one host, with or without a port.

import { DomainError } from '../core/errors.ts';
import { quoteValue } from '../core/validation.ts';

/** The parts of an HTTP request that name the host. */
export interface HostRequest {
  readonly headers: { readonly host?: string | undefined };
  /** Names and values in turn, as sent. Node keeps only the first of several Host headers in `headers`. */
  readonly rawHeaders: readonly string[];
}

/** A name, an IPv4 address, or an IPv6 address in brackets; then a port. No user, path, escape or comma. */
const HOST_AND_PORT = /^(?:[a-z0-9_](?:[a-z0-9._-]{0,253}[a-z0-9_.])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** RFC 9112, §3.2. @throws DomainError BAD_REQUEST for several Host headers, or for one that is not host[:port] */
export function assertHostHeader({ headers: { host }, rawHeaders }: HostRequest): void {
  if (hostHeaderCount(rawHeaders) > 1) throw new DomainError('BAD_REQUEST', 'The request must have one Host header.');
  // HTTP/1.0 has none. Node answers 400 to HTTP/1.1 without one.
  if (host === undefined || (HOST_AND_PORT.test(host) && URL.canParse(`http://${host}`))) return;
  throw new DomainError('BAD_REQUEST', `The Host header must be host or host:port; got ${quoteValue(host)}.`);
}

function hostHeaderCount(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'host') count++;
  return count;
}
