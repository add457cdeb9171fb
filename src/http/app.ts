// The HTTP reader of the operations list: Koa lives in this room only.

import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import type { Logger } from 'pino';
import { DomainError } from '../core/errors.ts';
import { passCookie } from '../operations/access/shares.ts';
import { openChannel } from '../operations/channel.ts';
import { assertTier, type InvokeOptions, invoke } from '../operations/invoke.ts';
import { machineIn, noteRefusal } from '../operations/noting.ts';
import { type Context, isMedia, isTyped, type Method, methodOf, type Operation } from '../operations/operation.ts';
import { mergeQuery } from '../operations/query.ts';
import type { Services } from '../operations/services.ts';
import type { Principal } from '../services/access/access.ts';
import type { Streams } from '../streams/streams.ts';
import { type JsonBody, readJsonBody } from './body.ts';
import { cookieOf, setCookie } from './cookies.ts';
import { answerFor } from './errors.ts';
import { ACCEPT_QUERY, CORS_ANY, constantHeaders, PREFLIGHT } from './headers.ts';
import { withIdempotency } from './idempotency.ts';
import { fillIfMatch } from './if-match.ts';
import type { Portal } from './portal.ts';
import { rateLimitHeaders } from './rate-limit.ts';
import { Routes } from './routes.ts';
import { type RpcMount, serveRpc } from './rpc.ts';
import { serveChannel, wantsEvents } from './streams.ts';
import { serveText } from './text.ts';

export interface AppOptions {
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly log: Logger;
  readonly shouldCheck: InvokeOptions['shouldCheck'];
  /** The address printed in documents; without it, the Host header is used. */
  readonly baseUrl?: string;
  /** The pages, where they are built. */
  readonly portal?: Portal | undefined;
  readonly mcp?: RpcMount | undefined;
  readonly streams: Pick<Streams, 'events'>;
}

/** A refused body up to this size is read and thrown away, so that its connection can go on. */
const DISCARDED_BYTES = 16_000_000;
const REQUEST_ID = /^[\w.-]{8,64}$/;

