// Operations that speak another protocol: text goes in, text comes out, and so do refusals.

import type Koa from 'koa';
import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import type { TextFace } from '../operations/operation.ts';
import { readTextBody } from './body.ts';

/** @throws what is no refusal of this operation: defects, and a service that is stopping */
export async function serveText(
  context: Koa.Context,
  face: TextFace,
  run: (input: Record<string, unknown>) => Promise<unknown>,
): Promise<void> {
  context.set('Cache-Control', 'no-store');
  try {
    const text = await readTextBody(context.req, face.bytes);
    const answer = String(await run({ [face.field]: text }));
    context.type = 'text/plain; charset=utf-8';
    context.body = answer;
  } catch (error) {
    if (!(error instanceof DomainError) || ERROR_FORMS[error.code].status >= 500) throw error;
    const { mediaType, text } = face.refusal(error);
    context.status = ERROR_FORMS[error.code].status;
    context.set('Content-Type', mediaType);
    context.body = text;
    if (!context.req.complete) context.set('Connection', 'close');
  }
}
