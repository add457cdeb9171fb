// Converts a caught error to a notice.

import { DomainError } from '../../core/errors.ts';
import type { NoticeProps } from './notice.ts';

const TITLES: Readonly<Record<string, string>> = {
  VALIDATION_FAILED: 'Some inputs are invalid.',
  UNSTABLE_SCHEME: 'These inputs are unstable.',
  OPERATOR_UNKNOWN: 'Operator not found.',
  DOMAIN_UNKNOWN: 'Domain not found.',
  DIVISION_BY_ZERO: 'The value is undefined.',
  VALUE_UNDEFINED: 'The value is undefined.',
  NUMERIC_OVERFLOW: 'The value is too large.',
  EXPRESSION_INVALID: 'The expression cannot be parsed.',
  BUDGET_EXCEEDED: 'This computation is too large.',
  PRECISION_REFUSED: 'The result is not precise enough.',
  RATE_LIMITED: 'Too many requests.',
  QUEUE_FULL: 'The server is busy.',
  OUT_OF_TIME: 'Timed out.',
  CANCELLED: 'Cancelled.',
  KERNEL_UNAVAILABLE: 'The kernel could not be loaded.',
  BODY_TOO_LARGE: 'This file is too large.',
  BAD_REQUEST: 'Invalid request.',
};

export function errorNotice(error: unknown): NoticeProps {
  if (error instanceof DomainError) {
    const { code, message, details } = error;
    const points = details.map((detail) => detail.message).filter((text) => text !== message);
    return { kind: 'error', title: TITLES[code] ?? 'Something went wrong.', text: message, points };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { kind: 'error', title: 'The server did not respond.', text };
}