export async function createApp({
  operations,
  services,
  log,
  shouldCheck,
  baseUrl,
  portal,
  mcp,
  streams: { events },
}: AppOptions): Promise<Koa> {
  const constant = Object.entries(await constantHeaders());
  const options: InvokeOptions = {
    shouldCheck,
    onDefect: (operation, error) =>
      log.error({ operation: operation.name, err: error }, 'an answer does not fit its schema'),
  };
  const routes = new Routes(operations, (context, operation, parameters) => answer(context, operation, parameters));
  const principals = new WeakMap<Koa.Context, Principal>();

  async function answer(
    context: Koa.Context,
    operation: Operation,
    parameters: Readonly<Record<string, string>>,
  ): Promise<void> {
    const method = methodOf(operation);
    const principal = principals.get(context) ?? (await guestWith(context, operation, machineIn(parameters)));
    assertTier(operation, { principal });
    if (operation.text) {
      const request = new RequestContext(context, services, principal, baseUrl);
      await serveText(context, operation.text, (text) =>
        invoke(operation, { ...text, ...parameters }, request, options),
      );
      return;
    }
    const body = method === 'GET' ? await readQuery(context) : await readJsonBody(context.req);
    const input = gather(context, method, parameters, body);
    if (operation.ifMatch !== undefined) fillIfMatch(input, operation.ifMatch, context.headers['if-match']);
    const request = new RequestContext(context, services, principal, baseUrl);
    if (operation.events) {
      // What a browser sends when it comes back to an address that may hold an older `since`.
      const { 'last-event-id': last } = context.headers;
      // Empty is none, as it is to an EventSource.
      if (typeof last === 'string' && last !== '') input.since = last;
      const raw = bearerOf(context.headers.authorization);
      const hasKey = raw !== undefined;
      const renew = async () =>
        hasKey ? services.access.authenticate(raw) : guestWith(context, operation, parameters.slug);
      const stop = request.controller;
      const countedAs = services.rateLimit.nameOf(principal, context.req.socket.remoteAddress ?? 'unknown');
      const open = () => openChannel(operation, input, request, options);
      await serveChannel(context, events, open, { requestId: request.requestId, countedAs, stop, hasKey, renew });
      return;
    }
    const run = () => invoke(operation, input, request, options);
    const target = [parameters, context.querystring, context.headers['if-match'] ?? null];
    if (operation.hasProgress && wantsEvents(context)) {
      await events.watch(context.res, request.requestId, async (onProgress) => {
        request.onProgress = onProgress;
        const { text, isReplayed } = await withIdempotency(operation, request, target, body, run);
        if (isReplayed && !context.headerSent) context.set('Idempotency-Replayed', 'true');
        return text ?? '';
      });
      context.respond = false;
      return;
    }
    const { status, text, result, isReplayed } = await withIdempotency(operation, request, target, body, run);
    if (isReplayed) context.set('Idempotency-Replayed', 'true');
    context.status = status;
    if (operation.cookie && text !== undefined) {
      setCookie(context, operation.cookie(JSON.parse(text) as never), request.baseUrl);
    }
    if (operation.versionOf && text !== undefined) {
      context.set('ETag', `"${operation.versionOf(JSON.parse(text) as never)}"`);
    }
    if (text === undefined) sendMedia(context, operation, result);
    else sendJson(context, operation, text);
  }

  /** A browser that was shown a machine for a while and has no key: its cookie counts where anyone may read, and nowhere else. */
  async function guestWith(
    context: Koa.Context,
    operation: Operation,
    slug: string | undefined,
  ): Promise<Principal | undefined> {
    const isForAnyone = operation.tier === 'public' && methodOf(operation) === 'GET';
    if (slug === undefined || !isForAnyone || context.headers.authorization !== undefined) return undefined;
    const pass = cookieOf(context.headers.cookie, passCookie(slug));
    return pass === undefined ? undefined : services.readPasses.open(pass);
  }

  const app = new Koa();
  app.silent = true;
  app.use(async (context) => {
    const given = context.get('request-id');
    const requestId = REQUEST_ID.test(given) ? given : randomUUID();
    context.state.requestId = requestId;
    const { res } = context;
    for (const [name, value] of constant) res.setHeader(name, value);
    res.setHeader('request-id', requestId);
    if (context.headers.traceparent !== undefined)
      res.setHeader('traceparent', String(context.headers.traceparent).slice(0, 64));
    try {
      await serve(context);
    } catch (error) {
      noteRefused(context, error);
      const { status, headers, body } =
        context.path === mcp?.path
          ? mcp.refusal(error, new RequestContext(context, services, undefined, baseUrl))
          : answerFor(error, requestId);
      if (status >= 500)
        log.error({ request_id: requestId, method: context.method, path: context.path, err: error }, 'failed');
      context.status = status;
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
      res.setHeader('cache-control', 'no-store');
      context.type = 'application/json';
      context.body = JSON.stringify(body);
      if (!isSoonRead(context.req)) res.setHeader('connection', 'close');
    }
  });

  /** Of routes that name a machine. What is at the path is looked up again: many refusals come before that is known. */
  function noteRefused(context: Koa.Context, error: unknown): void {
    if (!(error instanceof DomainError)) return;
    const found = routes.find(context.method, context.path);
    if (found) noteRefusal(services, found.operation, found.parameters, error, principals.get(context));
  }

  async function serve(context: Koa.Context): Promise<void> {
    const { method, path } = context;
    if (path === mcp?.path) {
      mcp.admit(context.req);
      if (method !== 'OPTIONS') await admit(context);
      await serveRpc(context, mcp, new RequestContext(context, services, principals.get(context), baseUrl));
      return;
    }
    if (method === 'OPTIONS') {
      const allowed = routes.allowed(path);
      if (allowed.length === 0) throw new DomainError('NOT_FOUND', `There is nothing at ${path}.`);
      context.status = 204;
      context.set(PREFLIGHT);
      context.set('Allow', allowed.join(', '));
      if (allowed.includes('QUERY')) context.set(ACCEPT_QUERY);
      return;
    }
    if (method === 'GET' || method === 'HEAD' || method === 'QUERY') {
      if (method !== 'QUERY' && portal?.answer(context)) return;
      context.res.setHeader('access-control-allow-origin', CORS_ANY);
    }
    await admit(context);
    if (await routes.dispatch(context)) return;
    const allowed = routes.allowed(path);
    if (allowed.length === 0 && (method === 'GET' || method === 'HEAD') && portal?.answerUnknown(context)) return;
    if (allowed.length === 0)
      throw new DomainError('NOT_FOUND', `There is nothing at ${path}. GET /api/endpoints lists what there is.`);
    context.set('Allow', allowed.join(', '));
    throw new DomainError(
      'METHOD_NOT_ALLOWED',
      `${method} is not answered at ${path}; allowed are ${allowed.join(', ')}.`,
    );
  }

  /** Who is it, and may they ask once more? A present but bad key is refused even where none is needed. */
  async function admit(context: Koa.Context): Promise<void> {
    const header = context.headers.authorization;
    const address = context.req.socket.remoteAddress ?? 'unknown';
    if (header === undefined) {
      await limit(context, undefined, address);
      return;
    }
    const raw = bearerOf(header);
    try {
      if (raw === undefined)
        throw new DomainError('KEY_INVALID', 'The Authorization header is not of the form `Bearer svc_ak_…`.');
      const principal = await services.access.authenticate(raw);
      principals.set(context, principal);
      await limit(context, principal, address);
    } catch (error) {
      // Guesses count against the address.
      if (error instanceof DomainError && error.code.startsWith('KEY_')) await limit(context, undefined, address);
      throw error;
    }
  }

  async function limit(context: Koa.Context, principal: Principal | undefined, address: string): Promise<void> {
    const usage = await services.rateLimit.consume(principal, address);
    for (const [name, value] of rateLimitHeaders(usage)) context.res.setHeader(name, value);
    if (usage.isExceeded) {
      throw new DomainError(
        'RATE_LIMITED',
        `More than ${usage.limit} requests in a minute; try again in ${usage.resetSeconds} s.`,
        {
          retryAfterSeconds: usage.resetSeconds,
        },
      );
    }
  }

  return app;
}

