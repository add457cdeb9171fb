// The solution of a problem with data of one's own: the values on the grid of the request, with a ± from two coarser ones.

import { bound, type Contribution, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { at, last, maxMagnitude } from '../parts/arrays.ts';
import { validationError } from '../parts/errors.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { estimateOf, type Refinement, type Triple, tripleOf } from '../parts/refinement.ts';
import { recordedTimes } from '../parts/sampling.ts';
import type { HeatFace } from './face.ts';
import { gridFields, heatUnit, profilePlot, roundOff } from './fields.ts';
import { EXPRESSION_FIELDS, type General, isSide } from './general.ts';
import type { HeatInput } from './inputs.ts';
import { positionOf } from './probes.ts';
import type { Problem } from './problem.ts';

/** Maximum error bound of a converged solution, relative to the largest temperature. */
const MAX_BOUND = 1e-3;
/** Rounding of the direct solution of a steady state, relative to the largest temperature. */
const STEADY_ROUNDING = 1e-11;

/** Splitting the directions costs second order in time at the sides of a plate. */
const SPLITTING = 1e-2;

/** Each grid has half the cells and steps of the last; the schemes have order 2. */
const HALVED: Refinement = { logRatio: Math.LN2, maxOrder: 2, maxPower: 4 };

export function generalSolutionOf(
  outputs: readonly KernelOutput<HeatFace>[],
  input: HeatInput,
  problem: Problem,
  general: General,
): Solution {
  for (const output of outputs) assertDefined(output, input, general);
  const runs = problem.levels.map((_, i) => runOf(outputOf(outputs, i)));
  const [fine] = runs;
  if (fine === undefined) throw new Error('A problem has at least one grid.');
  const { historyEvery, steps, dt, probes, axes } = problem;
  const scale = Math.max(maxMagnitude(fine.history.column('maximum')), maxMagnitude(fine.history.column('minimum')));
  const probeTriple = (p: number): Triple => tripleOf(runs.map((run) => run.probe(run.rows - 1, p)));
  const rounding = (general.isSteady ? STEADY_ROUNDING : roundOff(steps)) * scale;
  const contributions = (triple: Triple): readonly Contribution[] => [
    bound('rounding', rounding, 'of every step'),
    bound('discretisation', estimateOf(triple, scale, HALVED).error, 'grids and steps of a half and a quarter'),
  ];
  const headline = probeTriple(0);
  const [value] = headline;
  const { isRegular, order } = estimateOf(headline, scale, HALVED);
  const budget = uncertain(contributions(headline));
  const relative = scale === 0 ? 0 : budget.uncertainty / scale;
  const times = recordedTimes(steps, historyEvery, dt);
  return {
    value,
    ...budget,
    bound: relative,
    converged: isRegular && relative <= MAX_BOUND,
    witness: {
      method: 'the same problem with half the cells and steps, extrapolated',
      reference: value + (value - headline[1]) / 3,
      scale,
      ...(order === undefined ? {} : { observedOrder: order }),
    },
    invariants: [balanceOf(fine, problem, general, scale)],
    series: general.isSteady
      ? []
      : [
          series('t', 's', times),
          ...probes.map((_, p) =>
            series(
              probeName(p),
              'T',
              Float64Array.from(times, (__, row) => fine.probe(row, p)),
            ),
          ),
          series('heat', heatUnit(axes), fine.history.column('heat')),
        ],
    fields: gridFields(problem, lastFrames(outputOf(outputs, 0), problem, general)),
    plots: [
      ...(general.isSteady
        ? []
        : [
            {
              kind: 'line' as const,
              title: 'Temperature at the probes',
              x: 't',
              y: probes.slice(0, 4).map((_, p) => probeName(p)),
            },
          ]),
      profilePlot(axes.length, general.isSteady),
      ...(general.isSteady ? [] : [{ kind: 'line' as const, title: 'Heat content', x: 't', y: ['heat'] }]),
    ],
    quantities: quantitiesOf(problem, general, (p) => {
      const triple = probeTriple(p);
      return quantity(probeName(p), triple[0], 'T', uncertain(contributions(triple)).uncertainty);
    }),
    operatorInputs: {},
    functional: value,
    notes: notesOf(input, problem, general, isRegular),
  };
}

interface Run {
  readonly history: ReturnType<typeof rowsOf<HeatFace['columns']['history'][number]>>;
  readonly rows: number;
  readonly probe: (row: number, p: number) => number;
}

function runOf({ views, columns }: KernelOutput<HeatFace>): Run {
  const { history = new Float64Array(), probeHistory = new Float64Array() } = views;
  const rows = rowsOf(history, columns.history);
  const probes = probeHistory.length / rows.count;
  return { history: rows, rows: rows.count, probe: (row, p) => at(probeHistory, row * probes + p) };
}

/** What came in through the sides and from sources is what the heat content has gained. */
function balanceOf({ history }: Run, { axes, steps }: Problem, { isSteady }: General, scale: number): Invariant {
  const [heat, supplied] = [history.column('heat'), history.column('supplied')];
  const gained = isSteady ? 0 : last(heat) - at(heat, 0);
  // Half the sum of c |T| at most: hot and cold parts may balance.
  const content = scale === 0 ? 0 : maxMagnitude(history.column('energy')) / scale;
  const size = Math.max(maxMagnitude(heat), maxMagnitude(supplied), content, Number.MIN_VALUE);
  const drift = (gained - last(supplied)) / size;
  const bound = axes.length === 1 || isSteady ? 1e-9 + Number.EPSILON * steps : SPLITTING;
  return { name: 'energy_balance', label: 'energy balance', value: last(supplied), drift, bound };
}

/** The frames of a run; of a steady state the last one. */
function lastFrames({ views }: KernelOutput<HeatFace>, { axes }: Problem, { isSteady }: General): Float64Array {
  const { frames = new Float64Array() } = views;
  const nodes = axes.reduce((product, { cells }) => product * (cells + 1), 1);
  return isSteady ? frames.slice(frames.length - nodes) : frames;
}

const probeName = (p: number): string => (p === 0 ? 'probe' : `probe_${p + 1}`);

function quantitiesOf(
  { axes, probes, dt, steps }: Problem,
  { isSteady }: General,
  probeQuantity: (p: number) => Quantity,
): Quantity[] {
  return [
    ...probes.flatMap((probe, p) => [
      ...(p === 0 ? [] : [probeQuantity(p)]),
      ...probe.map((place, d) => {
        const [axis] = axes.slice(d);
        return exactly(`${probeName(p)}_${d === 0 ? 'x' : 'y'}`, axis ? positionOf(place, axis) : Number.NaN, 'm');
      }),
    ]),
    ...(isSteady ? [] : [exactly('dt', dt, 's'), exactly('steps', steps, '1'), exactly('t_end', dt * steps, 's')]),
  ];
}

/** @throws DomainError VALIDATION_FAILED where an expression has no value, or no positive one where it must */
function assertDefined({ info, statistics }: KernelOutput<HeatFace>, input: HeatInput, general: General): void {
  if (info === INFO.ok) return;
  const { faultProgram = 0, faultX = 0, faultY = 0, faultT = 0 } = statistics;
  const field = EXPRESSION_FIELDS[faultProgram - 1];
  if (field === undefined) {
    const message = general.isSteady
      ? 'The steady state is not determined: nothing ties the temperature of some part to a side.'
      : 'The temperature became too large for a number.';
    throw validationError(general.isSteady ? 'steady' : 'source', message, 'NOT_FINITE');
  }
  const place = isSide(field)
    ? `t = ${faultT}`
    : [
        `x = ${faultX}`,
        ...(input.dim === 2 ? [`y = ${faultY}`] : []),
        ...(field === 'source' ? [`t = ${faultT}`] : []),
      ].join(', ');
  const expected = field === 'conductivity' || field === 'capacity' ? 'a positive number' : 'a finite number';
  throw validationError(field, `${field} has no value at ${place}; ${expected} is expected everywhere.`, 'NOT_FINITE', {
    x: faultX,
    y: faultY,
    t: faultT,
  });
}

function notesOf(input: HeatInput, problem: Problem, { isSteady, layers }: General, isRegular: boolean): string[] {
  const notes: string[] = [];
  if (!isSteady && input.steps === undefined) notes.push(`steps was chosen as ${problem.steps}.`);
  if (!isSteady && input.t_end === undefined) notes.push(`The run ends at t = ${problem.dt * problem.steps} s.`);
  if (input.conductivity === undefined && layers === undefined)
    notes.push(`The conductivity is alpha, ${input.alpha}.`);
  if (!isRegular) notes.push('The values on three grids do not converge with an order: take more cells and steps.');
  return notes;
}
