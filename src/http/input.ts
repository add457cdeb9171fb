// Builds the input of an operation from path parameters, query, body and If-Match.

import type Koa from 'koa';
import { DomainError } from '../core/errors.ts';
import type { Operation } from '../operations/operation.ts';
import { mergeQuery } from '../operations/query-method.ts';
import { methodOf } from '../operations/route.ts';
import { type JsonBody, readJsonBody } from './body.ts';
import { ACCEPT_QUERY } from './headers.ts';
import { applyIfMatch } from './if-match.ts';

/** @returns undefined for GET and HEAD. @throws DomainError  as `readJsonBody` does */
export async function readBody(context: Koa.Context, operation: Operation): Promise<JsonBody | undefined> {
  if (methodOf(operation) !== 'GET') return readJsonBody(context.req);
  context.res.setHeader(...ACCEPT_QUERY);
  if (context.method !== 'QUERY') return undefined;
  // RFC 10008, §2: QUERY requires a Content-Type.
  if (context.headers['content-type'] === undefined) {
    throw new DomainError('BAD_REQUEST', 'Content-Type is missing; QUERY requires application/json.');
  }
  return readJsonBody(context.req);
}

/**
 * @throws DomainError VALIDATION_FAILED  for an If-Match without a version, or a version that differs from the body's
 */
export function mergeInput(
  context: Koa.Context,
  operation: Operation,
  parameters: Readonly<Record<string, string>>,
  body: JsonBody | undefined,
): Record<string, unknown> {
  const isGet = methodOf(operation) === 'GET';
  const input = isGet ? mergeQuery(context.query, body?.value ?? {}) : { ...body?.value };
  for (const [name, value] of Object.entries(parameters)) input[name] = value;
  if (operation.ifMatch !== undefined) applyIfMatch(input, operation.ifMatch, context.headers['if-match']);
  return input;
}
