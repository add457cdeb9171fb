// Errors about the inputs of a solver: each names the field, what was given, and what is expected.

import { DomainError } from '../../core/errors.ts';

type Facts = Readonly<Record<string, unknown>>;

/** An input that cannot be computed. @param code  of the detail, for programs */
export const validationError = (path: string, message: string, code = 'NOT_ALLOWED', facts: Facts = {}): DomainError =>
  new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }], facts });

/** A step or a grid on which the method diverges. */
export const unstableError = (path: string, message: string, code: string, facts: Facts = {}): DomainError =>
  new DomainError('UNSTABLE_SCHEME', message, { details: [{ path, code, message }], facts });
