// The potentials of the kernel in TypeScript, for placing the walls.

import { cosh, expm1 } from '../../core/elementary.ts';

/** Numbers of the potentials in assembly/solvers/schrodinger/potential.ts. */
export const KIND = {
  box: 0,
  polynomial: 1,
  doubleWell: 2,
  finiteWell: 3,
  morse: 4,
  coulomb: 5,
  linear: 6,
  poschlTeller: 7,
  expression: 8,
} as const;

/** −(ħ²/2m) ψ'' + V ψ = E ψ with the potential in the parameters of the kernel. */
export interface Potential {
  readonly kind: (typeof KIND)[keyof typeof KIND];
  /** ħ²/2m */
  readonly kinetic: number;
  /**
   * The coefficients of assembly/solvers/schrodinger/potential.ts; c1 of the infinite well is its width, unused there.
   */
  readonly c1: number;
  readonly c2: number;
  /** Angular momentum of the Coulomb potential, otherwise 0. */
  readonly l: number;
  /** λ of the Pöschl–Teller potential, otherwise 0. */
  readonly lambda: number;
}

/** V(x), except for the infinite well and expressions. */
export function potentialAt({ kind, c1, c2 }: Potential, x: number): number {
  switch (kind) {
    case KIND.polynomial:
      return x * x * (c1 + c2 * x * x);
    case KIND.doubleWell: {
      const u = (x / c2) * (x / c2) - 1;
      return c1 * u * u;
    }
    case KIND.finiteWell:
      return Math.abs(x) < c2 ? -c1 : 0;
    case KIND.morse: {
      const u = expm1(-c2 * x);
      return c1 * u * u;
    }
    case KIND.coulomb:
      return -c1 / x + c2 / (x * x);
    case KIND.linear:
      return c1 * x;
    case KIND.poschlTeller: {
      const u = cosh(c2 * x);
      return -c1 / (u * u);
    }
    default:
      return 0;
  }
}
