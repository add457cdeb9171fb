// HTTP client for user-supplied URLs (webhooks, oracle readings), protected against SSRF.
//
// Each host name is resolved once, all its addresses must be allowed, and the connection is pinned to them. DNS
// rebinding therefore has no effect. TLS still verifies the host name. Redirects are returned, never followed.

import { lookup, Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { type AllowedTarget, hostOf, isAllowedHost, isInAllowedRange, isPublic } from './outbound-address.ts';

export interface OutboundRequest {
  readonly url: string;
  /** GET by default. */
  readonly method?: 'GET' | 'POST';
  /** Set by the service, never by users. Connection headers are set here and cannot be overridden. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** UTF-8, truncated to LIMITS.outbound.answerBytes. */
  readonly text: string;
  /** False if the body exceeded LIMITS.outbound.answerBytes. */
  readonly isComplete: boolean;
}

/** All addresses of a host name; empty if the name does not exist. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface OutboundOptions {
  /** In addition to public addresses. */
  readonly allowed?: readonly AllowedTarget[];
  readonly resolve?: Resolve;
  /** From DNS lookup to the last byte. */
  readonly timeoutMs?: number;
}

/** Ports of web servers; other ports would reach services that are not HTTP. */
const ALLOWED_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);

interface Target {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly isAllowlisted: boolean;
}

export class OutboundClient {
  readonly #allowed: readonly AllowedTarget[];
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;

  constructor({ allowed = [], resolve = resolveByDns, timeoutMs = LIMITS.outbound.timeoutMs }: OutboundOptions = {}) {
    this.#allowed = allowed;
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends one request and returns the response, whatever its status.
   *
   * @throws DomainError ADDRESS_BLOCKED, ADDRESS_UNREACHABLE, OUT_OF_TIME, CANCELLED
   */
  async fetchText(request: OutboundRequest): Promise<OutboundResponse> {
    const target = this.#target(request.url);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#timeoutMs).unref();
    const signal = request.signal ? AbortSignal.any([deadline.signal, request.signal]) : deadline.signal;
    try {
      signal.throwIfAborted();
      const addresses = await this.#addressesOf(target, signal);
      const response = await send(target.url, addresses, request, signal);
      return await read(response);
    } catch (error) {
      throw this.#toDomainError(error, target, {
        isTimedOut: deadline.signal.aborted,
        isCancelled: request.signal?.aborted,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Checks all that needs no DNS lookup: the form of a URL, and its address if the host is an IP literal.
   *
   * @throws DomainError ADDRESS_BLOCKED
   */
  assertCallable(text: string): void {
    const target = this.#target(text);
    if (isIP(target.host) !== 0) this.#assertAllowed(target, [target.host]);
  }

  /** @throws DomainError ADDRESS_BLOCKED */
  #target(text: string): Target {
    const url = URL.parse(text);
    if (url === null) throw blocked('The address is not a valid URL.');
    const { protocol, username, password } = url;
    if (protocol !== 'http:' && protocol !== 'https:')
      throw blocked(`The scheme must be http or https, not ${protocol}`);
    if (username !== '' || password !== '') throw blocked('The URL must not contain a user name or password.');
    const host = hostOf(url);
    const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
    if (host === '') throw blocked('The URL has no host.');
    return { url, host, port, isAllowlisted: isAllowedHost(host, port, this.#allowed) };
  }

  /** All resolved addresses, each of them allowed. @throws DomainError ADDRESS_BLOCKED, ADDRESS_UNREACHABLE */
  async #addressesOf(target: Target, signal: AbortSignal): Promise<readonly string[]> {
    const { host } = target;
    // Allowlisted names may come from the hosts file; other names are resolved by DNS only.
    const resolve = target.isAllowlisted ? resolveBySystem : this.#resolve;
    const addresses = isIP(host) === 0 ? await untilAborted(resolve(host, signal), signal) : [host];
    if (addresses.length === 0) throw new DomainError('ADDRESS_UNREACHABLE', `Host ${host} not found.`);
    this.#assertAllowed(target, addresses);
    return addresses;
  }

  #assertAllowed({ host, port, isAllowlisted }: Target, addresses: readonly string[]): void {
    if (isAllowlisted || addresses.every((address) => isInAllowedRange(address, this.#allowed))) return;
    if (!addresses.every((address) => isPublic(address) || isInAllowedRange(address, this.#allowed))) {
      throw blocked(`${host} is not on the public network.`);
    }
    if (!ALLOWED_PORTS.has(port)) throw blocked(`Port must be one of ${[...ALLOWED_PORTS].join(', ')}, not ${port}.`);
  }

  #toDomainError(
    error: unknown,
    { host }: Target,
    { isTimedOut, isCancelled = false }: { readonly isTimedOut: boolean; readonly isCancelled: boolean | undefined },
  ): DomainError {
    if (error instanceof DomainError) return error;
    if (isCancelled) return new DomainError('CANCELLED', `The request to ${host} was cancelled.`);
    if (isTimedOut) return new DomainError('OUT_OF_TIME', `Timeout of ${this.#timeoutMs} ms exceeded by ${host}.`);
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'BROKEN';
    return new DomainError('ADDRESS_UNREACHABLE', `${host} could not be reached: ${code}.`, { cause: error });
  }
}

function send(
  url: URL,
  addresses: readonly string[],
  { method = 'GET', headers = {}, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = start(
      {
        protocol: url.protocol,
        hostname: hostOf(url),
        port: url.port,
        path: `${url.pathname}${url.search}`,
        method,
        // No keep-alive: a pooled connection would outlive the lookup that allowed it.
        agent: false,
        rejectUnauthorized: true,
        lookup: pinnedTo(addresses),
        signal,
        headers: {
          accept: 'application/json, text/plain;q=0.9, */*;q=0.1',
          ...headers,
          'user-agent': 'svc',
          'accept-encoding': 'identity',
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
      },
      resolve,
    );
    request.on('error', reject);
    // A protocol switch is not a response, and closes the connection without an error.
    request.on('close', () => reject(new Error('The connection was closed before a response.')));
    request.end(body);
  });
}

async function read(response: IncomingMessage): Promise<OutboundResponse> {
  const { answerBytes } = LIMITS.outbound;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > answerBytes) break; // which closes the connection
  }
  const text = Buffer.concat(chunks).subarray(0, answerBytes).toString('utf8');
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
  return { status: response.statusCode ?? 0, headers, text, isComplete: size <= answerBytes };
}

/** A `lookup` callback that returns the addresses resolved before. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_, { all: wantsAll }, done) => {
    const [first] = all;
    if (wantsAll) done(null, all);
    else done(null, first?.address ?? '', first?.family);
  };
}

const NOT_FOUND_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Resolves by DNS only, without the hosts file and search domains. It does not use the thread pool, so a slow name
 * server delays no other work.
 */
const resolveByDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const stop = () => resolver.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    const failed = found.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    const real = failed.find((reason) => !NOT_FOUND_CODES.has(reason.code));
    if (addresses.length === 0 && real !== undefined) throw real;
    return addresses;
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

const resolveBySystem: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function blocked(message: string): DomainError {
  return new DomainError('ADDRESS_BLOCKED', message);
}
