// All error codes, with their HTTP status, CLI exit code and visibility.

/** HTTP status and CLI exit code of an error code, and whether its message may be shown to the caller. */
export interface ErrorForm {
  readonly status: number;
  /** 1 failure, 2 usage, 3 authentication, 4 rejected, 124 timeout */
  readonly exit: 1 | 2 | 3 | 4 | 124;
  readonly isShown: boolean;
}

const form = (status: number, exit: ErrorForm['exit'], isShown = true): ErrorForm => ({ status, exit, isShown });

export const ERROR_FORMS = {
  BAD_REQUEST: form(400, 2),
  BODY_TOO_DEEP: form(400, 2),
  AUTH_REQUIRED: form(401, 3),
  KEY_INVALID: form(401, 3),
  KEY_REVOKED: form(401, 3),
  KEY_EXPIRED: form(401, 3),
  FORBIDDEN: form(403, 3),
  ADMIN_REQUIRED: form(403, 3),
  FORBIDDEN_PARTY: form(403, 3),
  ANCHOR_NOT_ACCEPTED: form(403, 3),
  ZID_NOT_LINKED: form(403, 3),
  NOT_FOUND: form(404, 2),
  RUN_NOT_FOUND: form(404, 2),
  KERNEL_UNAVAILABLE: form(404, 4),
  DOMAIN_UNKNOWN: form(404, 2),
  TICK_IN_FUTURE: form(404, 2),
  OPERATOR_UNKNOWN: form(404, 2),
  METHOD_NOT_ALLOWED: form(405, 2),
  REQUEST_TIMEOUT: form(408, 4),
  IDEMPOTENCY_ANSWER_LOST: form(409, 4),
  IDEMPOTENCY_IN_FLIGHT: form(409, 4),
  CONFLICT: form(409, 4),
  CLOCK_AHEAD: form(409, 4),
  MACHINE_ARCHIVED: form(409, 4),
  TRANSITION_NOT_ENABLED: form(409, 4),
  BODY_TOO_LARGE: form(413, 2),
  UNSUPPORTED_MEDIA_TYPE: form(415, 2),
  VALIDATION_FAILED: form(422, 2),
  EXPRESSION_INVALID: form(422, 2),
  CANNOT_GENERATE: form(422, 4),
  INVALID_ZID: form(422, 2),
  UNIT_INVALID: form(422, 2),
  UNIT_MISMATCH: form(422, 2),
  DIVISION_BY_ZERO: form(422, 4),
  NUMERIC_OVERFLOW: form(422, 4),
  VALUE_UNDEFINED: form(422, 4),
  UNSTABLE_SCHEME: form(422, 4),
  OPERATOR_AMBIGUOUS: form(422, 2),
  QUERY_AMBIGUOUS: form(422, 2),
  QUERY_NOT_UNDERSTOOD: form(422, 2),
  PRECISION_REFUSED: form(422, 4),
  ROOT_NOT_FOUND: form(422, 4),
  ROOT_NOT_UNIQUE: form(422, 4),
  BUDGET_EXCEEDED: form(422, 4),
  IDEMPOTENCY_KEY_REUSED: form(422, 4),
  ADDRESS_BLOCKED: form(422, 4),
  RATE_LIMITED: form(429, 4),
  HEADERS_TOO_LARGE: form(431, 2),
  ADDRESS_UNREACHABLE: form(502, 4),
  WITNESS_REFUSED: form(502, 4),
  QUEUE_FULL: form(503, 4),
  SHUTTING_DOWN: form(503, 4),
  CLOCK_SKEWED: form(503, 1),
  OWNER_UNREACHABLE: form(503, 4),
  STORAGE_UNAVAILABLE: form(503, 1),
  STORAGE_LOCKED: form(503, 1),
  STORAGE_FULL: form(507, 4),
  ARCHIVE_UNAVAILABLE: form(503, 1),
  OUT_OF_TIME: form(504, 124),
  CANCELLED: form(499, 4),
  KERNEL_FAILED: form(500, 1),
  SEAL_DAMAGED: form(500, 1),
  ARCHIVE_TAMPERED: form(500, 1),
  INTERNAL: form(500, 1, false),
} as const satisfies Record<string, ErrorForm>;

export type ErrorCode = keyof typeof ERROR_FORMS;

/** One error in one field: path, stable code, and a sentence with the given and the allowed value. */
export interface ErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface DomainErrorOptions {
  readonly cause?: unknown;
  readonly details?: readonly ErrorDetail[];
  /** Machine-readable facts, merged into the response beside `code` (an estimate, the largest stable step, …). */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
}

/** An expected error with a stable code. Any other thrown error is a defect and becomes INTERNAL. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly facts: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.facts = options.facts ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
