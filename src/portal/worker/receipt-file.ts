// Reads a receipt or bundle from an untrusted file, within limits of size and nesting.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { isRecord } from '../../core/record.ts';
import { parseStrictJson, utf8Text } from '../../core/strict-json.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';

/** A receipt with inline arrays takes a few megabytes, a bundle with long payloads a few dozen. */
const MAX_RECEIPT_BYTES = LIMITS.bundle.fileBytes;

/** Genuine requests nest less than half as deep; much deeper values overflow the stack on their way to the page. */
const MAX_DEPTH = LIMITS.bundle.fileDepth;

const megabytes = (bytes: number) => `${(bytes / 1e6).toPrecision(3)} MB`;

/** @throws DomainError BODY_TOO_LARGE, BAD_REQUEST; VALIDATION_FAILED for what JSON.parse would change */
export async function readReceipt(file: Blob): Promise<Untrusted> {
  if (file.size > MAX_RECEIPT_BYTES) {
    throw new DomainError(
      'BODY_TOO_LARGE',
      `File limit of ${megabytes(MAX_RECEIPT_BYTES)} exceeded; this file has ${megabytes(file.size)}.`,
    );
  }
  // A blob's own text() replaces what is not UTF-8.
  const text = utf8Text(new Uint8Array(await file.arrayBuffer()), 'This file');
  let value: unknown;
  try {
    value = parseStrictJson(text);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('BAD_REQUEST', 'This file is not JSON, so it is neither a receipt nor a bundle.', { cause });
  }
  if (!isRecord(value))
    throw new DomainError(
      'BAD_REQUEST',
      'This file does not contain a JSON object, so it is neither a receipt nor a bundle.',
    );
  if (isDeeperThan(value, MAX_DEPTH))
    throw new DomainError(
      'BAD_REQUEST',
      `This file is nested deeper than ${MAX_DEPTH} levels, so it is neither a receipt nor a bundle.`,
    );
  return value;
}

/** Stops at the first value beyond the limit, so that the recursion depth is bounded. */
const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1)));
