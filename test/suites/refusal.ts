// What a body refuses, for tests that look at the refusal.

import { DomainError } from '../../src/core/errors.ts';

/** @throws if nothing is refused, or something else than a DomainError is thrown */
export function refusal(body: () => unknown): DomainError {
  try {
    body();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
