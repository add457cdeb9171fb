// Invokes an operation: checks the tier, parses the input, calls the handler, checks the output, logs refusals.

import { DomainError } from '../core/errors.ts';
import { parseOrThrow } from '../core/validation.ts';
import { type Context, isMedia, type Operation } from './operation.ts';
import { withRefusalLog } from './refusal-log.ts';

/** Tests check every output against its schema; a live service checks one call in this many. */
export const OUTPUT_CHECK_INTERVAL = 100;

export interface InvokeOptions {
  /** Whether to check the output of call number n. */
  readonly shouldCheck: (n: number) => boolean;
  readonly onDefect: (operation: Operation, error: unknown) => void;
}

let calls = 0;

/**
 * @param input  untrusted: path parameters, query and body merged
 * @throws DomainError  the operation's `errors`, AUTH_REQUIRED, FORBIDDEN, VALIDATION_FAILED
 */
export function invoke(
  operation: Operation,
  input: unknown,
  context: Context,
  options: InvokeOptions,
): Promise<unknown> {
  return withRefusalLog(operation, input, context, async () => {
    assertTier(operation, context);
    const parsed = parseOrThrow(operation.input, input, Object.keys(operation.input.shape));
    const result = await operation.handle(parsed, context);
    if (!isMedia(operation.output) && options.shouldCheck(calls++)) {
      const checked = operation.output.safeParse(result);
      if (!checked.success) options.onDefect(operation, checked.error);
    }
    return result;
  });
}

/** Runs before parsing, so that an unauthorized caller learns nothing about the input. */
export function assertTier(operation: Operation, context: Pick<Context, 'principal'>): void {
  const { principal } = context;
  if (principal?.readableMachineId !== undefined && (operation.tier !== 'public' || operation.effect !== 'read')) {
    throw new DomainError('FORBIDDEN', 'A share token can only read what every reader of its machine may see.');
  }
  if (operation.tier === 'public') return;
  if (!principal) throw new DomainError('AUTH_REQUIRED', 'API key required; send `Authorization: Bearer svc_ak_…`.');
  if (operation.tier === 'admin' && principal.scope !== 'admin') {
    throw new DomainError('ADMIN_REQUIRED', `Key of scope admin required; this key has scope ${principal.scope}.`);
  }
  if (operation.effect !== 'read' && principal.scope === 'read') {
    throw new DomainError('FORBIDDEN', 'Key of scope write required; this key has scope read.');
  }
}
