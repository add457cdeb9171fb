// A receipt or a bundle as a file: read within limits, and never believed.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';

/** A receipt with all its arrays inline is a few megabytes, a bundle of long payloads a few dozen; nothing honest is larger. */
const MAX_RECEIPT_BYTES = LIMITS.bundle.fileBytes;

/** What a node was asked is nested less than half as deep; far deeper ones do not even reach the page that shows them. */
const MAX_DEPTH = LIMITS.bundle.fileDepth;

const megabytes = (bytes: number) => `${(bytes / 1e6).toPrecision(3)} MB`;

/** @throws DomainError BODY_TOO_LARGE, BAD_REQUEST */
export async function readReceipt(file: Blob): Promise<Untrusted> {
  if (file.size > MAX_RECEIPT_BYTES) {
    throw new DomainError(
      'BODY_TOO_LARGE',
      `This file has ${megabytes(file.size)}. A receipt has a few, a bundle some dozens; at most ${megabytes(MAX_RECEIPT_BYTES)} are read.`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(await file.text());
  } catch (cause) {
    throw new DomainError('BAD_REQUEST', 'This file is not JSON, so it is neither a receipt nor a bundle.', { cause });
  }
  if (!isRecord(value))
    throw new DomainError('BAD_REQUEST', 'This file holds no JSON object, so it is neither a receipt nor a bundle.');
  if (isDeeperThan(value, MAX_DEPTH))
    throw new DomainError(
      'BAD_REQUEST',
      `This file is nested deeper than ${MAX_DEPTH} levels, so it is neither a receipt nor a bundle.`,
    );
  // An envelope as it was answered, or as the library of runs gives it back.
  return isRecord(value.envelope) && value.seal === undefined ? value.envelope : value;
}

/** Stops at the first that is too deep, so the stack holds whatever comes. */
const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeperThan(one, levels - 1)));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
