// Errors of a worker as plain data: a message cannot carry a class instance.

import { DomainError, type ErrorCode, type ErrorDetail } from '../core/errors.ts';

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly details: readonly ErrorDetail[];
  readonly cause?: string;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof DomainError)) {
    const message = 'The kernel runner failed.';
    return { code: 'KERNEL_FAILED', message, facts: {}, details: [], cause: String(error) };
  }
  const { code, message, facts, details, cause } = error;
  return { code, message, facts, details, ...(cause === undefined ? {} : { cause: String(cause) }) };
}

export function errorOf({ code, message, facts, details, cause }: Failure): DomainError {
  return new DomainError(code, message, { facts, details, ...(cause === undefined ? {} : { cause }) });
}
