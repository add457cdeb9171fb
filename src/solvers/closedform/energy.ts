// The energy along a way without damping and drive: ½ φ′² + ½ a φ² + ¼ b φ⁴ − G φ.

import type { Invariant } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import type { History } from './history.ts';
import type { Problem } from './problem.ts';

export interface Energy {
  readonly total: number;
  /** Sum of the magnitudes of the terms. */
  readonly size: number;
}

export function energyOf({ a, b, constant }: Pick<Problem, 'a' | 'b' | 'constant'>, phi: number, dphi: number): Energy {
  const square = phi * phi;
  const terms = [0.5 * dphi * dphi, 0.5 * a * square, 0.25 * b * square * square, -constant * phi];
  return {
    total: terms.reduce((sum, one) => sum + one, 0),
    size: terms.reduce((sum, one) => sum + Math.abs(one), 0),
  };
}

const isConservative = ({ c, cosine, sine }: Problem): boolean => c === 0 && cosine === 0 && sine === 0;

/** Below this, products of small numbers underflow. */
const UNDERFLOW = 1e-290;

/** Change of the energy in parts of what the ± of φ and φ′ may make of it; undefined if it is not conserved. */
export function energyInvariant(
  problem: Problem,
  { phi, dphi, phiUncertainty, dphiUncertainty }: History,
): Invariant | undefined {
  if (!isConservative(problem)) return undefined;
  const { a, b, constant } = problem;
  const start = energyOf(problem, problem.phi0, problem.dphi0);
  let drift = 0;
  for (const i of phi.keys()) {
    const [x, v] = [at(phi, i), at(dphi, i)];
    const { total, size } = energyOf(problem, x, v);
    const force = Math.abs(a * x + b * x * x * x - constant);
    const allowed =
      force * at(phiUncertainty, i) +
      Math.abs(v) * at(dphiUncertainty, i) +
      16 * Number.EPSILON * (size + start.size) +
      UNDERFLOW;
    drift = Math.max(drift, Math.abs(total - start.total) / allowed);
  }
  return {
    name: 'energy',
    label: 'energy is constant along the closed form, within what ± allows',
    value: start.total,
    drift,
    bound: 1,
  };
}
