// What a caught error says to a person.

import { DomainError } from '../../core/errors.ts';
import type { NoticeProps } from './notice.ts';

const TITLES: Readonly<Record<string, string>> = {
  VALIDATION_FAILED: 'Some inputs are not valid.',
  UNSTABLE_SCHEME: 'These inputs are unstable.',
  OPERATOR_UNKNOWN: 'There is no such operator.',
  DOMAIN_UNKNOWN: 'There is no such domain.',
  DIVISION_BY_ZERO: 'There is no value here.',
  VALUE_UNDEFINED: 'There is no value here.',
  NUMERIC_OVERFLOW: 'The value is too large.',
  EXPRESSION_INVALID: 'The expression cannot be read.',
  BUDGET_EXCEEDED: 'This would take too long.',
  PRECISION_REFUSED: 'The result was refused.',
  RATE_LIMITED: 'Too many requests.',
  QUEUE_FULL: 'The server is busy.',
  OUT_OF_TIME: 'Out of time.',
  CANCELLED: 'Cancelled.',
  KERNEL_UNAVAILABLE: 'The kernel could not be loaded.',
  BODY_TOO_LARGE: 'This file is too large.',
  BAD_REQUEST: 'The request cannot be read.',
};

export function noticeOf(error: unknown): NoticeProps {
  if (error instanceof DomainError) {
    const { code, message, details } = error;
    const points = details.map((one) => one.message).filter((text) => text !== message);
    return { kind: 'error', title: TITLES[code] ?? 'Something went wrong.', text: message, points };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { kind: 'error', title: 'The server does not answer.', text };
}
