// The kernel runs of a problem, and their estimated cost: the curve, the curve again with other steps, the ensemble.

import { powerOfTwo } from '../../core/elementary.ts';
import { LIMITS } from '../../core/limits.ts';
import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { EPI_FACE, type EpiFace } from './face.ts';
import { FITTED } from './fitted.ts';
import type { EpiInput } from './inputs.ts';
import type { Observations } from './observations.ts';
import { infectiousDays, type Problem, problemOf } from './problem.ts';
import { spectralRadius } from './reproduction.ts';

/** Tolerances of the curve and of its witness, whose steps are others. */
const TOLERANCE = 1e-9;
const WITNESS_TOLERANCE = 1e-11;
/** Part of the run that a step of the witness may be at most: no whole fraction of it. */
const WITNESS_STEP = 0.0137;

const KINDS = { curve: 0, ensemble: 1, fit: 2 } as const;
/** Part of the progress that completed runs share, far more than events: so the fraction done is that of the runs. */
const TICKS = 1e9;

export function planOf(input: EpiInput): Plan<EpiFace> {
  const problem = problemOf(input);
  const { days, runs } = problem;
  const cost = costOf(problem);
  const mainStep = Math.min(days, longestStep(problem));
  const witnessStep = Math.min(WITNESS_STEP * days, 0.83 * mainStep);
  const { observations } = problem;
  if (observations !== undefined) {
    const runOf = (rtol: number, maxStep: number) => fitRun(problem, observations, rtol, maxStep);
    return { runs: [runOf(TOLERANCE, mainStep), runOf(WITNESS_TOLERANCE, witnessStep)], ...cost };
  }
  return {
    runs: [
      curveRun(problem, TOLERANCE, mainStep),
      curveRun(problem, WITNESS_TOLERANCE, witnessStep),
      ...(runs > 0 ? [ensembleRun(problem, input.seed)] : []),
    ],
    ...cost,
  };
}

/** Number of states of a group. */
export const compartments = ({ hasExposed }: Pick<Problem, 'hasExposed'>): number => (hasExposed ? 5 : 4);

function curveRun(problem: Problem, rtol: number, maxStep: number): KernelRun<EpiFace> {
  const maxSteps = Math.ceil(10_000 + 4 * stepsOf(problem));
  return {
    parameters: { kind: KINDS.curve, ...parametersOf(problem), maxSteps, rtol, maxStep },
    inputs: inputsOf(problem),
    steps: maxSteps,
    outputs: ['samples'],
    statistics: EPI_FACE.statistics,
  };
}

function ensembleRun(problem: Problem, seed: number): KernelRun<EpiFace> {
  const maxSteps = LIMITS.epi.events;
  return {
    parameters: { kind: KINDS.ensemble, ...parametersOf(problem), runs: problem.runs, seed, maxSteps, ticks: TICKS },
    inputs: inputsOf(problem),
    steps: maxSteps + TICKS,
    outputs: ['paths', 'outcomes'],
    statistics: EPI_FACE.statistics,
  };
}

/** R0 that a fit scans. */
const SCANNED = { from: 1.02, to: 30 } as const;
/** Points of the scan, iterations and the end, at most; see assembly/solvers/epi/fit.ts. */
const MAX_FIT_STEPS = 500;

function fitRun(problem: Problem, observations: Observations, rtol: number, maxStep: number): KernelRun<EpiFace> {
  const { edges, table, counts, isPrevalence, fitted, reporting } = observations;
  const perR0 = 1 / (infectiousDays(problem) * spectralRadius(problem.contacts).value);
  return {
    parameters: {
      kind: KINDS.fit,
      ...parametersOf(problem),
      maxSteps: MAX_FIT_STEPS,
      observations: counts.length,
      edges: edges.length,
      isPrevalence: Number(isPrevalence),
      fitted: fitted.reduce((mask, name) => mask + powerOfTwo(FITTED.indexOf(name)), 0),
      rtol,
      maxStep,
      reporting,
      scanLow: SCANNED.from * perR0,
      scanHigh: SCANNED.to * perR0,
    },
    inputs: { ...inputsOf(problem), edges, observations: table },
    steps: MAX_FIT_STEPS,
    outputs: ['samples', 'estimates', 'information', 'expected', 'sensitivity'],
    statistics: EPI_FACE.statistics,
  };
}

