// Files that a command reads, with limits.

import { readFileSync, statSync } from 'node:fs';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { parseStrictJson, utf8Text } from '../core/strict-json.ts';

/** A valid file is smaller: a receipt with all arrays inline has a few megabytes. */
const MAX_FILE_BYTES = LIMITS.bundle.fileBytes;

/** @throws DomainError NOT_FOUND, BODY_TOO_LARGE */
export const readText = (path: string): string => readBytes(path).toString('utf8');

function readBytes(path: string): Buffer {
  try {
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES)
      throw new DomainError('BODY_TOO_LARGE', `${path} exceeds ${MAX_FILE_BYTES} bytes; it has ${size}.`);
    return readFileSync(path);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError(
      'NOT_FOUND',
      `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  }
}

/** @throws DomainError  as `readText`; BAD_REQUEST, VALIDATION_FAILED */
export function readJson(path: string): Record<string, unknown> {
  const text = utf8Text(readBytes(path), path);
  let value: unknown;
  try {
    value = parseStrictJson(text);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('BAD_REQUEST', `${path} is not JSON.`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DomainError('BAD_REQUEST', `${path} does not contain a JSON object.`);
  return value as Record<string, unknown>;
}
