// Expected errors as plain data, for messages between nodes and rows of the database.

import { DomainError, type DomainErrorOptions, type ErrorCode } from './errors.ts';

export type ErrorRecord = { readonly code: ErrorCode; readonly message: string } & Pick<
  DomainErrorOptions,
  'details' | 'facts' | 'retryAfterSeconds'
>;

export function recordOfError({ code, message, details, facts, retryAfterSeconds }: DomainError): ErrorRecord {
  return { code, message, details, facts, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** The error as its caller would have got it where it was thrown. */
export function errorOfRecord({ code, message, ...options }: ErrorRecord): DomainError {
  return new DomainError(code, message, options);
}
