// Every refusal and every defect as one record, the same on all surfaces.

import { DomainError, ERROR_FORMS, type ErrorCode, type ErrorDetail } from '../core/errors.ts';

export interface Refusal {
  readonly ok: false;
  readonly error: string;
  readonly code: ErrorCode;
  readonly request_id: string;
  readonly details?: readonly ErrorDetail[];
  /** Facts for machines: an estimate, the largest stable step, … */
  readonly [fact: string]: unknown;
}

/** What may be said of an error; of a defect, nothing but the request's id. */
export function refusalOf(error: unknown, requestId: string): Refusal {
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
