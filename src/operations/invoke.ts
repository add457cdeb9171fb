// The one way to call an operation: tier, parse, handle, check; what is refused is noted.

import { DomainError } from '../core/errors.ts';
import { parseOrRefuse } from '../core/validation.ts';
import { noting } from './noting.ts';
import { type Context, isMedia, type Operation } from './operation.ts';

/** Outputs are checked against their schema in every test and in one of so many calls of a live service. */
export const CHECK_ONE_IN = 100;

export interface InvokeOptions {
  /** Checks the output of call number n. */
  readonly shouldCheck: (n: number) => boolean;
  readonly onDefect: (operation: Operation, error: unknown) => void;
}

let calls = 0;

/**
 * @param input  untrusted: path parameters, query and body merged
 * @throws DomainError  whatever the record's `errors` list, AUTH_REQUIRED, FORBIDDEN, VALIDATION_FAILED
 */
export function invoke(
  operation: Operation,
  input: unknown,
  context: Context,
  options: InvokeOptions,
): Promise<unknown> {
  return noting(operation, input, context, async () => {
    assertTier(operation, context);
    const parsed = parseOrRefuse(operation.input, input, Object.keys(operation.input.shape));
    const result = await operation.handle(parsed, context);
    if (!isMedia(operation.output) && options.shouldCheck(calls++)) {
      const checked = operation.output.safeParse(result);
      if (!checked.success) options.onDefect(operation, checked.error);
    }
    return result;
  });
}

/** 401 comes before everything: whoever may not call learns nothing about the input. */
export function assertTier(operation: Operation, context: Pick<Context, 'principal'>): void {
  const { principal } = context;
  if (principal?.readsMachine !== undefined && (operation.tier !== 'public' || operation.effect !== 'read')) {
    throw new DomainError('FORBIDDEN', 'A share token only reads what a machine shows to anyone who may see it.');
  }
  if (operation.tier === 'public') return;
  if (!principal)
    throw new DomainError('AUTH_REQUIRED', 'This route needs a key: send `Authorization: Bearer svc_ak_…`.');
  if (operation.tier === 'admin' && principal.scope !== 'admin') {
    throw new DomainError('ADMIN_REQUIRED', `This route needs a key of scope admin; this key has ${principal.scope}.`);
  }
  if (operation.effect !== 'read' && principal.scope === 'read') {
    throw new DomainError('FORBIDDEN', 'This route computes or writes; this key has scope read.');
  }
}
