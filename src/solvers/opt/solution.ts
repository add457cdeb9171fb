// Builds the solution from the kernel output: the value with its interval, the point, the fit, and pictures.

import { DomainError } from '../../core/errors.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Field, Invariant, Quantity, Solution } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { validationError } from '../parts/errors.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { OptFace } from './face.ts';
import { fitOf } from './fit.ts';
import type { OptInput } from './inputs.ts';
import { DIVERGED, NO_START, type Outcome, outcomeOf, UNBOUNDED_BELOW } from './outcome.ts';
import { minimaOf, picturesOf } from './pictures.ts';
import { type Problem, problemOf } from './problem.ts';
import { preciseObjective } from './reference.ts';

/** Of the digits that a known minimum is stated with. */
const KNOWN_DIGITS = 1e-10;
const MAX_LISTED = 50;
/** Of the intervals of a fit, unless another is given. */
const CONFIDENCE = 0.95;
/** Of the operations of a slope, and of f, relative to the sizes of their terms. */
const ROUNDINGS = 64 * Number.EPSILON;

/** @throws DomainError VALIDATION_FAILED for a start without a value, UNSTABLE_SCHEME for a step that diverges */
export function solutionOf(outputs: readonly KernelOutput<OptFace>[], input: OptInput): Solution {
  const problem = problemOf(input);
  const output = outputOf(outputs, 0);
  const { views, statistics } = output;
  const { f: value = 0, firstF = 0, status = 0, witnessF = 0, isBroken = 0 } = statistics;
  refuse(status, isBroken === 1, problem, input);
  const { point = new Float64Array(), residuals = new Float64Array(), triangle = new Float64Array() } = views;
  const precise = preciseObjective(problem.model, point, problem.programs.cost.value, problem.penaltiesFrom);
  const outcome = outcomeOf(output, problem, precise);
  const budget = uncertain([
    bound('iteration', outcome.gap, 'decrement of Newton at the end, and a second method from beside it'),
    bound('rounding', outcome.rounding, 'distance to double-double arithmetic, with the rounding of decimals'),
  ]);
  const { names } = problem.model;
  const fit =
    problem.fit === undefined
      ? undefined
      : fitOf(problem.fit, {
          names,
          point,
          residuals,
          triangle,
          value,
          uncertainty: budget.uncertainty,
          confidence: input.confidence ?? CONFIDENCE,
        });
  const pictures = picturesOf(output, problem);
  const width = pointWidth(views.inverse ?? new Float64Array(), budget.uncertainty, point);
  const scale = Math.max(Math.abs(value), Math.abs(firstF), Number.MIN_VALUE);
  const minima = minimaOf(
    views.starts ?? new Float64Array(),
    names.length,
    statistics.finishedStarts ?? 0,
    budget.uncertainty,
  );
  const isConverged = outcome.isConverged && (fit?.isDetermined ?? true);
  const shown = fit === undefined ? pictures.plots : [...fit.plots, ...pictures.plots];
  return {
    value,
    ...budget,
    bound: Math.max(budget.uncertainty, Math.abs(value - witnessF)) / scale,
    converged: isConverged,
    witness: { method: `${problem.witness} from beside the end`, reference: witnessF, scale },
    invariants: invariantsOf(output, problem),
    series: [...(fit?.series ?? []), ...pictures.series, ...pointOf(point, width, outcome), ...localOf(minima)],
    fields: [...(fit?.fields ?? []), ...pictures.fields],
    plots: [...shown, ...(minima.length > 1 ? [MINIMA] : []), { ...POINT, labels: names }],
    quantities: [
      ...(fit?.quantities ?? []),
      ...quantitiesOf(output, problem, precise.tail, budget.uncertainty, minima.length),
    ],
    operatorInputs: {},
    functional: value,
    notes: [
      ...outcome.notes,
      `Ended since ${outcome.reason}.`,
      ...knownNotes(value, budget.uncertainty, problem),
      'A local minimum: nothing here shows that no smaller one exists.',
      ...(fit?.notes ?? []),
      ...(problem.programs.withoutRule === undefined
        ? []
        : [`Slopes by differences where there is no rule: ${problem.programs.withoutRule}.`]),
    ],
  };
}

function refuse(status: number, isBroken: boolean, { title, x0 }: Problem, { step }: OptInput): void {
  if (isBroken) {
    const message = `${title} has a sum whose bounds are no whole numbers, or that is too long.`;
    throw validationError('expression', message, 'EXPRESSION_FAILED');
  }
  if (status === NO_START)
    throw validationError(
      'x0',
      `f or its slopes are no finite numbers at x0 = ${x0.slice(0, 6).join(', ')}; give another start.`,
      'NO_VALUE',
    );
  if (status === DIVERGED)
    throw new DomainError(
      'UNSTABLE_SCHEME',
      `step is ${step}, and f grows beyond all bounds; give a shorter one, or none.`,
      {
        details: [{ path: 'step', code: 'STEP_TOO_LONG', message: 'Shorter than 2 over the largest curvature.' }],
      },
    );
  if (status === UNBOUNDED_BELOW)
    throw validationError(
      'expression',
      'f is unbounded below: it falls on and on along a line; give bounds, or constraints with a larger penalty.',
      'UNBOUNDED_BELOW',
    );
}

