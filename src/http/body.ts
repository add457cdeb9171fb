// Untrusted bodies: size, media type, depth and number of keys are bounded before anything reads them.

import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { show } from '../core/validation.ts';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

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
  if (declared > limit) throw tooLarge(`${declared} bytes`);
  if (
    declared === 0 ||
    (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined)
  ) {
    return EMPTY;
  }
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', `Content-Type is ${show(type)}; application/json is expected.`);
  }
  if (request.headers['content-encoding'] !== undefined && request.headers['content-encoding'] !== 'identity') {
    throw new DomainError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Content-Encoding is ${show(request.headers['content-encoding'])}; none is expected.`,
    );
  }
  const bytes = await getRawBody(request, { limit }).catch((cause: { type?: string }) => {
    if (cause.type === 'entity.too.large') throw tooLarge('more');
    throw new DomainError('BAD_REQUEST', 'The body ended before its announced length.', { cause });
  });
  if (bytes.length === 0) return EMPTY;
  return { bytes, value: parseObject(bytes) };
}

function tooLarge(got: string): DomainError {
  return new DomainError('BODY_TOO_LARGE', `The body has ${got}; at most ${LIMITS.body.bytes} bytes are allowed.`);
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : 'it is not UTF-8';
    throw new DomainError('BAD_REQUEST', `The body is not JSON: ${reason}.`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DomainError('BAD_REQUEST', `The body is ${show(value)}; a JSON object is expected.`);
  }
  assertShape(value);
  return value as Record<string, unknown>;
}

/** Depth, number of keys, and no key that reaches a prototype. Iterative: a deep body must not exhaust our stack. */
export function assertShape(value: object): void {
  const { depth: maxDepth, keys: maxKeys } = LIMITS.body;
  let keys = 0;
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) throw new DomainError('BODY_TOO_DEEP', `The body is nested deeper than ${maxDepth} levels.`);
    const next: object[] = [];
    for (const one of level) {
      const isArray = Array.isArray(one);
      for (const [key, child] of Object.entries(one)) {
        if (!isArray) {
          if (++keys > maxKeys) throw new DomainError('BAD_REQUEST', `The body has more than ${maxKeys} keys.`);
          if (!key.isWellFormed())
            throw new DomainError('BAD_REQUEST', 'A key has a lone surrogate; it is not Unicode.');
          if (FORBIDDEN_KEYS.has(key)) throw new DomainError('BAD_REQUEST', `The key ${show(key)} is not allowed.`);
        }
        if (typeof child === 'object' && child !== null) next.push(child);
        if (typeof child === 'string' && !child.isWellFormed()) {
          throw new DomainError('BAD_REQUEST', `The text at ${show(key)} has a lone surrogate; it is not Unicode.`);
        }
      }
    }
    level = next;
  }
}
