// The record of an API operation. REST route, OpenAPI entry, catalog row, CLI command and tests are all read from it.

import type { z } from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import type { Principal } from '../services/access.ts';
import type { Services } from './services.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** What the specification's catalog filter knows. `key` needs a bearer key. */
export type Tier = 'public' | 'user' | 'key' | 'admin';
/** `compute` is a write that is filed only when the caller asks for it. */
export type Effect = 'read' | 'compute' | 'write';

/** An answer that is not our JSON: bytes or text of one media type. */
export interface Media {
  readonly mediaType: string;
}

/** How long an answer may be kept: for ever under its hash, until its ETag changes, or not at all. */
export type Caching = 'immutable' | 'etag' | 'none';

/** Which of the lists of tools a tool stands in beside the whole one. Those of `core` come first and stand in every list. */
export const PROFILES = ['core', 'science', 'chain', 'agent'] as const;
export type Profile = (typeof PROFILES)[number];

/** How an operation appears as a tool of the Model Context Protocol. */
export interface McpFace {
  readonly tool: `svc_${string}`;
  readonly title: string;
  /** At most 200 characters; its first sentence says when to use the tool. */
  readonly description: string;
  readonly profile: Profile;
  /** What an agent may give, where it is less than the route takes: a context is smaller than a page. */
  readonly input?: z.ZodObject;
}

/** How an operation appears as a channel of streams: its handler answers an AsyncIterable of frames (channel.ts). */
export interface EventsFace {
  readonly channel: string;
}

export interface Context {
  readonly services: Services;
  readonly principal: Principal | undefined;
  readonly requestId: string;
  /** Who asks, for limits: the key's id, or the address when there is none. */
  readonly caller: string;
  readonly signal: AbortSignal;
  readonly idempotencyKey: string | undefined;
  readonly onProgress: ((fraction: number) => void) | undefined;
  /** The service's address as the caller sees it, without a trailing slash. */
  readonly baseUrl: string;
}

export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** `noun.verb`. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /** `METHOD /path/{parameter}`, as in the specification. */
  readonly route: `${Method} /${string}`;
  readonly tier: Tier;
  readonly effect: Effect;
  /** Path parameters, query and body in one object. Of a GET unknown query names are ignored, elsewhere refused. */
  readonly input: Input;
  readonly output: Output | Media;
  readonly status?: 200 | 201;
  readonly caching?: Caching;
  readonly errors: readonly ErrorCode[];
  readonly mcp?: McpFace;
  readonly events?: EventsFace;
  /** The handler calls `onProgress`, so that a caller may watch. */
  readonly hasProgress?: boolean;
  /** Inputs that the published examples and the fuzzer begin with. */
  readonly example?: z.input<Input>;
  handle(input: z.output<Input>, context: Context): Promise<unknown>;
}

export function isMedia(output: z.ZodType | Media): output is Media {
  return 'mediaType' in output;
}

export const media = (mediaType: string): Media => ({ mediaType });

/** Handlers may answer with data that they must not change themselves. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** Types the record; the identity at run time. */
export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Omit<Operation<Input, Output>, 'handle' | 'output'> &
    (
      | { readonly output: Output; handle(input: z.output<Input>, context: Context): Promise<Frozen<z.input<Output>>> }
      | { readonly output: Media; handle(input: z.output<Input>, context: Context): Promise<Uint8Array | string> }
    ),
): Operation {
  return operation as unknown as Operation;
}

export function methodOf(operation: Operation): Method {
  return operation.route.slice(0, operation.route.indexOf(' ')) as Method;
}

export function pathOf(operation: Operation): string {
  return operation.route.slice(operation.route.indexOf(' ') + 1);
}

/** Names of the path parameters in order. */
export function pathParameters(operation: Operation): string[] {
  return [...pathOf(operation).matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
}
