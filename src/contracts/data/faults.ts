// Named faults of money, collections and hashes: a refusal states its name beside its reason.

import { DomainError } from '../../core/errors.ts';

export type DataFault =
  | 'COLLECTION_FULL'
  | 'COLLECTIONS_TOO_LARGE'
  | 'NO_ENTRY'
  | 'BAD_KEY'
  | 'BAD_ENTRY'
  | 'BAD_INDEX'
  | 'MONEY_OVERFLOW'
  | 'NOT_WHOLE'
  | 'DIVISION_BY_ZERO'
  | 'BAD_WEIGHT'
  | 'BAD_SALT';

export const dataFault = (fault: DataFault, message: string): DomainError =>
  new DomainError('VALIDATION_FAILED', message, { facts: { fault } });

/** The name of the fault; undefined for any other error. */
export function faultNameOf(error: unknown): DataFault | undefined {
  return error instanceof DomainError ? (error.facts.fault as DataFault | undefined) : undefined;
}
