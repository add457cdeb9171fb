// Logs refusals of calls to a machine in its chain, for REST, MCP and WebSocket.

import { DomainError } from '../core/errors.ts';
import type { Principal } from '../services/access/access.ts';
import type { Context, Operation } from './operation.ts';
import type { Services } from './services.ts';

/** Routes of machines. */
const CHAIN_ROUTE = / \/api\/chain\//;
const MAX_SLUG_CHARACTERS = 63;

/** Slug of the machine in the path parameters, under either parameter name. */
export function machineSlugIn({ slug, motherSlug }: Readonly<Record<string, unknown>>): string | undefined {
  const named = slug ?? motherSlug;
  return typeof named === 'string' ? named : undefined;
}

/** @param parameters  untrusted: the input of the call, or its path parameters alone */
export function logRefusal(
  { refusals }: Pick<Services, 'refusals'>,
  { route }: Pick<Operation, 'route'>,
  parameters: unknown,
  error: unknown,
  by: Principal | undefined,
): void {
  if (!(error instanceof DomainError) || !CHAIN_ROUTE.test(route)) return;
  const slug = machineSlugIn((parameters ?? {}) as Readonly<Record<string, unknown>>);
  if (slug !== undefined && slug.length <= MAX_SLUG_CHARACTERS) refusals.record({ slug, route, error, by });
}

/** Runs a call and logs its refusal. */
export async function withRefusalLog<Answer>(
  operation: Operation,
  input: unknown,
  { services, principal }: Pick<Context, 'services' | 'principal'>,
  run: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    logRefusal(services, operation, input, error, principal);
    throw error;
  }
}
