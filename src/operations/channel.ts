// The record of a channel: what happens, told frame by frame. Its SSE route, its place on the WebSocket, its OpenAPI entry
// and its catalog row are all read from it.

import { z } from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import type { Frame } from '../services/follow.ts';
import { type InvokeOptions, invoke } from './invoke.ts';
import { type Context, media, type Operation, type Tier } from './operation.ts';

export type { Frame };

export const EVENT_STREAM = 'text/event-stream';

const SINCE = {
  since: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The last `seq` you have seen: what came after it follows.'),
};

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
  open(parameters: z.output<z.ZodObject<Parameters & typeof SINCE>>, context: Context): AsyncIterable<Frame>;
}

export function defineChannel<Parameters extends z.ZodRawShape>(channel: Channel<Parameters>): Operation {
  const { name, summary, description, route, tier, parameters, errors } = channel;
  return {
    name: `${name}.stream`,
    summary,
    description,
    route,
    tier,
    effect: 'read',
    events: { channel: name },
    input: z.object({ ...parameters, ...SINCE }),
    output: media(EVENT_STREAM),
    errors: [...errors, 'QUEUE_FULL', 'SHUTTING_DOWN'],
    handle: async (input, context) => channel.open(input as never, context),
  };
}

/** `invoke` for an operation with `events`. Nothing happens yet: the frames come as they are asked for. */
export async function openChannel(
  operation: Operation,
  input: unknown,
  context: Context,
  options: InvokeOptions,
): Promise<AsyncIterable<Frame>> {
  return (await invoke(operation, input, context, options)) as AsyncIterable<Frame>;
}
