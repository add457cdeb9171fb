// What contracts may ask of the world: operators of the registry, and stamps over what they did.

import type { ComputeCall, Fired } from '../../contracts/reaction.ts';
import { type Clock, readPulse } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import type { KernelInstance } from '../../kernels/instance.ts';
import { evaluateOperator } from '../../operators/evaluate.ts';
import { findOperator } from '../../operators/load.ts';
import type { ReceiptKeys } from '../../protocol/receipt.ts';

/** Stamps of fires are checked by anyone, at /api/svc/prove/verify. */
const PUBLIC_PREFIX = 'public';

/** @throws DomainError OPERATOR_UNKNOWN, VALIDATION_FAILED */
export function computeInContract(instance: KernelInstance, { operator, inputs }: ComputeCall): number {
  if (operator === undefined)
    throw new DomainError(
      'OPERATOR_UNKNOWN',
      'A solver is asked by a live contract only, not by one that is tried out.',
    );
  return evaluateOperator(instance, findOperator(operator), inputs);
}

/** The stamp that a transition with `proof` carries in its row: which operators, what they gave, when. */
export function stampOf({ operator, computed }: Fired, receipts: ReceiptKeys, clock: Clock) {
  const { R_t, svcond } = readPulse(clock.now());
  const operatorIds = [...new Set(['KO42', operator, ...computed.flatMap((one) => one.operator ?? [])])];
  // What a solver computed is sealed by a receipt of its own.
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
