// Closed forms of Black and Scholes from a forward, a total variance and a discount factor.

import { exp, log } from '../../core/elementary.ts';
import { normalDensity, normalDistribution } from '../../core/normal.ts';
import { validationError } from '../parts/errors.ts';

/** phi is 1 for a call, −1 for a put. */
export interface Terms {
  readonly phi: number;
  readonly forward: number;
  readonly strike: number;
  /** σ² T */
  readonly variance: number;
  readonly discount: number;
}

/** d₁ and d₂: (ln(F / K) ± w / 2) / √w */
export function deviatesOf({ forward, strike, variance }: Terms): readonly [number, number] {
  const root = Math.sqrt(variance);
  const moneyness = log(forward / strike);
  return [(moneyness + 0.5 * variance) / root, (moneyness - 0.5 * variance) / root];
}

/** Price of a European option; of its exact limit at w = 0. */
export function blackPrice(terms: Terms): number {
  const { phi, forward, strike, variance, discount } = terms;
  if (!(variance > 0) || strike <= 0) return discount * Math.max(0, phi * (forward - strike));
  const [d1, d2] = deviatesOf(terms);
  const price = phi * (forward * normalDistribution(phi * d1) - strike * normalDistribution(phi * d2));
  return discount * Math.max(0, price);
}

/** Sum of what cancels in the price, larger far from the money, where the tails of the distribution are steep. */
export function blackRounding(terms: Terms): number {
  const { phi, forward, strike, variance, discount } = terms;
  if (!(variance > 0) || strike <= 0) return discount * (forward + Math.abs(strike));
  const [d1, d2] = deviatesOf(terms);
  const parts = forward * normalDistribution(phi * d1) + strike * normalDistribution(phi * d2);
  return discount * parts * (1 + STEEP * (d1 * d1 + d2 * d2 + (Math.abs(d1) + Math.abs(d2)) / Math.sqrt(variance)));
}

/** Relative rounding of a tail for each unit of a squared deviation, in units of that of the price. */
const STEEP = 0.01;

/** Price of one unit that is paid if the option ends in the money. */
export function digitalPrice(terms: Terms): number {
  const { phi, forward, strike, variance, discount } = terms;
  if (!(variance > 0)) return phi * (forward - strike) > 0 ? discount : 0;
  return discount * normalDistribution(phi * deviatesOf(terms)[1]);
}

export interface Greeks {
  readonly delta: number;
  readonly gamma: number;
  /** For a change of the volatility of 1. */
  readonly vega: number;
  /** For a year that passes. */
  readonly theta: number;
  /** For a change of the rate of 1. */
  readonly rho: number;
}

interface Rates {
  readonly spot: number;
  readonly r: number;
  readonly q: number;
  readonly sigma: number;
  readonly T: number;
}

/** Of a European option with flat rates and volatility, sigma and T above 0. */
export function blackGreeks(terms: Terms, { spot, r, q, sigma, T }: Rates): Greeks {
  const { phi, strike, discount } = terms;
  const [d1, d2] = deviatesOf(terms);
  const yielded = exp(-q * T);
  const density = normalDensity(d1);
  const root = Math.sqrt(T);
  const own = yielded * normalDistribution(phi * d1);
  const owed = discount * strike * normalDistribution(phi * d2);
  return {
    delta: phi * own,
    gamma: (yielded * density) / (spot * sigma * root),
    vega: spot * yielded * density * root,
    theta: (-spot * yielded * density * sigma) / (2 * root) + phi * (q * spot * own - r * owed),
    rho: phi * T * owed,
  };
}

/** Of a digital option that pays 1. */
export function digitalGreeks(terms: Terms, { spot, r, sigma, T }: Rates): Greeks {
  const { phi, discount } = terms;
  const [d1, d2] = deviatesOf(terms);
  const root = sigma * Math.sqrt(T);
  const slope = phi * discount * normalDensity(d2);
  const price = digitalPrice(terms);
  // dd2/dT = −ln(F/K)/(2 √w T) + … at constant rates; the drift of ln F is (d1 √w − ln(S/K) − w/2) / T.
  const moneyness = 0.5 * root * (d1 + d2);
  const carry = log(terms.forward / spot) / T;
  const slopeOfTime = -moneyness / (2 * root * T) + carry / root - root / (4 * T);
  return {
    delta: slope / (spot * root),
    gamma: (-slope * d1) / (spot * spot * root * root),
    vega: (-slope * d1) / sigma,
    theta: r * price - slope * slopeOfTime,
    rho: -T * price + (slope * T) / root,
  };
}

/** Relative width at which the search ends. */
const CLOSE = 1e-15;

/**
 * The volatility that gives a price.
 *
 * @returns with a bound of its error from the rounding of the price
 * @throws DomainError VALIDATION_FAILED for a price outside the bounds without arbitrage
 */
export function impliedVolatility(
  terms: Omit<Terms, 'variance'>,
  price: number,
  T: number,
): { readonly sigma: number; readonly error: number } {
  const { phi, forward, strike, discount } = terms;
  const low = discount * Math.max(0, phi * (forward - strike));
  const high = discount * (phi > 0 ? forward : strike);
  if (!(price > low && price < high)) {
    const message = `price is ${price}; without arbitrage it lies between ${low} and ${high}.`;
    throw validationError('price', message, 'ARBITRAGE', { min: low, max: high });
  }
  if (!(T > 0)) throw validationError('price', 'price is given with T = 0; no volatility follows.', 'EXPIRED');
  // The option out of the money has the same volatility, and its price keeps its digits.
  const side = forward > strike ? -1 : 1;
  const target = price - discount * Math.max(0, phi * (forward - strike));
  const priceAt = (root: number) => blackPrice({ ...terms, phi: side, variance: root * root });
  const rootOf = (wanted: number): number => {
    if (!(wanted > 0)) return 0;
    let [below, above] = [0, 1];
    while (priceAt(above) < wanted && above < 64) above *= 2;
    while (above - below > CLOSE * above) {
      const middle = 0.5 * (below + above);
      if (middle === below || middle === above) break;
      if (priceAt(middle) < wanted) below = middle;
      else above = middle;
    }
    return 0.5 * (below + above);
  };
  const root = rootOf(target);
  const [d1, d2] = deviatesOf({ ...terms, variance: root * root });
  // What cancels in the inner value, and in the price of the other side. Near the inner value a price has no slope that
  // would say what that does to the volatility: both ends are solved for.
  const inner = target === price ? 0 : forward + strike;
  const parts = forward * normalDistribution(side * d1) + strike * normalDistribution(side * d2);
  const rounding = 1e-15 * (price + discount * inner) + 1e-14 * discount * parts;
  const spread = Math.max(rootOf(target + rounding) - root, root - rootOf(target - rounding));
  const error = spread + 4e-16 * root;
  return { sigma: root / Math.sqrt(T), error: error / Math.sqrt(T) };
}
