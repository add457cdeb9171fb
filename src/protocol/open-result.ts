// Reader of untrusted files of a receipt: finds the envelope, or the unsealed result of a result file.

import { DomainError } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';
import { quoteValue } from '../core/validation.ts';
import { RESULT_FORMAT } from './result-file.ts';
import type { Untrusted } from './untrusted.ts';

/** Whether an untrusted object claims to be a result file. */
export function isResultFile(value: Untrusted): boolean {
  return typeof value.format === 'string' && value.format.startsWith('svc-result/');
}

/**
 * The envelope itself, the one inside an answer of a stored run, or that of a result file.
 *
 * @throws DomainError VALIDATION_FAILED naming the field
 */
export function openReceipt(value: Untrusted): OpenedResult {
  if (isResultFile(value)) return openResultFile(value);
  const { envelope, seal } = value;
  return { subject: isRecord(envelope) && seal === undefined ? envelope : value, isSealed: true };
}

export interface OpenedResult {
  /** The envelope, or the pure fields. */
  readonly subject: Untrusted;
  readonly isSealed: boolean;
}

/** @throws DomainError VALIDATION_FAILED naming the field */
export function openResultFile({ format, envelope, result }: Untrusted): OpenedResult {
  if (format !== RESULT_FORMAT) refuse('format', `format is ${quoteValue(format)}; ${RESULT_FORMAT} is expected.`);
  if (envelope !== undefined && result !== undefined)
    refuse('result', 'A result file holds either envelope or result; this one holds both, which may differ.');
  const subject = envelope ?? result;
  if (!isRecord(subject)) refuse('result', 'A result file holds an object as its envelope or result.');
  return { subject, isSealed: envelope !== undefined };
}

function refuse(path: string, message: string): never {
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'NOT_A_RESULT', message }] });
}
