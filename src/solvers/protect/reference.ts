// The same number another way: the power series of the guard equation, Σ (−μ θ²)ⁿ / (2n)!, of + − × ÷ alone.

/** Terms after which nothing is left for |μ| ≤ 1 and θ ≤ 2π. */
const MAX_TERMS = 60;

/** P(θ) of P'' + μ P = 0 with P(0) = 1 and P'(0) = 0. */
export function guardSeries(mu: number, theta: number): number {
  const factor = -mu * theta * theta;
  let term = 1;
  let sum = 1;
  for (let n = 1; n <= MAX_TERMS; n++) {
    term *= factor / ((2 * n - 1) * (2 * n));
    sum += term;
  }
  return sum;
}
