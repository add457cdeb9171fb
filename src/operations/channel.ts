// Definition of a channel, a stream of frames. Its SSE route, WebSocket subscription, OpenAPI entry and catalog row are
// all derived from it.

import { z } from 'zod';
import { parseWhole } from '../core/decimal.ts';
import type { ErrorCode } from '../core/errors.ts';
import { parseOrThrow } from '../core/validation.ts';
import type { Principal } from '../services/access/access.ts';
import type { Frame } from '../services/node/tail-log.ts';
import { assertTier, type InvokeOptions, invoke } from './invoke.ts';
import { type Context, media, type Operation, type Tier } from './operation.ts';

export type { Frame };

export const EVENT_STREAM = 'text/event-stream';

const SINCE = {
  since: z
    .preprocess(parseSince, z.int().min(0).optional())
    .optional()
    .describe('Resume after this `seq`, the last one you received.'),
};

/** Parses `since`: decimal digits in a query, a number on the WebSocket. Empty text and null mean undefined. */
function parseSince(given: unknown): unknown {
  if (given === '' || given === null) return undefined;
  return typeof given === 'string' ? parseWhole(given) : given;
}

export interface Channel<Parameters extends z.ZodRawShape> {
  /** Name on the WebSocket; the operation is `<name>.stream`. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** The SSE route. */
  readonly route: `GET /${string}`;
  readonly tier: Tier;
  /** Path parameters and filters; `since` is added. */
  readonly parameters: Parameters;
  readonly errors: readonly ErrorCode[];
  /** Frames in ascending order of `seq` until `context.signal` aborts, read at the pace of the consumer. */
  open(
    parameters: z.output<z.ZodObject<Parameters & typeof SINCE>>,
    context: Context,
  ): AsyncIterable<Frame> | Promise<AsyncIterable<Frame>>;
  /** Rejects a caller who has lost access; called periodically, for channels that need more than a valid key. */
  reauthorize?(
    parameters: z.output<z.ZodObject<Parameters>>,
    context: Pick<Context, 'services' | 'principal'>,
  ): Promise<unknown>;
}

export function defineChannel<Parameters extends z.ZodRawShape>(channel: Channel<Parameters>): Operation {
  const { name, summary, description, route, tier, parameters, errors, reauthorize } = channel;
  return {
    name: `${name}.stream`,
    summary,
    description,
    route,
    tier,
    effect: 'read',
    events: { channel: name, ...(reauthorize === undefined ? {} : { reauthorize }) },
    input: z.object({ ...parameters, ...SINCE }),
    output: media(EVENT_STREAM),
    errors: [...errors, 'QUEUE_FULL', 'SHUTTING_DOWN'],
    handle: async (input, context) => channel.open(input as never, context),
  };
}

export interface OpenedChannel {
  readonly frames: AsyncIterable<Frame>;
  /** Rejects when the caller has lost access; undefined if a valid key, or none, is enough. */
  readonly reauthorize: ((principal: Principal | undefined) => Promise<unknown>) | undefined;
}

/** Calls `invoke` for an operation with `events`. The frames are read lazily. */
export async function openChannel(
  operation: Operation,
  input: unknown,
  context: Context,
  options: InvokeOptions,
): Promise<OpenedChannel> {
  const frames = (await invoke(operation, input, context, options)) as AsyncIterable<Frame>;
  const { services } = context;
  const authorize = operation.events?.reauthorize;
  const reauthorize = async (principal: Principal | undefined) => {
    assertTier(operation, { principal });
    return authorize?.(parseOrThrow(operation.input, input, Object.keys(operation.input.shape)) as never, {
      services,
      principal,
    });
  };
  return { frames, reauthorize: authorize && reauthorize };
}