/** How far a coordinate may be from that of the minimum, by the curvature. */
function pointWidth(inverse: Float64Array, uncertainty: number, point: Float64Array): Float64Array {
  return point.map((x, j) => 3 * Math.sqrt(2 * uncertainty * at(inverse, j)) + 2 * Number.EPSILON * Math.abs(x));
}

function pointOf(point: Float64Array, width: Float64Array, { isMinimum }: Outcome): readonly Field[] {
  const isKnown = isMinimum && width.every((one) => Number.isFinite(one));
  return [series('x', '1', point), ...(isKnown ? [series('x_uncertainty', '1', width)] : [])];
}

const POINT = { kind: 'table', title: 'The end', columns: ['x'] } as const;
const MINIMA = { kind: 'table', title: 'Local minima of the starts', columns: ['local_f', 'local_starts'] } as const;

function localOf(minima: readonly { readonly value: number; readonly count: number }[]): readonly Field[] {
  if (minima.length < 2) return [];
  const listed = minima.slice(0, MAX_LISTED);
  return [
    series(
      'local_f',
      '1',
      listed.map(({ value }) => value),
    ),
    series(
      'local_starts',
      '1',
      listed.map(({ count }) => count),
    ),
  ];
}

function invariantsOf(
  { views, statistics }: KernelOutput<OptFace>,
  { lower, upper, isBounded, method, isSquares }: Problem,
): readonly Invariant[] {
  const { trace = new Float64Array(), point = new Float64Array() } = views;
  const { traced = 0, f = 0, firstF = 0 } = statistics;
  const scale = Math.max(Math.abs(firstF), Math.abs(f), Number.MIN_VALUE);
  let rise = 0;
  for (let i = 1; i < traced; i++) rise = Math.max(rise, at(trace, 5 * i + 1) - at(trace, 5 * i - 4));
  const outside = point.reduce((max, x, j) => Math.max(max, (lower[j] ?? x) - x, x - (upper[j] ?? x)), 0);
  return [
    ...(method === 'gd'
      ? []
      : [{ name: 'f_never_grows', label: 'f never grows', value: f, drift: rise / scale, bound: 1e-12 }]),
    ...(isBounded
      ? [{ name: 'inside_bounds', label: 'the end is inside the bounds', value: outside, drift: outside, bound: 0 }]
      : []),
    ...(isSquares
      ? [{ name: 'squares_are_positive', label: 'f is no less than 0', value: f, drift: Math.max(0, -f), bound: 0 }]
      : []),
  ];
}

function quantitiesOf(
  { statistics }: KernelOutput<OptFace>,
  problem: Problem,
  tail: number,
  uncertainty: number,
  minimaCount: number,
): readonly Quantity[] {
  const { f = 0, slope = 0, firstF = 0, iterations = 0, evaluations = 0, gradients = 0, definite = 0 } = statistics;
  const { slopeScale = 0, smallest = 0, largest = 0, finishedStarts = 0, free = 0 } = statistics;
  const { known, model, x0, penaltiesFrom } = problem;
  const hasPenalties = penaltiesFrom < model.rows.length;
  return [
    ...(known === undefined
      ? []
      : [
          exactly('known_minimum', known, '1'),
          quantity('above_known', f - known, '1', uncertainty + KNOWN_DIGITS * Math.abs(known)),
        ]),
    ...(hasPenalties ? [quantity('penalty_at_end', tail, '1', uncertainty)] : []),
    quantity('slope_at_end', slope, '1', ROUNDINGS * slopeScale),
    quantity('f_start', firstF, '1', ROUNDINGS * Math.max(Math.abs(firstF), uncertainty)),
    exactly('iterations', iterations, '1'),
    exactly('evaluations', evaluations, '1'),
    exactly('gradients', gradients, '1'),
    exactly('starts', finishedStarts, '1'),
    ...(minimaCount > 1 ? [exactly('local_minima', minimaCount, '1')] : []),
    exactly('variables', x0.length, '1'),
    ...(free < x0.length ? [exactly('on_bounds', x0.length - free, '1')] : []),
    ...(definite === 1 && smallest > 0 && x0.length <= 64
      ? [
          quantity(
            'condition',
            largest / smallest,
            '1',
            1e-13 * x0.length * (largest / smallest) * (largest / smallest) + 1e-13 * (largest / smallest),
          ),
        ]
      : []),
  ];
}

function knownNotes(value: number, uncertainty: number, { known, title }: Problem): readonly string[] {
  if (known === undefined) return [];
  const excess = value - known;
  if (excess <= uncertainty + KNOWN_DIGITS * Math.abs(known))
    return [`The smallest known value of ${title}, ${known}, is reached.`];
  return [`A smaller value of ${title} is known: ${known}. This run ended ${excess.toPrecision(6)} above it.`];
}
