// What tables and trajectories have in common: units of what is shown, and what the operators of the chain gave.

import { coherentUnit, conversion, parseUnit } from '../../core/units.ts';
import type { Field, Law, Plot, Solution } from '../solver.ts';
import { lineOf } from './lines.ts';
import type { Problem } from './problem.ts';
import { PLAIN, type Scale } from './units.ts';

export const scaleOf = ({ scales }: Problem, symbol: string): Scale => scales.get(symbol) ?? PLAIN;

/** A column of coherent values, in the unit of its symbol. */
export function column(problem: Problem, symbol: string, values: ArrayLike<number>): Field {
  const scale = scaleOf(problem, symbol);
  return {
    name: symbol,
    unit: scale.unit,
    shape: [values.length],
    data: Float64Array.from(values, (value) => scale.fromCoherent(value)),
  };
}

const CURVES = 4;

/** One picture for each unit, of a few curves each. */
export function plotsOf(problem: Problem, symbols: readonly string[]): Plot[] {
  const byUnit = new Map<string, string[]>();
  for (const symbol of symbols) {
    if (symbol === 't') continue;
    const { unit } = scaleOf(problem, symbol);
    byUnit.set(unit, [...(byUnit.get(unit) ?? []), symbol]);
  }
  return [...byUnit.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / CURVES) }, (_, i): Plot => {
      const y = all.slice(CURVES * i, CURVES * (i + 1));
      return { kind: 'line', title: y.join(', '), x: 't', y };
    }),
  );
}

/** Laws in the order in which they are computed. */
export function lawsInOrder({ algebraic }: Problem): readonly Law[] {
  return algebraic.flatMap(({ law }) => (law === undefined ? [] : [law]));
}

/** @param values  coherent, by symbol */
export function operatorParts(
  problem: Problem,
  values: ReadonlyMap<string, number>,
  headline: { readonly value: number; readonly unit: string; readonly uncertainty: number },
): Pick<Solution, 'results' | 'operatorInputs'> {
  const laws = lawsInOrder(problem);
  if (laws.length === 0) return { operatorInputs: {} };
  const [symbol] = problem.outputs;
  const share = Math.abs(headline.uncertainty / (headline.value || 1));
  const results = laws.map(({ id, output }) => {
    if (output.symbol === symbol) return { operator_id: id, ...headline };
    const scale = scaleOf(problem, output.symbol);
    const value = scale.fromCoherent(values.get(output.symbol) ?? Number.NaN);
    return { operator_id: id, value, unit: scale.unit, uncertainty: Math.abs(value) * Math.min(share, 1) };
  });
  const isLast = laws.at(-1)?.output.symbol === symbol;
  return {
    // The value is that of the last result; what the caller's own equations give is KO42's S.
    results: isLast ? results : [...results, { operator_id: 'KO42', ...headline }],
    operatorInputs: Object.fromEntries(laws.map((law) => [law.id, inputsOf(law, values)])),
  };
}

/** Numbers that a law was computed with, in the units that it declares. */
function inputsOf(law: Law, values: ReadonlyMap<string, number>): Record<string, number> {
  const { outside } = lineOf(law, (name) => values.has(name));
  return Object.fromEntries(
    Object.entries(law.inputs).map(([name, { unit }]) => {
      const own = parseUnit(unit);
      const value = values.get(outside.get(name) ?? name) ?? Number.NaN;
      return [name, conversion(coherentUnit(own), own)(value)];
    }),
  );
}
