// Routes by operation name, on Node: from the operations list, loaded on the first call.

import type { RoutesByName } from '../operations/route.ts';

export async function loadRoutes(): Promise<RoutesByName> {
  const { OPERATIONS } = await import('../operations/index.ts');
  return Object.fromEntries(OPERATIONS.map(({ name, route }) => [name, route]));
}
