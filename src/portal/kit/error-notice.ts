// Converts a caught error to a notice.

import { DomainError, type ErrorCode } from '../../core/errors.ts';
import type { NoticeProps } from './notice.ts';

const TITLES: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'Invalid request.',
  BODY_TOO_DEEP: 'The request is nested too deeply.',
  AUTH_REQUIRED: 'This needs a key.',
  KEY_INVALID: 'This key is not known here.',
  KEY_REVOKED: 'This key was revoked.',
  KEY_EXPIRED: 'This key has expired.',
  FORBIDDEN: 'This key may not do that.',
  ADMIN_REQUIRED: 'This needs an administrator.',
  FORBIDDEN_PARTY: 'Another party does this.',
  ANCHOR_NOT_ACCEPTED: 'The other machine does not accept anchors.',
  ZID_NOT_LINKED: 'This key belongs to no identity.',
  NOT_FOUND: 'Not found.',
  RUN_NOT_FOUND: 'Run not found.',
  KERNEL_UNAVAILABLE: 'The kernel could not be loaded.',
  DOMAIN_UNKNOWN: 'Domain not found.',
  TICK_IN_FUTURE: 'This tick lies in the future.',
  OPERATOR_UNKNOWN: 'Operator not found.',
  METHOD_NOT_ALLOWED: 'This address does not do that.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  IDEMPOTENCY_ANSWER_LOST: 'The answer of the first call was lost.',
  IDEMPOTENCY_IN_FLIGHT: 'The first call is still running.',
  CONFLICT: 'Something else changed first.',
  CLOCK_AHEAD: 'The clock of the machine is ahead.',
  MACHINE_ARCHIVED: 'This machine is archived.',
  TRANSITION_NOT_ENABLED: 'This transition does not start here.',
  BODY_TOO_LARGE: 'This file is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'This kind of file is not read here.',
  VALIDATION_FAILED: 'Some inputs are invalid.',
  EXPRESSION_INVALID: 'The expression cannot be parsed.',
  CANNOT_GENERATE: 'No contract was made of these words.',
  INVALID_ZID: 'This is no identity.',
  UNIT_INVALID: 'The unit is not known.',
  UNIT_MISMATCH: 'The units do not fit together.',
  DIVISION_BY_ZERO: 'The value is undefined.',
  NUMERIC_OVERFLOW: 'The value is too large.',
  VALUE_UNDEFINED: 'The value is undefined.',
  UNSTABLE_SCHEME: 'These inputs are unstable.',
  OPERATOR_AMBIGUOUS: 'Several laws fit.',
  QUERY_AMBIGUOUS: 'The question has several meanings.',
  QUERY_NOT_UNDERSTOOD: 'Nothing here answers this question.',
  PRECISION_REFUSED: 'The result is not precise enough.',
  ROOT_NOT_FOUND: 'No input gives this value.',
  ROOT_NOT_UNIQUE: 'Several inputs give this value.',
  BUDGET_EXCEEDED: 'This computation is too large.',
  IDEMPOTENCY_KEY_REUSED: 'This call was made before with other content.',
  ADDRESS_BLOCKED: 'This address is not called.',
  RATE_LIMITED: 'Too many requests.',
  HEADERS_TOO_LARGE: 'The headers are too large.',
  ADDRESS_UNREACHABLE: 'The other server did not answer.',
  WITNESS_REFUSED: 'The witness refused.',
  QUEUE_FULL: 'The server is busy.',
  SHUTTING_DOWN: 'The server is stopping.',
  CLOCK_SKEWED: 'The clock of the server is wrong.',
  STORAGE_FULL: 'The database has almost no free space.',
  OWNER_UNREACHABLE: 'The node of this machine did not answer.',
  STORAGE_UNAVAILABLE: 'The database did not answer.',
  STORAGE_LOCKED: 'Another process holds the database.',
  ARCHIVE_UNAVAILABLE: 'The archive of older rows cannot be read.',
  OUT_OF_TIME: 'Timed out.',
  CANCELLED: 'Cancelled.',
  KERNEL_FAILED: 'The kernel failed.',
  SEAL_DAMAGED: 'A seal in the database is damaged.',
  ARCHIVE_TAMPERED: 'A file of the archive was changed.',
  INTERNAL: 'This is a defect of svc.',
};

export function errorNotice(error: unknown): NoticeProps {
  if (error instanceof DomainError) {
    const { code, message, details } = error;
    const points = details.map((detail) => detail.message).filter((text) => text !== message);
    return { kind: 'error', title: TITLES[code], text: message, points };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { kind: 'error', title: 'The server did not respond.', text };
}
