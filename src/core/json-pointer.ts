// JSON Pointer (RFC 6901): the path of a value in a document, such as `/rates/EUR` or `/readings/0/value`.

import { DomainError } from './errors.ts';

export type Pointer = readonly string[];

/** Parses a pointer; the empty text is the whole document. @throws DomainError VALIDATION_FAILED */
export function parsePointer(text: string): Pointer {
  if (text === '') return [];
  if (!text.startsWith('/')) throw invalid(`${JSON.stringify(text)} must start with a slash`);
  return text
    .slice(1)
    .split('/')
    .map((token) => {
      if (/~(?![01])/.test(token)) throw invalid(`~ in ${JSON.stringify(token)} is followed by neither 0 nor 1`);
      return token.replaceAll('~1', '/').replaceAll('~0', '~');
    });
}

/**
 * The value at a pointer. `-`, the element after the last, never exists.
 *
 * @throws DomainError VALIDATION_FAILED naming the first part that is not found
 */
export function resolvePointer(document: unknown, pointer: Pointer): unknown {
  let current = document;
  for (const [i, token] of pointer.entries()) {
    const exists =
      typeof current === 'object' &&
      current !== null &&
      (Array.isArray(current)
        ? /^(0|[1-9]\d*)$/.test(token) && Number(token) < current.length
        : Object.hasOwn(current, token));
    if (!exists) throw invalid(`${printPointer(pointer.slice(0, i + 1))} not found: ${describeParent(current)}`);
    current = (current as Record<string, unknown>)[token];
  }
  return current;
}

export function printPointer(pointer: Pointer): string {
  return pointer.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function describeParent(value: unknown): string {
  if (Array.isArray(value)) return `its parent is an array of ${value.length} elements`;
  if (typeof value === 'object' && value !== null) return 'its parent object has no such key';
  return `its parent is ${value === null ? 'null' : `a ${typeof value}`}`;
}

function invalid(text: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `Invalid JSON pointer: ${text}.`);
}
