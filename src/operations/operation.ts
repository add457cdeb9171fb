// The record of an API operation. REST route, OpenAPI entry, catalog row, CLI command and tests are all read from it.

import type { z } from 'zod';
import type { DomainError, ErrorCode } from '../core/errors.ts';
import type { Principal } from '../services/access/access.ts';
import type { Services } from './services.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** What the specification's catalog filter knows. `key` needs a bearer key. */
export type Tier = 'public' | 'user' | 'key' | 'admin';
/** `compute` is a write that is filed only when the caller asks for it. */
export type Effect = 'read' | 'compute' | 'write';

/** An answer that is not our JSON: bytes or text of one media type. */
export interface Media {
  readonly mediaType: string;
  /** What else it may be: then the handler says which, and the content comes from users. */
  readonly others?: readonly string[];
  /** A file to keep, under this name: opened from here it may do nothing. */
  readonly download?: string;
}

/** An answer of one of several media types. */
export interface Typed {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
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
  /** Refuses who may no longer follow; asked with the parsed input while the stream goes on. Without it a good key is enough. */
  readonly mayStay?: (input: never, context: Pick<Context, 'services' | 'principal'>) => Promise<unknown>;
}

/** How an operation speaks a protocol that is not ours: its body is text, and so are its refusals. */
export interface TextFace {
  /** Of the input, which the body fills. */
  readonly field: string;
  /** Of the body, at most. */
  readonly bytes: number;
  /** What is answered, beside the status of the code. */
  refusal(error: DomainError): { readonly mediaType: string; readonly text: string };
  /** Media types of refusals by status, for the document. */
  readonly refusals: Readonly<Record<number, string>>;
}

/** Kept by a browser for us alone: HttpOnly, sent back to this site only, and only to read machines. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
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
  /** The answer is for this caller and this moment: it is stored nowhere, not even for repeats of an Idempotency-Key. */
  readonly isSecret?: boolean;
  /** What a browser keeps of the answer. */
  readonly cookie?: (answer: never) => Cookie;
  /** The field of the input that an If-Match header fills: the version that the caller has seen. */
  readonly ifMatch?: string;
  /** The version that the answer shows, which is its ETag and comes back as If-Match. */
  readonly versionOf?: (answer: never) => number;
  readonly text?: TextFace;
  /** The handler calls `onProgress`, so that a caller may watch. */
  readonly hasProgress?: boolean;
  /** Inputs that the published examples and the fuzzer begin with. */
  readonly example?: z.input<Input>;
  handle(input: z.output<Input>, context: Context): Promise<unknown>;
}

export function isMedia(output: z.ZodType | Media): output is Media {
  return 'mediaType' in output;
}

export function isTyped(result: unknown): result is Typed {
  return typeof result === 'object' && result !== null && 'mediaType' in result && 'bytes' in result;
}

export const media = (mediaType: string, download?: string): Media => ({
  mediaType,
  ...(download === undefined ? {} : { download }),
});

/** Handlers may answer with data that they must not change themselves. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** Types the record; the identity at run time. */
export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Omit<Operation<Input, Output>, 'handle' | 'output' | 'cookie' | 'versionOf'> &
    (
      | {
          readonly output: Output;
          readonly cookie?: (answer: z.output<Output>) => Cookie;
          readonly versionOf?: (answer: z.output<Output>) => number;
          handle(input: z.output<Input>, context: Context): Promise<Frozen<z.input<Output>>>;
        }
      | {
          readonly output: Media;
          handle(input: z.output<Input>, context: Context): Promise<Uint8Array | string | Typed>;
        }
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
