// Options under Heston's variance by the characteristic function: the run, and the solution with greeks, smile and density.

import { exp, log } from '../../core/elementary.ts';
import { normalDensity, normalDistribution } from '../../core/normal.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import { INSTANCE_BYTES, type KernelOutput } from '../../kernels/abi.ts';
import { type Rows, rowsOf } from '../../kernels/rows.ts';
import type { Plan, Quantity, Solution } from '../definition.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { blackPrice, blackRounding, deviatesOf, digitalPrice, impliedVolatility, type Terms } from './black.ts';
import type { QuantFace } from './face.ts';
import { fellerRatio, type Heston, meanVariance, modulus, reachOf } from './heston.ts';
import { hestonParameters } from './heston-paths.ts';
import { HESTON_REFERENCE_ERROR, hestonCostNs, hestonPrice } from './heston-reference.ts';
import type { QuantInput } from './inputs.ts';
import type { Problem } from './problem.ts';
import { termQuantities } from './terms.ts';

/** Nodes of a step of the kernel, and the most that it takes. */
const BLOCK = 32;
const MAX_NODES = 400_000;
/** |φ| that ends the sum. */
const NEGLIGIBLE = 1e-18;
/** Strikes of the pictures, and their reach in deviations of the mean variance. */
const STRIKES = 41;
const REACH = 3;
/** Relative rounding of the integrals beside their magnitudes. */
const ROUNDING = 1e-15;
/** Of Black's formula. */
const BLACK_ROUNDING = 2e-13;
/** A time value below so many errors has no implied volatility. */
const SEEN = 100;
/** A node, and a strike of it. */
const NODE_NS = 500;
const STRIKE_NS = 60;
/** The implied volatilities: measured. */
const PICTURES_NS = 8e6;

type Column = QuantFace['columns']['transform'][number];

/** The strikes of the run: that of the option, then those of the pictures. */
function strikesOf({ terms }: Problem): Float64Array {
  const width = REACH * Math.sqrt(terms.variance);
  const around = Array.from({ length: STRIKES }, (_, j) => terms.forward * exp(width * ((2 * j) / (STRIKES - 1) - 1)));
  return Float64Array.of(terms.strike, ...around);
}

/** Where φ and the control are negligible, by doubling and halving from the width of the mean variance. */
function cutOf(heston: Heston, T: number, variance: number): number {
  const gauss = Math.sqrt((-2 * log(NEGLIGIBLE / 10)) / variance);
  let [low, high] = [0, 1 / Math.sqrt(variance)];
  while (modulus(heston, T, high) > NEGLIGIBLE / 10 && high < 1e9) [low, high] = [high, 2 * high];
  for (let k = 0; k < 5; k++) {
    const middle = 0.5 * (low + high);
    if (modulus(heston, T, middle) > NEGLIGIBLE / 10) low = middle;
    else high = middle;
  }
  return Math.max(gauss, high);
}

export function transformPlan(input: QuantInput, heston: Heston, problem: Problem): Plan<QuantFace> {
  const { terms, isCertain } = problem;
  const strikes = strikesOf(problem);
  const moneyness = strikes.map((strike) => log(terms.forward / strike));
  const isPlain = isCertain || heston.sigmaV === 0;
  const reach = isPlain ? 1 : reachOf(heston, input.T);
  const farthest = moneyness.reduce((far, k) => Math.max(far, Math.abs(k)), 0);
  // The coarse rule, with every other node, errs by time values beyond the reach.
  const spacing = Math.PI / (reach + farthest);
  const cut = isCertain ? 1 : cutOf(heston, input.T, terms.variance);
  const wanted = isPlain ? BLOCK : Math.ceil(cut / spacing);
  const steps = Math.ceil(Math.min(wanted + BLOCK, MAX_NODES) / BLOCK) + 1;
  return {
    runs: [
      {
        parameters: {
          ...hestonParameters(heston),
          phi: terms.phi,
          strike: terms.strike,
          discount: terms.discount,
          spot: terms.forward,
          maturity: input.T,
          dates: 1,
          samples: 1,
          groupBlocks: 1,
          nodes: steps * BLOCK,
          spacing,
          strikes: strikes.length,
        },
        inputs: { moneyness },
        steps,
        outputs: ['transforms', 'magnitudes'],
        statistics: ['isOver'],
      },
    ],
    estimateNs: 100_000 + steps * BLOCK * (NODE_NS + STRIKE_NS * strikes.length),
    collectNs: PICTURES_NS + (isCertain ? 0 : hestonCostNs(terms, cut)),
    estimateBytes: INSTANCE_BYTES + 20_000,
  };
}

