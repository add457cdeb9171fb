// Parses the route of an operation. Clients import this, so it must not import services.

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Routed {
  /** `METHOD /path/{parameter}`, as in the specification. */
  readonly route: `${Method} /${string}`;
}

/** Routes by operation name. */
export type RoutesByName = Readonly<Record<string, Routed['route']>>;

export function methodOf({ route }: Routed): Method {
  return route.slice(0, route.indexOf(' ')) as Method;
}

export function pathOf({ route }: Routed): string {
  return route.slice(route.indexOf(' ') + 1);
}

/** Names of the path parameters in order. */
export function pathParameters(operation: Routed): string[] {
  return [...pathOf(operation).matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
}
