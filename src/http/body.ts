// Reads untrusted bodies: bounds size, media type, depth and number of keys before anything else reads them.

import type { IncomingMessage } from 'node:http';
import { DomainError } from '../core/errors.ts';
import { parseJsonObject } from '../core/json-object.ts';
import { LIMITS } from '../core/limits.ts';
import { quoteValue } from '../core/validation.ts';

export interface JsonBody {
  readonly bytes: Buffer;
  readonly value: Record<string, unknown>;
}

const EMPTY: JsonBody = { bytes: Buffer.alloc(0), value: {} };

/**
 * The JSON object of a request; an empty body is `{}`.
 *
 * @throws DomainError BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST, BODY_TOO_DEEP
 */
export async function readJsonBody(request: IncomingMessage): Promise<JsonBody> {
  const { bytes: limit } = LIMITS.body;
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared > limit) throw tooLarge(`${declared}`);
  if (
    declared === 0 ||
    (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined)
  ) {
    return EMPTY;
  }
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', `Content-Type must be application/json; got ${quoteValue(type)}.`);
  }
  if (request.headers['content-encoding'] !== undefined && request.headers['content-encoding'] !== 'identity') {
    throw new DomainError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Content-Encoding is not supported; got ${quoteValue(request.headers['content-encoding'])}.`,
    );
  }
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return EMPTY;
  return { bytes, value: parseJsonObject(bytes, 'The body') };
}

/**
 * The body as UTF-8 text; Content-Type is ignored.
 *
 * @throws DomainError BODY_TOO_LARGE, BAD_REQUEST if it is truncated or not UTF-8
 */
export async function readTextBody(request: IncomingMessage, limit: number): Promise<string> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared > limit) throw tooLarge(`${declared}`, limit);
  const bytes = await readBytes(request, limit);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DomainError('BAD_REQUEST', 'The body must be UTF-8.', { cause });
  }
}

/**
 * Reads up to `limit` bytes. A longer body keeps its connection, so that the client receives the refusal.
 *
 * @throws DomainError BODY_TOO_LARGE, BAD_REQUEST if the client stops early
 */
function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  // By events: an iterator of a stream takes several times as long for a short body.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = () => {
      request.off('data', onData).off('end', onEnd).off('error', onFault).off('close', onClose);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      stop();
      request.pause();
      reject(tooLarge('more', limit));
    };
    const onEnd = () => {
      stop();
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size));
    };
    const onFault = (cause?: unknown) => {
      stop();
      reject(new DomainError('BAD_REQUEST', 'The body is shorter than its Content-Length.', { cause }));
    };
    const onClose = () => onFault();
    // If the client disconnected during authentication, `close` has already fired.
    if (request.destroyed) return onFault();
    request.on('data', onData).on('end', onEnd).on('error', onFault).on('close', onClose);
  });
}

function tooLarge(got: string, limit: number = LIMITS.body.bytes): DomainError {
  return new DomainError('BODY_TOO_LARGE', `The body must have at most ${limit} bytes; got ${got}.`);
}
