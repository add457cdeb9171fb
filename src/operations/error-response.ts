// Body of an error response, the same for REST, MCP and WebSocket.

import { DomainError, ERROR_FORMS, type ErrorCode, type ErrorDetail } from '../core/errors.ts';

export interface ErrorResponse {
  readonly ok: false;
  readonly error: string;
  readonly code: ErrorCode;
  readonly request_id: string;
  readonly details?: readonly ErrorDetail[];
  /** Machine-readable facts: an estimate, the largest stable step, … */
  readonly [fact: string]: unknown;
}

/** Response to an error. An internal error reveals nothing but the request id. */
export function errorResponseOf(error: unknown, requestId: string): ErrorResponse {
  const known = error instanceof DomainError ? error : undefined;
  const code: ErrorCode = known?.code ?? 'INTERNAL';
  const isShown = known !== undefined && ERROR_FORMS[code].isShown;
  return {
    ok: false,
    error: isShown ? known.message : `Something failed on our side. Quote request_id ${requestId} when you report it.`,
    code,
    request_id: requestId,
    ...(known && known.details.length > 0 ? { details: known.details } : {}),
    ...(isShown ? known.facts : {}),
  };
}
