// Pictures of an option: how the mean converges, the price over the underlying, and over strike and volatility.

import type { Field, Solution } from '../definition.ts';
import { field, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import { blackPrice, digitalPrice, type Terms } from './black.ts';
import { type Estimate, GROUPS, type Sums } from './estimates.ts';
import type { QuantInput } from './inputs.ts';
import type { Problem } from './problem.ts';

const POINTS = 81;
const STRIKES = 41;
const VOLATILITIES = 31;

export function picturesOf(
  input: QuantInput,
  problem: Problem,
  sums: Sums,
  price: Estimate,
  centre: number,
  reference: number,
): Pick<Solution, 'series' | 'fields' | 'plots'> {
  const runs = Array.from({ length: GROUPS }, (_, g) => sums.after(g + 1, centre, price)).filter(
    ({ count }, g, all) => count > (all[g - 1]?.count ?? 0),
  );
  const column = (of: (run: (typeof runs)[number]) => number) => Float64Array.from(runs, of);
  const convergence = [
    series(
      'samples',
      '1',
      column(({ count }) => count),
    ),
    series(
      'mean',
      '$',
      column(({ value }) => value),
    ),
    series(
      'low',
      '$',
      column(({ value, error }) => value - 2 * error),
    ),
    series(
      'high',
      '$',
      column(({ value, error }) => value + 2 * error),
    ),
    series(
      'reference',
      '$',
      column(() => reference),
    ),
  ];
  const plots: Plot[] = [
    {
      kind: 'line',
      title: 'Mean, two standard errors and the closed form',
      x: 'samples',
      y: ['mean', 'low', 'high', 'reference'],
    },
  ];
  const isFlat = input.style === 'european' || input.style === 'digital';
  if (!isFlat || problem.heston) return { series: convergence, fields: [], plots };
  const curves = curvesOf(input, problem.terms);
  return {
    series: convergence,
    fields: [...curves.fields, ...mapOf(input, problem)],
    plots: [...curves.plots, ...plots, MAP],
  };
}

const priceOf = ({ style }: QuantInput) => (style === 'digital' ? digitalPrice : blackPrice);

function curvesOf(
  input: QuantInput,
  terms: Terms,
): { readonly fields: readonly Field[]; readonly plots: readonly Plot[] } {
  const end = 2 * Math.max(terms.forward, terms.strike);
  const forwards = Float64Array.from({ length: POINTS }, (_, i) => (end * (i + 1)) / POINTS);
  const at = (variance: number) => (forward: number) => priceOf(input)({ ...terms, forward, variance });
  return {
    fields: [
      series('forwards', '$', forwards),
      series('price_of_forward', '$', forwards.map(at(terms.variance))),
      series('payoff_of_forward', '$', forwards.map(at(0))),
    ],
    plots: [
      { kind: 'line', title: 'Price over the forward', x: 'forwards', y: ['price_of_forward', 'payoff_of_forward'] },
    ],
  };
}

const MAP: Plot = {
  kind: 'field',
  title: 'Price over strike and volatility',
  x: 'strikes',
  y: 'volatilities',
  values: 'price_map',
};

function mapOf(input: QuantInput, { terms }: Problem): readonly Field[] {
  const volatility = input.T > 0 ? Math.sqrt(terms.variance / input.T) : input.sigma;
  const top = 2 * (volatility > 0 ? volatility : 0.2);
  const strikes = Float64Array.from({ length: STRIKES }, (_, i) => terms.strike * (0.5 + i / (STRIKES - 1)));
  const volatilities = Float64Array.from({ length: VOLATILITIES }, (_, j) => (top * j) / (VOLATILITIES - 1));
  const map = new Float64Array(STRIKES * VOLATILITIES);
  for (const [j, sigma] of volatilities.entries())
    for (const [i, strike] of strikes.entries())
      map[j * STRIKES + i] = priceOf(input)({ ...terms, strike, variance: sigma * sigma * input.T });
  return [
    series('strikes', '$', strikes),
    series('volatilities', 'yr^-1/2', volatilities),
    field('price_map', '$', [VOLATILITIES, STRIKES], map),
  ];
}
