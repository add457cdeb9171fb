// Builds the solution from the kernel output: R0 and its witness, the curves, the peak, the size, and the ensemble.

import { log } from '../../core/elementary.ts';
import { DomainError } from '../../core/errors.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Field, Invariant, Solution, Witness } from '../definition.ts';
import { at, last, maxDeviation, maxIncrease } from '../parts/arrays.ts';
import { field, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { Plot } from '../plot.ts';
import { type ClosedForms, closedFormsOf } from './closed-forms.ts';
import { ensembleOf } from './ensemble.ts';
import type { EpiFace } from './face.ts';
import { fitOf } from './fit.ts';
import { type Curve, historiesOf } from './histories.ts';
import type { EpiInput } from './inputs.ts';
import { infectiousDays, type Problem, problemOf } from './problem.ts';
import { fittedQuantities, quantitiesOf } from './quantities.ts';
import { radiusBySquaring, spectralRadius } from './reproduction.ts';

/** Relative rounding of a run of many steps. */
const ROUNDING = 1e-13;
/** Beyond this part of the population, two runs do not agree. */
const MAX_DIFFERENCE = 1e-5;
/** Below this share infected, or susceptible at the end, the curves do not tell R0. */
const MIN_ATTACK = 0.01;
const MIN_SUSCEPTIBLE = 1e-4;
/** Drift of what the exact curves keep: the tolerance over many steps, over the smallest susceptible share. */
const MAX_DRIFT = 1e-6;

/** @throws DomainError BUDGET_EXCEEDED if the run needs more steps */
function curveOf({ info, views, statistics }: KernelOutput<EpiFace>, problem: Problem): Curve {
  if (info !== INFO.ok) {
    const message = `The run needs more steps than it was given: ${statistics.accepted} were made in part of ${problem.days} days.`;
    throw new DomainError('BUDGET_EXCEEDED', message);
  }
  const { peak = 0, peakTime = 0, peaks = 0, accepted = 0, rejected = 0 } = statistics;
  return {
    ...historiesOf(views.samples ?? new Float64Array(), problem),
    peak,
    peakTime,
    peaks,
    steps: accepted + rejected,
  };
}

export function solutionOf(outputs: readonly KernelOutput<EpiFace>[], input: EpiInput): Solution {
  const given = problemOf(input);
  const { observations } = given;
  const fit =
    observations === undefined ? undefined : fitOf(outputOf(outputs, 0), outputOf(outputs, 1), given, observations);
  const problem = fit?.problem ?? given;
  const [curve, finer] = [curveOf(outputOf(outputs, 0), problem), curveOf(outputOf(outputs, 1), problem)];
  const { people, runs } = problem;
  const days = infectiousDays(problem) * problem.beta;
  const radius = spectralRadius(problem.contacts);
  const value = days * radius.value;
  const budget = uncertain([
    bound('rounding', 8 * Number.EPSILON * value, 'products of rates'),
    bound('iteration', days * radius.error, 'enclosure of the eigenvalue by the ratios of a power iteration'),
    ...(fit?.budget ?? []),
  ]);
  const witness = witnessOf(problem, curve, value);
  const closed = closedFormsOf(problem, value);
  const difference = largestDifference(curve, finer);
  const ensemble = runs > 0 ? ensembleOf(outputOf(outputs, 2), problem) : undefined;
  const isWitnessed = difference <= MAX_DIFFERENCE * people;
  return {
    value,
    ...budget,
    bound:
      Math.max(budget.uncertainty, Math.abs(value - witness.reference)) / Math.max(witness.reference, witness.scale),
    converged: isWitnessed && (fit?.isConverged ?? true),
    witness,
    invariants: invariantsOf(problem, curve, closed),
    series: [...seriesOf(problem, curve), ...(ensemble?.series ?? []), ...(fit?.series ?? [])],
    fields: [...fieldsOf(problem, curve), ...(ensemble?.fields ?? [])],
    plots: [...(ensemble?.plots ?? []), ...(fit?.plots ?? []), ...plotsOf(problem)],
    quantities: [
      ...(fit === undefined
        ? quantitiesOf(problem, curve, finer, value, closed)
        : [...fittedQuantities(problem, curve, finer, value, fit), ...fit.quantities]),
      ...(ensemble?.quantities ?? []),
    ],
    operatorInputs: logisticInputs(problem),
    functional: value,
    notes: [
      ...(isWitnessed ? [] : ['Two runs with different steps do not agree, so the curves are not converged.']),
      ...notesOf(problem, input, value),
      ...(observations?.notes ?? []),
    ],
  };
}

/** R0 as the curves tell it, where they can: ln(S₀ / S) over the recovered share; else by another iteration. */
function witnessOf(problem: Problem, { susceptible, recovered, infections }: Curve, value: number): Witness {
  const { sizes, people, mu, omega, windows, beta, contacts } = problem;
  const scale = Math.max(value, Number.MIN_VALUE);
  const isPlain = sizes.length === 1 && mu === 0 && omega === 0 && windows.length === 0;
  if (isPlain && last(infections) > MIN_ATTACK * people && last(susceptible) > MIN_SUSCEPTIBLE * people) {
    const share = (last(recovered) - at(recovered, 0)) / people;
    const reference = log(at(susceptible, 0) / last(susceptible)) / share;
    return { method: 'ln(S(0)/S) over the recovered share at the end of the curves', reference, scale };
  }
  const reference = beta * infectiousDays(problem) * radiusBySquaring(contacts);
  return { method: 'norm of a high power of the contacts, by squaring', reference, scale };
}

function largestDifference(curve: Curve, finer: Curve): number {
  let largest = 0;
  for (const name of ['susceptible', 'exposed', 'infectious', 'recovered', 'infections'] as const)
    curve[name].forEach((value, i) => {
      largest = Math.max(largest, Math.abs(value - at(finer[name], i)));
    });
  return largest;
}

function invariantsOf(problem: Problem, curve: Curve, closed: ClosedForms | undefined): readonly Invariant[] {
  const { people, times, mu, omega, hasExposed } = problem;
  const { susceptible, exposed, infectious, recovered, infections, peak, steps } = curve;
  const sum = times.map(
    (_, i) => at(susceptible, i) + (hasExposed ? at(exposed, i) : 0) + at(infectious, i) + at(recovered, i),
  );
  const rounding = ROUNDING + Number.EPSILON * steps;
  const invariants: Invariant[] = [
    {
      name: 'population',
      label: 'S + E + I + R',
      value: last(sum),
      drift: maxDeviation(sum) / people,
      bound: rounding,
    },
    {
      name: 'infections_never_fall',
      label: 'infections so far never fall',
      value: last(infections),
      drift: maxIncrease(infections.map((one) => -one)) / people,
      bound: rounding,
    },
  ];
  if (mu === 0 && omega === 0)
    invariants.push({
      name: 'susceptible_never_grow',
      label: 'the susceptible never grow',
      value: last(susceptible),
      drift: maxIncrease(susceptible) / people,
      bound: rounding,
    });
  if (closed === undefined) return invariants;
  const { R0, s0, i0 } = closed.shares;
  if (i0 > 0 && last(susceptible) > MIN_SUSCEPTIBLE * people) {
    const kept = times.map((_, i) => log(at(susceptible, i) / people) + (R0 * at(recovered, i)) / people);
    invariants.push({
      name: 'kermack_mckendrick',
      label: 'ln s + R0 r',
      value: last(kept),
      drift: maxDeviation(kept),
      bound: MAX_DRIFT * (1 + R0),
    });
  }
  const isPast = !(R0 * s0 > 1) || last(susceptible) * R0 < people;
  if (closed.peak !== undefined && isPast)
    invariants.push({
      name: 'peak_in_closed_form',
      label: 'peak of the infectious in closed form',
      value: closed.peak,
      drift: (peak - closed.peak) / people,
      bound: MAX_DRIFT,
    });
  return invariants;
}

function seriesOf({ times, hasExposed }: Problem, curve: Curve): readonly Field[] {
  const { susceptible, exposed, infectious, recovered, infections, incidence, reproduction } = curve;
  return [
    series('t', 'day', times),
    series('S', 'people', susceptible),
    ...(hasExposed ? [series('E', 'people', exposed)] : []),
    series('I', 'people', infectious),
    series('R', 'people', recovered),
    series('infections', 'people', infections),
    series('incidence', 'people/day', incidence),
    series('R_t', '1', reproduction),
  ];
}

function fieldsOf({ sizes, times }: Problem, { infectiousByGroup }: Curve): readonly Field[] {
  return sizes.length > 1 ? [field('I_by_group', 'people', [sizes.length, times.length], infectiousByGroup)] : [];
}

function plotsOf({ hasExposed, sizes }: Problem): readonly Plot[] {
  return [
    { kind: 'line', title: 'Epidemic curves', x: 't', y: ['S', ...(hasExposed ? ['E'] : []), 'I', 'R'] },
    { kind: 'line', title: 'New infections per day', x: 't', y: ['incidence'] },
    ...(sizes.length > 1 ? [{ kind: 'line', title: 'Infectious by group', x: 't', y: ['I_by_group'] } as const] : []),
    { kind: 'line', title: 'Effective reproduction number', x: 't', y: ['R_t'] },
  ];
}

/** Without recovery the infected grow as the logistic law says; r and t in hours, as it counts. */
function logisticInputs({ people, infectious, exposed, beta, days }: Problem): Solution['operatorInputs'] {
  const infected = [...infectious, ...exposed].reduce((sum, one) => sum + one, 0);
  const r = beta / 24;
  const t = days * 24;
  return infected >= 1e-6 && r <= 100 && t <= 1e5 ? { CELL_GROWTH: { K: people, N0: infected, r, t } } : {};
}

function notesOf({ people, mu }: Problem, { preset }: EpiInput, R0: number): readonly string[] {
  return [
    `Fields that were left out are those of the preset ${preset}.`,
    ...(R0 <= 1 ? [`R0 is at most 1: the infected of ${people} people decline.`] : []),
    ...(mu > 0 ? ['Births replace deaths, so the population stays.'] : []),
    'CELL_GROWTH shows the growth without recovery, the limit of gamma to 0.',
  ];
}
