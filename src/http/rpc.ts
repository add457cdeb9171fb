// Serves the JSON-RPC endpoint beside the routes. The protocol is injected; this file handles CORS and bounds the body.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type Koa from 'koa';
import { DomainError } from '../core/errors.ts';
import type { Context } from '../operations/operation.ts';
import { readJsonBody } from './body.ts';
import type { HttpErrorResponse } from './errors.ts';
import { PREFLIGHT } from './headers.ts';

type Caller = Pick<Context, 'services' | 'principal' | 'requestId' | 'caller' | 'tenant' | 'baseUrl'>;

export interface RpcEndpoint {
  readonly path: string;
  /** Checks the request before authentication. @throws DomainError FORBIDDEN, BAD_REQUEST */
  admit(request: IncomingMessage): void;
  /** Writes the response. Rejects with a DomainError only before the first byte. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    message: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<void>;
  formatError(
    error: unknown,
    caller: Caller,
  ): Omit<HttpErrorResponse, 'body'> & { readonly body: Readonly<Record<string, unknown>> };
}

/** @param caller  the authenticated caller, after `admit` */
export async function serveRpc(context: Koa.Context, endpoint: RpcEndpoint, caller: Context): Promise<void> {
  const { method, req, res } = context;
  const { origin } = req.headers;
  if (origin !== undefined) {
    res.setHeader('access-control-allow-origin', origin);
    res.setHeader('vary', 'Origin');
  }
  if (method === 'OPTIONS') {
    context.status = 204;
    context.set({ ...PREFLIGHT, 'access-control-allow-origin': origin ?? 'null', allow: 'POST, OPTIONS' });
    return;
  }
  if (method !== 'POST') {
    context.set('Allow', 'POST, OPTIONS');
    throw new DomainError('METHOD_NOT_ALLOWED', `${method} is not allowed at ${endpoint.path}; use POST, OPTIONS.`);
  }
  const { services, principal, requestId, caller: callerId, tenant, baseUrl } = caller;
  const body = await readJsonBody(req);
  const parts = { services, principal, requestId, caller: callerId, tenant, baseUrl };
  await endpoint.handle(req, res, body.value, parts);
  // The endpoint has written the response; Koa must not.
  context.respond = false;
}
