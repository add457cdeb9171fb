// Builds the solution from the kernel output: energy and its witness, motion with ±, events, balance, tuning.

import { bound, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Solution } from '../definition.ts';
import { at, last, maxMagnitude } from '../parts/arrays.ts';
import { quantity } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { OUTCOME, type SolveFace, TUNING } from './face.ts';
import { type History, historyOf, type Way } from './history.ts';
import type { SolveInput } from './inputs.ts';
import { type Energies, picturesOf } from './pictures.ts';
import { MAX_TRIES, rateOf } from './plan.ts';
import { type Problem, problemOf } from './problem.ts';
import { isEscape, quantitiesOf, turnsOf } from './quantities.ts';
import { type Energy, energyAt } from './reference.ts';
import { registersOf, termsOf } from './terms.ts';

/** Relative error of the steps, beyond which nothing is sealed. */
const MAX_ERROR = 1e-3;
/** Balance of the energy by equal steps, and difference of DOP853 from the closed form. */
const BOUND = { balance: 1e-3, closed: 1e-9 } as const;

export function solutionOf(outputs: readonly KernelOutput<SolveFace>[], input: SolveInput): Solution {
  const problem = problemOf(input);
  const output = outputOf(outputs, 0);
  const { statistics, info } = output;
  const history = historyOf(output, problem);
  const { shown, first, second } = history;
  const ends = [shown, first, second].map((way) => energyAt(problem, last(way.phi), last(way.dphi)));
  const [atEnd, best, other] = ends as [Energy, Energy, Energy];
  const atStart = energyAt(problem, problem.phi0, problem.dphi0);
  // Without work the energy at the start is that of all times.
  const energy = problem.hasWork ? atEnd : atStart;
  const value = energy.total;
  const discretisation = problem.hasWork
    ? 1.2 * Math.abs(atEnd.total - best.total) + 10 * Math.abs(best.total - other.total)
    : 0;
  const budget = uncertain([
    bound('rounding', energy.rounding, 'terms of the energy, and the digits of the inputs'),
    bound('discretisation', discretisation, 'DOP853, and extrapolation from a start half a rounding away'),
  ]);
  const energies = energiesOf(problem, shown);
  const scale = Math.max(energies.magnitude, Number.MIN_VALUE);
  const terms = termsOf(problem, history, output);
  const turns = turnsOf(output, history);
  const error = statistics.tuningError ?? Number.POSITIVE_INFINITY;
  const isWhole = info === INFO.ok && history.kept === history.t.length && statistics.tuning !== undefined;
  const isTuned = error <= MAX_ERROR;
  const isSameEnd = statistics.outcome === statistics.otherOutcome;
  const converged = isWhole && isTuned && isSameEnd;
  const work = quantity('work', problem.mass * last(first.work), 'J', problem.mass * last(history.firstError.work));
  const dissipated = problem.mass * last(first.dissipated);
  return {
    value,
    ...budget,
    bound: Math.max(Math.min(error, 1), budget.uncertainty / Math.max(Math.abs(other.total), scale)),
    converged,
    tuneStatus: converged ? 'converged' : 'not converged',
    witness: {
      method: 'energy at the end, by extrapolation with other steps from a start half a rounding away',
      reference: other.total,
      scale,
    },
    invariants: invariantsOf(problem, history, energies, atStart, output.statistics.outcome === OUTCOME.singular),
    ...picturesOf(history, energies, turns, terms, registersOf(problem)),
    quantities: quantitiesOf({ problem, history, output }, terms, [
      quantity('energy_at_start', atStart.total, 'J', atStart.rounding),
      quantity('energy_at_end', best.total, 'J', 10 * Math.abs(best.total - other.total) + best.rounding),
      ...(problem.hasWork
        ? [work, quantity('dissipated', dissipated, 'J', problem.mass * last(history.firstError.dissipated))]
        : []),
    ]),
    operatorInputs: {},
    functional: value,
    notes:
      info === INFO.capacity
        ? [...problem.notes, spentNote(problem)]
        : notesOf(problem, output, history, { error, isSameEnd }),
  };
}

