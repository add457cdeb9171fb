// Makes a call that another node has forwarded, with the same checks as a request of its caller.

import { DomainError } from '../core/errors.ts';
import type { ForwardedCall } from '../services/node/owners/call-router.ts';
import { type InvokeOptions, invoke, isOwnersWork } from './invoke.ts';
import type { Context, Operation } from './operation.ts';
import type { Services } from './services.ts';

/** @returns makes a call whose message was checked */
export function forwardedCalls(
  operations: readonly Operation[],
  services: Services,
  options: InvokeOptions,
): (call: unknown) => Promise<unknown> {
  const byName = new Map(operations.filter(isOwnersWork).map((operation) => [operation.name, operation]));
  return async (received) => {
    const { operation: name, input, context: carried, lease } = received as ForwardedCall;
    const operation = byName.get(name);
    if (operation === undefined) {
      throw new DomainError('CONFLICT', `The node of the machine has no operation ${name}: its version differs.`);
    }
    const context: Context = {
      ...carried,
      principal: carried.principal as Context['principal'],
      services,
      // Ends with the call: the caller may go away, the change is made.
      signal: new AbortController().signal,
      onProgress: undefined,
      isForwarded: true,
    };
    const run = () => invoke(operation, input, context, options);
    if (lease === undefined) return run();
    const outcomes = lease.outcomes.map((sealed) => Buffer.from(sealed, 'base64'));
    return services.idempotency.continueUnder({ ...lease, outcomes }, run);
  };
}
