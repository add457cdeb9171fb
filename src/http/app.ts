// HTTP application: serves the operations list with Koa, which is used in this folder only.

import Koa from 'koa';
import type { Logger } from 'pino';
import { monotonicClock } from '../core/clock.ts';
import { DomainError } from '../core/errors.ts';
import { assertHostHeader } from '../operations/host-header.ts';
import type { InvokeOptions } from '../operations/invoke.ts';
import type { Operation } from '../operations/operation.ts';
import { logRefusal } from '../operations/refusal-log.ts';
import { RouteTable } from '../operations/route-table.ts';
import type { Services } from '../operations/services.ts';
import type { ForwardedHeaders } from '../services/access/forwarded-headers.ts';
import type { Streams } from '../streams/streams.ts';
import { Admission } from './admission.ts';
import type { AnswerBytes } from './answer-bytes.ts';
import { httpErrorOf, sendError } from './errors.ts';
import { handleOperation } from './handle-operation.ts';
import { CORS_ANY, constantHeaders, isOpenToAnyOrigin } from './headers.ts';
import type { Portal } from './portal.ts';
import { RequestContext } from './request-context.ts';
import { requestIdOf } from './request-id.ts';
import { type RpcEndpoint, serveRpc } from './rpc.ts';
import { respondToOptions, respondUnmatched } from './unmatched.ts';

export interface AppOptions {
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly log: Logger;
  readonly options: InvokeOptions;
  readonly forwarded: ForwardedHeaders;
  /** The portal's pages; undefined if they are not built. */
  readonly portal?: Portal | undefined;
  readonly mcp?: RpcEndpoint | undefined;
  readonly streams: Pick<Streams, 'events'>;
  readonly answers: AnswerBytes;
}

/** What pages, documents and calls of tools count as in metrics. */
const OTHER = { name: 'other', effect: 'other' };

const operationOf = ({ state }: Koa.Context): Operation | undefined => state.operation;

/** Errors of a connection that the client closed or reset. */
const CLIENT_LEFT: ReadonlySet<string | undefined> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

export async function createApp(appOptions: AppOptions): Promise<Koa> {
  const { operations, services, log, options, forwarded, portal, mcp, streams, answers } = appOptions;
  const constant = Object.entries(await constantHeaders());
  const admission = new Admission(services);
  const handlerParts = { services, admission, events: streams.events, answers, options, forwarded };
  const routes = new RouteTable(operations);
  const monotonic = monotonicClock();

  const app = new Koa();
  app.silent = true;
  // Failures of an answer that is being sent: the client sees that it is cut. A client that leaves is no failure.
  app.on('error', (err: NodeJS.ErrnoException) => {
    if (!CLIENT_LEFT.has(err.code)) log.error({ err }, 'an answer failed while it was sent');
  });
  app.use(async (context) => {
    const { res, headers } = context;
    const startedNs = monotonic.now();
    const requestId = requestIdOf(context);
    context.state.requestId = requestId;
    context.state.clientAddress = forwarded.addressOf(context.req);
    for (const [name, value] of constant) res.setHeader(name, value);
    res.setHeader('request-id', requestId);
    if (headers.traceparent !== undefined) res.setHeader('traceparent', String(headers.traceparent).slice(0, 64));
    try {
      assertHostHeader(context.req);
      await (context.path === mcp?.path ? serveMcp(context, mcp) : serve(context));
    } catch (error) {
      recordRefusal(context, error);
      const response = formatError(context, error);
      if (response.status >= 500)
        log.error({ request_id: requestId, method: context.method, path: context.path, err: error }, 'failed');
      await services.refusalDelay.wait(error, () => admission.tenantOf(context));
      sendError(context, response);
    } finally {
      const { name, effect } = operationOf(context) ?? OTHER;
      services.metrics.requests.record(name, effect, res.statusCode, Number(monotonic.now() - startedNs) / 1e9);
    }
  });

  async function serveMcp(context: Koa.Context, endpoint: RpcEndpoint): Promise<void> {
    endpoint.admit(context.req);
    if (context.method !== 'OPTIONS') await admission.admit(context);
    await serveRpc(context, endpoint, new RequestContext(context, services, admission.principalOf(context), forwarded));
  }

  async function serve(context: Koa.Context): Promise<void> {
    const { method } = context;
    if (method === 'OPTIONS') {
      respondToOptions(context, routes);
      return;
    }
    if ((method === 'GET' || method === 'HEAD') && portal?.serve(context)) return;
    // Before anything can fail: a page may read errors too.
    const match = routes.find(method, context.path);
    context.state.operation = match?.operation;
    if (isOpenToAnyOrigin(match?.operation)) context.res.setHeader('access-control-allow-origin', CORS_ANY);
    await admission.admit(context);
    if (match === undefined) respondUnmatched(context, routes, portal);
    else await handleOperation(handlerParts, context, match.operation, match.parameters);
  }

  /**
   * Logs refusals on routes that name a machine. The route is looked up again, because many requests are refused before
   * routing.
   */
  function recordRefusal(context: Koa.Context, error: unknown): void {
    if (!(error instanceof DomainError)) return;
    const match = routes.find(context.method, context.path);
    if (match) logRefusal(services, match.operation, match.parameters, error, admission.principalOf(context));
  }

  function formatError(context: Koa.Context, error: unknown) {
    return context.path === mcp?.path
      ? mcp.formatError(error, new RequestContext(context, services, undefined, forwarded))
      : httpErrorOf(error, context.state.requestId);
  }

  return app;
}
