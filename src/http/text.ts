// Serves operations of text protocols: request, response and errors are text.

import type Koa from 'koa';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import type { TextProtocol } from '../operations/operation.ts';
import { readTextBody } from './body.ts';

/** @throws errors with a 5xx status: defects, and a service that is stopping */
export async function serveText(
  context: Koa.Context,
  protocol: TextProtocol,
  run: (input: Record<string, unknown>) => Promise<unknown>,
): Promise<void> {
  context.set('Cache-Control', 'no-store');
  try {
    const text = await readTextBody(context.req, protocol.maxBytes);
    const result = String(await run({ [protocol.field]: text }));
    context.type = 'text/plain; charset=utf-8';
    context.body = result;
  } catch (error) {
    if (!(error instanceof DomainError) || ERROR_FORMS[error.code].status >= 500) throw error;
    const { mediaType, text } = protocol.formatError(error);
    context.status = ERROR_FORMS[error.code].status;
    context.set('Content-Type', mediaType);
    context.body = text;
    if (!context.req.complete) context.set('Connection', 'close');
  }
}
