// GET /api/ws, the WebSocket: what may be said over it, and what it says of itself to a plain GET.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { defineOperation, type Operation, pathOf } from '../operation.ts';
import { Ok } from '../schemas.ts';

export const SOCKET_PATH = '/api/ws';
export const SUBPROTOCOL = 'svc.v1' as const;

/** RFC 6455 §7.4: 4000 and above are ours. */
export const CLOSE_CODES = {
  goingAway: 1001,
  tooLarge: 1009,
  keyRefused: 4401,
  tooMany: 4429,
} as const;

/** Of a channel, a solver or an op. */
export const Name = z.string().min(1).max(80);
/** Of the client's choice. */
export const Id = z.string().min(1).max(64).optional();

/** What a client may send: one JSON object a message, with `op` and the fields of that op. */
export const SOCKET_OPS = {
  auth: z
    .strictObject({ key: z.string().max(200).describe('svc_ak_…') })
    .describe('Speak with this key. Only as the first message; without it, as anyone.'),
  subscribe: z
    .strictObject({
      channel: Name.describe('One of `channels`.'),
      since: z.int().min(0).optional().describe('The last `seq` you have seen.'),
      parameters: z.record(Name, z.unknown()).optional().describe('Parameters of the channel.'),
      id: Id.describe('Names the subscription in its frames; without it, the channel does.'),
    })
    .describe('Frames {channel, id, seq, type, data} from now on, or from after `since`.'),
  unsubscribe: z
    .strictObject({ channel: Name.optional(), id: Id })
    .describe('End a subscription, by its id or its channel.'),
  solve: z
    .strictObject({
      solver: Name.describe('As in POST /api/svc/{solver}.'),
      input: z.record(z.string(), z.unknown()).optional().describe('The body of that route.'),
      id: Id.describe('Names the run in its frames; without it, the solver does.'),
    })
    .describe('Frames of type progress, then one of type result with the sealed envelope.'),
  cancel: z.strictObject({ id: Id }).describe('Stop a run by its id; without it, all runs of this connection.'),
} as const satisfies Record<string, z.ZodObject>;

export type SocketOp = keyof typeof SOCKET_OPS;

/** This describes all channels, so it is given the finished list of operations when it is called. */
export function socketOperation(all: () => readonly Operation[]): Operation {
  return defineOperation({
    name: 'socket.describe',
    summary: 'The WebSocket of this node; a plain GET answers what may be said over it.',
    description: `Connect with the subprotocol \`${SUBPROTOCOL}\`. Messages are JSON objects with \`op\`; answers are {ok, op, …}, refusals {ok: false, error, code, …}, and frames {channel, id, seq, type, data}.`,
    route: `GET ${SOCKET_PATH}`,
    tier: 'public',
    effect: 'read',
    caching: 'etag',
    input: z.object({}),
    output: z.strictObject({
      ok: Ok,
      subprotocol: z.literal(SUBPROTOCOL),
      ops: z.record(z.string(), z.looseObject({})).describe('Fields of each op as a JSON Schema.'),
      channels: z.array(
        z.strictObject({
          channel: z.string(),
          summary: z.string(),
          auth: z.string(),
          parameters: z.looseObject({}).describe('JSON Schema.'),
          sse: z.string().describe('The same channel as server-sent events.'),
        }),
      ),
      close_codes: z.record(z.string(), z.int()),
      limits: z.record(z.string(), z.int()),
    }),
    errors: [],
    handle: async () => ({
      ok: true as const,
      subprotocol: SUBPROTOCOL,
      ops: Object.fromEntries(Object.entries(SOCKET_OPS).map(([op, schema]) => [op, schemaOf(schema)])),
      channels: all().flatMap((operation) => channelRow(operation)),
      close_codes: CLOSE_CODES,
      limits: {
        message_bytes: LIMITS.stream.messageBytes,
        subscriptions: LIMITS.stream.subscriptions,
        runs: LIMITS.stream.runs,
        streams_of_one_caller: LIMITS.stream.perCaller,
      },
    }),
  });
}

const schemaOf = (schema: z.ZodObject) => z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>;

function channelRow(operation: Operation) {
  const { events, summary, tier, input } = operation;
  if (events === undefined) return [];
  const { since: _, ...parameters } = input.shape;
  const row = { channel: events.channel, summary, auth: tier, parameters: schemaOf(z.object(parameters)) };
  return [{ ...row, sse: pathOf(operation) }];
}
