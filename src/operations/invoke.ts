// Invokes an operation: checks the tier, parses the input, finds the machine, calls the handler, checks the output,
// logs refusals. What may change a machine is done by the node that owns it.

import type { z } from 'zod';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { parseOrThrow } from '../core/validation.ts';
import { findMachine, slugFieldOf } from './machine-role.ts';
import { type Context, isMedia, type Operation } from './operation.ts';
import { machineSlugIn, withRefusalLog } from './refusal-log.ts';

/** Tests check every output against its schema; a live service checks one call in this many. */
export const OUTPUT_CHECK_INTERVAL = 100;

/** Writes that a full database still takes: they free space, stop what fills it, or take rights away. */
export const SPARING: ReadonlySet<string> = new Set([
  'anchor-key.rotate',
  'contract.freeze',
  'contract.pause',
  'contract.withdraw',
  'developer-key.revoke',
  'key.revoke',
  'machine.erase',
  'machine.settings',
  'machine.status',
  'member.change',
  'member.remove',
  'share.disable',
  'share.set',
  'webhook.rotate',
]);

export interface InvokeOptions {
  /** Whether to check the output of call number n. */
  readonly shouldCheck: (n: number) => boolean;
  readonly onDefect: (operation: Operation, error: unknown) => void;
}

let calls = 0;

/**
 * @param input  untrusted: path parameters, query and body merged
 * @throws DomainError  the operation's `errors`, AUTH_REQUIRED, FORBIDDEN, VALIDATION_FAILED, OWNER_UNREACHABLE,
 *   RATE_LIMITED, STORAGE_FULL
 */
export async function invoke(
  operation: Operation,
  input: unknown,
  context: Context,
  options: InvokeOptions,
): Promise<unknown> {
  const here = () => invokeHere(operation, input, context, options);
  // The node of the caller counts what a forwarded call leaves.
  if (operation.effect !== 'write' || isMedia(operation.output) || context.isForwarded)
    return route(operation, input, context, here);
  const { principal, tenant, services } = context;
  const { rateLimit, freeSpace } = services;
  const bytes = JSON.stringify(input ?? null).length;
  if (!SPARING.has(operation.name)) freeSpace.assertNotFull();
  // Short writes pass: a caller can still revoke a key.
  if (bytes > LIMITS.uncountedBytes) {
    freeSpace.assertNotLow();
    rateLimit.assertMayStore(principal, tenant);
  }
  const result = await route(operation, input, context, here);
  rateLimit.countStored(principal, tenant, bytes);
  return result;
}

/** Calls the operation here, or on the node that owns the machine. */
function route(operation: Operation, input: unknown, context: Context, here: () => Promise<unknown>): Promise<unknown> {
  const slug = isOwnersWork(operation) ? machineSlugIn((input ?? {}) as Readonly<Record<string, unknown>>) : undefined;
  if (slug === undefined) return here();
  return context.services.owners.router.run({ operation: operation.name, slug, input, context }, here);
}

/** Whether an operation may change the machine that its input names. */
export const isOwnersWork = ({ effect, output }: Pick<Operation, 'effect' | 'output'>): boolean =>
  effect === 'write' && !isMedia(output);

function invokeHere(operation: Operation, input: unknown, context: Context, options: InvokeOptions): Promise<unknown> {
  return withRefusalLog(operation, input, context, async () => {
    assertTier(operation, context);
    const parsed = parseOrThrow(operation.input, input, Object.keys(operation.input.shape));
    const result = withOk(operation, await handle(operation, parsed, context));
    if (!isMedia(operation.output) && options.shouldCheck(calls++)) {
      const checked = operation.output.safeParse(result);
      if (!checked.success) options.onDefect(operation, checked.error);
    }
    return result;
  });
}

/** Calls the handler, with the machine in place of its slug if the operation needs a role on it. */
async function handle(operation: Operation, input: Record<string, unknown>, context: Context): Promise<unknown> {
  const { machine: needed } = operation;
  // Handlers are typed by their definition; here any operation is called.
  const call = (given: unknown, access: unknown) => operation.handle(given as never, context, access as never);
  if (needed === undefined) return call(input, undefined);
  const access = await findMachine(needed, input, context, operation.party);
  const { [slugFieldOf(input) ?? '']: _, ...rest } = input;
  return call(rest, access);
}

/** Adds `ok: true` to a response whose schema has it. */
function withOk({ output }: Operation, result: unknown): unknown {
  if (isMedia(output) || !hasOk(output) || (result as { ok?: unknown }).ok === true) return result;
  return { ok: true, ...(result as object) };
}

const okSchemas = new WeakMap<z.core.$ZodType, boolean>();

/** Whether every form of a response has `ok`; looked up once per schema. */
function hasOk(schema: z.core.$ZodType): boolean {
  const known = okSchemas.get(schema);
  if (known !== undefined) return known;
  const found = findOk(schema);
  okSchemas.set(schema, found);
  return found;
}

function findOk(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'union') return def.options.every(hasOk);
  return def.type === 'object' && def.shape.ok !== undefined;
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
