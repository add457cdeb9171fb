// Outcome of one check of a replay, and the claim that reports it.

import { DomainError, ERROR_FORMS } from '../core/errors.ts';
import type { Difference } from './difference.ts';
import type { Claim } from './seal.ts';

/** The check succeeds (undefined), finds a difference or another fault, or could not be made. */
export type Outcome = undefined | Difference | { readonly fault: string } | { readonly notCompared: string };

export function isDifference(outcome: Outcome): outcome is Difference {
  return outcome !== undefined && 'field' in outcome;
}

export function claimOf(claim: string, outcome: Outcome): Claim {
  if (outcome === undefined) return { claim, ok: true };
  if ('notCompared' in outcome) return { claim, ok: null, reason: outcome.notCompared };
  return { claim, ok: false, reason: 'fault' in outcome ? outcome.fault : `${outcome.field} differs.` };
}

/**
 * Turns a refusal into a difference, since an honest receipt is never refused. Rethrows timeouts and exceeded budgets.
 */
export function refusedBy(error: unknown, field: string, stored: unknown): Difference {
  if (!(error instanceof DomainError) || ERROR_FORMS[error.code].status >= 499) throw error;
  return { field, stored, recomputed: `a refusal: ${error.message}` };
}
