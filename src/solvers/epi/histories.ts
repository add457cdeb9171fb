// The curves of a run: totals of the compartments over the samples, and what follows from them.

import { at } from '../parts/arrays.ts';
import { compartments } from './plan.ts';
import { infectiousDays, type Problem, windowAt } from './problem.ts';
import { type Matrix, spectralRadius } from './reproduction.ts';

interface Histories {
  readonly susceptible: Float64Array;
  /** Empty without an exposed state. */
  readonly exposed: Float64Array;
  readonly infectious: Float64Array;
  readonly recovered: Float64Array;
  /** Infected since the start. */
  readonly infections: Float64Array;
  /** Of each group, row by row over the samples. */
  readonly infectiousByGroup: Float64Array;
  /** Newly infected per day. */
  readonly incidence: Float64Array;
  /** Infections that a case makes at the present susceptibility and contacts. */
  readonly reproduction: Float64Array;
}

/** A run of the kernel: its curves, and the peak inside its steps. */
export interface Curve extends Histories {
  readonly peak: number;
  readonly peakTime: number;
  readonly peaks: number;
  readonly steps: number;
}

/** @param samples  f64[times, 1 + states], as the kernel writes them */
export function historiesOf(samples: Float64Array, problem: Problem): Histories {
  const { sizes, times, hasExposed } = problem;
  const groups = sizes.length;
  const width = 1 + compartments(problem) * groups;
  const stateOf = (row: number, compartment: number, g: number) =>
    at(samples, row * width + 1 + compartment * groups + g);
  const totals = (compartment: number) =>
    times.map((_, row) => sizes.reduce((sum, __, g) => sum + stateOf(row, compartment, g), 0));
  const first = hasExposed ? 2 : 1;
  const byGroup = (compartment: number, row: number) => sizes.map((_, g) => stateOf(row, compartment, g));
  return {
    susceptible: totals(0),
    exposed: hasExposed ? totals(1) : new Float64Array(),
    infectious: totals(first),
    recovered: totals(first + 1),
    infections: totals(first + 2),
    infectiousByGroup: Float64Array.from(
      sizes.flatMap((_, g) => Array.from(times, (__, row) => stateOf(row, first, g))),
    ),
    incidence: times.map((t, row) => incidenceAt(problem, t, byGroup(0, row), byGroup(first, row))),
    reproduction: times.map((t, row) => reproductionAt(problem, byGroup(0, row)) * windowAt(problem, t).factor),
  };
}

function incidenceAt(
  problem: Problem,
  t: number,
  susceptible: readonly number[],
  infectious: readonly number[],
): number {
  const { beta, contacts, sizes } = problem;
  const { factor } = windowAt(problem, t);
  return contacts.reduce((sum, row, g) => {
    const met = row.reduce((part, one, h) => part + (one * (infectious[h] ?? 0)) / (sizes[h] ?? 1), 0);
    return sum + beta * factor * met * (susceptible[g] ?? 0);
  }, 0);
}

/** The next-generation matrix over β and the infectious days: contacts with the susceptible share of each group. */
const contactsWith = ({ contacts, sizes }: Problem, susceptible: readonly number[]): Matrix =>
  contacts.map((row, g) => row.map((one) => (one * (susceptible[g] ?? 0)) / (sizes[g] ?? 1)));

/** Infections that a case makes while so many are susceptible, without windows. */
export function reproductionAt(problem: Problem, susceptible: readonly number[]): number {
  return problem.beta * infectiousDays(problem) * spectralRadius(contactsWith(problem, susceptible)).value;
}