function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

/** Is the body read to its end, or so short that Node soon will have thrown away the rest of it? */
function isSoonRead({ complete, headers }: IncomingMessage): boolean {
  return complete || Number(headers['content-length'] ?? Number.NaN) <= DISCARDED_BYTES;
}

/** What an operation sees of a request; the costly parts are made when they are asked for. */
class RequestContext implements Context {
  readonly services: Services;
  readonly principal: Principal | undefined;
  readonly requestId: string;
  readonly caller: string;
  readonly idempotencyKey: string | undefined;
  onProgress: Context['onProgress'];
  readonly #context: Koa.Context;
  readonly #baseUrl: string | undefined;
  #controller: AbortController | undefined;

  constructor(context: Koa.Context, services: Services, principal: Principal | undefined, baseUrl: string | undefined) {
    this.#context = context;
    this.#baseUrl = baseUrl;
    this.services = services;
    this.principal = principal;
    this.requestId = context.state.requestId;
    this.caller = principal?.keyId ?? context.req.socket.remoteAddress ?? 'unknown';
    const key = context.headers['idempotency-key'];
    this.idempotencyKey = typeof key === 'string' ? key : undefined;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Aborts when the caller hangs up before the answer is out. */
  get controller(): AbortController {
    if (!this.#controller) {
      const controller = new AbortController();
      this.#controller = controller;
      const { res } = this.#context;
      const leave = () => {
        if (!res.writableFinished) controller.abort();
      };
      // Who hung up while the key was looked up hangs up only once.
      if (res.destroyed) leave();
      else res.once('close', leave);
    }
    return this.#controller;
  }

  get baseUrl(): string {
    return this.#baseUrl ?? `${this.#context.protocol}://${this.#context.host}`;
  }
}

/** The body of QUERY on a route of GET. RFC 10008, §2: its media type must be named. */
async function readQuery(context: Koa.Context): Promise<JsonBody | undefined> {
  context.set(ACCEPT_QUERY);
  if (context.method !== 'QUERY') return undefined;
  if (context.headers['content-type'] === undefined) {
    throw new DomainError('BAD_REQUEST', 'QUERY needs a Content-Type; application/json is expected.');
  }
  return readJsonBody(context.req);
}

function gather(
  context: Koa.Context,
  method: Method,
  parameters: Readonly<Record<string, string>>,
  body: JsonBody | undefined,
): Record<string, unknown> {
  const input = method === 'GET' ? mergeQuery(context.query, body?.value ?? {}) : { ...body?.value };
  for (const [name, value] of Object.entries(parameters)) input[name] = value;
  return input;
}

function sendJson(context: Koa.Context, operation: Operation, text: string): void {
  context.res.setHeader('content-type', 'application/json; charset=utf-8');
  send(context, operation, text);
}

function sendMedia(context: Koa.Context, operation: Operation, result: unknown): void {
  if (isMedia(operation.output)) {
    const { mediaType, download } = operation.output;
    context.res.setHeader('content-type', mediaType);
    if (download !== undefined) context.res.setHeader('content-disposition', `attachment; filename="${download}"`);
  }
  if (isTyped(result)) {
    // What users have sent: shown as a picture, never run as a page, whatever a browser makes of it.
    context.res.setHeader('content-type', result.mediaType);
    context.res.setHeader('content-security-policy', "default-src 'none'; sandbox");
  }
  const content = isTyped(result) ? result.bytes : result;
  send(context, operation, content instanceof Uint8Array ? Buffer.from(content) : String(content));
}

function send(context: Koa.Context, operation: Operation, content: string | Buffer): void {
  const { caching = 'none' } = operation;
  const cacheControl = { immutable: 'public, max-age=31536000, immutable', etag: 'no-cache', none: 'no-store' }[
    caching
  ];
  context.res.setHeader('cache-control', cacheControl);
  if (caching !== 'none') {
    context.set('ETag', `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`);
    if (context.fresh) {
      context.status = 304;
      return;
    }
  }
  context.body = content;
}
