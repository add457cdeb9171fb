// The unit in which an answer is asked for: `as` of a request. Refusals name that field.

import { DomainError } from '../core/errors.ts';
import { conversion, type Unit } from '../core/units.ts';
import { unitOf } from './unit-table.ts';

/** @throws DomainError UNIT_INVALID */
export const unitAsked = (as: string): Unit => named(() => unitOf(as));

/** @throws DomainError UNIT_INVALID, UNIT_MISMATCH */
export const conversionToAsked = (unit: string, as: string): ((value: number) => number) =>
  named(() => conversion(unitOf(unit), unitOf(as)));

function named<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, facts } = error;
    throw new DomainError(code, message, { details: [{ path: 'as', code, message }], ...(facts ? { facts } : {}) });
  }
}
