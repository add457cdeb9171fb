// A promise with the functions that settle it. ECMAScript's Promise.withResolvers, which Node 20 lacks.

export interface WithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
  readonly reject: (reason: unknown) => void;
}

export function withResolvers<T>(): WithResolvers<T> {
  let resolve!: WithResolvers<T>['resolve'];
  let reject!: WithResolvers<T>['reject'];
  const promise = new Promise<T>((onResolve, onReject) => {
    [resolve, reject] = [onResolve, onReject];
  });
  return { promise, resolve, reject };
}
