// Invariants of a run: the energy and momentum that the motion keeps, and the temperature of its ensemble.

import type { Invariant } from '../definition.ts';
import { last } from '../parts/arrays.ts';
import type { averagesOf } from './averages.ts';
import type { Records } from './observables.ts';
import type { EvolveInput, Problem } from './problem.ts';
import { lennardJones } from './reference.ts';
import { ROUNDING, type Run } from './run.ts';

/** Maximum energy deviation per atom, over the larger of eps and kT; beyond it the step is too long. */
const MAX_ENERGY_DEVIATION = 0.02;
/** Curvature of the energy about an atom of a liquid, its Einstein frequency squared, in eps / sig². */
const STIFFNESS = 400;
/** Standard errors within which two means agree, or a mean and what is known of it. */
export const MAX_DEVIATIONS = 4;

/**
 * Velocity Verlet keeps H + Δt² (vᵀ∇∇U v / 12 − f² / 24), so H oscillates by about Δt² <f²> / 24. Both terms have
 * the same mean, larger at the start from a lattice; few atoms, or a short run, have one without the other (Hairer, Lubich & Wanner, Geometric Numerical Integration, chapter
 * IX). A force that jumps at rc adds the work of half a step at each of the pairs that crossed it.
 */
export function energyInvariant(
  conserved: Float64Array,
  deviation: number,
  records: Records,
  input: EvolveInput,
  problem: Problem,
): Invariant {
  const { atoms, pair } = problem;
  const maxOf = (column: 'force2' | 'kinetic') => records.column(column).reduce((max, sum) => Math.max(max, sum), 0);
  const stiffness = STIFFNESS * (pair.eps / (pair.sig * pair.sig)) + 4 * (problem.chainLength > 0 ? input.kBond : 0);
  const squares = maxOf('force2') + stiffness * maxOf('kinetic');
  const shadowDeviation = (input.dtSim * input.dtSim * squares) / (6 * atoms);
  const jump = pair.cutoff === 'force-shifted' ? 0 : Math.abs(lennardJones(pair, pair.rc).f * pair.rc);
  const crossing = jump * input.dtSim * Math.sqrt(problem.t0 * input.steps * input.dtSim);
  const maxDeviationAllowed = MAX_ENERGY_DEVIATION * Math.max(pair.eps, problem.t0);
  return {
    name: 'energy_per_atom',
    label: 'energy per atom',
    value: last(conserved),
    drift: deviation,
    bound:
      Math.min(shadowDeviation + crossing, maxDeviationAllowed) +
      ROUNDING * Math.max(pair.eps, problem.t0, Math.abs(last(conserved))),
    unit: 'epsilon',
  };
}

/**
 * The mean kinetic energy of the canonical ensemble is known exactly, whatever the atoms do: kT / 2 for each degree of
 * freedom. It judges the start, the length of the run and the thermostat by nothing that the run itself says about them:
 * a thermostat that is slower than the run keeps the temperature of the start, at which all averages look converged.
 */
export function equipartitionInvariant(
  { shown: [thermal] }: ReturnType<typeof averagesOf>,
  { t0 }: Problem,
): Invariant {
  const { mean, error, step, rounding } = thermal;
  return {
    name: 'equipartition',
    label: 'mean temperature, beside T0',
    value: mean,
    drift: Math.abs(mean - t0),
    bound: MAX_DEVIATIONS * error + step + rounding,
    unit: 'epsilon/k_B',
  };
}

/** Relative to the momenta of the atoms, or of atoms with the energy eps: those of a crystal at rest are rounding. */
export function momentumInvariant(
  { velocities, statistics }: Run,
  { atoms, pair, momentum: start }: Problem,
): Invariant {
  const { momentum = 0, absoluteMomentum = 0 } = statistics;
  const change = [0, 1, 2].map((d) => {
    let sum = 0;
    for (let k = d; k < velocities.length; k += 3) sum += velocities[k] ?? 0;
    return sum - (start[d] ?? 0);
  });
  const scale = Math.max(absoluteMomentum, atoms * Math.sqrt(pair.eps));
  const drift = Math.sqrt(change.reduce((sum, p) => sum + p * p, 0)) / scale;
  return { name: 'total_momentum', label: 'total momentum', value: momentum, drift, bound: ROUNDING };
}
