// Builds the solution from the outputs of the three runs: the standard deviation of the estimate and its witness, the
// estimates, the steady state, the tests of the innovations, and what was tuned.

import { bound, standard, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Invariant, Solution } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { validationError } from '../parts/errors.ts';
import { quantity } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { neesTest, nisTest, whitenessOf } from './consistency.ts';
import type { KalmanFace } from './face.ts';
import { viewOf } from './histories.ts';
import type { KalmanInput } from './inputs.ts';
import { diagonalOf, type Matrix, matrixOf, scaled } from './matrix.ts';
import { type Observability, observabilityOf } from './observability.ts';
import { picturesOf } from './pictures.ts';
import { type Problem, problemOf } from './problem.ts';
import {
  errorQuantities,
  lastDeviation,
  modelQuantities,
  roundingOf,
  roundingsOf,
  stateQuantities,
  steadyQuantities,
  testQuantities,
} from './quantities.ts';
import { type Steady, steadyOf } from './steady.ts';
import { type Tuned, tunedOf } from './tuned.ts';

type Output = KernelOutput<KalmanFace>;

/** Beyond this relative difference, the two ways do not agree. */
const AGREES = 1e-4;
/** A standard deviation below this part of the one before the row is 0 within rounding. */
const VANISHED = 1e-12;
/** What rounding makes of symmetry and of an eigenvalue of 0. */
const EIGENVALUE = 1e-12;
const RICCATI = 1e-11;
/** What the likelihood may lack to its maximum; see assembly/solvers/kalman/tuning.ts. */
const TUNED = 1e-8;

export function solutionOf(outputs: readonly Output[], input: KalmanInput): Solution {
  const problem = problemOf(input);
  const { model, rows, state, tuned: tunedCount } = problem;
  const [main, witness, plain] = [outputOf(outputs, 0), outputOf(outputs, 1), outputOf(outputs, 2)];
  const step = model.step(rows.dt);
  const observability = observabilityOf(step.F, model.H);
  assertFinished(main, problem, observability);
  assertFinished(witness, problem, observability);
  const tuned = tunedOf(main, witness, problem);
  const steady = steadyOfTuned(problem, tuned);
  const scores = rowsOf(viewOf(main, 'scores'), main.columns.score);
  const otherScores = rowsOf(viewOf(witness, 'scores'), witness.columns.score);
  const [nis, otherNis] = [nisTest(scores), nisTest(otherScores)];
  const whiten = (output: Output) =>
    whitenessOf(viewOf(output, 'whitened'), rows.present, model.channels.length, tunedCount);
  const [whiteness, otherWhiteness] = [whiten(main), whiten(witness)];
  const nees = rows.isSimulated ? neesTest(scores, problem.runs) : undefined;
  const { value, reference, before, rounding } = lastDeviation(main, witness, problem, state);
  const budget = uncertain([
    bound('rounding', rounding, 'difference from the filter by square roots, and roundings of a row'),
    standard('statistics', tuned?.deviations[state] ?? 0, 'intervals of the tuned factors'),
  ]);
  const agrees = Math.abs(value - reference) <= AGREES * Math.max(value, reference) + VANISHED * before;
  const scale = Math.max(value, reference, Number.MIN_VALUE);
  const logLikelihood = main.statistics.logLikelihood ?? 0;
  return {
    value,
    ...budget,
    // Of the numerics alone: what the series leave open about the factors is in ±.
    bound: Math.max(rounding, Math.abs(value - reference)) / scale,
    converged: agrees && (tuned?.isConverged ?? true),
    witness: { method: 'square root of the covariance by reflections', reference, scale },
    invariants: invariantsOf(main, problem, steady),
    ...picturesOf(main, problem, { scores, nis, whiteness, nees }, steady),
    quantities: [
      ...stateQuantities(main, witness, problem, tuned),
      ...steadyQuantities(problem, steady),
      quantity(
        'log_likelihood',
        logLikelihood,
        '1',
        roundingOf(
          logLikelihood,
          witness.statistics.logLikelihood ?? 0,
          roundingsOf(problem),
          Math.abs(logLikelihood) + rows.times.length,
        ) + (tunedCount > 0 ? TUNED : 0),
      ),
      ...testQuantities(roundingsOf(problem), nis, otherNis, whiteness, otherWhiteness),
      ...errorQuantities(main, problem, nees),
      ...(tuned?.quantities ?? []),
      ...modelQuantities({ model, rows, problem, observability }, main, plain),
    ],
    operatorInputs: scalarInputs(problem, tuned),
    functional: value,
    notes: notesOf(problem, observability, steady, agrees, tuned, input),
  };
}

/** @throws DomainError VALIDATION_FAILED: a singular innovation, or a covariance beyond all numbers */
function assertFinished(output: Output, { model }: Problem, observability: Observability): void {
  if (output.info === INFO.ok) return;
  const { singularRow = 0 } = output.statistics;
  if (singularRow > 0) {
    const message = `R leaves the measurements of row ${singularRow} without noise in a direction that is already known: their covariance is singular. Give R positive variances.`;
    throw validationError('R', message, 'SINGULAR_INNOVATION', { row: singularRow });
  }
  const names = observability.unseen.map((i) => model.states[i]).join(', ');
  const message = observability.isDetectable
    ? 'F makes the state grow beyond all numbers within these rows; give fewer rows.'
    : `F and H: ${names} cannot be observed, and P grows beyond all numbers within these rows; give fewer rows.`;
  throw validationError('F', message, observability.isDetectable ? 'NOT_FINITE' : 'NOT_DETECTABLE');
}

