// Builds the solution from the kernel outputs: the energy after the map and its error, the distance from the exact motion, the
// way back, and the table of work and precision.

import { DomainError } from '../../core/errors.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { at, last } from '../parts/arrays.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { ActionFace } from './face.ts';
import type { ActionInput } from './inputs.ts';
import { picturesOf } from './pictures.ts';
import { type Problem, problemOf } from './problem.ts';
import { type Path, pathsOf, type Reference, tableOf } from './result.ts';

/** Beyond this relative error of the energy, a map says little about the motion. */
const MAX_ERROR = 1e-3;
const BOUND = { energy: 1, momentum: 1e-11, reversal: 1e-9 } as const;
const ROUNDINGS = 8 * Number.EPSILON;
/** Below this part of the kinetic energy, an energy is no scale. */
const MIN_SCALE = 1e-3;
/** Of a difference that is known from a better run. */
const KNOWN = 1.2;

export function solutionOf(outputs: readonly KernelOutput<ActionFace>[], input: ActionInput): Solution {
  const problem = problemOf(input);
  const map = outputOf(outputs, 0);
  assertFinite(map, problem);
  const { statistics } = map;
  const { map: path, reference, first } = pathsOf(outputs, problem);
  const [start, worst, kinetic] = [statistics.energy ?? 0, statistics.worst ?? 0, statistics.scale ?? 0];
  const terms = kinetic + Math.abs(start - kinetic);
  const scale = Math.max(Math.abs(start) >= MIN_SCALE * kinetic ? Math.abs(start) : kinetic, Number.MIN_VALUE);
  const value = last(path.energy);
  const rounding = ROUNDINGS * terms;
  const budget = uncertain([
    bound('discretisation', worst, 'largest change of the energy after any step'),
    bound('rounding', rounding, 'terms of the energy, and the digits of the inputs'),
  ]);
  const relative = worst / scale;
  const table = tableOf(outputs, problem, first);
  return {
    value,
    ...budget,
    bound: Math.max(relative, budget.uncertainty / Math.max(Math.abs(start), scale)),
    converged: relative <= MAX_ERROR && reference.count >= 2,
    witness: { method: 'energy at the start, which the exact motion keeps', reference: start, scale },
    invariants: invariantsOf(problem, statistics, { scale, rounding }),
    ...picturesOf(problem, map, path, reference, table, { start, scale }),
    quantities: [
      quantity('energy_at_start', start, 'E', rounding),
      quantity('max_energy_error', relative, '1', rounding / scale),
      quantity('energy_trend', trendOf(statistics, problem.steps) / scale, '1', rounding / scale),
      quantity('reversal_error', statistics.reversal ?? 0, '1', ROUNDINGS),
      ...stateQuantities(problem, path, reference),
      ...(problem.degrees === 2 && problem.system === 'kepler' ? momentumQuantities(statistics) : []),
      ...(problem.period === undefined
        ? []
        : [
            quantity('period', problem.period, 's', problem.periodError),
            exactly('steps_per_period', problem.period / problem.dt, '1'),
          ]),
      ...(problem.degrees > 1 ? [exactly('crossings', statistics.crossings ?? 0, '1')] : []),
    ],
    operatorInputs: {},
    functional: value,
    notes: notesOf(problem, input, reference, relative),
  };
}

/** @throws DomainError NUMERIC_OVERFLOW */
function assertFinite({ info }: KernelOutput<ActionFace>, { dt, system }: Problem): void {
  if (info === INFO.ok) return;
  const message = `A number of the map is not finite: with dt = ${dt} the steps diverge, or ${system} has no value on the way. Take a smaller dt, or another start.`;
  throw new DomainError('UNSTABLE_SCHEME', message, {
    details: [{ path: 'dt', code: 'STEP_TOO_LONG', message }],
    facts: { dt },
  });
}

type Statistics = Readonly<Partial<Record<string, number>>>;

/** Slope of E − E₀ over the steps by least squares, times all steps: what a drift has become. */
function trendOf({ sum = 0, moment = 0 }: Statistics, steps: number): number {
  const mean = (steps + 1) / 2;
  const square = (steps * (steps + 1) * (steps - 1)) / 12;
  return ((moment - mean * sum) / square) * steps;
}

function momentumQuantities({ momentum = 0, worstMomentum = 0 }: Statistics): readonly Quantity[] {
  const size = Math.max(Math.abs(momentum), Number.MIN_VALUE);
  return [
    quantity('angular_momentum', momentum, '1', ROUNDINGS * size),
    quantity('max_momentum_error', worstMomentum / size, '1', ROUNDINGS),
  ];
}

/** The map at the last time whose exact motion is known. */
function stateQuantities({ degrees }: Problem, path: Path, { count, columns, errors }: Reference): readonly Quantity[] {
  const row = count - 1;
  if (row < 0) return [];
  let [distance, doubt] = [0, 0];
  const states = path.columns.map((column, c) => {
    const off = Math.abs(at(column, row) - at(columns[c] ?? [], row));
    const error = at(errors[c] ?? [], row);
    if (c < degrees) {
      distance += off * off;
      doubt += error * error;
    }
    return quantity(`${c < degrees ? 'q' : 'p'}${(c % degrees) + 1}`, at(column, row), '1', KNOWN * off + error);
  });
  return [
    exactly('reference_time', at(path.t, row), 's'),
    ...states,
    quantity('position_error', Math.sqrt(distance), '1', Math.sqrt(doubt)),
  ];
}

function invariantsOf(
  { system, steps }: Problem,
  { worst = 0, worstMomentum = 0, momentum = 0, reversal = 0, energy = 0 }: Statistics,
  { scale, rounding }: { readonly scale: number; readonly rounding: number },
): readonly Invariant[] {
  const walk = 1 + Math.sqrt(steps);
  return [
    {
      name: 'energy',
      label: 'energy, relative to its size; a map keeps one close to it',
      value: energy,
      drift: worst / scale,
      bound: Math.max(BOUND.energy, (walk * rounding) / scale),
    },
    ...(system === 'kepler' && momentum !== 0
      ? [
          {
            name: 'angular_momentum',
            label: 'angular momentum, which the map keeps but for rounding',
            value: momentum,
            drift: worstMomentum / Math.abs(momentum),
            bound: BOUND.momentum,
          },
        ]
      : []),
    ...(system === 'custom'
      ? []
      : [
          {
            name: 'reversal',
            label: 'all steps back lead to the start',
            value: reversal,
            drift: reversal,
            bound: Math.max(BOUND.reversal, 1e-13 * steps * steps * Number.EPSILON * 1e3),
          },
        ]),
  ];
}

function notesOf({ system, compared, dt, times }: Problem, input: ActionInput, { count }: Reference, relative: number) {
  const end = at(times, count - 1);
  return [
    ...(system === 'custom' ? ['The Hamiltonian is that of potential and kinetic; system is left out.'] : []),
    ...(end < input.steps * dt * (1 - 1e-12)
      ? [`The exact motion is known up to t = ${end} s: q, p and position_error are of that time.`]
      : []),
    ...(compared > 0 ? [`The table compares maps over the first ${compared} steps of dt.`] : []),
    ...(relative <= MAX_ERROR
      ? []
      : [`The energy is off by ${(100 * relative).toPrecision(3)} %: take a smaller dt, or a higher order.`]),
  ];
}
