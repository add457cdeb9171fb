// American options: the lattices of a request, and finite differences as the second way.
//
// Both count time in variance, so that curves and dividends change the exercise value and the discount only.

import { exp } from '../../core/elementary.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput, KernelRun } from '../../kernels/abi.ts';
import type { Solution } from '../definition.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { blackPrice } from './black.ts';
import type { QuantFace } from './face.ts';
import type { QuantInput } from './inputs.ts';
import type { Problem } from './problem.ts';
import { termQuantities } from './terms.ts';

/** Levels of the lattices, each half of the one before. */
const LEVELS = [2048, 1024, 512] as const;
/** Steps in variance and cells in ln X of the finer of two grids. */
const GRID = { steps: 300, cells: 600 } as const;
/** Half-width of the grid in deviations. */
const REACH = 6;
/** Relative to strike and forward: a larger disagreement is not converged. */
const AGREES = 1e-3;

export const AMERICAN_NS = 25e6;

interface Moment {
  readonly forward: number;
  readonly dividends: number;
  readonly discount: number;
}

/** What the exercise is worth at the time with this share of the variance; of the time itself without any. */
function momentAt({ market }: Problem, T: number, share: number): Moment {
  const time = timeOf(market.variance, T, share);
  return {
    forward: market.forward(time),
    dividends: market.dividendsAfter(time),
    discount: exp(-market.growth(time)),
  };
}

