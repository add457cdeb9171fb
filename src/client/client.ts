// HTTP client of the service, typed by its operations; for the CLI, the portal and programs.

import type { ApiInput, ApiName, ApiOutput } from '#api';
import { loadRoutes } from '#routes';
import { DomainError } from '../core/errors.ts';
import { requestUrl } from '../operations/request-url.ts';
import { methodOf, type Routed, type RoutesByName } from '../operations/route.ts';
import type { LiveEvent } from './live-run.ts';
import { fetchResponse, request } from './request.ts';

export type { ApiInput, ApiName, ApiOutput };

export interface ClientOptions {
  /** Address of the service, for example http://127.0.0.1:8787. */
  readonly url: string;
  /** API key; public operations need none. */
  readonly key?: string | undefined;
}

/** A sealed result, or the dimensional gate's refusal to give a number. */
export type SolveAnswer = ApiOutput<'compute.run'>;

export interface StreamOptions extends Pick<CallOptions, 'key' | 'signal'> {
  /** Wait before the first reconnection, in milliseconds. */
  readonly retryMs?: number;
}

export interface CallOptions {
  /** Instead of the client's key. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the response headers, of errors too. */
  readonly onHeaders?: (headers: Headers) => void;
}

export interface Client {
  /**
   * Calls an operation by its name in `GET /api/endpoints`: `client.call('machine.get', { slug: 'boiler' })`.
   *
   * @throws DomainError  an error response, with its own code. An unreachable service throws a plain Error.
   */
  call<Name extends ApiName>(name: Name, input: ApiInput<Name>, options?: CallOptions): Promise<ApiOutput<Name>>;

  /**
   * Gets the unread response of an operation that responds with text, bytes or a stream.
   *
   * @throws DomainError and Error as `call` does
   */
  open(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options?: CallOptions & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Response>;

  /**
   * Runs a solver on the service and yields its frames while it computes, then the sealed envelope:
   * `for await (const event of client.stream('heat', { nx: 64 }))`. Reconnects after a lost connection. Leaving the loop
   * leaves the run, which the service then cancels after a while.
   *
   * @param input  the body of the solver's route
   * @throws DomainError and Error as `call` does
   */
  stream(
    solver: string,
    input?: Readonly<Record<string, unknown>>,
    options?: StreamOptions,
  ): AsyncGenerator<LiveEvent<SolveAnswer>, void, void>;
}

/** @param loadTable  loads the routes; by default those of this version */
export function createClient(
  { url: base, key }: ClientOptions,
  loadTable: (base: string) => Promise<RoutesByName> = loadRoutes,
): Client {
  let table: Promise<RoutesByName> | undefined;

  async function routed(name: string): Promise<Routed> {
    table ??= loadTable(base);
    const route = (await table)[name];
    if (route === undefined)
      throw new DomainError('NOT_FOUND', `No operation ${name}; GET /api/endpoints lists all operations.`);
    return { route };
  }

  return {
    async call(name, input, { onHeaders, ...options } = {}) {
      const operation = await routed(name);
      const method = methodOf(operation);
      const { url, rest } = requestUrl(operation, input, base);
      const body = method === 'GET' ? {} : { body: rest };
      return (await request(url, { method, key, ...options, ...body }, onHeaders)).body as never;
    },
    async open(name, input, { onHeaders, ...options } = {}) {
      return fetchResponse(requestUrl(await routed(name), input, base).url, { key, ...options }, onHeaders);
    },
    async *stream(solver, input = {}, { retryMs, ...options } = {}) {
      const { readLiveRun } = await import('./live-run.ts');
      const accept = { accept: 'text/event-stream' };
      yield* readLiveRun<SolveAnswer>({
        start: async (idempotencyKey) =>
          fetchResponse(requestUrl(await routed('solve.stream'), {}, base).url, {
            method: 'POST',
            body: { solver, input },
            headers: { ...accept, 'idempotency-key': idempotencyKey },
            key,
            ...options,
          }),
        resume: async (run, since) =>
          fetchResponse(requestUrl(await routed('run.stream'), { id: run }, base).url, {
            headers: { ...accept, 'last-event-id': String(since) },
            key,
            ...options,
          }),
        signal: options.signal,
        retryMs,
      });
    },
  };
}
