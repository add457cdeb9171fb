// Prices of options on several dates without chance: transition densities are integrated date by date.
//
// Asian: the distribution of the sum, backwards (Carverhill & Clewlow 1990). Barrier: the value at the nodes of a
// Gauss–Legendre rule on each side of the barrier, backwards. Both converge faster than any power of the spacing.

import { exp, log } from '../../core/elementary.ts';
import { blackPrice, digitalPrice } from './black.ts';
import { hestonPrice } from './heston-reference.ts';
import { type DateRow, logMeanOf, type Problem } from './problem.ts';

/** Half-width of the densities in deviations: less than 1e-17 is outside. */
const REACH = 8.5;
/** Spacing of the trapezoidal rule in deviations of the shortest step; its error is exp(−2 π² / 0.6²). */
const SPACING = 0.6;
/** Relative error of both, against finer rules and against closed forms. */
export const REFERENCE_ERROR = 1e-9;

const INVERSE_ROOT = 0.3989422804014327;
/** Exponents below this do not count. */
const NEGLIGIBLE = -42;

/** Nodes and weights of Gauss and Legendre on (−1, 1), eight points (Abramowitz & Stegun, table 25.4). */
const GAUSS = [
  [0.1834346424956498, 0.362683783378362],
  [0.525532409916329, 0.31370664587788727],
  [0.7966664774136267, 0.22238103445337448],
  [0.9602898564975363, 0.10122853629037626],
]
  .flatMap(([x = 0, w = 0]) => [[-x, w] as const, [x, w] as const])
  .sort(([a], [b]) => a - b);

/** The price the second way; the sampled value shares nothing with it but the problem. */
export function referencePrice(problem: Problem, style: string): number {
  const { heston, dates, terms } = problem;
  if (heston) return hestonPrice(heston, dates.at(-1)?.time ?? 0, terms, style === 'digital');
  if (style === 'digital') return digitalPrice(problem.terms);
  if (style === 'asian') return asianPrice(problem);
  return style === 'barrier' ? barrierPrice(problem) : blackPrice(problem.terms);
}

/** Estimated number of exponentials. */
export function referenceCost({ dates, isCertain }: Problem, style: string): number {
  if (isCertain || (style !== 'asian' && style !== 'barrier')) return 100;
  const points = (2 * REACH * Math.sqrt(spreadRatio(dates))) / SPACING;
  return style === 'asian' ? (dates.length * points * points) / 2 + 1e4 : dates.length * points * 4.8 * 136 + 1e4;
}

/** Total variance over that of the shortest step. */
function spreadRatio(dates: readonly DateRow[]): number {
  return (dates.at(-1)?.variance ?? 0) / shortest(dates);
}

const shortest = (dates: readonly DateRow[]): number =>
  dates.reduce(
    (min, { variance }, i) => Math.min(min, variance - (dates[i - 1]?.variance ?? 0)),
    Number.POSITIVE_INFINITY,
  );

interface Step {
  readonly mean: number;
  readonly variance: number;
}

function stepsOf({ dates, market }: Problem): readonly Step[] {
  let [mean, variance] = [log(market.spot), 0];
  return dates.map((date) => {
    const logMean = logMeanOf(date);
    const step = { mean: logMean - mean, variance: date.variance - variance };
    mean = logMean;
    variance = date.variance;
    return step;
  });
}

/** The mean of dates: X_0 R_1 (w_1 + R_2 (w_2 + …)), each factor R lognormal and independent. */
function asianPrice(problem: Problem): number {
  const { dates, terms, market, isCertain } = problem;
  if (isCertain || terms.strike <= 0) return terms.discount * Math.max(0, terms.phi * (terms.forward - terms.strike));
  const steps = stepsOf(problem);
  const [first] = steps;
  if (first === undefined) throw new Error('An asian option has no date.');
  const spacing = SPACING * Math.sqrt(shortest(dates));
  let tail: { readonly from: number; readonly density: Float64Array } | undefined;
  let mean = 0;
  for (let i = dates.length - 1; i >= 1; i--) {
    const { weight } = dates[i] as DateRow;
    const { mean: drift, variance } = steps[i] as Step;
    mean = exp(drift + 0.5 * variance) * (weight + mean);
    const rest = (dates.at(-1)?.variance ?? 0) - (dates[i - 1]?.variance ?? 0);
    const reach = (REACH + 0.5 * Math.sqrt(rest)) * Math.sqrt(rest);
    const [from, count] = [log(mean) - reach, Math.ceil((2 * reach) / spacing)];
    const scale = INVERSE_ROOT / Math.sqrt(variance);
    const density = new Float64Array(count);
    const sources = tail ? tail.density.length : 1;
    for (let k = 0; k < sources; k++) {
      const mass = tail ? (tail.density[k] ?? 0) * spacing : 1;
      if (mass < 1e-40) continue;
      const centre = drift + log(weight + (tail ? exp(tail.from + k * spacing) : 0));
      const far = Math.sqrt(-2 * NEGLIGIBLE * variance);
      const end = Math.min(count, Math.ceil((centre + far - from) / spacing));
      for (let j = Math.max(0, Math.floor((centre - far - from) / spacing)); j < end; j++) {
        const z = from + j * spacing - centre;
        density[j] = (density[j] ?? 0) + mass * scale * exp((-0.5 * z * z) / variance);
      }
    }
    tail = { from, density };
  }
  const { weight } = dates[0] as DateRow;
  const priceAt = (rest: number) =>
    blackPrice({
      ...terms,
      forward: market.spot * exp(first.mean + 0.5 * first.variance) * (weight + rest),
      variance: first.variance,
    });
  if (!tail) return priceAt(0);
  const { from, density } = tail;
  return density.reduce((sum, p, k) => sum + (p > 0 ? p * spacing * priceAt(exp(from + k * spacing)) : 0), 0);
}