/** The time of a share of the variance until T, by bisection: the variance rises. */
function timeOf(variance: (t: number) => number, T: number, share: number): number {
  if (share <= 0) return 0;
  if (share >= 1 || !(variance(T) > 0)) return share * T;
  const target = share * variance(T);
  let [low, high] = [0, T];
  for (let k = 0; k < 60; k++) {
    const middle = 0.5 * (low + high);
    if (variance(middle) < target) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

export function latticeRuns(input: QuantInput, problem: Problem): readonly KernelRun<QuantFace>[] {
  const { terms, market, phi } = problem;
  return LEVELS.map((levels) => ({
    parameters: {
      phi,
      strike: input.K,
      discount: 1,
      spot: market.spot,
      dates: 1,
      samples: 1,
      groupBlocks: 1,
      levels,
      levelVariance: terms.variance / levels,
    },
    inputs: {
      levels: Float64Array.from(
        Array.from({ length: levels + 1 }, (_, k) => {
          const { forward, dividends, discount } = momentAt(problem, input.T, k / levels);
          return [forward, dividends, discount];
        }).flat(),
      ),
    },
    steps: levels - 1,
    outputs: [],
    statistics: ['price'],
  }));
}

export function americanSolution(
  outputs: readonly KernelOutput<QuantFace>[],
  input: QuantInput,
  problem: Problem,
): Solution {
  const { terms, phi, market } = problem;
  const [fine = 0, middle = 0, coarse = 0] = LEVELS.map((_, i) => outputOf(outputs, i).statistics.price ?? Number.NaN);
  // Never below what exercise pays now, which extrapolation does not know.
  const now = Math.max(0, phi * (input.S0 - input.K));
  const value = Math.max(now, 2 * fine - middle);
  const before = Math.max(now, 2 * middle - coarse);
  const [finer, rougher] = [gridPrice(input, problem, 2), gridPrice(input, problem, 1)];
  const reference = Math.max(now, finer + (finer - rougher) / 3);
  const gridError = Math.abs(finer - rougher) / 3;
  const scale = Math.max(input.K, market.spot);
  const discretisation = Math.abs(value - before) + Math.min(Math.abs(value - reference), gridError);
  const rounding = 1e-12 * scale;
  const european = blackPrice(terms);
  const tolerance = AGREES * scale;
  const exact = [1, 2, 4].map((share) => LEVELS[0] / share).reverse();
  return {
    value,
    ...uncertain([
      bound('rounding', rounding, 'sums along the lattice'),
      bound('discretisation', discretisation, 'lattices of half the levels, and finite differences'),
    ]),
    bound: tolerance / scale,
    converged:
      Math.abs(value - reference) <= discretisation + gridError + rounding ||
      Math.abs(value - reference) <= 1e-5 * scale,
    witness: { method: 'finite differences in variance and ln X, extrapolated', reference, scale },
    invariants: [
      {
        name: 'above_european',
        label: 'worth at least the European option',
        value,
        drift: Math.max(0, european - value),
        bound: discretisation + rounding,
        unit: '$',
      },
    ],
    series: [
      series('levels', '1', exact),
      series('lattice_price', '$', [coarse, middle, fine]),
      series(
        'price',
        '$',
        exact.map(() => value),
      ),
    ],
    fields: [],
    plots: [
      { kind: 'line', title: 'Price over the levels of the lattice', x: 'levels', y: ['lattice_price', 'price'] },
    ],
    quantities: [
      quantity('finite_differences', reference, '$', gridError + discretisation + rounding),
      quantity('european', european, '$', 4e-13 * scale),
      quantity('early_exercise_premium', Math.max(0, value - european), '$', discretisation + 2 * rounding),
      ...termQuantities(input, problem),
      exactly('lattice_levels', LEVELS[0], '1'),
    ],
    operatorInputs: {},
    functional: value,
    notes: market.hasDividends ? ['Cash dividends are escrowed: their present value does not fluctuate.'] : [],
  };
}

/**
 * Crank–Nicolson for W = V D against w in y = ln(X / F): W_w = (W_yy − W_y) / 2, W at least the discounted exercise
 * (Brennan & Schwartz 1977: the elimination runs towards the side of exercise, where the substitution takes the maximum).
 *
 * @param refinement  cells and steps, in halves of `GRID`
 */
function gridPrice(input: QuantInput, problem: Problem, refinement: number): number {
  const { terms, phi } = problem;
  const steps = (GRID.steps * refinement) / 2;
  const cells = (GRID.cells * refinement) / 2;
  if (!(terms.variance > 0)) {
    let best = 0;
    for (let k = 0; k <= steps; k++) {
      const { forward, dividends, discount } = momentAt(problem, input.T, k / steps);
      best = Math.max(best, discount * phi * (forward + dividends - terms.strike));
    }
    return best;
  }
  const reach = REACH * Math.sqrt(terms.variance) + terms.variance;
  const h = (2 * reach) / cells;
  const ys = Float64Array.from({ length: cells + 1 }, (_, j) => exp(-reach + j * h));
  const exercised = (k: number): Float64Array => {
    const { forward, dividends, discount } = momentAt(problem, input.T, k / steps);
    return ys.map((y) => discount * phi * (forward * y + dividends - terms.strike));
  };
  let w: Float64Array = exercised(steps).map((x) => Math.max(0, x));
  const end = terms.discount;
  // The kink is averaged over its cell.
  const kink = terms.strike / terms.forward;
  w = w.map((x, j) =>
    Math.abs((ys[j] ?? 0) / kink - 1) < h ? end * cellMean(terms.forward, terms.strike, phi, ys[j] ?? 0, h) : x,
  );
  const dw = terms.variance / steps;
  for (let k = steps - 1; k >= 0; k--) {
    const obstacle = exercised(k);
    // Two half steps implicit at the start damp what the kink excites (Rannacher 1984).
    const isDamped = k >= steps - 2;
    for (let part = 0; part < (isDamped ? 2 : 1); part++)
      w = stepBack(w, obstacle, isDamped ? dw / 2 : dw, h, isDamped ? 1 : 0.5, phi);
  }
  return w[cells / 2] ?? Number.NaN;
}

/** Mean of the payoff over a cell about y. */
function cellMean(forward: number, strike: number, phi: number, y: number, h: number): number {
  const parts = 200;
  let sum = 0;
  for (let i = 0; i < parts; i++) sum += Math.max(0, phi * (forward * y * exp(h * ((i + 0.5) / parts - 0.5)) - strike));
  return sum / parts;
}

/** @param theta  1 implicit, ½ Crank–Nicolson */
function stepBack(
  w: Float64Array,
  obstacle: Float64Array,
  dw: number,
  h: number,
  theta: number,
  phi: number,
): Float64Array {
  const n = w.length - 1;
  const lower = 0.5 * dw * (1 / (h * h) + 1 / (2 * h));
  const upper = 0.5 * dw * (1 / (h * h) - 1 / (2 * h));
  const at = (v: Float64Array, j: number) => v[j] ?? 0;
  const right = w.map((x, j) =>
    j === 0 || j === n ? 0 : x + (1 - theta) * (lower * at(w, j - 1) - (lower + upper) * x + upper * at(w, j + 1)),
  );
  // A put is exercised low and a call high: eliminate towards that end, substitute away from it.
  const [from, to, step] = phi < 0 ? [n, 0, -1] : [0, n, 1];
  const back = theta * (phi < 0 ? lower : upper);
  const ahead = theta * (phi < 0 ? upper : lower);
  const out = new Float64Array(n + 1);
  out[from] = Math.max(0, at(obstacle, from));
  out[to] = Math.max(at(w, to), at(obstacle, to));
  const diagonal = new Float64Array(n + 1);
  let pivot = 1;
  let known = at(out, from);
  for (let j = from + step; j !== to; j += step) {
    const isFirst = j === from + step;
    const next = 1 + theta * (lower + upper) - (isFirst ? 0 : (ahead * back) / pivot);
    known = at(right, j) + (isFirst ? ahead * at(out, from) : (ahead * known) / pivot);
    pivot = next;
    diagonal[j] = pivot;
    right[j] = known;
  }
  for (let j = to - step; j !== from; j -= step)
    out[j] = Math.max((at(right, j) + back * at(out, j + step)) / at(diagonal, j), at(obstacle, j));
  return out;
}
