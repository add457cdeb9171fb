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

/** A full or empty collection is as its senders left it. */
const OF_CONTENTS: ReadonlySet<string> = new Set(['COLLECTION_FULL', 'COLLECTIONS_TOO_LARGE', 'NO_ENTRY']);

/** Whether only what the collections hold made an action fail. */
export const isOfContents = (error: unknown): boolean => OF_CONTENTS.has(faultNameOf(error) ?? '');

/** The name of the fault; undefined for any other error. */
export function faultNameOf(error: unknown): DataFault | undefined {
  return error instanceof DomainError ? (error.facts.fault as DataFault | undefined) : undefined;
}
