// Operators that contracts can compute, and stamps that prove their fires.

import type { ComputeCall, FiredTransition } from '../../contracts/contract-state.ts';
import { type Clock, readPulse } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { KernelInstance } from '../../kernels/instance.ts';
import { evaluateOperator } from '../../operators/evaluate.ts';
import { findOperator } from '../../operators/load.ts';
import type { ReceiptKeys } from '../../protocol/receipt.ts';

/** Stamps of fires can be verified by anyone, at /api/svc/prove/verify. */
const PUBLIC_PREFIX = 'public';

/** @throws DomainError OPERATOR_UNKNOWN, VALIDATION_FAILED */
export function computeInContract(instance: KernelInstance, { operator, inputs }: ComputeCall): number {
  if (operator === undefined)
    throw new DomainError('OPERATOR_UNKNOWN', 'Solvers run in live contracts only, not in previews.');
  return evaluateOperator(instance, findOperator(operator), inputs);
}

/** Signs the stamp in the row of a transition with `proof`: its operators, their last value, and the time. */
export function signStamp({ operator, computed }: FiredTransition, receipts: ReceiptKeys, clock: Clock) {
  const { R_t, svcond } = readPulse(clock.now());
  const operatorIds = [...new Set(['KO42', operator, ...computed.flatMap((one) => one.operator ?? [])])];
  // A value from a solver has a sealed receipt of its own.
  const last = computed.findLast((one) => one.operator !== undefined);
  const value = last?.value;
  const unit = last?.operator === undefined ? undefined : findOperator(last.operator).output.unit;
  const signed = { operatorIds, R_t, svcond, keyPrefix: PUBLIC_PREFIX, value, unit };
  const { svcProof, version, epoch } = receipts.sign('stamp', signed);
  return {
    kind: 'stamp',
    operatorIds,
    R_t,
    svcond,
    keyPrefix: PUBLIC_PREFIX,
    svcProof,
    version,
    epoch,
    ...(value === undefined ? {} : { value, unit }),
  };
}
