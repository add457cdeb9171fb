// When a result counts as converged: its bound is small enough and every invariant holds.

import type { Solution } from '../solvers/definition.ts';

/** Minimum relative bound that a result claims, whatever was measured. */
const BOUND_FLOOR = 1e-4;
/** Maximum relative bound of a converged result; above it, strict mode refuses. */
export const BOUND_CEILING = 1e-3;

/** Distance of the value from the reference, relative to max(|reference|, scale). */
export function measuredError({ value, witness }: Pick<Solution, 'value' | 'witness'>): number {
  const scale = Math.max(Math.abs(witness.reference), witness.scale);
  const distance = Math.abs(value - witness.reference);
  // Without a scale, any distance is infinite and will be refused.
  return distance === 0 ? 0 : distance / scale;
}

/** The relative bound that a result claims. */
export const precisionBoundOf = (bound: number, error: number): number => Math.max(BOUND_FLOOR, bound, error);

/** Whether strict mode would seal this result alone. NaN is not converged. */
export function isConverged(
  solution: Pick<Solution, 'value' | 'witness' | 'converged' | 'bound' | 'invariants'>,
): boolean {
  const { converged, bound, invariants } = solution;
  if (!converged || !(precisionBoundOf(bound, measuredError(solution)) <= BOUND_CEILING)) return false;
  return invariants.every((one) => Math.abs(one.drift) <= one.bound);
}
