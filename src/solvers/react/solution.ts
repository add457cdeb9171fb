// The solution from the runs on three grids: means, probes and the speed of a front, each with a ± from the other two.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { unstableError, validationError } from '../parts/errors.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { ReactFace } from './face.ts';
import { fieldPlots, gridFields } from './fields.ts';
import type { Front } from './front.ts';
import { type Column, type Run, readRun } from './grid-run.ts';
import type { ReactInput } from './inputs.ts';
import { comparisonOf, type Judged, judgeOf, onGrids, speedOf } from './judge.ts';
import { misplacedOf } from './jumps.ts';
import { EXPRESSION_FIELDS } from './kinetics.ts';
import { pearsonNote } from './pearson.ts';
import { type Problem, problemOf } from './problem.ts';
import { fitzHughNagumoRest, grayScottStates } from './reference.ts';

/** Maximum ± of a converged value: of a concentration relative to the largest, of a speed relative to itself. */
const MAX_BOUND = { concentration: 0.02, speed: 0.05 } as const;
/** Largest change of the state on the next grid, relative to its variation, of a grid that holds the pattern. */
const MAX_STATE_CHANGE = 0.3;
/** Bound of the imbalance of a stage, relative to the concentrations: a few roundings. */
const MAX_IMBALANCE = 1e-13;

export function solutionOf(outputs: readonly KernelOutput<ReactFace>[], input: ReactInput): Solution {
  const problem = problemOf(input);
  const runs = problem.levels.map((level, i) => readRun(outputOf(outputs, i), level, problem.lengthX));
  const [fine] = runs;
  if (fine === undefined || !fine.hasEnded) throw faultOf(outputOf(outputs, 0), input, problem);
  const { scale } = fine;
  const comparison = comparisonOf(runs, problem, input);
  const judge = judgeOf(problem, input, comparison?.order);
  const misplaced = misplacedOf(problem, fine);
  const judgeLast = (column: Column) =>
    judge(
      onGrids(problem, runs, (run) => run.last(column)),
      scale,
      misplaced(column),
    );
  const numbers = {
    mean_u: judgeLast('meanU'),
    mean_v: judgeLast('meanV'),
    probe_u: judgeLast('probeU'),
    probe_v: judgeLast('probeV'),
    speed: speedOf(runs, problem, judge),
  };
  const headline = numbers[input.measure];
  if (headline === undefined) throw noFront(fine.front);
  const size = input.measure === 'speed' ? Math.abs(headline.value) : scale;
  const relative = size === 0 ? 0 : headline.uncertainty / size;
  const isResolved = comparison === undefined || comparison.change <= MAX_STATE_CHANGE;
  const maxBound = MAX_BOUND[input.measure === 'speed' ? 'speed' : 'concentration'];
  const converged = headline.isRegular && isResolved && relative <= maxBound;
  return {
    value: headline.value,
    uncertainty: headline.uncertainty,
    budget: headline.budget,
    bound: relative,
    converged,
    witness: {
      method: `the same problem on grids of ${problem.isRefined ? '√2' : '1/2'} and 1/√2 of the cells with steps of their own, extrapolated`,
      reference: headline.reference,
      scale: size,
      ...(headline.order === undefined ? {} : { observedOrder: headline.order }),
    },
    invariants: [balanceOf(outputOf(outputs, 0))],
    series: seriesOf(fine),
    fields: gridFields(problem, outputOf(outputs, 0).views.frames ?? new Float64Array()),
    plots: [
      ...fieldPlots(problem),
      { kind: 'line', title: 'Mean concentrations', x: 't', y: ['mean_u', 'mean_v'] },
      ...(fine.fronts.length < 2
        ? []
        : [{ kind: 'line', title: 'Position of the front', x: 'front_t', y: ['front'] } as const]),
      { kind: 'phase', title: 'u and v at the probe', x: 'probe_u', y: 'probe_v' },
    ],
    quantities: [...quantitiesOf(numbers, input), ...factsOf(input, problem, fine.front)],
    operatorInputs: problem.model === 'gray-scott' && hasSteadyState(input) ? { ICO9: { F: input.F, k: input.k } } : {},
    functional: headline.value,
    notes: notesOf(input, problem, runs, { isRegular: headline.isRegular, isResolved, relative, maxBound }),
  };
}

function noFront(front: Front | undefined): Error {
  const message =
    'measure is speed; no front crosses level on its way along x for long enough. Give another level, a longer line, or more steps.';
  return front === undefined ? validationError('measure', message, 'NO_FRONT') : new Error(message);
}

function balanceOf({ statistics }: KernelOutput<ReactFace>): Invariant {
  const { imbalance = Number.NaN } = statistics;
  return {
    name: 'balance',
    label: 'a sum changes by its rates alone',
    value: imbalance,
    drift: imbalance,
    bound: MAX_IMBALANCE,
  };
}

