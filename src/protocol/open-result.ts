// Reader of result files, which are untrusted: finds the envelope or the unsealed result, and checks the arrays beside it.

import { littleEndianBytes } from '../core/bits.ts';
import { DomainError } from '../core/errors.ts';
import { sha256Hex } from '../core/sha256.ts';
import { quoteValue } from '../core/validation.ts';
import { RESULT_FORMAT } from './result-file.ts';
import { isRecord, type Untrusted } from './untrusted.ts';
import type { CheckedClaim } from './words/verdict.ts';

/** Whether an untrusted object claims to be a result file. */
export function isResultFile(value: Untrusted): boolean {
  return typeof value.format === 'string' && value.format.startsWith('svc-result/');
}

export interface OpenedResult {
  /** The envelope, or the pure fields. */
  readonly subject: Untrusted;
  readonly isSealed: boolean;
  /** Claims about the long arrays beside the result; none without them. */
  readonly claims: readonly CheckedClaim[];
}

/** @throws DomainError VALIDATION_FAILED naming the field */
export function openResultFile(value: Untrusted): OpenedResult {
  const { format, envelope, result, arrays = [] } = value;
  if (format !== RESULT_FORMAT) refuse('format', `format is ${quoteValue(format)}; ${RESULT_FORMAT} is expected.`);
  if (envelope !== undefined && result !== undefined)
    refuse('result', 'A result file holds either envelope or result; this one holds both, which may differ.');
  const subject = envelope ?? result;
  if (!isRecord(subject)) refuse('result', 'A result file holds an object as its envelope or result.');
  if (!Array.isArray(arrays)) refuse('arrays', `arrays is ${quoteValue(arrays)}; a list is expected.`);
  return {
    subject,
    isSealed: envelope !== undefined,
    claims: arrays.length === 0 ? [] : [arraysClaim(arrays, subject)],
  };
}

/** Compares the long arrays with the hashes in the result, which the seal covers and a replay recomputes. */
function arraysClaim(arrays: readonly unknown[], { series, fields }: Untrusted): CheckedClaim {
  const hashes = new Map<unknown, unknown>();
  for (const one of [series, fields].flatMap((list) => (Array.isArray(list) ? list : [])))
    if (isRecord(one)) hashes.set(one.name, one.sha256);
  const wrong = arrays.find((array) => {
    const { name, sha256, data } = isRecord(array) ? array : {};
    if (typeof sha256 !== 'string' || hashes.get(name) !== sha256) return true;
    if (!Array.isArray(data) || data.some((number) => typeof number !== 'number')) return true;
    return sha256Hex(littleEndianBytes(Float64Array.from(data))) !== sha256;
  });
  if (wrong === undefined) return { claim: 'arrays', ok: true };
  const name = isRecord(wrong) ? quoteValue(wrong.name) : quoteValue(wrong);
  return { claim: 'arrays', ok: false, reason: `The numbers of ${name} differ from their hash in the result.` };
}

function refuse(path: string, message: string): never {
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'NOT_A_RESULT', message }] });
}
