// GET /api/ws: message schemas of the WebSocket, and their description for a plain GET.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { methodOf, pathOf } from '../route.ts';
import { documentDefault, success } from '../schemas.ts';

export const SOCKET_PATH = '/api/ws';
export const SUBPROTOCOL = 'svc.v1' as const;

/** RFC 6455 §7.4: codes from 4000 are for private use. */
export const CLOSE_CODES = {
  goingAway: 1001,
  tooLarge: 1009,
  keyRefused: 4401,
  tooMany: 4429,
} as const;

/** Name of a channel, solver or op. */
export const Name = singleLine(80);
/** Chosen by the client. */
export const Id = singleLine(64).optional();

/** Client messages: one JSON object each, with `op` and its fields. */
export const SOCKET_OPS = {
  auth: z
    .strictObject({ key: singleLine(200, 0).describe('svc_ak_…') })
    .describe('Authenticate with this key; only as the first message.'),
  subscribe: z
    .strictObject({
      channel: Name.describe('One of `channels`.'),
      since: z.int().min(0).optional().describe('The last `seq` you received.'),
      parameters: z.record(Name, z.unknown()).optional().describe('Parameters of the channel.'),
      id: Id.describe('Identifies the subscription in its frames; the channel by default.'),
    })
    .describe('Frames {channel, id, seq, type, data} from now on, or after `since`.'),
  unsubscribe: z
    .strictObject({ channel: Name.optional(), id: Id })
    .describe('End a subscription, by its id or its channel.'),
  solve: z
    .strictObject({
      solver: Name.describe('As in POST /api/svc/{solver}.'),
      input: z.record(singleLine(LIMITS.keyCharacters, 0), z.unknown()).optional().describe('The body of that route.'),
      id: Id.describe('Identifies the run in its frames; the solver by default.'),
    })
    .describe('Frames of type progress, then one of type result with the sealed envelope.'),
  stream: z
    .strictObject({
      solver: Name.optional().describe('Start a run, as in POST /api/svc/stream.'),
      input: z.record(singleLine(LIMITS.keyCharacters, 0), z.unknown()).optional().describe("The solver's inputs."),
      run: Name.optional().describe('Instead of `solver`: resume this run.'),
      since: z.int().min(0).optional().describe('The last `seq` you received of the run.'),
      id: Id.describe('Identifies the stream in its frames; the solver or run by default.'),
    })
    .describe('Frames of type begin and frame, then one of type result. The run outlives the connection for a while.'),
  cancel: z
    .strictObject({ id: Id, run: Name.optional().describe('A run of `stream`; of any connection of the key.') })
    .describe('Cancel a run by its id; all runs of this connection by default, without those of `stream`.'),
} as const satisfies Record<string, z.ZodObject>;

export type SocketOp = keyof typeof SOCKET_OPS;

/** Describes all channels, so it gets the complete list of operations lazily. */
export function socketOperation(all: () => readonly Operation[]) {
  return defineOperation({
    name: 'socket.describe',
    summary: 'The WebSocket of this node; a plain GET describes its messages.',
    description: `Connect with the subprotocol \`${SUBPROTOCOL}\`. Messages are JSON objects with \`op\`; answers are {ok, op, …}, refusals {ok: false, error, code, …}, and frames {channel, id, seq, type, data}.`,
    route: `GET ${SOCKET_PATH}`,
    tier: 'public',
    effect: 'read',
    caching: 'etag',
    input: z.object({}),
    output: success({
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
      subprotocol: SUBPROTOCOL,
      ops: Object.fromEntries(Object.entries(SOCKET_OPS).map(([op, schema]) => [op, schemaOf(schema)])),
      channels: all().flatMap((operation) => channelRow(operation)),
      close_codes: CLOSE_CODES,
      limits: {
        message_bytes: LIMITS.stream.messageBytes,
        subscriptions: LIMITS.stream.subscriptions,
        runs: LIMITS.stream.runs,
        streams_of_one_caller: LIMITS.stream.perCaller,
        streams_of_one_tenant: LIMITS.stream.perTenant,
      },
    }),
  });
}

const schemaOf = (schema: z.ZodObject) =>
  z.toJSONSchema(schema, { io: 'input', override: documentDefault }) as Record<string, unknown>;

function channelRow(operation: Operation) {
  const { events, summary, tier, input } = operation;
  if (events === undefined) return [];
  const { since: _, ...parameters } = input.shape;
  const row = { channel: events.channel, summary, auth: tier, parameters: schemaOf(z.object(parameters)) };
  return [{ ...row, sse: methodOf(operation) === 'GET' ? pathOf(operation) : operation.route }];
}
