// A law that a solver takes the result of: computed by the node, since the portal's worker has no registry.

import { DomainError, type ErrorCode, type ErrorDetail } from '../../core/errors.ts';
import { receiptSha256 } from '../../protocol/seal.ts';
import type { Computed, ComputeLaw } from '../../solvers/computed-laws.ts';

const ROUTE = '/api/playground/compute';

interface Answer extends Omit<Computed, 'value' | 'receipt'> {
  readonly ok: boolean;
  readonly value: number | null;
  readonly gate?: { readonly reason: string; readonly unrecognised: readonly string[] };
  readonly code?: ErrorCode;
  readonly error?: string;
  readonly details?: readonly ErrorDetail[];
}

/** @throws DomainError  as the node does */
export const computeLawOnNode: ComputeLaw = async ({ domain, inputs }) => {
  if (Object.keys(inputs).length === 0) return undefined;
  const response = await fetch(ROUTE, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ domain, inputs }),
  });
  const answer = (await response.json()) as Answer;
  if (!answer.ok || answer.value === null) throw refusalOf(answer);
  const { operator_id, value, unit, uncertainty, converged } = answer;
  return { operator_id, value, unit, uncertainty, converged, receipt: receiptSha256({ ...answer }) };
};

function refusalOf({ code = 'VALIDATION_FAILED', error, details = [], gate }: Answer): DomainError {
  if (gate === undefined) return new DomainError(code, error ?? 'The node refused the law.', { details });
  const unknown = gate.unrecognised.map((name) => ({
    path: `inputs.${name}`,
    code: 'UNKNOWN_FIELD',
    message: gate.reason,
  }));
  return new DomainError('VALIDATION_FAILED', `${gate.reason}.`, { details: unknown });
}