function energiesOf(problem: Problem, way: Way): Energies & { readonly magnitude: number } {
  const { mass } = problem;
  const all = [...way.phi].map((phi, i) => energyAt(problem, phi, at(way.dphi, i)));
  const of = (pick: (energy: Energy, i: number) => number) => Float64Array.from(all, pick);
  const start = all[0]?.total ?? 0;
  const balance = of(({ total }, i) => total - start - mass * at(way.work, i));
  return {
    kinetic: of(({ kinetic }) => kinetic),
    potential: of(({ potential }) => potential),
    total: of(({ total }) => total),
    balance,
    dissipated: way.dissipated.map((one) => mass * one),
    error: balance,
    magnitude: all.reduce((most, one) => Math.max(most, one.magnitude), 0),
  };
}

function invariantsOf(
  problem: Problem,
  { first, closed, t }: History,
  { balance, magnitude }: Energies & { readonly magnitude: number },
  start: Energy,
  isSingular: boolean,
): readonly Invariant[] {
  const scale = Math.max(magnitude, problem.mass * maxMagnitude(first.work), Number.MIN_VALUE);
  const invariants: Invariant[] = [
    {
      name: 'energy',
      label: problem.hasWork ? 'energy less the work of drag, drive and couplings' : 'energy',
      value: start.total,
      drift: maxMagnitude(balance) / scale,
      bound: BOUND.balance,
    },
  ];
  if (closed === undefined) return invariants;
  const size = Math.max(maxMagnitude(first.phi), Number.MIN_VALUE);
  invariants.push({
    name: 'closed_form',
    label: 'DOP853 and the closed form agree',
    value: last(closed.phi),
    drift: maxMagnitude(first.phi.map((phi, i) => phi - at(closed.phi, i))) / size,
    // Before an escape every error grows. Judges as loose as the tolerance allows agree to a tenth of it.
    bound: isSingular || last(t) > 1e3 ? 1e-6 : Math.max(BOUND.closed, 0.1 * problem.tolerance),
  });
  return invariants;
}

interface Course {
  readonly error: number;
  readonly isSameEnd: boolean;
}

/** Of a run without an end, which says nothing else. */
function spentNote(problem: Problem): string {
  const rate = rateOf(problem).toPrecision(3);
  return `More than ${MAX_TRIES} steps would be needed: the fastest rate is about ${rate} 1/s, over ${problem.tEnd} s. Explicit steps do not suit a motion so stiff, or so long for its rate; take a shorter time or a slower rate.`;
}

const TUNING_NOTES = {
  [TUNING.triesSpent]: 'the tries of maxIterations are spent',
  [TUNING.stepsSpent]: 'shorter steps would be too many',
  [TUNING.stalled]: 'shorter steps bring no better agreement',
} as const;

function notesOf(
  problem: Problem,
  { statistics: s }: KernelOutput<SolveFace>,
  { t, kept }: History,
  { error, isSameEnd }: Course,
): readonly string[] {
  const reason = TUNING_NOTES[s.tuning as keyof typeof TUNING_NOTES];
  return [
    ...problem.notes,
    ...(s.outcome === OUTCOME.ground
      ? [`The body reaches the ground at t = ${s.stopTime} s; the run ends there.`]
      : []),
    ...(s.outcome === OUTCOME.singular
      ? [
          isEscape(problem, s.lastPhi ?? 0)
            ? `φ grows beyond every bound at t = ${s.stopTime} s; the motion is shown up to 0.95 of that time.`
            : `No step is short enough at t = ${s.stopTime} s, where φ is ${s.lastPhi}: the force has no value there. The motion is shown up to 0.95 of that time.`,
        ]
      : []),
    ...(kept < t.length
      ? [
          `Not predictable after t = ${t[kept]} s: runs that begin half a rounding apart differ by more than a thousandth from then on.`,
        ]
      : []),
    ...(isSameEnd ? [] : ['Two runs that begin half a rounding apart end differently.']),
    ...(reason === undefined ? [] : [`The step was shortened until an error of ${error}: ${reason}.`]),
  ];
}
