// Definition of an API operation. REST route, OpenAPI entry, catalog row, CLI command and tests are derived from it.

import type { z } from 'zod';
import type { DomainError, ErrorCode } from '../core/errors.ts';
import type { Principal } from '../services/access/access.ts';
import { type MachineAccess, type MachineRole, type SlugField, slugFieldOf, withRoleErrors } from './machine-role.ts';
import type { Routed } from './route.ts';
import type { Services } from './services.ts';

/** Tiers of the specification's catalog filter. `key` needs a bearer key. */
export type Tier = 'public' | 'user' | 'key' | 'admin';
/** `compute` files its result only on request. */
export type Effect = 'read' | 'compute' | 'write';

/** A response other than JSON: bytes or text of one media type. */
export interface Media {
  readonly mediaType: string;
  /** Alternative media types of user content; the handler selects one. */
  readonly others?: readonly string[];
  /** File name of an attachment. A browser must not run it on our origin. */
  readonly download?: string;
}

/** Response body of one of several media types. */
export interface TypedContent {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Response body in chunks, which are made while they are sent. */
export interface StreamedContent {
  /** Changes with the content. */
  readonly etag: string;
  readonly chunks: AsyncIterable<string>;
}

/** Response caching: immutable under its hash, revalidated by ETag, or none. */
export type Caching = 'immutable' | 'etag' | 'none';

/** Tool lists besides the full one. Tools of `core` come first in every list. */
export const PROFILES = ['core', 'science', 'chain', 'agent'] as const;
export type Profile = (typeof PROFILES)[number];

/** The operation as a tool of the Model Context Protocol. */
export interface McpTool {
  readonly tool: `svc_${string}`;
  readonly title: string;
  /** At most 200 characters; its first sentence says when to use the tool. */
  readonly description: string;
  readonly profile: Profile;
  /** Input of the tool, if it is smaller than that of the route. */
  readonly input?: z.ZodObject;
}

/** The answer of an operation for a model, which pays for every character. */
export interface Brief<Answer = never> {
  /** Sentences to quote, the most important first: as many are shown as fit. */
  sentences(answer: Answer): readonly string[];
  /** Fields that only the full answer has. */
  readonly omitted?: readonly string[];
  /** The answer with shorter fields. */
  shorten?(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** The operation as a stream channel: its handler returns an AsyncIterable of frames (channel.ts). */
export interface EventStreamBinding {
  readonly channel: string;
}

/** A third-party text protocol: request body and error responses are text. */
export interface TextProtocol {
  /** Input field that receives the body. */
  readonly field: string;
  /** Maximum body size. */
  readonly maxBytes: number;
  /** Body of an error response. */
  formatError(error: DomainError): { readonly mediaType: string; readonly text: string };
  /** Media types of error responses by status, for the OpenAPI document. */
  readonly errorMediaTypes: Readonly<Record<number, string>>;
}

/** HttpOnly, same-site cookie, accepted only for reading machines. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
}

export interface Context {
  readonly services: Services;
  readonly principal: Principal | undefined;
  readonly requestId: string;
  /** Who may repeat a call with its Idempotency-Key: the API key, or the client address without one. */
  readonly caller: string;
  /** Whose share of rates and queues the call uses: the account, or the address without a key or with a demo key. */
  readonly tenant: string;
  /** Whether the caller is a process of this computer, without a proxy between. */
  readonly isLocal: boolean;
  readonly signal: AbortSignal;
  readonly idempotencyKey: string | undefined;
  /** @param message  what is to be seen, for a model */
  readonly onProgress: ((fraction: number, message?: string) => void) | undefined;
  /** Whether another node has forwarded the call; then it is not forwarded again. */
  readonly isForwarded?: true | undefined;
  /** The service's address as the caller sees it, without a trailing slash. */
  readonly baseUrl: string;
}

export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType | Media = z.ZodType | Media,
> extends Routed {
  /** `noun.verb`. */
  readonly name: Name;
  readonly summary: string;
  readonly description?: string;
  readonly tier: Tier;
  readonly effect: Effect;
  /** Role that the caller needs on the machine of the path; `invoke` finds the machine and checks the role. */
  readonly machine?: MachineRole | undefined;
  /** Whoever acts for a party of the contract of the path may call it too, without that role. */
  readonly party?: true;
  /** Id of the solver that this operation runs. */
  readonly solver?: string;
  /** Path parameters, query and body in one object. GET ignores unknown names; other methods reject them. */
  readonly input: Input;
  readonly output: Output;
  readonly status?: 200 | 201;
  readonly caching?: Caching;
  /** Includes those of `machine`. */
  readonly errors: readonly ErrorCode[];
  readonly mcp?: McpTool;
  readonly brief?: Brief;
  readonly events?: EventStreamBinding;
  /** Of a channel: the same call with one JSON answer, for tools and for clients that ask for JSON. */
  readonly once?: Operation;
  /** Never store the response, not even for retries with an Idempotency-Key. */
  readonly isSecret?: boolean;
  /** Cookie to set with the response. */
  readonly cookie?: (answer: never) => Cookie;
  /** Input field that receives the If-Match header: the expected version. */
  readonly ifMatch?: string;
  /** Version in the response, sent as its ETag. */
  readonly versionOf?: (answer: never) => number;
  readonly text?: TextProtocol;
  /** The handler calls `onProgress`, so the route offers progress events. */
  readonly hasProgress?: boolean;
  /** Example input in the documentation; also the seed of the fuzzer. */
  readonly example?: z.input<Input>;
  /** Called by `invoke`, which adds `ok: true` if the output has it. */
  handle(input: never, context: Context, access: MachineAccess): Promise<unknown>;
}

export function isMedia(output: z.ZodType | Media): output is Media {
  return 'mediaType' in output;
}

export function isTypedContent(result: unknown): result is TypedContent {
  return typeof result === 'object' && result !== null && 'mediaType' in result && 'bytes' in result;
}

export function isStreamedContent(result: unknown): result is StreamedContent {
  return typeof result === 'object' && result !== null && 'chunks' in result && 'etag' in result;
}

export const media = (mediaType: string, download?: string): Media => ({
  mediaType,
  ...(download === undefined ? {} : { download }),
});

/** Lets handlers return readonly data. */
export type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** What a handler returns: the output without `ok`. */
type Result<T> = Frozen<T extends { ok: true } ? Omit<T, 'ok'> : T>;

/** What a handler receives: with a machine role the machine replaces its slug. */
type HandlerInput<T, Needed> = Needed extends MachineRole ? Omit<T, SlugField> : T;

type Handler<Input extends z.ZodObject, Needed, Answer> = (
  input: HandlerInput<z.output<Input>, Needed>,
  context: Context,
  access: Needed extends MachineRole ? MachineAccess<Needed> : undefined,
) => Promise<Answer>;

/** Facts of an operation that do not depend on its output. */
interface Facts<Name extends string, Input extends z.ZodObject, Needed>
  extends Omit<Operation<Name, Input>, 'handle' | 'output' | 'cookie' | 'versionOf' | 'machine' | 'brief'> {
  readonly machine?: Needed | undefined;
}

interface JsonDefinition<Name extends string, Input extends z.ZodObject, Output extends z.ZodType, Needed>
  extends Facts<Name, Input, Needed> {
  readonly output: Output;
  readonly brief?: Brief<z.output<Output>>;
  readonly cookie?: (answer: z.output<Output>) => Cookie;
  readonly versionOf?: (answer: z.output<Output>) => number;
  readonly handle: Handler<Input, Needed, Result<z.input<Output>>>;
}

interface MediaDefinition<Name extends string, Input extends z.ZodObject, Needed> extends Facts<Name, Input, Needed> {
  readonly output: Media;
  readonly handle: Handler<Input, Needed, Uint8Array | string | TypedContent | StreamedContent>;
}

/** Checks the types of a definition and keeps them, so that clients are typed; adds the errors of its machine role. */
export function defineOperation<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  const Needed extends MachineRole | undefined = undefined,
>(definition: JsonDefinition<Name, Input, Output, Needed>): Operation<Name, Input, Output>;
export function defineOperation<
  const Name extends string,
  Input extends z.ZodObject,
  const Needed extends MachineRole | undefined = undefined,
>(definition: MediaDefinition<Name, Input, Needed>): Operation<Name, Input, Media>;
export function defineOperation(definition: Operation): Operation {
  const { machine, name, input, errors } = definition;
  if (machine === undefined) return definition;
  if (slugFieldOf(input.shape) === undefined) throw new Error(`${name} needs a machine, but its input has no slug.`);
  return { ...definition, errors: withRoleErrors(machine, errors) };
}
