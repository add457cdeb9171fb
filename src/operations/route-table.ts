// Matches requests to operations, for HTTP, the tool svc_http and the refusal log. Paths without parameters are found in
// a map. @koa/router matches the others, one router per path prefix, because a router scans its routes one by one.

import Router from '@koa/router';
import type { Operation } from './operation.ts';
import { methodOf, pathOf } from './route.ts';

export interface RouteMatch {
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Number of path segments in a router's key; a parameter among them is `*`. */
const KEY_SEGMENTS = 3;

function keyOf(path: string): string {
  return path
    .split('/')
    .slice(1, 1 + KEY_SEGMENTS)
    .map((segment) => (segment.includes('{') ? '*' : segment))
    .join('/');
}

/** Routes of GET also answer HEAD, and QUERY with the parameters in the body. */
function methodsOf(operation: Operation): string[] {
  const method = methodOf(operation);
  return method === 'GET' ? ['GET', 'HEAD', 'QUERY'] : [method];
}

export class RouteTable {
  readonly #routers = new Map<string, Router>();
  readonly #operations: ReadonlyMap<string, Operation>;
  /** Matches of paths without parameters, by method and path. A literal path takes precedence over a parameter. */
  readonly #literal = new Map<string, RouteMatch>();

  constructor(operations: readonly Operation[]) {
    this.#operations = new Map(operations.map((operation) => [operation.name, operation]));
    for (const operation of operations) {
      const path = pathOf(operation);
      if (!path.includes('{')) this.#addLiteral(operation, path);
      const key = keyOf(path);
      const router = this.#routers.get(key) ?? new Router({ strict: true, sensitive: true });
      this.#routers.set(key, router);
      const options = { name: operation.name };
      router.register(path.replaceAll(/\{([^}]+)\}/g, ':$1'), methodsOf(operation), () => Promise.resolve(), options);
    }
  }

  /** Finds the operation of a request, and its path parameters, decoded. */
  find(method: string, path: string): RouteMatch | undefined {
    const literal = this.#literal.get(`${method} ${path}`);
    if (literal) return literal;
    for (const router of this.#routersOf(path)) {
      const [layer] = router.match(path, method).pathAndMethod;
      const operation = layer?.name === undefined ? undefined : this.#operations.get(layer.name);
      if (layer && operation) return { operation, parameters: layer.params(path, layer.captures(path)) };
    }
    return undefined;
  }

  #addLiteral(operation: Operation, path: string): void {
    for (const method of methodsOf(operation)) {
      const name = `${method} ${path}`;
      if (!this.#literal.has(name)) this.#literal.set(name, { operation, parameters: {} });
    }
  }

  /** Methods that the path supports, without OPTIONS; empty if the path is unknown. */
  methodsAt(path: string): string[] {
    const layers = this.#routersOf(path).flatMap((router) => router.match(path, '').path);
    return [...new Set(layers.flatMap(({ name = '' }) => methodsOfNamed(this.#operations.get(name))))];
  }

  /** A literal segment takes precedence over a parameter. */
  #routersOf(path: string): Router[] {
    const key = keyOf(path);
    const keys = [key, `${key.slice(0, key.lastIndexOf('/'))}/*`];
    return keys.flatMap((each) => this.#routers.get(each) ?? []);
  }
}

const methodsOfNamed = (operation: Operation | undefined) => (operation ? methodsOf(operation) : []);