function steadyOfTuned({ model, rows }: Problem, tuned: Tuned | undefined): Steady | undefined {
  const { F, Q, roundings } = model.step(rows.dt);
  return steadyOf(F, model.H, scaled(Q, tuned?.Q ?? 1), scaledR(model.R, tuned), roundings);
}

const scaledR = (R: Matrix, tuned: Tuned | undefined): Matrix =>
  matrixOf(R.length, R.length, (i, j) => (R[i]?.[j] ?? 0) * Math.sqrt((tuned?.R[i] ?? 1) * (tuned?.R[j] ?? 1)));

function invariantsOf(main: Output, problem: Problem, steady: Steady | undefined): readonly Invariant[] {
  const { asymmetry = 0, smallestEigenvalue = 0 } = main.statistics;
  const invariants: Invariant[] = [
    { name: 'symmetric', label: 'P is symmetric', value: asymmetry, drift: asymmetry, bound: 0 },
    {
      name: 'positive_semidefinite',
      label: 'no eigenvalue of P is negative',
      value: smallestEigenvalue,
      drift: Math.max(0, -smallestEigenvalue),
      bound: EIGENVALUE,
    },
  ];
  const { rows, P0, model } = problem;
  if (steady === undefined || !rows.isEven || rows.missing > 0) return invariants;
  const n = model.states.length;
  const last = viewOf(main, 'lastPredicted');
  // What is left of the start, by the slowest error.
  const ratio = Math.max(...diagonalOf(P0).map((one, i) => Math.abs(one) / (steady.predicted[i]?.[i] || 1)), 1);
  let left = ratio * ratio * 1e3;
  for (let row = 1; row < rows.times.length && left > 1e-20; row++) left *= steady.radius * steady.radius;
  if (left > 1e-13) return invariants;
  let drift = 0;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const size = Math.sqrt((steady.predicted[i]?.[i] ?? 0) * (steady.predicted[j]?.[j] ?? 0));
      const apart = Math.abs(at(last, i * n + j) - (steady.predicted[i]?.[j] ?? 0));
      if (size > 0) drift = Math.max(drift, Math.max(0, apart - (steady.error[i]?.[j] ?? 0)) / size);
    }
  invariants.push({
    name: 'riccati',
    label: 'the filter has settled in the solution of the Riccati equation',
    value: at(last, 0),
    drift,
    bound: RICCATI,
  });
  return invariants;
}

/** A random walk that is measured as it is. */
function scalarInputs({ model, rows }: Problem, tuned: Tuned | undefined): Solution['operatorInputs'] {
  const { F, Q } = model.step(rows.dt);
  const isWalk = F.length === 1 && F[0]?.[0] === 1 && model.H.length === 1 && model.H[0]?.[0] === 1;
  const q = (Q[0]?.[0] ?? 0) * (tuned?.Q ?? 1);
  const r = (model.R[0]?.[0] ?? 0) * (tuned?.R[0] ?? 1);
  return isWalk && q >= 1e-12 && q <= 1e3 && r >= 1e-5 && r <= 1e9 ? { CS47: { q, r } } : {};
}

function notesOf(
  { model, rows, isDiffuse, state }: Problem,
  { rank, unseen, growth, isDetectable }: Observability,
  steady: Steady | undefined,
  agrees: boolean,
  tuned: Tuned | undefined,
  { preset }: KalmanInput,
): readonly string[] {
  const n = model.states.length;
  const names = unseen.map((i) => model.states[i]).join(', ');
  return [
    `The value is the standard deviation of ${model.states[state]} after the last row.`,
    ...(model.isOwn ? [] : [`Fields that were left out are those of the preset ${preset}.`]),
    ...(agrees ? [] : ['The filter and its square root do not agree: the covariances are lost in rounding.']),
    ...(rank < n
      ? [
          `Not observable: ${names}. ${n - rank} of ${n} directions of the state are in no measurement.` +
            (isDetectable
              ? ' They decay by themselves.'
              : ` P grows without bound there, or never falls (factor ${growth.toPrecision(4)} a row).`),
        ]
      : []),
    ...(steady === undefined && isDetectable
      ? [
          'The filter settles in no steady state with a gain: R is singular, or nothing disturbs a state that does not decay.',
        ]
      : []),
    ...(isDiffuse ? ['P0 is so wide that the first rows decide; give x0 and P0 if more is known.'] : []),
    ...(rows.missing > 0 ? [`${rows.missing} values are missing; they are drawn at their prediction.`] : []),
    ...(rows.isEven ? [] : [`Rows are unevenly spaced; the steady state is that of steps of ${rows.dt}.`]),
    ...(tuned?.notes ?? []),
  ];
}
