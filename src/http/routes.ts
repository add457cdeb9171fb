// Dispatches requests to operations. Uses one small router per path prefix, because routers scan routes one by one.

import Router from '@koa/router';
import type Koa from 'koa';
import type { Operation } from '../operations/operation.ts';
import { methodOf, pathOf } from '../operations/route.ts';

export type Handler = (
  context: Koa.Context,
  operation: Operation,
  parameters: Readonly<Record<string, string>>,
) => Promise<void>;

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

function parametersOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, segment] of pattern.entries()) {
    const value = segments[i] ?? '';
    if (segment.startsWith('{') && value !== '') parameters[segment.slice(1, -1)] = value;
    else if (segment !== value) return undefined;
  }
  return parameters;
}

interface Pattern {
  readonly operation: Operation;
  readonly methods: readonly string[];
  readonly segments: readonly string[];
}

export class Routes {
  readonly #routers = new Map<string, ReturnType<Router['routes']>>();
  readonly #operations: readonly Operation[];
  readonly #patterns: readonly Pattern[];
  readonly #cookiePatterns: readonly Pattern[];

  constructor(operations: readonly Operation[], handle: Handler) {
    this.#operations = operations;
    this.#patterns = operations.map((operation) => ({
      operation,
      methods: methodsOf(operation),
      segments: pathOf(operation).split('/'),
    }));
    this.#cookiePatterns = this.#patterns.filter(({ operation }) => operation.cookie !== undefined);
    const routers = new Map<string, Router>();
    for (const operation of operations) {
      const path = pathOf(operation);
      const key = keyOf(path);
      let router = routers.get(key);
      if (!router) {
        router = new Router({ strict: true, sensitive: true });
        routers.set(key, router);
      }
      const methods = methodsOf(operation);
      router.register(path.replaceAll(/\{([^}]+)\}/g, ':$1'), methods, (context) =>
        handle(context, operation, context.params),
      );
    }
    for (const [key, router] of routers) this.#routers.set(key, router.routes());
  }

  /** Runs the matching operation. @returns false if no operation matches */
  async dispatch(context: Koa.Context): Promise<boolean> {
    const key = keyOf(context.path);
    const last = key.lastIndexOf('/');
    // A literal segment takes precedence over a parameter.
    for (const routes of [this.#routers.get(key), this.#routers.get(`${key.slice(0, last)}/*`)]) {
      let isUnmatched = routes === undefined;
      // A router's middleware is typed for its own context; ours is the same object.
      await routes?.(context as never, () => {
        isUnmatched = true;
        return Promise.resolve();
      });
      if (!isUnmatched) return true;
    }
    return false;
  }

  /**
   * Whether pages of any origin may call the route and read its response. Keys travel in the Authorization header, so
   * only the routes that set a cookie are closed. Unknown routes are open: a page may read that they are unknown.
   */
  isOpenToAnyOrigin(method: string, path: string): boolean {
    const requested = path.split('/');
    return !this.#cookiePatterns.some(
      ({ methods, segments }) => methods.includes(method) && parametersOf(segments, requested) !== undefined,
    );
  }

  /** Finds the matching operation and its parameters without running it, for the refusal log. */
  find(method: string, path: string): { operation: Operation; parameters: Record<string, string> } | undefined {
    const requested = path.split('/');
    for (const { operation, methods, segments } of this.#patterns) {
      const parameters = methods.includes(method) ? parametersOf(segments, requested) : undefined;
      if (parameters !== undefined) return { operation, parameters };
    }
    return undefined;
  }

  /** Methods that the path supports, for 405 and OPTIONS; empty if the path is unknown. */
  allowedMethods(path: string): string[] {
    const methods = new Set<string>();
    for (const operation of this.#operations) {
      const pattern = new RegExp(
        `^${pathOf(operation)
          .replaceAll('.', '\\.')
          .replaceAll(/\{[^}]+\}/g, '[^/]+')}$`,
      );
      if (!pattern.test(path)) continue;
      for (const method of methodsOf(operation)) methods.add(method);
    }
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods];
  }
}
