// The kernel run of a problem, and its estimated cost.

import { INSTANCE_BYTES } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { SOLVE_FACE, type SolveFace } from './face.ts';
import type { SolveInput } from './inputs.ts';
import { type Coefficients, type Problem, problemOf } from './problem.ts';

/** Tries of adaptive steps, and blocks of equal ones. */
export const MAX_TRIES = 2_000_000;
const TICKS = 1e8;
export const MAX_TURNS = 2_000;
/** Equal steps of a try; with couplings, which cost more. */
const MAX_EQUAL_STEPS = { alone: 8_000_000, coupled: 400_000 } as const;
/** Starts of the second opinion are this much of each number away: what rounding of the inputs does. */
const HALF_ROUNDING = 1.1102230246251565e-16;
/** Numbers that are whole multiples of its inverse are taken as exact. */
const EXACT_DIGITS = 1_048_576;

const FIELD = [
  'gravity',
  'radius',
  'alpha',
  'beta',
  'kappa',
  'mu',
  'damping',
  'drag',
  'drive',
  'omega',
  'phase',
] as const satisfies readonly (keyof Coefficients)[];

export function planOf(input: SolveInput): Plan<SolveFace> {
  const problem = problemOf(input);
  const { couplings, samples, tEnd, ground, phi0, dphi0, dt, tolerance, iterations, closed } = problem;
  const hasCouplings = couplings.ids.length > 0;
  const rate = rateOf(problem);
  const judges = judgesOf(problem);
  const field = Object.fromEntries(FIELD.map((name) => [name, problem[name]])) as Record<
    (typeof FIELD)[number],
    number
  >;
  const shifted = [...FIELD.map((name) => problem[name]), phi0, dphi0].map((value, i) =>
    Number.isInteger(value * EXACT_DIGITS) ? value : value + (i % 3 === 1 ? -HALF_ROUNDING : HALF_ROUNDING) * value,
  );
  return {
    runs: [
      {
        parameters: {
          samples,
          steps: MAX_TRIES,
          ticks: TICKS,
          turns: MAX_TURNS,
          closed,
          ...field,
          couplings: couplings.ids.length,
          codeWords: couplings.code.length,
          poolValues: couplings.pool.length,
          phi0,
          dphi0,
          hasGround: Number(ground !== undefined),
          ground: ground ?? 0,
          tEnd,
          dt,
          tolerance,
          iterations,
          maxSteps: hasCouplings ? MAX_EQUAL_STEPS.coupled : MAX_EQUAL_STEPS.alone,
          firstStep: Math.min(tEnd, (judges > FINEST ? 0.02 : 0.003) / rate),
          maxStep: longestStep(problem, judges),
          judges,
        },
        inputs: {
          shifted: Float64Array.from(shifted),
          ...(hasCouplings
            ? {
                weights: couplings.weights,
                programs: couplings.programs,
                code: couplings.code,
                ...(couplings.pool.length > 0 ? { pool: couplings.pool } : {}),
              }
            : {}),
        },
        steps: MAX_TRIES + TICKS,
        outputs: ['history', 'turnsFirst', 'turnsSecond', 'terms'],
        statistics: SOLVE_FACE.statistics,
      },
    ],
    ...costOf(problem, rate),
  };
}

/** No step passes over a swing of the drive, or of a coupling's own time. */
function longestStep({ tEnd, omega, couplings }: Problem, judges: number): number {
  const swing = omega > 0 ? 1 / omega : tEnd;
  return Math.min(
    tEnd / (judges > FINEST ? 4 : 8),
    swing,
    couplings.ids.length > 0 ? Math.max(0.25, tEnd / 1_000) : tEnd,
  );
}

/** Least relative tolerance of the adaptive runs; what is hardly above it counts as it. */
const FINEST = 5e-16;
const HARDLY = 1e-15;

/**
 * Relative tolerance of the adaptive runs: of the square of that of the equal steps, and a thousandth of it at most, so that
 * their errors do not show beside it, and the finest at the default. The finest also with couplings, which may have kinks.
 */
function judgesOf({ tolerance, couplings }: Problem): number {
  const judges = Math.min(500 * tolerance * tolerance, 1e-3 * tolerance);
  return couplings.ids.length > 0 || judges < HARDLY ? FINEST : judges;
}

/** The fastest of the rates at the start, 1/s. */
export function rateOf({
  alpha,
  beta,
  kappa,
  mu,
  damping,
  drag,
  omega,
  phi0,
  dphi0,
  gravity,
  tEnd,
  couplings,
}: Problem) {
  const reach = Math.max(Math.abs(phi0), Math.abs(dphi0) / Math.sqrt(Math.abs(alpha) + 1));
  const weight = couplings.weights.reduce((sum, one) => sum + Math.abs(one), 0);
  const steep = Math.abs(kappa * mu);
  const stiffness = Math.abs(alpha) + 3 * Math.abs(beta) * reach * reach + steep + 10 * weight;
  const losses = Math.abs(damping) + drag * (Math.abs(dphi0) + Math.sqrt(Math.abs(gravity) * Math.abs(phi0)));
  return Math.max(1 / tEnd, Math.sqrt(stiffness) + losses + omega);
}

/** Steps of a radian of DOP853 at its tolerance. */
const STEPS_PER_RADIAN = 6;

/** Measured by bench/solve.ts. */
function costOf(problem: Problem, rate: number): Pick<Plan, 'estimateNs' | 'estimateBytes'> {
  const { couplings, samples, tEnd, dt, tolerance, hasWork } = problem;
  const slopeNs = 12 + (hasWork ? 12 : 0) + 120 * couplings.ids.length;
  // Of order 8.
  const coarser = Math.sqrt(Math.sqrt(Math.sqrt(FINEST / judgesOf(problem))));
  const adaptive = Math.min(2e6, 30 + (STEPS_PER_RADIAN + 1) * tEnd * rate * coarser);
  const accurate = tEnd * rate * Math.sqrt(Math.sqrt((tEnd * rate) / (100 * tolerance)));
  const equal = Math.min(couplings.ids.length > 0 ? 4e5 : 8e6, Math.max(tEnd / dt, accurate, samples));
  const numbers = 15 * samples + 4 * MAX_TURNS;
  return {
    estimateNs: 60_000 + adaptive * (24 * slopeNs + 600) + samples * 70 * slopeNs + 2 * 4 * equal * slopeNs,
    estimateBytes: INSTANCE_BYTES + 8 * numbers + 4 * couplings.code.length,
  };
}
