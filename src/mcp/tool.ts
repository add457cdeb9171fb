// MCP tools, and their derivation from operations.

import { z } from 'zod';
import { isRecord } from '../core/record.ts';
import { parseOrThrow } from '../core/validation.ts';
import { assertTier, type InvokeOptions, invoke } from '../operations/invoke.ts';
import type { Context, Operation, Profile } from '../operations/operation.ts';
import { withRefusalLog } from '../operations/refusal-log.ts';
import { requestUrl } from '../operations/request-url.ts';
import { methodOf } from '../operations/route.ts';
import { argumentsSchema, type ObjectSchema, solverArgumentsSchema } from './schema.ts';

/** Hints for clients that ask their user before a call. A tool that may store or charge is not read-only, the default. */
export interface Annotations {
  readonly readOnlyHint?: true;
  readonly destructiveHint?: boolean;
  readonly openWorldHint: boolean;
}

/** Entry of `tools/list`. */
export interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations: Annotations;
}

/**
 * Argument of every tool: sentences and links (the default), or everything as text and structure. The list does not
 * repeat its two values for every tool, since the instructions of the server name them.
 */
export const Detail = z.enum(['summary', 'full']).optional();
const LISTED_DETAIL = z.string().optional();

export interface ToolResult {
  /** Answer of the operation. */
  readonly answer: unknown;
  readonly operation: Operation;
  /** The structured content with this answer. */
  readonly wrap: (answer: unknown) => Record<string, unknown>;
  readonly overflow: Overflow;
  readonly detail: z.output<typeof Detail>;
}

/**
 * Handling of a result that is too long for a tool answer: store it under its hash, keep it inline, or link to a URL that
 * returns it (by GET, or by POST of the same body).
 */
type Overflow = 'store' | 'inline' | { readonly href: string; readonly again?: string };

const AGAIN = 'Not stored. Narrow the request with other fields, or POST the same body to href with your key.';

export interface Tool {
  readonly listing: ToolListing;
  readonly profile: Profile;
  /** @throws DomainError  as the operation does, or for invalid arguments */
  call(input: unknown, context: Context, options: InvokeOptions): Promise<ToolResult>;
}

type WithDetail = Record<string, unknown> & Pick<ToolResult, 'detail'>;

/** Undefined for an operation without a tool. */
export function toolOf(operation: Operation): Tool | undefined {
  const { mcp, input, once } = operation;
  if (once !== undefined) return toolOf(once);
  if (mcp === undefined) return undefined;
  const { tool: name, title, description, profile } = mcp;
  // Unknown arguments are rejected, even where the route ignores unknown query parameters.
  const accepted = (mcp.input ?? input).strict();
  if (Object.hasOwn(accepted.shape, 'detail')) throw new Error(`${name} has an input named detail, as every tool has.`);
  const withDetail = accepted.extend({ detail: Detail });
  const listed = accepted.extend({ detail: LISTED_DETAIL });
  const inputSchema = operation.solver === undefined ? argumentsSchema(listed) : solverArgumentsSchema(listed);
  const annotations = annotationsOf(operation);
  return {
    listing: { name, title, description, inputSchema, annotations },
    profile,
    call: (given, context, options) =>
      withRefusalLog(operation, given, context, async () => {
        // The key is checked before the arguments, as everywhere.
        assertTier(operation, context);
        const { detail, ...parsed } = parseArguments(withDetail, given) as WithDetail;
        const input = operation.solver === undefined ? parsed : withoutDefaults(parsed, given);
        const answer = await invoke(operation, input, context, options);
        const wrap = (one: unknown) => one as Record<string, unknown>;
        return { answer, operation, wrap, overflow: overflowOf(operation, input, context), detail };
      }),
  };
}

/** A solver tells what is given from what it assumes: a swept field is not given. Its defaults are applied later. */
function withoutDefaults(parsed: Readonly<Record<string, unknown>>, given: unknown): Record<string, unknown> {
  const names = isRecord(given) ? Object.keys(given) : [];
  return Object.fromEntries(Object.entries(parsed).filter(([name]) => names.includes(name)));
}

/**
 * A stored result can be read by anyone who knows its hash, and remains when a membership ends or a payload is erased. So
 * only computations are stored: they contain nothing but their caller's inputs and mathematics. Reads are linked to their
 * own URL, with its access control. The answer of a write may be available only once, so it is never truncated.
 */
export function overflowOf(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  { baseUrl }: Pick<Context, 'baseUrl'>,
): Overflow {
  if (operation.effect === 'compute') return 'store';
  if (operation.effect === 'write') return 'inline';
  const { href } = requestUrl(operation, input, baseUrl).url;
  return methodOf(operation) === 'GET' ? { href } : { href, again: AGAIN };
}

/**
 * @throws DomainError VALIDATION_FAILED naming the field, the allowed values, and the nearest name of an unknown field
 */
export function parseArguments<Shape extends z.ZodObject>(accepted: Shape, given: unknown): z.output<Shape> {
  return parseOrThrow(accepted, given ?? {}, Object.keys(accepted.shape));
}

function annotationsOf(operation: Operation): Annotations {
  if (operation.effect === 'read') return { readOnlyHint: true, openWorldHint: false };
  return { destructiveHint: methodOf(operation) === 'DELETE', openWorldHint: false };
}
