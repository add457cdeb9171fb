// Operators that contracts can compute, and receipts of their fires.

import type { ComputeCall, FiredTransition } from '../../contracts/contract-state.ts';
import { DomainError } from '../../core/errors.ts';
import type { KernelInstance } from '../../kernels/instance.ts';
import { evaluateOperator } from '../../operators/evaluate.ts';
import { findOperator } from '../../operators/load.ts';
import type { ReceiptKeys, TransitionClaim } from '../../protocol/receipt.ts';

/** @throws DomainError OPERATOR_UNKNOWN, VALIDATION_FAILED */
export function computeInContract(instance: KernelInstance, { operator, inputs }: ComputeCall): number {
  if (operator === undefined)
    throw new DomainError('OPERATOR_UNKNOWN', 'Solvers run in live contracts only, not in previews.');
  return evaluateOperator(instance, findOperator(operator), inputs);
}

/** The place of a transition, beyond what it says of itself. */
export type TransitionPlace = Pick<
  TransitionClaim,
  'machine' | 'contract' | 'instance' | 'by' | 'definition_hash' | 'seq' | 'svcond' | 'previous'
>;

/** Signs the receipt in the row of a transition with `proof`. What it does not repeat stands in the row. */
export function signTransition(fired: FiredTransition, place: TransitionPlace, receipts: ReceiptKeys) {
  const { transition, from, to, entry, computed } = fired;
  const { instance, by, definition_hash, previous } = place;
  const signed = receipts.signTransition({ ...place, transition, from, to, entry, computed });
  const named = { ...(instance === undefined ? {} : { instance }), ...(by === undefined ? {} : { by }) };
  return { kind: 'transition', ...named, definition_hash, previous, ...signed };
}
