// The JSON-RPC endpoint beside the routes. What speaks there is given as a mount; this room gives it a bounded body.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type Koa from 'koa';
import { DomainError } from '../core/errors.ts';
import type { Context } from '../operations/operation.ts';
import { readJsonBody } from './body.ts';
import type { ErrorAnswer } from './errors.ts';
import { PREFLIGHT } from './headers.ts';

type Caller = Pick<Context, 'services' | 'principal' | 'requestId' | 'caller' | 'baseUrl'>;

export interface RpcMount {
  readonly path: string;
  /** Before the key is looked at. @throws DomainError FORBIDDEN, BAD_REQUEST */
  admit(request: IncomingMessage): void;
  /** Writes the answer itself. Rejects with a DomainError before the first byte, or not at all. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    message: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<void>;
  refusal(
    error: unknown,
    caller: Caller,
  ): Omit<ErrorAnswer, 'body'> & { readonly body: Readonly<Record<string, unknown>> };
}

/** @param caller  after `admit` and the key */
export async function serveRpc(context: Koa.Context, mount: RpcMount, caller: Context): Promise<void> {
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
    throw new DomainError(
      'METHOD_NOT_ALLOWED',
      `${method} is not answered at ${mount.path}; allowed are POST, OPTIONS.`,
    );
  }
  const { services, principal, requestId, baseUrl } = caller;
  const body = await readJsonBody(req);
  await mount.handle(req, res, body.value, { services, principal, requestId, caller: caller.caller, baseUrl });
  // The mount has answered; Koa must not.
  context.respond = false;
}
