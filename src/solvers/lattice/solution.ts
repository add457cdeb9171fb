// Builds the solution from the kernel outputs: the mean order parameter with its witness, the nodes at the end, what a
// chain says in closed form.

import { ALPHA } from '../../core/clock.ts';
import { decimalError } from '../../core/decimal-error.ts';
import { log, sin } from '../../core/elementary.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { angleOf, TWO_PI } from '../parts/angle.ts';
import { at, last, maxMagnitude } from '../parts/arrays.ts';
import { unstableError } from '../parts/errors.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { LatticeFace } from './face.ts';
import { type History, historyOf } from './history.ts';
import type { LatticeInput } from './inputs.ts';
import { equationOf, notesOf } from './lattice-words.ts';
import { picturesOf } from './pictures.ts';
import { RUNS } from './plan.ts';
import { type Problem, problemOf } from './problem.ts';

const { EPSILON } = Number;

/** Mean r of 2 to 5 independent random phases: short random walks (Borwein, Straub, Wan & Zudilin 2012). */
const RANDOM_PHASES = [0.6366197723675814, 0.524865745851, 0.44977311996, 0.401632369089] as const;
/** Exponent at which nothing of the transients is left. */
const SETTLED = -25;
/** Farther from the locked state than this, the run has not reached it. */
const AT_LOCK = 1e-9;
/** Two methods that differ by more are no witness of each other. */
const MAX_DISAGREEMENT = 1e-3;
/** Frequencies that differ by less than this part of the fastest are one. */
const SAME_FREQUENCY = 1e-6;

export function solutionOf(outputs: readonly KernelOutput<LatticeFace>[], input: LatticeInput): Solution {
  const problem = problemOf(input);
  const n = problem.omega.length;
  assertRan(outputs, problem);
  const [coarse, fine, controlled] = [RUNS.coarse, RUNS.fine, RUNS.controlled].map((run) =>
    historyOf(outputOf(outputs, run), n),
  ) as [History, History, History];
  const value = fine.coherence;
  const witness = witnessOf(problem, value, controlled);
  const spread = Math.abs(value - coarse.coherence);
  const steps = outputOf(outputs, RUNS.fine).steps;
  const rounding = 8 * EPSILON * Math.sqrt(steps) + roundingOfInputs(input, problem);
  const method = 2 * Math.abs(value - witness.reference) + spread / 15;
  const order = orderOf(Math.abs(coarse.coherence - controlled.coherence), Math.abs(value - controlled.coherence));
  const error = phaseErrors(problem, { coarse, fine, controlled });
  const nodes = nodesOf(input, problem, fine, error);
  const locked = isLocked(problem, fine);
  const budget = uncertain([
    bound('discretisation', method, 'the witness, twice, and the difference of N and 2 N steps by their order'),
    bound('rounding', rounding, 'roundings of the steps and of the given numbers'),
  ]);
  const hasWitness = Math.abs(value - witness.reference) <= MAX_DISAGREEMENT && budget.uncertainty <= MAX_DISAGREEMENT;
  const lattice_equation = equationOf(problem);
  return {
    value,
    ...budget,
    bound: Math.max(budget.uncertainty, 1e-300),
    converged: hasWitness,
    witness: { ...witness, scale: 1, ...(order === undefined ? {} : { observedOrder: order }) },
    invariants: invariantsOf(problem, fine),
    ...picturesOf(problem, fine, nodes, error, RANDOM_PHASES[n - 2] ?? Number.NaN),
    quantities: quantitiesOf(problem, value, budget.uncertainty, fine, error, locked),
    findings: {
      coherenceScore: Math.min(1, Math.max(0, value)),
      locked,
      nodes,
      lattice_equation,
    },
    operatorInputs: {},
    functional: value,
    notes: [lattice_equation, ...notesOf(input, problem, value, locked, hasWitness)],
  };
}

/** @throws DomainError UNSTABLE_SCHEME */
function assertRan(outputs: readonly KernelOutput<LatticeFace>[], { stepsPerSample, samples }: Problem): void {
  if ([0, 1, 2].every((run) => outputOf(outputs, run).info === INFO.ok)) return;
  const steps = stepsPerSample * (samples - 1);
  const message = `steps is ${steps}; the run diverges with so few. Take more, or leave the field out.`;
  throw unstableError('steps', message, 'TOO_FEW', { steps });
}

function witnessOf({ locked, tMax }: Problem, value: number, { coherence }: History) {
  if (locked !== undefined && 0.5 * tMax * locked.slowestRate < SETTLED && Math.abs(value - locked.r) < AT_LOCK)
    return { method: 'the locked state of the chain in closed form', reference: locked.r };
  return { method: 'DOP853 with its error controlled', reference: coherence };
}

function orderOf(coarse: number, fine: number): number | undefined {
  return fine > 1e-12 ? log(coarse / fine) / Math.LN2 : undefined;
}

/** What the decimal numbers lose as doubles, by how far they turn a phase. */
function roundingOfInputs({ nodes }: LatticeInput, { tMax, locked, mean }: Problem): number {
  const lost = nodes.reduce(
    (sum, { inputs = {} }) =>
      sum + decimalError(inputs.omega ?? 0) * (locked === undefined ? tMax : 1) + decimalError(inputs.theta0 ?? 0),
    0,
  );
  return lost + EPSILON * Math.abs(mean) * (locked === undefined ? tMax : 1);
}

