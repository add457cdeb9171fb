// What is refused to a call that names a machine goes into the chain of that machine, whichever face the call came through.

import { DomainError } from '../core/errors.ts';
import type { Principal } from '../services/access/access.ts';
import type { Context, Operation } from './operation.ts';
import type { Services } from './services.ts';

/** Where routes that name machines begin. */
const CHAIN = / \/api\/chain\//;
const SLUG_CHARACTERS = 63;

/** The slug of the machine that a route names, whatever it calls it. */
export function machineIn({ slug, motherSlug }: Readonly<Record<string, unknown>>): string | undefined {
  const named = slug ?? motherSlug;
  return typeof named === 'string' ? named : undefined;
}

/** @param parameters  untrusted: what the call was made with, or the part of it that stands in its path */
export function noteRefusal(
  { refusals }: Pick<Services, 'refusals'>,
  { route }: Pick<Operation, 'route'>,
  parameters: unknown,
  error: unknown,
  by: Principal | undefined,
): void {
  if (!(error instanceof DomainError) || !CHAIN.test(route)) return;
  const slug = machineIn((parameters ?? {}) as Readonly<Record<string, unknown>>);
  if (slug !== undefined && slug.length <= SLUG_CHARACTERS) refusals.note({ slug, route, error, by });
}

/** The work of a call, and its refusal noted. */
export async function noting<Answer>(
  operation: Operation,
  input: unknown,
  { services, principal }: Pick<Context, 'services' | 'principal'>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    noteRefusal(services, operation, input, error, principal);
    throw error;
  }
}
