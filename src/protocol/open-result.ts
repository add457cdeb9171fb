// Reader of result files, which are untrusted: finds the envelope or the unsealed result.

import { DomainError } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';
import { quoteValue } from '../core/validation.ts';
import { RESULT_FORMAT } from './result-file.ts';
import type { Untrusted } from './untrusted.ts';

/** Whether an untrusted object claims to be a result file. */
export function isResultFile(value: Untrusted): boolean {
  return typeof value.format === 'string' && value.format.startsWith('svc-result/');
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