interface Measured {
  readonly value: number;
  readonly error: number;
}

/** The integrals of a strike, undiscounted and in units of the price. */
class Transform {
  readonly #rows: Rows<Column>;
  readonly #magnitudes: Float64Array;
  readonly #terms: Terms;

  constructor(rows: Rows<Column>, magnitudes: Float64Array, terms: Terms) {
    this.#rows = rows;
    this.#magnitudes = magnitudes;
    this.#terms = terms;
  }

  /** √(F K) times an integral; its error is what half of the nodes changes, and rounding. */
  at(row: number, strike: number, kind: 0 | 1 | 2 | 3 | 4): Measured {
    const [name, coarse] = KINDS[kind];
    const root = Math.sqrt(this.#terms.forward * strike);
    const value = this.#rows.at(row, name);
    const change = Math.abs(value - this.#rows.at(row, coarse));
    return { value: root * value, error: root * (change + ROUNDING * (this.#magnitudes[kind] ?? 0)) };
  }

  /** Undiscounted price of a strike: Black's with the mean variance, less the integral. */
  price(row: number, strike: number, phi: number): Measured {
    const terms = { ...this.#terms, strike, phi, discount: 1 };
    const { value, error } = this.at(row, strike, 0);
    const inner = Math.max(0, phi * (terms.forward - strike));
    return { value: Math.max(inner, blackPrice(terms) - value), error: error + BLACK_ROUNDING * blackRounding(terms) };
  }
}

const KINDS = [
  ['price', 'coarsePrice'],
  ['slope', 'coarseSlope'],
  ['density', 'coarseDensity'],
  ['variance', 'coarseVariance'],
  ['time', 'coarseTime'],
] as const satisfies readonly (readonly [Column, Column])[];

export function transformSolution(
  outputs: readonly KernelOutput<QuantFace>[],
  input: QuantInput,
  heston: Heston,
  problem: Problem,
): Solution {
  const { terms, isCertain } = problem;
  const { views, columns, statistics, info } = outputOf(outputs, 0);
  const rows = rowsOf(views.transforms ?? new Float64Array(), columns.transform);
  const transform = new Transform(rows, views.magnitudes ?? new Float64Array(), terms);
  const isDigital = input.style === 'digital';
  const isComplete = statistics.isOver === 1 || isCertain;
  const price = isDigital ? digitalOf(transform, problem) : priceOf(transform, problem);
  const reference = hestonPrice(heston, input.T, terms, isDigital);
  const scale = terms.discount * (isDigital ? 1 : Math.max(terms.forward, terms.strike));
  const tolerance = price.error + HESTON_REFERENCE_ERROR * scale;
  const apart = Math.abs(price.value - reference);
  const inner = isDigital ? 0 : terms.discount * Math.max(0, terms.phi * (terms.forward - terms.strike));
  const pictures = picturesOf(input, transform, problem);
  return {
    value: price.value,
    ...uncertain([bound('rounding', price.error, 'rounding of the integrals, and what half of their nodes changes')]),
    bound: tolerance / scale,
    converged: info === 0 && isComplete && apart <= tolerance,
    witness: { method: 'integral along the real axis; Riccati equations by Taylor series', reference, scale },
    invariants: [
      {
        name: 'above_inner_value',
        label: 'worth at least what the forward pays',
        value: price.value,
        drift: Math.max(0, inner - price.value),
        bound: price.error,
        unit: '$',
      },
    ],
    ...pictures,
    quantities: [
      quantity('second_way', reference, '$', HESTON_REFERENCE_ERROR * scale),
      ...greeksOf(input, heston, problem, transform),
      ...impliedOf(input, problem, price, inner),
      ...termQuantities(input, problem),
      ...varianceQuantities(input, heston, problem),
      exactly('nodes', outputOf(outputs, 0).steps * BLOCK, '1'),
    ],
    operatorInputs: {},
    functional: price.value,
    notes: [
      ...hestonNotes(heston, problem),
      ...(isComplete
        ? []
        : [
            `The integrand is not negligible after ${MAX_NODES} nodes: the variance is too small, or scatters too much.`,
          ]),
    ],
  };
}

/** What is known of the variance. */
export function varianceQuantities({ T }: QuantInput, heston: Heston, { terms }: Problem): readonly Quantity[] {
  const feller = fellerRatio(heston);
  const volatility = T > 0 ? Math.sqrt(terms.variance / T) : Math.sqrt(heston.v0);
  return [
    quantity('mean_volatility', volatility, 'yr^-1/2', 1e-15 * volatility),
    ...(Number.isFinite(feller) ? [quantity('feller_ratio', feller, '1', 4e-16 * feller)] : []),
  ];
}

export function hestonNotes(heston: Heston, { market, isCertain }: Problem): readonly string[] {
  const notes: string[] = [];
  const feller = fellerRatio(heston);
  if (isCertain) notes.push('No time or no variance is left: the price is exact.');
  else if (heston.sigmaV === 0) notes.push('sigma_v is 0: the price of Black and Scholes with the mean variance.');
  else if (feller < 1)
    notes.push(
      `Feller’s condition 2 κ θ ≥ σ_v² does not hold (ratio ${feller.toPrecision(3)}): the variance reaches 0. The price holds all the same.`,
    );
  if (market.hasDividends) notes.push('Cash dividends are escrowed: their present value does not fluctuate.');
  return notes;
}

function priceOf(transform: Transform, { terms }: Problem): Measured {
  const { value, error } = transform.price(0, terms.strike, terms.phi);
  return { value: terms.discount * value, error: terms.discount * error };
}

/** P(S > K) = N(d₂) − (slope − price) / K, from the derivative by the strike. */
function digitalOf(transform: Transform, { terms }: Problem): Measured {
  const { phi, strike, discount } = terms;
  const slope = transform.at(0, strike, 1);
  const price = transform.at(0, strike, 0);
  const value = digitalPrice(terms) - (phi * discount * (slope.value - price.value)) / strike;
  const steep = terms.variance > 0 ? Math.abs(deviatesOf(terms)[1]) + 1 / Math.sqrt(terms.variance) : 0;
  const error = discount * ((slope.error + price.error) / strike + BLACK_ROUNDING * (1 + 0.01 * steep));
  return { value: Math.min(discount, Math.max(0, value)), error };
}

const impliedOf = (
  { T, style }: QuantInput,
  { terms }: Problem,
  { value, error }: Measured,
  inner: number,
): readonly Quantity[] => {
  if (style === 'digital' || !(value - inner > SEEN * error)) return [];
  const middle = impliedVolatility(terms, value, T);
  const high = impliedVolatility(terms, value + error, T);
  return [
    quantity('implied_volatility', middle.sigma, 'yr^-1/2', middle.error + 2 * Math.abs(high.sigma - middle.sigma)),
  ];
};

/** Of the price; of a digital only delta. Theta and rho need a flat rate without cash dividends. */
function greeksOf(input: QuantInput, heston: Heston, problem: Problem, transform: Transform): readonly Quantity[] {
  const { terms, market, isCertain } = problem;
  if (isCertain || input.greeks === 'none') return [];
  const { phi, forward, strike, discount, variance } = terms;
  const [d1] = deviatesOf(terms);
  const at = (kind: 0 | 1 | 2 | 3 | 4) => transform.at(0, strike, kind);
  const steep = BLACK_ROUNDING * (1 + 0.01 * (Math.abs(d1) + 1) * (1 + 1 / Math.sqrt(variance)));
  const root = Math.sqrt(variance);
  // F ∂/∂F, F² ∂²/∂F² and ∂/∂w of Black's price, undiscounted.
  const own = forward * normalDensity(d1);
  const blackSlope = phi * forward * normalDistribution(phi * d1);
  const scaled = (name: string, unit: string, factor: number, black: number, part: Measured, blackSize: number) =>
    quantity(name, factor * (black - part.value), unit, Math.abs(factor) * (part.error + steep * blackSize));
  const density = at(2);
  const gammaPart = { value: -density.value, error: density.error };
  if (input.style === 'digital')
    return [scaled('delta', '1', (phi * discount) / (strike * market.spot), own / root, gammaPart, own / root)];
  const [, ofStart] = meanVariance(heston, input.T);
  const byVariance = (0.5 * own) / root;
  const delta = scaled('delta', '1', discount / market.spot, blackSlope, at(1), forward + strike);
  const greeks = [
    delta,
    scaled('gamma', '1/$', discount / (market.spot * market.spot), own / root, gammaPart, own / root),
    scaled('vega_v0', '$ yr', discount, byVariance * ofStart, at(3), byVariance * ofStart),
  ];
  const isFlat = [input.rates, input.dividends].every((given) => (given ?? []).length === 0);
  if (!isFlat) return greeks;
  const price = priceOf(transform, problem);
  const rate = heston.theta + (heston.v0 - heston.theta) * exp(-heston.kappa * input.T);
  const time = at(4);
  const decay = discount * (byVariance * rate - time.value);
  const carry = (input.r - input.q) * market.spot;
  const theta = input.r * price.value - carry * delta.value - decay;
  const deltaError = delta.uncertainty ?? 0;
  const thetaError =
    Math.abs(input.r) * price.error +
    Math.abs(carry) * deltaError +
    discount * (time.error + steep * byVariance * Math.abs(rate)) +
    1e-15 * (Math.abs(carry) + Math.abs(input.r) * price.value);
  const rho = input.T * (market.spot * delta.value - price.value);
  const rhoError = input.T * (market.spot * deltaError + price.error) + 4e-16 * input.T * (market.spot + price.value);
  return [...greeks, quantity('theta', theta, '$/yr', thetaError), quantity('rho', rho, '$ yr', rhoError)];
}

/** The smile, and the density of the end beside the lognormal one of the same mean and mean variance. */
function picturesOf(
  input: QuantInput,
  transform: Transform,
  problem: Problem,
): Pick<Solution, 'series' | 'fields' | 'plots'> {
  const { terms, isCertain } = problem;
  if (isCertain) return { series: [], fields: [], plots: [] };
  const { forward, variance } = terms;
  const flat = Math.sqrt(variance / input.T);
  const root = Math.sqrt(variance);
  const strikes = strikesOf(problem).slice(1);
  const smile = [...strikes].flatMap((strike, j) => {
    const phi = strike > forward ? 1 : -1;
    const { value, error } = transform.price(j + 1, strike, phi);
    if (!(value > SEEN * error)) return [];
    return [[strike, impliedVolatility({ phi, forward, strike, discount: 1 }, value, input.T).sigma] as const];
  });
  const lognormal = strikes.map((strike) => {
    const [, d2] = deviatesOf({ ...terms, strike });
    return normalDensity(d2) / (strike * root);
  });
  const density = strikes.map((strike, j) =>
    Math.max(0, (lognormal[j] ?? 0) + transform.at(j + 1, strike, 2).value / (strike * strike)),
  );
  const prices = strikes.map((strike, j) => terms.discount * transform.price(j + 1, strike, terms.phi).value);
  return {
    series: [
      series(
        'smile_strikes',
        '$',
        smile.map(([strike]) => strike),
      ),
      series(
        'smile',
        'yr^-1/2',
        smile.map(([, sigma]) => sigma),
      ),
      series(
        'flat',
        'yr^-1/2',
        smile.map(() => flat),
      ),
    ],
    fields: [
      series('strikes', '$', strikes),
      series('density', '1/$', density),
      series('lognormal_density', '1/$', lognormal),
      series('price_of_strike', '$', prices),
      series(
        'inner_value',
        '$',
        strikes.map((strike) => terms.discount * Math.max(0, terms.phi * (forward - strike))),
      ),
    ],
    plots: [
      { kind: 'line', title: 'Implied volatility over the strike', x: 'smile_strikes', y: ['smile', 'flat'] },
      {
        kind: 'line',
        title: 'Density of the price at expiry',
        x: 'strikes',
        y: ['density', 'lognormal_density'],
        words: { strikes: 'price at expiry' },
      },
      { kind: 'line', title: 'Price over the strike', x: 'strikes', y: ['price_of_strike', 'inner_value'] },
    ],
  };
}
