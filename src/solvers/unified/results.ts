// Shared by tables and trajectories: columns in display units, plots, and results of the operators.

import { coherentUnit, conversion, parseUnit } from '../../core/units.ts';
import type { Field, Law, Solution } from '../definition.ts';
import type { Plot } from '../plot.ts';
import { lawLine } from './lines.ts';
import type { Problem } from './problem.ts';
import { type Scale, UNSCALED } from './units.ts';

export const scaleOf = ({ scales }: Problem, symbol: string): Scale => scales.get(symbol) ?? UNSCALED;

/** Converts coherent values to a column in the unit of the symbol. */
export function column(problem: Problem, symbol: string, values: ArrayLike<number>): Field {
  const scale = scaleOf(problem, symbol);
  return {
    name: symbol,
    unit: scale.unit,
    shape: [values.length],
    data: Float64Array.from(values, (value) => scale.fromCoherent(value)),
  };
}

const CURVES_PER_PLOT = 4;

/** Plots by unit, with a few curves per plot. */
export function plotsOf(problem: Problem, symbols: readonly string[]): Plot[] {
  const byUnit = new Map<string, string[]>();
  for (const symbol of symbols) {
    if (symbol === 't') continue;
    const { unit } = scaleOf(problem, symbol);
    byUnit.set(unit, [...(byUnit.get(unit) ?? []), symbol]);
  }
  return [...byUnit.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / CURVES_PER_PLOT) }, (_, i): Plot => {
      const y = group.slice(CURVES_PER_PLOT * i, CURVES_PER_PLOT * (i + 1));
      return { kind: 'line', title: y.join(', '), x: 't', y };
    }),
  );
}

/** Laws in the order of computation. */
export function lawsInOrder({ algebraic }: Problem): readonly Law[] {
  return algebraic.flatMap(({ law }) => (law === undefined ? [] : [law]));
}

/** @param values  coherent, by symbol */
export function operatorResults(
  problem: Problem,
  values: ReadonlyMap<string, number>,
  headline: { readonly value: number; readonly unit: string; readonly uncertainty: number },
): Pick<Solution, 'results' | 'operatorInputs'> {
  const laws = lawsInOrder(problem);
  const [symbol] = problem.outputs;
  const origin = laws.find(({ output }) => output.symbol === symbol);
  const relative = Math.abs(headline.uncertainty / (headline.value || 1));
  const others = laws
    .filter((law) => law !== origin)
    .map(({ id, output }) => {
      const scale = scaleOf(problem, output.symbol);
      const value = scale.fromCoherent(values.get(output.symbol) ?? Number.NaN);
      return { operator_id: id, value, unit: scale.unit, uncertainty: Math.abs(value) * Math.min(relative, 1) };
    });
  return {
    // The value is the last result. A law names it only if the law's own expression computed it.
    results: [...others, { operator_id: origin?.id ?? problem.ownId, ...headline }],
    operatorInputs: Object.fromEntries(laws.map((law) => [law.id, inputsOf(law, values)])),
  };
}

/** Inputs of a law, in the units that it declares. */
function inputsOf(law: Law, values: ReadonlyMap<string, number>): Record<string, number> {
  const { outerNames } = lawLine(law, (name) => values.has(name));
  return Object.fromEntries(
    Object.entries(law.inputs).map(([name, { unit }]) => {
      const lawUnit = parseUnit(unit);
      const value = values.get(outerNames.get(name) ?? name) ?? Number.NaN;
      return [name, conversion(coherentUnit(lawUnit), lawUnit)(value)];
    }),
  );
}