function seriesOf({ times, column, fronts }: Run) {
  const front = column('front');
  return [
    series('t', '1', times),
    series('mean_u', 'c', column('meanU')),
    series('mean_v', 'c', column('meanV')),
    series('probe_u', 'c', column('probeU')),
    series('probe_v', 'c', column('probeV')),
    series('min_u', 'c', column('minU')),
    series('max_u', 'c', column('maxU')),
    series('min_v', 'c', column('minV')),
    series('max_v', 'c', column('maxV')),
    ...(fronts.length < 2
      ? []
      : [
          series(
            'front_t',
            '1',
            fronts.map((i) => at(times, i)),
          ),
          series(
            'front',
            '1',
            fronts.map((i) => at(front, i)),
          ),
        ]),
  ];
}

/** All numbers but the value. The speed only where it is known: many patterns have no front. */
function quantitiesOf(numbers: Readonly<Record<string, Judged | undefined>>, { measure }: ReactInput): Quantity[] {
  return Object.entries(numbers).flatMap(([name, number]) => {
    if (number === undefined || name === measure) return [];
    const { value, uncertainty } = number;
    if (name !== 'speed') return [quantity(name, value, 'c', uncertainty)];
    return uncertainty <= MAX_BOUND.speed * Math.abs(value) ? [quantity(name, value, '1', uncertainty)] : [];
  });
}

const hasSteadyState = ({ F, k }: ReactInput): boolean => grayScottStates(F, k).length > 0 && k <= 0.0625 && F <= 0.25;

/** Uniform states in closed form, and what the plan chose. */
function factsOf(
  input: ReactInput,
  { model, dt, steps, widthX, dtMax, probe, rows }: Problem,
  front: Front | undefined,
): Quantity[] {
  const [x, y] = probe;
  const states = model === 'gray-scott' ? grayScottStates(input.F, input.k).slice(0, 1) : [];
  const rest = model === 'fitzhugh-nagumo' && input.epsilon > 0 ? [fitzHughNagumoRest(input.a, input.b, input.I)] : [];
  return [
    ...[...states, ...rest].flatMap(([u, v]) => [
      quantity('uniform_u', u, 'c', 1e-12 * Math.max(1, Math.abs(u))),
      quantity('uniform_v', v, 'c', 1e-12 * Math.max(1, Math.abs(v))),
    ]),
    ...(front === undefined ? [] : [exactly('front_from', front.from, '1'), exactly('front_to', front.to, '1')]),
    exactly('dt', dt, '1'),
    exactly('steps', steps, '1'),
    exactly('t_end', dt * steps, '1'),
    exactly('cell', widthX, '1'),
    ...(Number.isFinite(dtMax) ? [exactly('dt_max', dtMax, '1')] : []),
    exactly('probe_x', x, '1'),
    ...(rows === 1 ? [] : [exactly('probe_y', y, '1')]),
  ];
}

/** An expression without a value, or concentrations that grew beyond all numbers. */
function faultOf(
  { statistics, steps }: KernelOutput<ReactFace>,
  { method }: ReactInput,
  { dt, rows, model }: Problem,
): Error {
  const { faultProgram = 0, faultX = 0, faultY = 0, faultT = 0 } = statistics;
  const field = EXPRESSION_FIELDS[faultProgram - 1];
  if (field === undefined) {
    const message = `u or v grew beyond all numbers by step ${steps}, t = ${steps * dt}; the rates need a smaller dt than ${dt} with ${method}.`;
    return unstableError('dt', message, 'UNSTABLE_SCHEME', { dt });
  }
  const place = [
    `x = ${faultX}`,
    ...(rows === 1 ? [] : [`y = ${faultY}`]),
    ...(model === 'custom' ? [`t = ${faultT}`] : []),
  ];
  const message = `${field} has no value at ${place.join(', ')}; a finite number is expected everywhere.`;
  return validationError(field, message, 'NOT_FINITE', { x: faultX, y: faultY, t: faultT });
}

interface Verdict {
  readonly isRegular: boolean;
  readonly isResolved: boolean;
  readonly relative: number;
  readonly maxBound: number;
}

function notesOf(input: ReactInput, problem: Problem, runs: readonly Run[], verdict: Verdict): string[] {
  const notes: string[] = [];
  if (input.dt === undefined && (input.steps === undefined || input.t_end === undefined))
    notes.push(`dt was chosen as ${problem.dt}.`);
  if (problem.model === 'gray-scott') notes.push(...pearsonNote(input.F, input.k));
  const reason = doubtOf(runs, verdict);
  return reason === undefined ? notes : [...notes, reason];
}

/** Why the value is not converged. */
function doubtOf(runs: readonly Run[], { isRegular, isResolved, relative, maxBound }: Verdict): string | undefined {
  if (runs.some(({ hasEnded }) => !hasEnded))
    return 'The run on another grid diverges, so nothing judges the value. Take a smaller dt.';
  if (!isResolved)
    return 'The state on the next grid differs by a large part of the pattern: it is sensitive, or finer than the cells. Take more cells on the same length.';
  if (!isRegular)
    return 'The values on three grids do not converge with an order. Take more cells on the same length, or a smaller dt.';
  if (relative > maxBound) return `The ± is above ${100 * maxBound} %. Take more cells on the same length.`;
  return undefined;
}