const parametersOf = ({ sizes, hasExposed, windows, times, beta, gamma, sigma, mu, omega, days }: Problem) => ({
  groups: sizes.length,
  hasExposed: Number(hasExposed),
  windows: windows.length,
  samples: times.length,
  beta,
  gamma,
  sigma,
  mu,
  omega,
  days,
});

function inputsOf({ sizes, contacts, hasExposed, infectious, exposed, immune, windows, times }: Problem) {
  const none = sizes.map(() => 0);
  return {
    contacts: Float64Array.from(contacts.flatMap((row) => row.map((one, h) => one / (sizes[h] ?? 1)))),
    population: Float64Array.from(sizes),
    // S is what is left.
    initial: Float64Array.from([...none, ...(hasExposed ? exposed : []), ...infectious, ...immune, ...none]),
    ...(windows.length === 0
      ? {}
      : { windows: Float64Array.from(windows.flatMap((one) => [one.from, one.to, one.factor, one.vaccination])) }),
    times,
  };
}

const largest = (problem: Problem, of: 'factor' | 'vaccination', least: number): number =>
  problem.windows.reduce((max, window) => Math.max(max, window[of]), least);

/** Steps of the witness: those of stability at the fastest rate, and those of accuracy along the waves. */
/**
 * Longest step, in days: two over the rates at which people leave a compartment. So few infected that their error is
 * within the tolerance would otherwise change their sign in steps beyond the limit of stability, and grow again later
 * as negative numbers.
 */
function longestStep(problem: Problem): number {
  const { gamma, sigma, mu, omega } = problem;
  return STABLE / (gamma + sigma + 2 * mu + omega + largest(problem, 'vaccination', 0));
}
const STABLE = 2;

function stepsOf(problem: Problem): number {
  const { gamma, sigma, mu, omega, beta, contacts, days, windows } = problem;
  const growth = beta * largest(problem, 'factor', 1) * spectralRadius(contacts).value;
  const fastest = growth + gamma + sigma + mu + omega + largest(problem, 'vaccination', 0);
  return 200 * (1 + windows.length) + (days * fastest) / 2;
}

/** Measured by bench/epi.ts: a try of a step by groups, an event, and the fixed cost of a run. */
function costOf(problem: Problem): Pick<Plan, 'estimateNs' | 'estimateBytes'> {
  const { sizes, times, runs, windows } = problem;
  const groups = sizes.length;
  const states = compartments(problem) * groups;
  const stepNs = 7 * (10 * groups * groups + 16 * states) + 150;
  const numbers = times.length * (states + 2) + 40 * states + groups * groups + 4 * windows.length;
  const { edges, counts } = problem.observations ?? { edges: [], counts: [] };
  const fitNumbers = edges.length * (states + 3) + 11 * counts.length + 6 * (times.length + 30);
  // Effective reproduction numbers of groups are eigenvalues, one a sample.
  const eigenvaluesNs = groups > 1 ? 40_000 * groups * groups * times.length : 0;
  const fitCurves = problem.observations === undefined ? 1 : fitCurvesOf(problem.observations);
  const ensembleNumbers = runs * (times.length + 5) + times.length + 20 * groups;
  return {
    estimateNs:
      200_000 +
      1.5 * fitCurves * (stepsOf(problem) * stepNs + 20 * states * edges.length) +
      300 * times.length * states +
      eventsOf(problem) * eventNs(groups) +
      eigenvaluesNs,
    estimateBytes: INSTANCE_BYTES + 8 * Math.max(numbers + fitNumbers, ensembleNumbers),
  };
}

/** Curves of the scan, of ten iterations and of the end. */
const fitCurvesOf = ({ fitted }: Observations): number =>
  (fitted.includes('beta') ? 16 : 1) * (fitted.includes('I0') ? 5 : 1) * (fitted.includes('gamma') ? 5 : 1) +
  12 * (2 * fitted.length + 2);

const eventNs = (groups: number): number => 75 + 20 * groups * groups;

/** Events of the ensemble at most: every susceptible is infected once, and what flows back, as long as the run lasts. */
function eventsOf(problem: Problem): number {
  const { runs, people, mu, omega, gamma, hasExposed, days } = problem;
  const returns = Math.min(omega + mu, gamma) * days;
  const perPerson = (hasExposed ? 3 : 2) + (largest(problem, 'vaccination', 0) > 0 ? 1 : 0);
  return Math.min(runs * people * perPerson * (1 + returns) + 2 * runs, LIMITS.epi.events);
}
