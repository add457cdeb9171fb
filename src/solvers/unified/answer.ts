// The common parts of tables and trajectories: the answer, its columns in the units of their symbols, and their plots.

import type { Contribution, Uncertain } from '../../core/uncertainty.ts';
import type { Field, Solution } from '../definition.ts';
import { series } from '../parts/fields.ts';
import type { EventMarks, Plot } from '../plot.ts';
import { type Problem, scaleOf } from './problem.ts';

/** A solution without what follows from its laws. */
export interface Answer extends Omit<Solution, 'results' | 'operatorInputs' | 'functional'> {
  /** Coherent values of all symbols where the value is taken. */
  readonly end: ReadonlyMap<string, number>;
  /** The ± of the value of a symbol there, in its unit. */
  errorOf(symbol: string): Uncertain;
}

/** Contributions to ± of a number that the solution reads from the main run, by the runs of all variants. */
export interface Spread {
  /** Of a symbol where the value is taken, in its unit. */
  ofSymbol(symbol: string): readonly Contribution[];
  /** Of the time of the first of the events with this index, in its unit. */
  ofEvent(event: number): readonly Contribution[];
}

/** Converts coherent values to a column in the unit of the symbol. */
export function column(problem: Problem, symbol: string, values: ArrayLike<number>): Field {
  const { unit, fromCoherent } = scaleOf(problem, symbol);
  const data = Float64Array.from(values, (value) => fromCoherent(value));
  return series(symbol, unit, data);
}

const CURVES_PER_PLOT = 4;

/** Plots by unit, with a few curves per plot. */
export function plotsOf(problem: Problem, symbols: readonly string[], events?: EventMarks): Plot[] {
  const byUnit = new Map<string, string[]>();
  for (const symbol of symbols) {
    if (symbol === 't') continue;
    const { unit } = scaleOf(problem, symbol);
    byUnit.set(unit, [...(byUnit.get(unit) ?? []), symbol]);
  }
  return [...byUnit.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / CURVES_PER_PLOT) }, (_, i): Plot => {
      const y = group.slice(CURVES_PER_PLOT * i, CURVES_PER_PLOT * (i + 1));
      return { kind: 'line', title: y.join(', '), x: 't', y, ...(events ? { events } : {}) };
    }),
  );
}
