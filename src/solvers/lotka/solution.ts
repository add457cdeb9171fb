// Builds the solution from the kernel outputs: the period with its witness, the curves, and what follows from them.

import { bound, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { at, maxMagnitude } from '../parts/arrays.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { type Curves, curvesOf, differenceOf, endOf } from './curves.ts';
import { type Cycle, cycleOf } from './cycle.ts';
import type { LotkaFace } from './face.ts';
import type { LotkaInput } from './inputs.ts';
import { levelSets, phasePaths } from './pictures.ts';
import { hasCycle, RUNS } from './plan.ts';
import { type Problem, problemOf } from './problem.ts';
import { excess } from './reference.ts';
import { wordsOf } from './sentences.ts';

/** Beyond this part of the largest population, two runs do not agree. */
const MAX_DIFFERENCE = 1e-5;
const MAX_DRIFT = 1e-8;

export function solutionOf(outputs: readonly KernelOutput<LotkaFace>[], input: LotkaInput): Solution {
  const problem = problemOf(input);
  const curves = curvesOf(outputOf(outputs, RUNS.path), problem);
  const second = curvesOf(outputOf(outputs, RUNS.secondPath), problem);
  const cycle = hasCycle(problem) ? cycleOf(outputs, problem) : noCycle(problem);
  const budget = uncertain([
    bound('discretisation', cycle.discretisation, `twice the difference from ${cycle.method}`),
    bound('rounding', cycle.rounding, 'roundings of rates and start, by what they do to the period'),
  ]);
  const { period: value, reference } = cycle;
  const scale = Math.max(value, Number.MIN_VALUE);
  const difference = differenceOf(curves, second, problem);
  const isWitnessed = difference <= MAX_DIFFERENCE;
  const conserved = conservedAlong(problem, curves);
  const plane = phasePaths(input, problem, curves.prey, curves.predators);
  const levels = levelSets(problem);
  const equal = equalSteps(outputs, problem, cycle, input);
  return {
    value,
    ...budget,
    bound: Math.max(budget.uncertainty, Math.abs(value - reference)) / Math.max(Math.abs(reference), scale),
    converged: cycle.isConverged && isWitnessed,
    witness: {
      method: cycle.method,
      reference,
      scale,
      ...(equal.order === undefined ? {} : { observedOrder: equal.order }),
    },
    invariants: [...cycle.invariants, ...conserved.invariants, positiveOf(curves)],
    series: [
      series('t', problem.unit, curves.t),
      series('prey', '1', curves.prey),
      series('predators', '1', curves.predators),
      ...(conserved.drift === undefined ? [] : [series('V_drift', '1', conserved.drift)]),
    ],
    fields: [...plane, ...levels],
    plots: [
      { kind: 'line', title: 'Populations', x: 't', y: ['prey', 'predators'] },
      plane.length > 0
        ? {
            kind: 'phase',
            title: 'Phase plane: the way, and the nullclines',
            x: 'plane_prey',
            y: 'plane_predators',
            labels: ['the way', 'prey at rest', 'predators at rest'],
          }
        : { kind: 'phase', title: 'Phase plane', x: 'prey', y: 'predators' },
      ...(levels.length > 0
        ? [{ kind: 'phase', title: 'Level sets of V', x: 'level_prey', y: 'level_predators' } as const]
        : []),
      ...(conserved.drift === undefined
        ? []
        : [{ kind: 'line', title: 'Relative drift of V', x: 't', y: ['V_drift'] } as const]),
    ],
    quantities: [
      ...generalQuantities(problem, cycle),
      ...cycle.quantities,
      ...equal.quantities,
      ...endQuantities(curves, second, problem),
      exactly('steps', curves.steps, '1'),
    ],
    operatorInputs: logisticInputs(input, problem),
    functional: value,
    notes: [
      ...wordsOf(problem, input),
      ...cycle.notes,
      ...equal.notes,
      ...(isWitnessed ? [] : ['Two runs with different steps do not agree, so the curves are not converged.']),
    ],
  };
}

/** Without a cycle the period is 0, as the eigenvalues at the equilibrium say, or that there is none. */
function noCycle({ equilibrium }: Problem): Cycle {
  const isDecided = equilibrium === undefined || Math.abs(equilibrium.trace) > equilibrium.traceRounding;
  return {
    period: 0,
    discretisation: 0,
    rounding: 0,
    reference: 0,
    method: 'the signs of the eigenvalues at the equilibrium',
    isConverged: isDecided,
    invariants: [],
    quantities: [],
    notes: isDecided
      ? []
      : ['The equilibrium is neither stable nor unstable within rounding, so whether there is a cycle is open.'],
  };
}

/** V = γ (x/x* − ln x/x*) + α (y/y* − ln y/y*) along a closed orbit, relative to its start. */
function conservedAlong(
  { orbit, alpha, gamma }: Problem,
  { p, q, steps }: Curves,
): { readonly invariants: readonly Invariant[]; readonly drift?: Float64Array } {
  if (orbit === undefined) return { invariants: [] };
  const energy = (i: number) => gamma * excess(at(p, i)) + alpha * excess(at(q, i));
  const first = energy(0);
  const drift = p.map((_, i) => (energy(i) - first) / first);
  const largest = maxMagnitude(drift);
  const bound = MAX_DRIFT + 8 * Number.EPSILON * steps;
  return {
    invariants: [{ name: 'V', label: 'V along the curves', value: first, drift: largest, bound }],
    drift,
  };
}

function positiveOf({ prey, predators }: Curves): Invariant {
  const least = Math.min(...prey, ...predators);
  return { name: 'positive', label: 'no population falls below 0', value: least, drift: Math.min(0, least), bound: 0 };
}

function generalQuantities({ equilibrium, alpha, gamma, unit, regime }: Problem, cycle: Cycle): readonly Quantity[] {
  const cycles = exactly('cycles', cycle.period > 0 ? 1 : 0, '1');
  if (equilibrium === undefined) return [cycles];
  const { prey, predators, trace, determinant, traceRounding } = equilibrium;
  const rounding = 16 * Number.EPSILON;
  const discriminant = determinant - 0.25 * trace * trace;
  const isClosed = regime === 'closed orbit' || regime === 'equilibrium';
  const small = (2 * Math.PI) / Math.sqrt(isClosed ? alpha * gamma : discriminant);
  const relative = rounding * (1 + (2 * determinant) / Math.abs(discriminant));
  return [
    cycles,
    quantity('equilibrium_prey', prey, '1', rounding * prey * conditionOf(equilibrium)),
    quantity('equilibrium_predators', predators, '1', rounding * predators * conditionOf(equilibrium)),
    ...(discriminant > 0 ? [quantity('T0', small, unit, small * relative * conditionOf(equilibrium))] : []),
    quantity('growth_rate', 0.5 * trace, `1/${unit}`, traceRounding * conditionOf(equilibrium)),
  ];
}

/** Where the equilibrium is a small difference, its digits are those of the difference. */
const conditionOf = ({ prey, predators }: { readonly prey: number; readonly predators: number }): number =>
  prey > 0 && predators > 0 ? 4 : 1;

interface EqualSteps {
  readonly quantities: readonly Quantity[];
  readonly notes: readonly string[];
  readonly order?: number;
}

function equalSteps(
  outputs: readonly KernelOutput<LotkaFace>[],
  { orbit, alpha, unit }: Problem,
  { period, discretisation, rounding }: Cycle,
  { steps_per_period }: LotkaInput,
): EqualSteps {
  if (orbit === undefined) return { quantities: [], notes: [] };
  const { info, statistics } = outputOf(outputs, RUNS.equalSteps);
  const { period: found = 0, gap = 0, predatorMax = 0 } = statistics;
  if (info !== INFO.ok || !(found > 0))
    return {
      quantities: [],
      notes: [`${steps_per_period} equal steps of Runge and Kutta’s method do not follow this orbit in a period.`],
    };
  const drift = (alpha * excess(predatorMax + gap)) / (alpha * excess(predatorMax)) - 1;
  return {
    quantities: [
      quantity('period_rk4', found, unit, Math.abs(found - period) + discretisation + rounding),
      // The orbit itself has none.
      quantity('rk4_drift', drift, '1', Math.abs(drift)),
    ],
    notes: [],
  };
}

function endQuantities(curves: Curves, second: Curves, problem: Problem): readonly Quantity[] {
  const { prey, preyUncertainty, predators, predatorsUncertainty } = endOf(curves, second, problem);
  return [
    quantity('prey_end', prey, '1', preyUncertainty),
    quantity('predators_end', predators, '1', predatorsUncertainty),
    exactly('t_end', problem.tEnd, problem.unit),
  ];
}

/** Prey without predators grow as the logistic law says; times count as hours. */
function logisticInputs(
  { carrying_capacity: K, x0, alpha }: LotkaInput,
  { tEnd }: Problem,
): Solution['operatorInputs'] {
  const fits = K >= 1e-6 && x0 >= 1e-6 && alpha <= 100 && tEnd <= 1e5;
  return fits ? { CELL_GROWTH: { K, N0: x0, r: alpha, t: tEnd } } : {};
}
