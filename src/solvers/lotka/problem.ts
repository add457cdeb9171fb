// The problem of a request: net rates, the equilibrium of both species, and what the model does from this start.

import { log } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import type { LotkaInput } from './inputs.ts';
import { type Orbit, orbitOf } from './reference.ts';

export type Regime =
  | 'closed orbit'
  | 'equilibrium'
  | 'limit cycle'
  | 'stable focus'
  | 'stable node'
  | 'growing oscillation'
  | 'predators die out'
  | 'both die out'
  | 'no predators'
  | 'no prey'
  | 'nobody';

/** Coefficients of assembly/solvers/lotka/model.ts. */
export interface Coefficients {
  readonly saturation: number;
  readonly growth: number;
  readonly crowding: number;
  readonly attack: number;
  readonly loss: number;
  readonly gain: number;
}

/** Of both species, with what small deviations from it do. */
export interface Equilibrium {
  readonly prey: number;
  readonly predators: number;
  /** Trace and determinant of the Jacobian of the logarithms. */
  readonly trace: number;
  readonly determinant: number;
  /** Of the trace, by the terms that cancel in it. */
  readonly traceRounding: number;
}

export interface Problem {
  readonly regime: Regime;
  /** Growth of the prey and loss of the predators with harvest. */
  readonly alpha: number;
  readonly gamma: number;
  readonly equilibrium?: Equilibrium | undefined;
  /** About the equilibrium if there is one. */
  readonly coefficients: Coefficients;
  /** Logarithms of the start, over the equilibrium if there is one; 0 for nobody. */
  readonly p0: number;
  readonly q0: number;
  /** Of a closed orbit, by quadrature. */
  readonly orbit?: Orbit | undefined;
  readonly tEnd: number;
  /** Tries of steps, expected at most. */
  readonly steps: number;
  readonly samples: number;
  readonly unit: string;
}

/** Deviations below this are the rounding of the start. */
const AT_REST = 4e-16;
const PERIODS = 5;
const MAX_STEPS = 3_000_000;
const STEPS_PER_PERIOD = 120;

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: LotkaInput): Problem {
  const { x0, y0, harvest, samples, units } = input;
  assertCountable('x0', x0);
  assertCountable('y0', y0);
  assertCountable('carrying_capacity', input.carrying_capacity, MIN_LIMIT);
  assertCountable('half_saturation', input.half_saturation, MIN_LIMIT);
  const alpha = input.alpha - harvest;
  const gamma = input.gamma + harvest;
  const equilibrium = equilibriumOf(input, alpha, gamma);
  const isAbsent = x0 === 0 || y0 === 0;
  const about = equilibrium !== undefined && !isAbsent ? equilibrium : undefined;
  const p0 = x0 === 0 ? 0 : logOfRatio(x0, about?.prey ?? 1);
  const q0 = y0 === 0 ? 0 : logOfRatio(y0, about?.predators ?? 1);
  const regime = regimeOf(input, alpha, equilibrium, p0, q0);
  const orbit = regime === 'closed orbit' ? orbitOf(alpha, gamma, p0, q0) : undefined;
  const coefficients =
    about === undefined ? plainCoefficients(input, alpha, gamma) : aboutOf(input, alpha, gamma, about);
  const period = orbit?.period ?? ownTime(input, alpha, gamma, equilibrium, regime);
  const tEnd = input.t_end > 0 ? input.t_end : PERIODS * period;
  const steps = stepsOf(input, alpha, gamma, tEnd, period, regime);
  return { regime, alpha, gamma, equilibrium: about, coefficients, p0, q0, orbit, tEnd, steps, samples, unit: units };
}

/** Below this a population has not all digits. */
const MIN_POPULATION = 1e-280;

/** Below this a rate over a limit leaves the range of doubles. */
const MIN_LIMIT = 1e-200;

function assertCountable(field: string, population: number, min = MIN_POPULATION): void {
  if (population === 0 || population >= min) return;
  throw validationError(field, `${field} is ${population}; expected 0, or ${min} and more.`, 'TOO_SMALL', { min });
}

/** ln(a/b), without a loss of digits where they are close. */
function logOfRatio(a: number, b: number): number {
  const ratio = a / b;
  return ratio > 0.5 && ratio < 2 && a !== b ? logNear((a - b) / b) : log(ratio);
}

/** ln(1 + d) by the logarithm of the rounded sum, corrected. */
function logNear(d: number): number {
  const sum = 1 + d;
  return sum === 1 ? d : (log(sum) * d) / (sum - 1);
}

