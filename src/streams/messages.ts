// Parses messages of WebSocket clients with the schemas that GET /api/ws publishes.

import { z } from 'zod';
import { DomainError } from '../core/errors.ts';
import { parseJsonObject } from '../core/json-object.ts';
import { didYouMean } from '../core/nearest.ts';
import { parseOrThrow, quoteValue } from '../core/validation.ts';
import { Id, Name, SOCKET_OPS, type SocketOp } from '../operations/node/socket.ts';

export type Message = {
  readonly [Op in SocketOp]: { readonly op: Op } & z.output<(typeof SOCKET_OPS)[Op]>;
}[SocketOp];

const OPS = Object.keys(SOCKET_OPS) as SocketOp[];

/** Fields by which a response refers to its message. */
export interface MessageReference {
  readonly op?: string | undefined;
  readonly channel?: string | undefined;
  readonly id?: string | undefined;
}

const ReferenceFields = z.object({
  op: Name.optional().catch(undefined),
  channel: Name.optional().catch(undefined),
  solver: Name.optional().catch(undefined),
  run: Name.optional().catch(undefined),
  id: Id.catch(undefined),
});

/** The reference of a message, also of an invalid one. Never throws. */
export function referenceOf(bytes: Buffer): MessageReference {
  const parsed = ReferenceFields.safeParse(parseJsonOrUndefined(bytes));
  if (!parsed.success) return {};
  const { op, channel, solver, run, id } = parsed.data;
  if (op === 'subscribe') return { op, channel, id: id ?? channel };
  if (op === 'unsubscribe') return { op, id: id ?? channel };
  if (op === 'stream') return { op, id: id ?? solver ?? run };
  return { op, id: id ?? (op === 'solve' ? solver : op === 'cancel' ? run : undefined) };
}

function parseJsonOrUndefined(bytes: Buffer): unknown {
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
    const suggestion = typeof given === 'string' ? didYouMean(given, OPS) : '';
    throw new DomainError(
      'BAD_REQUEST',
      `op is ${quoteValue(given)}; one of ${OPS.join(', ')} is expected.${suggestion}`,
    );
  }
  const schema: z.ZodObject = SOCKET_OPS[op];
  return { op, ...parseOrThrow(schema, fields, Object.keys(schema.shape)) } as Message;
}
