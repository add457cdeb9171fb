// The record of a channel: what happens, told frame by frame. Its SSE route, its place on the WebSocket, its OpenAPI entry
// and its catalog row are all read from it.

import { z } from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import { parseOrRefuse } from '../core/validation.ts';
import type { Principal } from '../services/access/access.ts';
import type { Frame } from '../services/machines/follow.ts';
import { assertTier, type InvokeOptions, invoke } from './invoke.ts';
import { type Context, media, type Operation, type Tier } from './operation.ts';

export type { Frame };

export const EVENT_STREAM = 'text/event-stream';

const SINCE = {
  since: z
    .preprocess(sinceOf, z.int().min(0).optional())
    .optional()
    .describe('The last `seq` you have seen: what came after it follows.'),
};

/** As it stands in a query: decimal digits. Nothing in it, and null on the WebSocket, is none. */
function sinceOf(given: unknown): unknown {
  if (given === '' || given === null) return undefined;
  if (typeof given !== 'string') return given;
  return /^\d+$/.test(given) ? Number(given) : Number.NaN;
}

export interface Channel<Parameters extends z.ZodRawShape> {
  /** Its name on the WebSocket; as an operation it is `<name>.stream`. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Of the SSE route. */
  readonly route: `GET /${string}`;
  readonly tier: Tier;
  /** Path parameters and filters; `since` comes by itself. */
  readonly parameters: Parameters;
  readonly errors: readonly ErrorCode[];
  /** Frames in rising order of `seq` until `context.signal` aborts. They are asked for as the reader takes them. */
  open(
    parameters: z.output<z.ZodObject<Parameters & typeof SINCE>>,
    context: Context,
  ): AsyncIterable<Frame> | Promise<AsyncIterable<Frame>>;
  /** Refuses who may no longer follow: asked while the stream goes on, where more than a good key is needed. */
  mayStay?(
    parameters: z.output<z.ZodObject<Parameters>>,
    context: Pick<Context, 'services' | 'principal'>,
  ): Promise<unknown>;
}

export function defineChannel<Parameters extends z.ZodRawShape>(channel: Channel<Parameters>): Operation {
  const { name, summary, description, route, tier, parameters, errors, mayStay } = channel;
  return {
    name: `${name}.stream`,
    summary,
    description,
    route,
    tier,
    effect: 'read',
    events: { channel: name, ...(mayStay === undefined ? {} : { mayStay }) },
    input: z.object({ ...parameters, ...SINCE }),
    output: media(EVENT_STREAM),
    errors: [...errors, 'QUEUE_FULL', 'SHUTTING_DOWN'],
    handle: async (input, context) => channel.open(input as never, context),
  };
}

export interface OpenedChannel {
  readonly frames: AsyncIterable<Frame>;
  /** Rejects when this caller may no longer follow; undefined where a good key is all that is needed, or none is. */
  readonly mayStay: ((principal: Principal | undefined) => Promise<unknown>) | undefined;
}

/** `invoke` for an operation with `events`. Nothing is read yet: the frames come as they are asked for. */
export async function openChannel(
  operation: Operation,
  input: unknown,
  context: Context,
  options: InvokeOptions,
): Promise<OpenedChannel> {
  const frames = (await invoke(operation, input, context, options)) as AsyncIterable<Frame>;
  const { services } = context;
  const ask = operation.events?.mayStay;
  const mayStay = async (principal: Principal | undefined) => {
    assertTier(operation, { principal });
    return ask?.(parseOrRefuse(operation.input, input, Object.keys(operation.input.shape)) as never, {
      services,
      principal,
    });
  };
  return { frames, mayStay: ask && mayStay };
}
