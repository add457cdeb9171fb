// The strength of a column of one section: Euler's stress where it is slender, Johnson's parabola where it yields first.
//
// σ = σ_y (1 − σ_y / 4 σ_e) for σ_e > σ_y / 2, with the slenderness λ = π √(E / σ_e); both meet, with the same slope, at
// λ = π √(2 E / σ_y). Timoshenko & Gere, Theory of Elastic Stability (2nd ed., 1961), §4.3 and §4.4.

export interface Strength {
  /** Elastic stress, Pa. */
  readonly euler: number;
  readonly slenderness: number;
  /** Missing without a yield stress. */
  readonly transition?: number;
  /** Stress that the column bears, Pa. */
  readonly stress: number;
  /** dσ / dσ_e. */
  readonly slope: number;
  readonly isShort: boolean;
}

export function strengthOf(euler: number, E: number, yieldStress: number | undefined): Strength {
  const slenderness = Math.PI * Math.sqrt(E / euler);
  if (yieldStress === undefined) return { euler, slenderness, stress: euler, slope: 1, isShort: false };
  const transition = Math.PI * Math.sqrt((2 * E) / yieldStress);
  const isShort = euler > 0.5 * yieldStress;
  const ratio = yieldStress / euler;
  return {
    euler,
    slenderness,
    transition,
    stress: isShort ? yieldStress * (1 - 0.25 * ratio) : euler,
    slope: isShort ? 0.25 * ratio * ratio : 1,
    isShort,
  };
}
