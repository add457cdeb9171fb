// The one door for requests to addresses that users give: webhooks, readings of oracles.
//
// A name is looked up once, every address that it has must be allowed, and the connection goes to one of those and
// nowhere else, so that a name that means something different a moment later wins nothing. TLS still asks for the name.
// Redirects are answers like any other; nobody follows them.

import { lookup, Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { type AllowedPlace, hostOf, isInRanges, isNamed, isPublic } from './outbound-address.ts';

export interface OutboundRequest {
  readonly url: string;
  /** GET by default. */
  readonly method?: 'GET' | 'POST';
  /** Ours, never a user's. What the connection needs is set here and cannot be given. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As UTF-8, as far as it was read. */
  readonly text: string;
  /** False where the answer went on after LIMITS.outbound.answerBytes. */
  readonly isWhole: boolean;
}

/** All addresses of a name; none where there is no such name. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface OutboundOptions {
  /** Beside what is public. */
  readonly allowed?: readonly AllowedPlace[];
  readonly resolve?: Resolve;
  /** From the look-up to the last byte. */
  readonly timeoutMs?: number;
}

/** Where web servers listen; another port opens a way to speak with what is none. */
const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);

interface Target {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly isNamed: boolean;
}

export class Outbound {
  readonly #allowed: readonly AllowedPlace[];
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;

  constructor({ allowed = [], resolve = resolveByDns, timeoutMs = LIMITS.outbound.timeoutMs }: OutboundOptions = {}) {
    this.#allowed = allowed;
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * One request and what came back, whatever its status.
   *
   * @throws DomainError ADDRESS_BLOCKED, ADDRESS_UNREACHABLE, OUT_OF_TIME, CANCELLED
   */
  async fetchText(request: OutboundRequest): Promise<OutboundAnswer> {
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
      throw this.#refusal(error, target, { isLate: deadline.signal.aborted, isCancelled: request.signal?.aborted });
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * What can be told without asking anybody: the form of an address, and where it leads if it names no host but a number.
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
    if (url === null) throw blocked('This is no address of the web.');
    const { protocol, username, password } = url;
    if (protocol !== 'http:' && protocol !== 'https:') throw blocked(`Only http and https are called, not ${protocol}`);
    if (username !== '' || password !== '') throw blocked('An address must not hold a user name or a password.');
    const host = hostOf(url);
    const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
    if (host === '') throw blocked('The address names no host.');
    return { url, host, port, isNamed: isNamed(host, port, this.#allowed) };
  }

  /** Every one of them may be called. @throws DomainError ADDRESS_BLOCKED, ADDRESS_UNREACHABLE */
  async #addressesOf(target: Target, signal: AbortSignal): Promise<readonly string[]> {
    const { host } = target;
    // What the operator names may stand in the hosts file of the machine; other names are asked of the DNS alone.
    const resolve = target.isNamed ? resolveBySystem : this.#resolve;
    const addresses = isIP(host) === 0 ? await untilAborted(resolve(host, signal), signal) : [host];
    if (addresses.length === 0) throw new DomainError('ADDRESS_UNREACHABLE', `There is no host ${host}.`);
    this.#assertAllowed(target, addresses);
    return addresses;
  }

  #assertAllowed({ host, port, isNamed: isExempt }: Target, addresses: readonly string[]): void {
    if (isExempt || addresses.every((address) => isInRanges(address, this.#allowed))) return;
    if (!addresses.every((address) => isPublic(address) || isInRanges(address, this.#allowed))) {
      throw blocked(`${host} is not on the public network.`);
    }
    if (!PORTS.has(port)) throw blocked(`Port ${port} is not called; ${[...PORTS].join(', ')} are.`);
  }

  #refusal(
    error: unknown,
    { host }: Target,
    { isLate, isCancelled = false }: { readonly isLate: boolean; readonly isCancelled: boolean | undefined },
  ): DomainError {
    if (error instanceof DomainError) return error;
    if (isCancelled) return new DomainError('CANCELLED', `The request to ${host} was called off.`);
    if (isLate) return new DomainError('OUT_OF_TIME', `${host} took more than ${this.#timeoutMs} ms.`);
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
        // A connection each: one that is kept would outlive the look-up that allowed it.
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
    // A switch of protocols is not an answer, and closes the connection without an error.
    request.on('close', () => reject(new Error('The connection was closed before an answer.')));
    request.end(body);
  });
}

async function read(response: IncomingMessage): Promise<OutboundAnswer> {
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
  return { status: response.statusCode ?? 0, headers, text, isWhole: size <= answerBytes };
}

/** Answers the connection's look-up with what was looked up before. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_, { all: wantsAll }, done) => {
    const [first] = all;
    if (wantsAll) done(null, all);
    else done(null, first?.address ?? '', first?.family);
  };
}

const NO_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * By the DNS alone, without the hosts file and search domains of the machine. It leaves the thread pool alone: a name
 * server that is slow to answer holds back nobody else.
 */
const resolveByDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const stop = () => resolver.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const failed = found.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const real = failed.find((reason) => !NO_NAME.has(reason.code));
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
