// Untrusted JSON: an object of bounded depth and size, in which no key reaches a prototype.

import { DomainError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { show } from './validation.ts';

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * @param what  what holds the text, for messages: "The body"
 * @throws DomainError BAD_REQUEST, BODY_TOO_DEEP
 */
export function parseJsonObject(bytes: Uint8Array, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(DECODER.decode(bytes));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : 'it is not UTF-8';
    throw new DomainError('BAD_REQUEST', `${what} is not JSON: ${reason}.`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DomainError('BAD_REQUEST', `${what} is ${show(value)}; a JSON object is expected.`);
  }
  assertShape(value, what);
  return value as Record<string, unknown>;
}

/** Depth, number of keys, and no key that reaches a prototype. Iterative: a deep body must not exhaust our stack. */
function assertShape(value: object, what: string): void {
  const { depth: maxDepth, keys: maxKeys } = LIMITS.body;
  let keys = 0;
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) throw new DomainError('BODY_TOO_DEEP', `${what} is nested deeper than ${maxDepth} levels.`);
    const next: object[] = [];
    for (const one of level) {
      const isArray = Array.isArray(one);
      for (const [key, child] of Object.entries(one)) {
        if (!isArray) {
          if (++keys > maxKeys) throw new DomainError('BAD_REQUEST', `${what} has more than ${maxKeys} keys.`);
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