/** Of each phase at the end. */
function phaseErrors(
  { mean, tMax }: Problem,
  { coarse, fine, controlled }: Readonly<Record<'coarse' | 'fine' | 'controlled', History>>,
): readonly number[] {
  const turned = 8 * EPSILON * (1 + Math.abs(mean) * tMax);
  return fine.theta.map((one, i) => {
    const others = [coarse.theta[i] ?? [], controlled.theta[i] ?? []].map((other) => Math.abs(last(one) - last(other)));
    return (others[0] ?? 0) / 15 + 2 * (others[1] ?? 0) + turned + 64 * EPSILON * Math.abs(last(one));
  });
}

function nodesOf(
  { nodes }: LatticeInput,
  { omega, theta0, mean, tMax }: Problem,
  { theta }: History,
  _: readonly number[],
) {
  const common = angleOf(mean * tMax).theta;
  return nodes.map(({ domain, computed }, i) => {
    const end = angleOf(common + last(theta[i] ?? [])).theta;
    return {
      ...(domain === undefined ? {} : { domain }),
      ...(computed === undefined
        ? {}
        : {
            operator_id: computed.operator_id,
            value: computed.value,
            unit: computed.unit,
            uncertainty: computed.uncertainty,
          }),
      omega: at(omega, i),
      theta0: at(theta0, i),
      theta: end,
      R_t: 1 + ALPHA * sin(end),
    };
  });
}

function isLocked({ topology, omega, locked, relative, K }: Problem, { theta, t }: History): boolean {
  if (topology === 'chain' || omega.length === 2) return locked !== undefined || maxMagnitude(relative) === 0;
  const middle = (t.length - 1) / 2;
  const rates = theta.map((one) => (last(one) - at(one, middle)) / (last(t) - at(t, middle)));
  const size = Math.max(maxMagnitude(relative), Math.abs(K));
  return Math.max(...rates) - Math.min(...rates) <= SAME_FREQUENCY * size;
}

function invariantsOf({ relative, theta0, tMax }: Problem, { theta, r, t }: History): readonly Invariant[] {
  const n = relative.length;
  const rest = relative.reduce((sum, one) => sum + one, 0);
  const start = theta0.reduce((sum, one) => sum + one, 0);
  let drift = 0;
  for (const [k, time] of t.entries()) {
    const sum = theta.reduce((total, one) => total + at(one, k), 0);
    drift = Math.max(drift, Math.abs(sum - start - rest * time) / n);
  }
  const size = 1 + maxMagnitude(theta0) + (tMax * maxMagnitude(relative)) / 100;
  const outside = Math.max(...r, 1) - 1 + Math.max(0, -Math.min(...r));
  return [
    {
      name: 'mean_frequency',
      label: "the mean of θ' is the mean of ω",
      value: rest / n,
      drift: drift / size,
      bound: 1e-12,
    },
    {
      name: 'order_parameter',
      label: 'r stays within 0 and 1',
      value: Math.max(...r),
      drift: outside,
      bound: 4 * EPSILON,
    },
  ];
}

function quantitiesOf(
  problem: Problem,
  value: number,
  uncertainty: number,
  { r, theta }: History,
  error: readonly number[],
  isLockedNow: boolean,
): readonly Quantity[] {
  const { mean, omega, critical, locked, K, tMax } = problem;
  const n = omega.length;
  const largest = maxMagnitude(omega);
  const meanError = omega.reduce((sum, one) => sum + decimalError(one), 0) / n + 2 * EPSILON * largest;
  const sum = error.reduce((total, one) => total + one, 0) / n;
  return [
    quantity('coherence', value, '1', uncertainty),
    quantity('r_end', last(r), '1', sum + 8 * EPSILON),
    quantity('random_phases', RANDOM_PHASES[n - 2] ?? Number.NaN, '1', 1e-12),
    exactly('locked', isLockedNow ? 1 : 0, '1'),
    ...(critical === undefined ? [] : [quantity('K_c', critical, 'rad/s', n * (meanError + EPSILON * largest))]),
    ...(locked === undefined
      ? []
      : [
          quantity('r_locked', locked.r, '1', locked.rUncertainty + lockedError(problem, meanError)),
          quantity(
            'slowest_rate',
            locked.slowestRate,
            '1/s',
            locked.rateUncertainty + Math.abs(K) * lockedError(problem, meanError),
          ),
        ]),
    quantity('mean_frequency', mean, 'rad/s', meanError),
    quantity('first_to_last', wrapped(last(theta[n - 1] ?? []) - last(theta[0] ?? [])), 'rad', 2 * Math.max(...error)),
    quantity('K', K, 'rad/s', decimalError(K)),
    exactly('t_end', tMax, 's'),
  ];
}

/** What errors of the frequencies do to the phases of a locked chain, at most: 1/cos of the largest difference. */
function lockedError({ K, critical = 0, omega }: Problem, meanError: number): number {
  const ratio = critical / Math.abs(K);
  return ((2 * omega.length * meanError) / Math.abs(K)) * (1 / Math.sqrt(Math.max(1 - ratio * ratio, EPSILON)));
}

/** Within −π and π. */
function wrapped(angle: number): number {
  const one = angleOf(angle).theta;
  return one > Math.PI ? one - TWO_PI : one;
}
