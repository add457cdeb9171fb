// A tool, and how an operation becomes one.

import type { z } from 'zod';
import { parseOrRefuse } from '../core/validation.ts';
import { addressOf } from '../operations/address.ts';
import { assertTier, type InvokeOptions, invoke } from '../operations/invoke.ts';
import { noting } from '../operations/noting.ts';
import { type Context, methodOf, type Operation, type Profile } from '../operations/operation.ts';
import { argumentsSchema, type ObjectSchema } from './schema.ts';

/** Hints for a client that asks its user before it calls. They are honest: what may file or charge is not read-only. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly openWorldHint: boolean;
}

/** What `tools/list` shows. */
export interface ToolRow {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations: Annotations;
}

export interface ToolAnswer {
  readonly result: unknown;
  readonly whole: Whole;
}

/**
 * Where the whole of an answer is found that is too long for a context: kept under its hash, at an address by GET, at one
 * by sending the same body again, or only here.
 */
type Whole = 'kept' | 'here' | { readonly href: string; readonly again?: string };

const AGAIN = 'Nothing of it is kept. Ask for less with other fields, or POST the same body to href with your key.';

export interface Tool {
  readonly row: ToolRow;
  readonly profile: Profile;
  /** Rejects with the DomainError of whatever refuses. */
  call(input: unknown, context: Context, options: InvokeOptions): Promise<ToolAnswer>;
}

/** Undefined for an operation without a tool. */
export function toolOf(operation: Operation): Tool | undefined {
  const { mcp, input } = operation;
  if (mcp === undefined) return undefined;
  const { tool: name, title, description, profile } = mcp;
  // Nothing is ignored in arguments, also where a route ignores unknown query names.
  const accepted = (mcp.input ?? input).strict();
  const annotations = annotationsOf(operation);
  return {
    row: { name, title, description, inputSchema: argumentsSchema(accepted), annotations },
    profile,
    call: (given, context, options) =>
      noting(operation, given, context, async () => {
        // A key is asked for before the arguments are looked at, as everywhere.
        assertTier(operation, context);
        const input = parseArguments(accepted, given);
        const result = await invoke(operation, input, context, options);
        return { result, whole: wholeOf(operation, input, context) };
      }),
  };
}

/**
 * What is kept is there for whoever knows its hash, and stays when a membership ends or a payload is erased. So only
 * computations are kept: they are their caller's inputs and mathematics. What was read is read again where it stands, by
 * those who may. What a write answers may be told only this once: nothing of it is left out.
 */
export function wholeOf(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  { baseUrl }: Pick<Context, 'baseUrl'>,
): Whole {
  if (operation.effect === 'compute') return 'kept';
  if (operation.effect === 'write') return 'here';
  const { href } = addressOf(operation, input, baseUrl).url;
  return methodOf(operation) === 'GET' ? { href } : { href, again: AGAIN };
}

/** @throws DomainError VALIDATION_FAILED naming the field, what is allowed, and the nearest name of an unknown one */
export function parseArguments<Shape extends z.ZodObject>(accepted: Shape, given: unknown): z.output<Shape> {
  return parseOrRefuse(accepted, given ?? {}, Object.keys(accepted.shape));
}

function annotationsOf(operation: Operation): Annotations {
  if (operation.effect === 'read') return { readOnlyHint: true, openWorldHint: false };
  return { readOnlyHint: false, destructiveHint: methodOf(operation) === 'DELETE', openWorldHint: false };
}
