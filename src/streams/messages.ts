// What a WebSocket client says, read with the schemas that GET /api/ws publishes.

import { z } from 'zod';
import { DomainError } from '../core/errors.ts';
import { parseJsonObject } from '../core/json-object.ts';
import { didYouMean } from '../core/nearest.ts';
import { parseOrRefuse, show } from '../core/validation.ts';
import { Id, Name, SOCKET_OPS, type SocketOp } from '../operations/node/socket.ts';

export type Message = {
  readonly [Op in SocketOp]: { readonly op: Op } & z.output<(typeof SOCKET_OPS)[Op]>;
}[SocketOp];

const OPS = Object.keys(SOCKET_OPS) as SocketOp[];

/** What a refusal says of the message that it answers. */
export interface Names {
  readonly op?: string | undefined;
  readonly channel?: string | undefined;
  readonly id?: string | undefined;
}

const Said = z.object({
  op: Name.optional().catch(undefined),
  channel: Name.optional().catch(undefined),
  solver: Name.optional().catch(undefined),
  id: Id.catch(undefined),
});

/** By which names a client knows what it said, whatever else is wrong with it. Never throws. */
export function namesIn(bytes: Buffer): Names {
  const said = Said.safeParse(jsonOrNothing(bytes));
  if (!said.success) return {};
  const { op, channel, solver, id } = said.data;
  if (op === 'subscribe') return { op, channel, id: id ?? channel };
  if (op === 'unsubscribe') return { op, id: id ?? channel };
  return { op, id: id ?? (op === 'solve' ? solver : undefined) };
}

function jsonOrNothing(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** @throws DomainError BAD_REQUEST, BODY_TOO_DEEP, VALIDATION_FAILED */
export function parseMessage(bytes: Uint8Array): Message {
  const { op: given, ...fields } = parseJsonObject(bytes, 'The message');
  const op = OPS.find((name) => name === given);
  if (op === undefined) {
    const nearest = typeof given === 'string' ? didYouMean(given, OPS) : '';
    throw new DomainError('BAD_REQUEST', `op is ${show(given)}; one of ${OPS.join(', ')} is expected.${nearest}`);
  }
  const schema: z.ZodObject = SOCKET_OPS[op];
  return { op, ...parseOrRefuse(schema, fields, Object.keys(schema.shape)) } as Message;
}
