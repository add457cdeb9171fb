// Routes by operation name, in browsers: inlined by the build of the portal, else from the catalog of the service.

import type { ApiOutput } from '#api';
import type { RoutesByName } from '../operations/route.ts';
import { request } from './request.ts';

/** Inlined by scripts/build-portal.ts. */
declare const __ROUTES__: RoutesByName;

export async function loadRoutes(base: string): Promise<RoutesByName> {
  if (typeof __ROUTES__ !== 'undefined') return __ROUTES__;
  const { body } = await request(new URL('/api/endpoints', base), { method: 'GET' });
  const { rows } = body as unknown as ApiOutput<'endpoint.list'>;
  return Object.fromEntries(
    rows.map(({ operation, method, path }) => [operation, `${method} ${path}`]),
  ) as RoutesByName;
}
