// Captures the DomainError that a function throws.

import { DomainError } from '../../src/core/errors.ts';

/** @throws Error if the function does not throw a DomainError */
export function thrownDomainError(run: () => unknown): DomainError {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('no DomainError was thrown');
}
