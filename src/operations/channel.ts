// Definition of a channel, a stream of frames. Its SSE route, WebSocket subscription, OpenAPI entry and catalog row are
// all derived from it.

import { z } from 'zod';
import { parseWhole } from '../core/decimal.ts';
import type { ErrorCode } from '../core/errors.ts';
import { parseOrThrow } from '../core/validation.ts';
import type { Principal } from '../services/access/access.ts';
import type { Frame } from '../services/node/tail-log.ts';
import { assertTier, type InvokeOptions, invoke } from './invoke.ts';
import { findMachine, type MachineAccess, type MachineRole, type SlugField } from './machine-role.ts';
import {
  type Context,
  defineOperation,
  type Effect,
  type Media,
  media,
  type Operation,
  type Tier,
} from './operation.ts';

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

/** A machine whose streams end when the caller loses the role. */
export type StreamAccess<Needed extends MachineRole = MachineRole> = MachineAccess<Needed> & {
  /** Rejects when the caller no longer has the role. */
  readonly reauthorize: () => Promise<unknown>;
};

type Parsed<Parameters extends z.ZodRawShape> = z.output<z.ZodObject<Parameters & typeof SINCE>>;

export interface Channel<Name extends string, Parameters extends z.ZodRawShape, Needed> {
  /** Name on the WebSocket; the operation is `<name>.stream`. */
  readonly name: Name;
  readonly summary: string;
  readonly description: string;
  /** The SSE route; POST starts what is streamed. */
  readonly route: `GET /${string}` | `POST /${string}`;
  readonly tier: Tier;
  /** Role on the machine that `slug` names; checked again periodically. Without it a valid key is enough. */
  readonly machine?: Needed | undefined;
  /** Path parameters and filters; `since` is added. */
  readonly parameters: Parameters;
  /** Accepts further fields, which `open` checks. */
  readonly isOpen?: boolean;
  /** `read` by default. */
  readonly effect?: Effect;
  readonly example?: z.input<z.ZodObject<Parameters>>;
  readonly once?: Operation;
  readonly errors: readonly ErrorCode[];
  /** Frames in ascending order of `seq` until `context.signal` aborts, read at the pace of the consumer. */
  readonly open: (
    parameters: Needed extends MachineRole ? Omit<Parsed<Parameters>, SlugField> : Parsed<Parameters>,
    context: Context,
    access: Needed extends MachineRole ? StreamAccess<Needed> : undefined,
  ) => AsyncIterable<Frame> | Promise<AsyncIterable<Frame>>;
}

export function defineChannel<
  const Name extends string,
  Parameters extends z.ZodRawShape,
  const Needed extends MachineRole | undefined = undefined,
>(
  channel: Channel<Name, Parameters, Needed>,
): Operation<`${Name}.stream`, z.ZodObject<Parameters & typeof SINCE>, Media> {
  const { name, summary, description, route, tier, machine: needed, parameters, errors, open } = channel;
  const { isOpen = false, effect = 'read', example, once } = channel;
  const shape = { ...parameters, ...SINCE };
  const input = isOpen ? z.looseObject(shape) : z.object(shape);
  const operation = defineOperation({
    name: `${name}.stream`,
    summary,
    description,
    route,
    tier,
    effect,
    machine: needed,
    events: { channel: name },
    input,
    output: media(EVENT_STREAM),
    errors: [...errors, 'QUEUE_FULL', 'SHUTTING_DOWN'],
    // Frames instead of one result.
    handle: async () => '',
  });
  const handle: Operation['handle'] = async (parsed, context, access) => {
    const slug = { slug: access?.machine.head.slug };
    const reauthorize = () => findMachine(needed ?? 'reader', slug, context);
    return open(parsed, context, (access && { ...access, reauthorize }) as never);
  };
  const other = once && { once, mcp: once.mcp, brief: once.brief };
  return { ...operation, ...(example && { example }), ...other, handle } as never;
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
  const { machine: needed } = operation;
  if (needed === undefined) return { frames, reauthorize: undefined };
  const parsed = parseOrThrow(operation.input, input, Object.keys(operation.input.shape));
  const reauthorize = async (principal: Principal | undefined) => {
    assertTier(operation, { principal });
    await findMachine(needed, parsed, { services: context.services, principal });
  };
  return { frames, reauthorize };
}
