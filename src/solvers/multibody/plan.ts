// The kernel runs of a problem, and their estimated cost: the run, and two more with other steps to compare with.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import type { Body } from './bodies.ts';
import { METHOD_NUMBER, MULTIBODY_FACE, type MultibodyFace } from './face.ts';
import type { MultibodyInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

/** Tolerances, of the distance to the nearest body: of the run, of extrapolation beside it, and of a third one. */
const TOLERANCE = { run: 5e-16, extrapolation: 3e-16, third: 1.5e-15 } as const;
/** Starts of the extrapolation are this much of each number away: what rounding of the inputs does. */
const HALF_ROUNDING = 1.1102230246251565e-16;
/** Numbers that are whole multiples of its inverse are taken as exact. */
const EXACT_DIGITS = 2 ** 20;
/** Tries of steps that a run has, in estimated ones. */
const RESERVE = 30;
const MIN_STEPS = 200_000;
const MAX_STEPS = 40_000_000;
/** Part of the progress that the time shares, far more than steps. */
const TICKS = 1e9;

export function planOf(input: MultibodyInput): Plan<MultibodyFace> {
  const problem = problemOf(input);
  const rate = fastestRate(problem);
  const expected = expectedSteps(problem);
  const adaptive = (method: 'dop853' | 'extrapolation', rtol: number, changes: Partial<Problem> = {}, shift = 0) =>
    runOf({ ...problem, ...changes }, shift, {
      method: METHOD_NUMBER[method],
      steps: Math.min(MAX_STEPS, Math.ceil(MIN_STEPS + RESERVE * expected)),
      ticks: TICKS,
      rtol,
      firstStep: Math.min(problem.tEnd, 0.003 / rate),
      maxStep: problem.longestStep,
    });
  const { fixed, strength, strengthUncertainty } = problem;
  return {
    // In the order that solution.ts takes them.
    runs: [
      ...(fixed === undefined ? [] : [runOf(problem, 0, equalSteps(fixed))]),
      adaptive('dop853', TOLERANCE.run),
      adaptive('extrapolation', TOLERANCE.extrapolation, {}, HALF_ROUNDING),
      adaptive('dop853', TOLERANCE.third, {}, -HALF_ROUNDING),
      ...(strengthUncertainty > 0
        ? [adaptive('dop853', TOLERANCE.run, { strength: strength + strengthUncertainty })]
        : []),
    ],
    ...costOf(problem, expected),
  };
}

type Method = Readonly<Record<'method' | 'steps', number>> & KernelRun<MultibodyFace>['parameters'];

const equalSteps = ({ composition, steps, recordEvery }: NonNullable<Problem['fixed']>): Method => ({
  method: composition === 0 ? METHOD_NUMBER.rk4 : METHOD_NUMBER.composition,
  order: composition,
  steps,
  recordEvery,
  ticks: 0,
});

function runOf(problem: Problem, shift: number, method: Method): KernelRun<MultibodyFace> {
  const { bodies, dimensions, law, hasWork, couplings, strength, softening, alpha, beta, tEnd, times } = problem;
  const isField = law === 'field';
  const hasCouplings = couplings.ids.length > 0;
  const of = (pick: (body: Problem['bodies'][number]) => number) => Float64Array.from(bodies, pick);
  // Away from and towards zero in turn, so that no symmetry remains; a number of few binary digits has no rounding.
  const shifted = (value: number, i: number) =>
    Number.isInteger(value * EXACT_DIGITS) ? value : value + (i % 3 === 1 ? -shift : shift) * value;
  return {
    parameters: {
      bodies: bodies.length,
      dimensions,
      isField: Number(isField),
      hasWork: Number(hasWork),
      samples: times.length,
      couplings: couplings.ids.length,
      codeWords: couplings.code.length,
      poolValues: couplings.pool.length,
      strength,
      softening,
      alpha,
      beta,
      tEnd,
      ...method,
    },
    inputs: {
      masses: of(({ mass }) => mass),
      radii: of(({ radius }) => radius),
      sites: of(({ site }) => site),
      gravity: of(({ gravity }) => gravity),
      drag: of(({ drag }) => drag),
      initial: Float64Array.from([
        ...bodies.flatMap(({ position }) => position).map(shifted),
        ...bodies.flatMap(({ velocity }) => velocity).map((one, i) => shifted(one, i + 1)),
        ...(hasWork ? [0] : []),
      ]),
      times,
      ...(hasCouplings
        ? {
            weights: couplings.weights,
            programs: couplings.programs,
            code: couplings.code,
            ...(couplings.pool.length > 0 ? { pool: couplings.pool } : {}),
          }
        : {}),
    },
    steps: method.steps + (method.ticks ?? 0),
    outputs: ['history', 'pairs'],
    statistics: MULTIBODY_FACE.statistics,
  };
}

interface Pair {
  readonly distance: number;
  readonly speed: number;
  /** Strength times the masses. */
  readonly mu: number;
}

const isTogether = (one: Body, other: Body): boolean =>
  one.gravity === other.gravity &&
  one.drag === other.drag &&
  one.position.every((x, k) => x + one.site === (other.position[k] ?? 0) + other.site) &&
  one.velocity.every((v, k) => v === other.velocity[k]);

function pairsOf({ bodies, strength }: Problem): readonly Pair[] {
  return bodies.flatMap((one, i) =>
    bodies.slice(i + 1).map((other) => {
      const between = (of: 'position' | 'velocity', offset: number) =>
        Math.sqrt(
          one[of].reduce((sum, x, k) => {
            const d = (other[of][k] ?? 0) - x + offset;
            return sum + d * d;
          }, 0),
        );
      return {
        distance: between('position', other.site - one.site),
        speed: between('velocity', 0),
        // Two alike at one place stay together.
        mu: isTogether(one, other) ? 0 : Math.abs(strength) * (one.mass + other.mass),
      };
    }),
  );
}

/** The fastest of the rates at which the start changes, 1/time. */
function fastestRate(problem: Problem): number {
  const { softening, tEnd } = problem;
  const rates = pairsOf(problem).map(({ distance, speed, mu }) => {
    const r = Math.sqrt(distance * distance + softening * softening);
    return r > 0 ? Math.max(Math.sqrt(mu / r) / r, speed / r) : 0;
  });
  return [1 / tEnd, siteRate(problem), ...rates].reduce((most, rate) => Math.max(most, rate), 0);
}

/** Of the forces on each body of a field. */
function siteRate({ law, alpha, beta, bodies, couplings }: Problem): number {
  if (law === 'gravity') return 0;
  const reach = bodies.reduce((most, { position, gravity }) => Math.max(most, Math.abs(position[0] ?? 0), gravity), 0);
  const drag = bodies.reduce((most, one) => Math.max(most, one.drag * (1 + Math.abs(one.velocity[0] ?? 0))), 0);
  const weight = couplings.weights.reduce((sum, one) => sum + Math.abs(one), 0);
  return Math.sqrt(Math.abs(alpha) + 3 * Math.abs(beta) * reach * reach + 10 * weight) + drag;
}

/** Steps of a radian of a revolution, measured; encounters take more, which the reserve is for. */
const STEPS_PER_RADIAN = 12;

function expectedSteps(problem: Problem): number {
  const { tEnd, softening } = problem;
  const rates = pairsOf(problem).map(({ distance, speed, mu }) => {
    const r = Math.sqrt(distance * distance + softening * softening);
    if (!(r > 0)) return 0;
    const energy = 0.5 * speed * speed - mu / r;
    // Of a bound pair the mean motion, of others how fast they pass.
    const a = energy < 0 ? Math.min(r, -mu / (2 * energy)) : r;
    return energy < 0 ? Math.sqrt(mu / a) / a : speed / r;
  });
  const fastest = rates.reduce((most, rate) => Math.max(most, rate), siteRate(problem));
  const inTime = STEPS_PER_RADIAN * tEnd * fastest;
  return 300 + Math.min(1e12, Math.max(inTime, tEnd / problem.longestStep));
}

/** Of the steps of DOP853, what extrapolation takes. */
const EXTRAPOLATED = 0.3;

/**
 * Measured by bench/multibody.ts, a third above: slopes by pairs and states, steps of DOP853, those of extrapolation by the
 * approaches of pairs that they look for, samples of three runs, and what a request costs beside them.
 */
function costOf(problem: Problem, expected: number): Pick<Plan, 'estimateNs' | 'estimateBytes'> {
  const { bodies, dimensions, couplings, times, fixed, strengthUncertainty } = problem;
  const pairs = (bodies.length * (bodies.length - 1)) / 2;
  const states = 2 * bodies.length * dimensions + 1;
  const slopeNs = 6 * pairs + 3 * states + 200 * bodies.length * couplings.ids.length;
  const stepNs = 12 * slopeNs + 30 * states;
  const longNs = 1_000 + 1_500 * pairs + 60 * slopeNs;
  const steps = Math.min(expected, MAX_STEPS);
  const adaptive = steps * ((strengthUncertainty > 0 ? 3 : 2) * stepNs + EXTRAPOLATED * longNs);
  const equal = fixed === undefined ? 0 : fixed.steps * (fixed.composition === 8 ? 17 : 7) * slopeNs;
  const samplesNs = times.length * (1_500 + 600 * pairs + 3 * 14 * slopeNs);
  const numbers = times.length * (states + 2) + 150 * states + 4 * pairs;
  return {
    estimateNs: 100_000 + adaptive + equal + samplesNs,
    estimateBytes: INSTANCE_BYTES + 8 * numbers + 4 * couplings.code.length,
  };
}
