// Headers that are the same on every response, computed once at start.

import Koa from 'koa';
import helmet from 'koa-helmet';
import type { Operation } from '../operations/operation.ts';
import { createStubRequest } from './stub-request.ts';

/** Responses are data: scripts, framing and content sniffing are disabled. */
const POLICY = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
});

const EXPOSED_HEADERS =
  'RateLimit, RateLimit-Policy, Retry-After, Request-Id, ETag, Idempotency-Replayed, Accept-Query, Mcp-Session-Id, Mcp-Protocol-Version';

/** koa-helmet runs per request; its headers never change, so it runs once, on a stub request. */
export async function constantHeaders(): Promise<Readonly<Record<string, string>>> {
  const app = new Koa();
  const { req, res } = createStubRequest();
  const context = app.createContext(req, res);
  await POLICY(context, () => Promise.resolve());
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(res.getHeaders())) headers[name] = String(value);
  headers['access-control-expose-headers'] = EXPOSED_HEADERS;
  return headers;
}

/** Pages of any origin may read responses. Access-Control-Allow-Credentials is never sent, so none with cookies. */
export const CORS_ANY = '*';

/**
 * Keys travel in the Authorization header, so only the operations that set a cookie are closed to other origins. Unknown
 * routes are open: a page may read that they are unknown.
 */
export function isOpenToAnyOrigin(operation: Operation | undefined): boolean {
  return operation?.cookie === undefined;
}

/** RFC 10008, §3: every route of GET also answers QUERY with its parameters in a JSON body. */
export const ACCEPT_QUERY = ['accept-query', 'application/json'] as const;

export const PREFLIGHT: Readonly<Record<string, string>> = {
  'access-control-allow-origin': CORS_ANY,
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, QUERY',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, traceparent, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  'access-control-max-age': '86400',
};
