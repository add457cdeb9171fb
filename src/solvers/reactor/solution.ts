// Builds the solution from the kernel outputs: the power with its witness, curves, reactivity, periods and events.

import { DomainError } from '../../core/errors.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Solution } from '../definition.ts';
import { at, last, maxMagnitude } from '../parts/arrays.ts';
import { series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { type Curves, curvesOf } from './curves.ts';
import type { ReactorFace } from './face.ts';
import type { ReactorInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';
import { reactivityAt } from './program.ts';
import { quantitiesOf, roundingOf } from './quantities.ts';
import { inhourRoots, powerAfterStep } from './reference.ts';

const RESERVE = 2;
/** Beyond this part of the power two ways do not agree. */
const MAX_DIFFERENCE = 1e-4;

export function solutionOf(outputs: readonly KernelOutput<ReactorFace>[], input: ReactorInput): Solution {
  const problem = problemOf(input);
  const [one, other] = [outputOf(outputs, 0), outputOf(outputs, 1)];
  for (const { info, statistics } of [one, other])
    if (info !== INFO.ok) {
      const message = `No step is short enough after t = ${statistics.reached} s: the power runs away. Take a smaller t_end.`;
      throw new DomainError('NUMERIC_OVERFLOW', message, { facts: { reached: statistics.reached } });
    }
  const rows = Math.min(one.statistics.rows ?? 0, other.statistics.rows ?? 0);
  const [curves, second] = [curvesOf(one, problem, rows), curvesOf(other, problem, rows)];
  const time = last(curves.t);
  const isCut = rows <= problem.points;
  const value = last(curves.n);
  const witness = witnessOf(problem, second, time);
  const difference = Math.abs(value - witness.reference);
  const budget = uncertain([
    bound('discretisation', RESERVE * difference, `twice the difference from ${witness.method}`),
    bound('rounding', value * roundingOf(problem, curves), 'roundings of rates, by what they do to the power'),
  ]);
  const scale = Math.max(value, Number.MIN_VALUE);
  const isWitnessed = difference <= MAX_DIFFERENCE * scale;
  const roots = inhourRoots(last(curves.rho), problem.Lambda, problem.groups);
  const { inverse, readings } = problem;
  return {
    value,
    ...budget,
    bound: Math.max(budget.uncertainty, difference) / Math.max(Math.abs(witness.reference), scale),
    converged: isWitnessed,
    witness: { ...witness, scale },
    invariants: invariantsOf(problem, curves, second),
    series: [
      series('t', 's', curves.t),
      series('n', 'P/P0', curves.n),
      series(
        'reactivity',
        'pcm',
        curves.rho.map((rho) => 1e5 * rho),
      ),
      series(
        'reactivity_dollars',
        '$',
        curves.rho.map((rho) => rho / problem.beta),
      ),
      series(
        'startup_rate',
        '1/min',
        curves.rate.map((rate) => (60 / Math.LN10) * rate),
      ),
      series('precursors', 'P/P0', curves.precursors),
      ...(problem.coefficient === 0 ? [] : [series('temperature_rise', 'K', curves.theta)]),
      series('inhour_root', '1/s', roots),
      ...(inverse === undefined || readings === undefined
        ? []
        : [
            series(
              'reading_t',
              's',
              readings.map(({ t }) => t),
            ),
            series(
              'reading_n',
              'P/P0',
              readings.map((reading) => reading.value),
            ),
            series(
              'reading_reactivity',
              'pcm',
              inverse.rho.map((rho) => 1e5 * rho),
            ),
          ]),
    ],
    fields: [],
    plots: [
      { kind: 'line', title: 'Power', x: 't', y: ['n'] },
      { kind: 'line', title: 'Reactivity', x: 't', y: ['reactivity'] },
      { kind: 'line', title: 'Start-up rate in decades per minute', x: 't', y: ['startup_rate'] },
      ...(problem.coefficient === 0
        ? []
        : [{ kind: 'line', title: 'Rise of the temperature', x: 't', y: ['temperature_rise'] } as const]),
      ...(inverse === undefined
        ? []
        : [
            {
              kind: 'line',
              title: 'Reactivity that the readings need',
              x: 'reading_t',
              y: ['reading_reactivity'],
            } as const,
          ]),
      { kind: 'table', title: 'Roots of the inhour equation at the end', columns: ['inhour_root'] },
    ],
    quantities: quantitiesOf({ problem, curves, second, one, other, roots }),
    operatorInputs: {},
    functional: value,
    notes: notesOf(problem, curves, isCut, isWitnessed),
  };
}

/** The power by another way: the roots of the inhour equation after a step, the readings, or RODAS. */
function witnessOf(problem: Problem, second: Curves, time: number) {
  const { pieces, coefficient, n0, source, Lambda, groups, readings } = problem;
  if (readings !== undefined)
    return { method: 'the reading, which its own reactivity gives back', reference: readings.at(-1)?.value ?? 0 };
  const [first] = pieces;
  const rho = first?.value ?? 0;
  if (pieces.length === 1 && first?.amplitude === 0 && coefficient === 0 && (source === 0 || rho !== 0))
    return {
      method: 'the exponentials of the seven roots of the inhour equation',
      reference: powerAfterStep(time, rho, n0, source, Lambda, groups),
    };
  return { method: 'RODAS, a Rosenbrock method of order 4 with steps of its own', reference: last(second.n) };
}

function invariantsOf(
  { pieces, coefficient, inverse, source }: Problem,
  curves: Curves,
  second: Curves,
): readonly Invariant[] {
  const least = Math.min(...curves.n);
  const isCritical = pieces.every(({ value, slope, amplitude }) => value === 0 && slope === 0 && amplitude === 0);
  const first = at(curves.n, 0);
  let largest = 0;
  for (const [i, n] of curves.n.entries())
    largest = Math.max(largest, Math.abs(n - at(second.n, i)) / Math.max(n, Number.MIN_VALUE));
  return [
    { name: 'positive', label: 'the power never falls below 0', value: least, drift: Math.min(0, least), bound: 0 },
    {
      name: 'two_methods',
      label: 'collocation and RODAS give the same curve',
      value: last(second.n),
      drift: largest,
      bound: MAX_DIFFERENCE,
    },
    ...(isCritical && coefficient === 0 && inverse === undefined && source === 0
      ? [
          {
            name: 'critical',
            label: 'a critical reactor in equilibrium stays',
            value: first,
            drift: maxMagnitude(curves.n.map((n) => n / first - 1)),
            bound: 1e-12,
          },
        ]
      : []),
  ];
}

function notesOf(problem: Problem, curves: Curves, isCut: boolean, isWitnessed: boolean): readonly string[] {
  const { beta, coefficient, pieces, tEnd, inverse } = problem;
  const largest = pieces.reduce((max, { value, amplitude }) => Math.max(max, value, Math.abs(amplitude)), 0);
  const { value } = reactivityAt(pieces, tEnd);
  return [
    ...(inverse === undefined
      ? [
          `Reactivity at the end of the program: ${short(1e5 * value)} pcm, ${short(value / beta)} $ of β = ${short(beta)}.`,
        ]
      : [
          `Reactivity from the readings, which lie up to ${short(inverse.largestGap)} s apart; between them the power is exponential.`,
        ]),
    ...(largest >= beta
      ? ['Prompt critical: the reactivity reaches 1 $, so prompt neutrons alone sustain growth.']
      : []),
    ...(coefficient > 0 ? ['alpha_T is positive: the temperature drives the power up.'] : []),
    ...(isCut
      ? [`The power leaves the range of doubles; the curves and the value end at t = ${short(last(curves.t))} s.`]
      : []),
    ...(isWitnessed ? [] : ['Two ways do not agree, so the power is not converged.']),
  ];
}

const short = (x: number): string => String(Number(x.toPrecision(5)));
