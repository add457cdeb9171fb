// JSON Pointer (RFC 6901): a place in a document, such as `/rates/EUR` or `/readings/0/value`.

import { DomainError } from './errors.ts';

export type Pointer = readonly string[];

/** @throws DomainError VALIDATION_FAILED; the empty text is the whole document */
export function parsePointer(text: string): Pointer {
  if (text === '') return [];
  if (!text.startsWith('/')) throw invalid(`${JSON.stringify(text)} does not begin with a slash`);
  return text
    .slice(1)
    .split('/')
    .map((token) => {
      if (/~(?![01])/.test(token)) throw invalid(`~ in ${JSON.stringify(token)} is followed by neither 0 nor 1`);
      return token.replaceAll('~1', '/').replaceAll('~0', '~');
    });
}

/**
 * What stands at a place. `-`, the element after the last, is never there.
 *
 * @throws DomainError VALIDATION_FAILED naming the first step that leads nowhere
 */
export function resolvePointer(document: unknown, pointer: Pointer): unknown {
  let here = document;
  for (const [i, token] of pointer.entries()) {
    const isThere =
      typeof here === 'object' &&
      here !== null &&
      (Array.isArray(here) ? /^(0|[1-9]\d*)$/.test(token) && Number(token) < here.length : Object.hasOwn(here, token));
    if (!isThere) throw invalid(`${printPointer(pointer.slice(0, i + 1))} is not there: ${describe(here)}`);
    here = (here as Record<string, unknown>)[token];
  }
  return here;
}

export function printPointer(pointer: Pointer): string {
  return pointer.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `the list before it has ${value.length} elements`;
  if (typeof value === 'object' && value !== null) return 'the object before it has no such name';
  return `before it stands ${value === null ? 'null' : `a ${typeof value}`}`;
}

function invalid(text: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `The pointer leads nowhere: ${text}.`);
}