interface Node {
  readonly x: number;
  readonly weight: number;
}

/** Knock-out by integration over the living side; knock-in as the difference from the option without a barrier. */
function barrierPrice(problem: Problem): number {
  const { dates, terms, market, barrier, isContinuous, isCertain, phi, isUp, isKnockIn } = problem;
  const steps = stepsOf(problem);
  const vanilla = blackPrice(terms);
  const levels = dates.map(({ dividends }) => log(barrier - dividends));
  if (isCertain) {
    const isAlive = dates.every(({ forward, dividends }) =>
      isUp ? forward < barrier - dividends : forward > barrier - dividends,
    );
    return isAlive === isKnockIn ? 0 : vanilla;
  }
  let later: { readonly nodes: readonly Node[]; readonly values: Float64Array; readonly level: number } | undefined;
  for (let i = dates.length - 1; i >= 0; i--) {
    const level = levels[i] ?? 0;
    const nodes = nodesOf(problem, i, level, steps[i] as Step);
    const values = Float64Array.from(nodes, ({ x }) =>
      later ? onward(x, steps[i + 1] as Step, level, later, isContinuous) : Math.max(0, phi * (exp(x) - terms.strike)),
    );
    later = { nodes, values, level };
  }
  if (!later) throw new Error('A barrier option has no date.');
  const out = terms.discount * onward(log(market.spot), steps[0] as Step, later.level, later, isContinuous);
  return isKnockIn ? vanilla - out : out;
}

function onward(
  x: number,
  { mean, variance }: Step,
  level: number,
  { nodes, values }: { readonly nodes: readonly Node[]; readonly values: Float64Array },
  isContinuous: boolean,
): number {
  const centre = x + mean;
  let sum = 0;
  const far = Math.sqrt(-2 * NEGLIGIBLE * variance);
  for (let k = firstAbove(nodes, centre - far); k < nodes.length; k++) {
    const { x: y, weight } = nodes[k] as Node;
    const z = y - centre;
    if (z > far) break;
    const stays = isContinuous ? 1 - exp((-2 * (x - level) * (y - level)) / variance) : 1;
    sum += weight * stays * exp((-0.5 * z * z) / variance) * (values[k] ?? 0);
  }
  return (sum * INVERSE_ROOT) / Math.sqrt(variance);
}

/** Index of the first node above x; they rise. */
function firstAbove(nodes: readonly Node[], x: number): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.x ?? 0) <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Nodes of a date: panels of one deviation of its own step, or of the next one, that end at the barrier and the strike. */
function nodesOf({ dates, terms, isUp }: Problem, i: number, level: number, step: Step): readonly Node[] {
  const date = dates[i] as DateRow;
  const { variance } = date;
  const logMean = logMeanOf(date);
  const next = (dates[i + 1]?.variance ?? Number.POSITIVE_INFINITY) - variance;
  const width = Math.sqrt(Math.min(step.variance, next));
  const reach = REACH * Math.sqrt(variance) + variance;
  const ends: [number, number] = isUp
    ? [logMean - reach, Math.min(level, logMean + reach)]
    : [Math.max(level, logMean - reach), logMean + reach];
  const strike = log(terms.strike);
  const isLast = i === dates.length - 1;
  const cuts = isLast && strike > ends[0] && strike < ends[1] ? [ends[0], strike, ends[1]] : ends;
  const nodes: Node[] = [];
  for (let k = 1; k < cuts.length; k++) {
    const [from, to] = [cuts[k - 1] ?? 0, cuts[k] ?? 0];
    if (!(to > from)) continue;
    const count = Math.ceil((to - from) / width);
    const half = (to - from) / (2 * count);
    for (let panel = 0; panel < count; panel++)
      for (const [x, weight] of GAUSS) nodes.push({ x: from + half * (2 * panel + 1 + x), weight: weight * half });
  }
  return nodes;
}
