// Laws in this thread, without a seal: for programs that use the package as a library. Needs the registry.

import { DomainError } from '../core/errors.ts';
import type { GateFinding } from '../operators/gate.ts';
import type { Solution } from '../solvers/definition.ts';
import type { SolveControls } from '../solvers/run.ts';
import { type ComputeRequest, selectComputation } from './compute-request.ts';
import { runComputationHere } from './sweep/sweep-here.ts';

/**
 * Computes laws: `computeHere({ domain: 'CM9', inputs: { m: 2, v: 3 } })`; with `sweep` or `samples` the solution has a
 * table.
 *
 * @throws DomainError  as the route of computations does
 */
export async function computeHere(
  request: ComputeRequest,
  controls: Omit<SolveControls, 'laws'> = {},
): Promise<Solution> {
  const bound = selectComputation(request)();
  if (bound.kind === 'bound') return runComputationHere(bound.computation, controls);
  throw gateRefusal(bound.gate);
}

/** A finding of the dimensional gate as an error, where no answer of the gate can be given. */
export function gateRefusal({ reason, unrecognised, accepted }: GateFinding): DomainError {
  const message = `${reason}; it takes ${Object.keys(accepted).join(', ')}.`;
  const details = unrecognised.map((name) => ({ path: `inputs.${name}`, code: 'UNKNOWN_FIELD', message }));
  return new DomainError('VALIDATION_FAILED', message, { details });
}
