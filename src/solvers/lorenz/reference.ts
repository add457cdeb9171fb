// Results about Lorenz's equations that need no step.

/** Where the rolls lose their stability: σ (σ + β + 3) / (σ − β − 1), for σ > β + 1. Lorenz 1963, eq. 33. */
export function hopfRho(sigma: number, beta: number): number | undefined {
  const below = sigma - beta - 1;
  return below > 0 ? (sigma * (sigma + beta + 3)) / below : undefined;
}

/** Constant, so that volumes shrink everywhere alike: the sum of the exponents. */
export const contraction = (sigma: number, beta: number): number => -(sigma + 1 + beta);

/** The states of the rolls, (±√(β (ρ − 1)), the same, ρ − 1). */
export function rolls(rho: number, beta: number): readonly (readonly number[])[] {
  const side = beta * (rho - 1);
  if (!(side > 0)) return [];
  const x = Math.sqrt(side);
  return [
    [x, x, rho - 1],
    [-x, -x, rho - 1],
  ];
}
