// The cycle of a problem: period, extremes and means with their ±, from two runs and, of a closed orbit, the quadrature.

import { exp, expm1 } from '../../core/elementary.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Quantity } from '../definition.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { LotkaFace } from './face.ts';
import { RUNS } from './plan.ts';
import type { Problem } from './problem.ts';
import { excess } from './reference.ts';

export interface Cycle {
  readonly period: number;
  readonly discretisation: number;
  readonly rounding: number;
  readonly reference: number;
  readonly method: string;
  readonly isConverged: boolean;
  readonly invariants: readonly Invariant[];
  readonly quantities: readonly Quantity[];
  readonly notes: readonly string[];
}

const RESERVE = 2;
/** Beyond this two periods do not agree. */
const MAX_DIFFERENCE = 1e-7;
const MAX_DRIFT = 1e-8;

export function cycleOf(outputs: readonly KernelOutput<LotkaFace>[], problem: Problem): Cycle {
  const [one, other] = [outputOf(outputs, RUNS.cycle), outputOf(outputs, RUNS.secondCycle)];
  const found = one.info === INFO.ok && other.info === INFO.ok;
  if (problem.regime === 'equilibrium') return smallCycle(problem, one, other);
  const period = found ? (one.statistics.period ?? 0) : 0;
  const second = other.statistics.period ?? 0;
  const { orbit, p0, q0 } = problem;
  const reference = orbit?.period ?? second;
  const conditioning = conditioningOf(problem, one.statistics);
  const rounding = Number.EPSILON * period * (32 + 8 * (orbit ? Math.abs(p0) + Math.abs(q0) : 0)) + conditioning;
  const discretisation =
    RESERVE * Math.max(Math.abs(period - reference), Math.abs(period - second)) + (orbit?.error ?? 0);
  return {
    period,
    discretisation,
    rounding,
    reference: found ? reference : 0,
    method:
      orbit === undefined
        ? 'Dormand and Prince’s pair 5(4), with other steps'
        : 'quadrature of Waldvogel’s integral by Lambert’s W',
    isConverged: found && discretisation <= MAX_DIFFERENCE * period,
    invariants: found ? invariantsOf(problem, one.statistics) : [],
    quantities: found ? quantitiesOf(problem, one.statistics, other.statistics, period) : [],
    notes: found ? [] : ['No cycle was found within the steps of the search.'],
  };
}

/** Of a limit cycle: what an error of a rounding of q does to the period, over 1 less the slope of the return map. */
function conditioningOf({ orbit }: Problem, { predatorMax = 0, multiplier = 0, periodSlope = 0 }: Statistics): number {
  if (orbit !== undefined) return 0;
  return (8 * Number.EPSILON * (1 + predatorMax) * Math.abs(periodSlope)) / Math.max(1e-12, Math.abs(1 - multiplier));
}

type Statistics = KernelOutput<LotkaFace>['statistics'];

/** At the equilibrium: 2π/√(α γ), the limit of small cycles, one of which is run. */
function smallCycle({ alpha, gamma }: Problem, one: KernelOutput<LotkaFace>, other: KernelOutput<LotkaFace>): Cycle {
  const period = (2 * Math.PI) / Math.sqrt(alpha * gamma);
  const reference = one.statistics.period ?? 0;
  const difference = Math.max(Math.abs(reference - period), Math.abs(reference - (other.statistics.period ?? 0)));
  const isConverged = difference <= 1e-9 * period;
  return {
    period,
    discretisation: 0,
    rounding: 4 * Number.EPSILON * period,
    reference,
    method: 'the period of a cycle of a millionth of the equilibrium',
    isConverged,
    invariants: [],
    quantities: [],
    notes: isConverged ? [] : [`A small cycle that was run lasts ${reference}, and not as long as T0.`],
  };
}

/** V and the means of a closed orbit; of a limit cycle, that the last lap closes. */
function invariantsOf({ orbit, alpha, gamma }: Problem, statistics: Statistics): readonly Invariant[] {
  const { gap = 0, predatorMax = 0, meanPrey = 0, meanPredators = 0, preyMax = 0 } = statistics;
  if (orbit === undefined)
    return [
      { name: 'lap_closes', label: 'the last lap returns to its start', value: predatorMax, drift: gap, bound: 1e-9 },
    ];
  const energy = alpha * excess(predatorMax);
  return [
    {
      name: 'conserved',
      label: 'V is the same after a lap',
      value: energy,
      drift: (alpha * expm1(predatorMax) * gap) / energy,
      bound: MAX_DRIFT,
    },
    {
      name: 'mean_prey',
      label: 'the mean of the prey is that of the equilibrium',
      value: meanPrey,
      drift: meanPrey / exp(preyMax),
      bound: MAX_DRIFT,
    },
    {
      name: 'mean_predators',
      label: 'the mean of the predators is that of the equilibrium',
      value: meanPredators,
      drift: meanPredators / exp(predatorMax),
      bound: MAX_DRIFT * Math.max(1, gamma / alpha),
    },
  ];
}

function quantitiesOf(problem: Problem, one: Statistics, other: Statistics, period: number): readonly Quantity[] {
  const { equilibrium, orbit, unit } = problem;
  if (equilibrium === undefined) return [];
  const extreme = (name: string, scale: number, log: number, ...others: readonly number[]) => {
    const value = scale * exp(log);
    const difference = Math.max(...others.map((second) => Math.abs(log - second)));
    return quantity(name, value, '1', value * expm1(RESERVE * difference + Number.EPSILON * (16 + 16 * Math.abs(log))));
  };
  const of = (name: 'preyMax' | 'preyMin' | 'predatorMax' | 'predatorMin') => [
    one[name] ?? 0,
    other[name] ?? 0,
    ...(orbit === undefined ? [] : [orbit[name]]),
  ];
  const [lag, otherLag] = [one, other].map(({ preyMaxTime = 0, period: turn = 0 }) => turn - preyMaxTime);
  const mean = (name: string, scale: number, value = 0, second = 0, exact: number | undefined = undefined) =>
    quantity(
      name,
      scale * (1 + value),
      '1',
      scale * (RESERVE * Math.max(Math.abs(value - second), Math.abs(value - (exact ?? second))) + 1e-13),
    );
  const closed = orbit === undefined ? undefined : 0;
  const { prey, predators } = equilibrium;
  const extremeOf = (name: string, scale: number, numbers: readonly number[]) => {
    const [log = 0, ...others] = numbers;
    return extreme(name, scale, log, ...others);
  };
  return [
    extremeOf('prey_max', prey, of('preyMax')),
    extremeOf('prey_min', prey, of('preyMin')),
    extremeOf('predators_max', predators, of('predatorMax')),
    extremeOf('predators_min', predators, of('predatorMin')),
    mean('mean_prey', prey, one.meanPrey, other.meanPrey, closed),
    mean('mean_predators', predators, one.meanPredators, other.meanPredators, closed),
    quantity('lag', lag ?? 0, unit, RESERVE * Math.abs((lag ?? 0) - (otherLag ?? 0)) + 1e-12 * period),
    ...(orbit === undefined
      ? [
          quantity('multiplier', one.multiplier ?? 0, '1', multiplierError(one, other)),
          exactly('laps_of_the_search', one.laps ?? 0, '1'),
        ]
      : []),
  ];
}

/** A slope between two laps that are near each other: half of the digits. */
const multiplierError = (one: Statistics, other: Statistics): number =>
  RESERVE * Math.abs((one.multiplier ?? 0) - (other.multiplier ?? 0)) + 1e-3;
