// What a WebSocket client says, read with the schemas that GET /api/ws publishes.

import type { z } from 'zod';
import { DomainError } from '../core/errors.ts';
import { parseJsonObject } from '../core/json-object.ts';
import { didYouMean } from '../core/nearest.ts';
import { parseOrRefuse, show } from '../core/validation.ts';
import { SOCKET_OPS, type SocketOp } from '../operations/socket.ts';

export type Message = {
  readonly [Op in SocketOp]: { readonly op: Op } & z.output<(typeof SOCKET_OPS)[Op]>;
}[SocketOp];

const OPS = Object.keys(SOCKET_OPS) as SocketOp[];

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