/** Where both species stay; undefined if they cannot. */
function equilibriumOf(input: LotkaInput, alpha: number, gamma: number): Equilibrium | undefined {
  const { beta, delta, carrying_capacity: K, half_saturation: H } = input;
  if (!(alpha > 0)) return undefined;
  const effective = H > 0 ? delta - gamma / H : delta;
  if (!(effective > 0)) return undefined;
  const prey = gamma / effective;
  const crowding = K > 0 ? (input.alpha * prey) / K : 0;
  if (!(crowding < alpha)) return undefined;
  const c = H > 0 ? prey / H : 0;
  const predators = ((alpha - crowding) * (1 + c)) / beta;
  const [first, second] = [c * alpha, crowding * (1 + 2 * c)];
  return {
    prey,
    predators,
    trace: (first - second) / (1 + c),
    traceRounding: (8 * Number.EPSILON * (first + second)) / (1 + c),
    determinant: (beta * predators * gamma) / ((1 + c) * (1 + c)),
  };
}

/** N(x) = (α − h − α x/K)(1 + x/H) about x*: N − N* = P (k₁ − k₂ (2 + P)). */
function aboutOf(input: LotkaInput, alpha: number, gamma: number, { prey, predators }: Equilibrium): Coefficients {
  const { beta, carrying_capacity: K, half_saturation: H } = input;
  const c = H > 0 ? prey / H : 0;
  const crowding = K > 0 ? (input.alpha * prey) / K : 0;
  return {
    saturation: c,
    growth: c * alpha - crowding,
    crowding: c * crowding,
    attack: beta * predators,
    loss: gamma,
    gain: 0,
  };
}

function plainCoefficients(input: LotkaInput, alpha: number, gamma: number): Coefficients {
  const { beta, delta, carrying_capacity: K, half_saturation: H } = input;
  return {
    saturation: H > 0 ? 1 / H : 0,
    growth: alpha,
    crowding: K > 0 ? input.alpha / K : 0,
    attack: beta,
    loss: gamma,
    gain: delta,
  };
}

function regimeOf(
  { x0, y0, carrying_capacity: K, half_saturation: H }: LotkaInput,
  alpha: number,
  equilibrium: Equilibrium | undefined,
  p0: number,
  q0: number,
): Regime {
  if (x0 === 0) return y0 === 0 ? 'nobody' : 'no prey';
  if (y0 === 0) return 'no predators';
  if (equilibrium === undefined) return alpha > 0 ? 'predators die out' : 'both die out';
  const isAtRest = Math.abs(p0) + Math.abs(q0) <= AT_REST;
  if (K === 0 && H === 0) return isAtRest ? 'equilibrium' : 'closed orbit';
  if (K === 0) return 'growing oscillation';
  const { trace, determinant } = equilibrium;
  if (trace > 0) return 'limit cycle';
  return trace * trace < 4 * determinant ? 'stable focus' : 'stable node';
}

/** A time in which something happens. */
function ownTime(
  input: LotkaInput,
  alpha: number,
  gamma: number,
  equilibrium: Equilibrium | undefined,
  regime: Regime,
): number {
  if (equilibrium !== undefined && regime !== 'no prey' && regime !== 'no predators') {
    const turn = (2 * Math.PI) / Math.sqrt(equilibrium.determinant);
    return regime === 'equilibrium' ? turn : regime === 'growing oscillation' ? 1.5 * turn : 4 * turn;
  }
  const rates = [Math.abs(alpha), gamma, input.alpha].filter((one) => one > 0);
  return 3 / Math.min(...rates);
}

/** Steps of the way: those along the waves, and those that stability asks for where prey rest at their capacity. */
function stepsOf(
  { t_end, alpha: growth, half_saturation: H, carrying_capacity: K }: LotkaInput,
  alpha: number,
  gamma: number,
  tEnd: number,
  period: number,
  regime: Regime,
): number {
  const damping = K > 0 || H > 0 || regime.includes('out') ? growth + Math.abs(alpha) + gamma : 0;
  const steps = 2_000 + (STEPS_PER_PERIOD * tEnd) / period + 2 * damping * tEnd;
  if (steps <= MAX_STEPS) return Math.ceil(steps);
  const max = Number(((tEnd * MAX_STEPS) / steps).toPrecision(3));
  const message = `t_end is ${t_end}; the curves may have ${MAX_STEPS} steps, so it is at most about ${max} here.`;
  throw validationError('t_end', message, 'TOO_LONG', { max });
}
