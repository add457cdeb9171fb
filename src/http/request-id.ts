// Request id for responses and logs: the client's `request-id` header if it is well-formed, otherwise a new UUID.

import { randomUUID } from 'node:crypto';
import type Koa from 'koa';

const REQUEST_ID = /^[\w.-]{8,64}$/;

export function requestIdOf(context: Koa.Context): string {
  const given = context.get('request-id');
  return REQUEST_ID.test(given) ? given : randomUUID();
}
