// Responses without an operation: OPTIONS, 404 and 405.

import type Koa from 'koa';
import { DomainError } from '../core/errors.ts';
import type { RouteTable } from '../operations/route-table.ts';
import { ACCEPT_QUERY, isOpenToAnyOrigin, PREFLIGHT } from './headers.ts';
import type { Portal } from './portal.ts';

/** @throws DomainError NOT_FOUND */
export function respondToOptions(context: Koa.Context, routes: RouteTable): void {
  const allowed = allowedMethods(routes, context.path);
  if (allowed.length === 0) throw new DomainError('NOT_FOUND', `No route at ${context.path}.`);
  context.status = 204;
  const requested = context.get('access-control-request-method');
  const methods = requested === '' ? allowed : [requested];
  if (methods.every((method) => isOpenToAnyOrigin(routes.find(method, context.path)?.operation)))
    context.set(PREFLIGHT);
  context.set('Allow', allowed.join(', '));
  if (allowed.includes('QUERY')) context.set(...ACCEPT_QUERY);
}

/** Serves the 404 page to browsers. @throws DomainError NOT_FOUND, METHOD_NOT_ALLOWED  for all others */
export function respondUnmatched(context: Koa.Context, routes: RouteTable, portal: Portal | undefined): void {
  const { method, path } = context;
  const allowed = allowedMethods(routes, path);
  if (allowed.length === 0 && (method === 'GET' || method === 'HEAD') && portal?.serveNotFound(context)) return;
  if (allowed.length === 0)
    throw new DomainError('NOT_FOUND', `No route at ${path}; GET /api/endpoints lists all routes.`);
  context.set('Allow', allowed.join(', '));
  throw new DomainError('METHOD_NOT_ALLOWED', `${method} is not allowed at ${path}; use ${allowed.join(', ')}.`);
}

/** Methods for the Allow header; empty if the path is unknown. */
function allowedMethods(routes: RouteTable, path: string): string[] {
  const methods = routes.methodsAt(path);
  return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
}
