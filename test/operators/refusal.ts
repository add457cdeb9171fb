import { DomainError } from '../../src/core/errors.ts';

/** What a body refuses with. @throws Error if it refuses nothing */
export function refusal(body: () => unknown): DomainError {
  try {
    body();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
