// The market of an option: discounting, forwards and total variance along the given curves, and cash dividends.
//
// Cash dividends follow the escrowed model: the underlying is a lognormal part and the present value of the dividends that
// are still to be paid (Hull, Options, Futures, and Other Derivatives, 9th ed., §15.12).

import { exp } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import { type Heston, meanVariance } from './heston.ts';
import type { QuantInput } from './inputs.ts';

type Pairs = readonly (readonly number[])[];

export interface Market {
  /** Lognormal part of the underlying today. */
  readonly spot: number;
  /** ∫ r dt to a time. */
  growth(t: number): number;
  /** ∫ σ² dt to a time, or the mean of ∫ v dt. */
  variance(t: number): number;
  /** Forward of the lognormal part. */
  forward(t: number): number;
  /** Value at a time of the dividends after it. */
  dividendsAfter(t: number): number;
  /** Times of curves and dividends before the expiry, rising. */
  readonly knots: readonly number[];
  readonly hasDividends: boolean;
}

/**
 * @param heston  then the variance is its mean
 * @throws DomainError VALIDATION_FAILED: a curve that does not rise in time or in variance, dividends above the price
 */
export function marketOf(
  { S0, r, q, sigma, T, dividends = [], rates = [], vols = [] }: QuantInput,
  heston: Heston | undefined,
): Market {
  const growth = curve('rates', rates, r, (rate, t) => rate * t);
  const ofCurve = curve('vols', vols, sigma, (vol, t) => vol * vol * t);
  const variance = heston ? (t: number) => meanVariance(heston, t)[0] : ofCurve;
  assertVariance(vols);
  const paid = dividendsOf(dividends, T);
  const spot = S0 - paid.reduce((sum, [t, amount]) => sum + amount * exp(-growth(t)), 0);
  if (!(spot > 0)) {
    const message = `dividends are worth ${S0 - spot} today; they must be worth less than S0 = ${S0}.`;
    throw validationError('dividends', message, 'DIVIDENDS_TOO_LARGE', { max: S0 });
  }
  const times = [...rates, ...vols, ...dividends].map(([t = 0]) => t).filter((t) => t < T);
  return {
    spot,
    growth,
    variance,
    forward: (t) => spot * exp(growth(t) - q * t),
    dividendsAfter: (t) =>
      paid.reduce((sum, [at, amount]) => sum + (at > t ? amount * exp(growth(t) - growth(at)) : 0), 0),
    knots: [...new Set(times)].sort((a, b) => a - b),
    hasDividends: paid.length > 0,
  };
}

/** A number that grows from 0, straight between the given times and with the last number beyond them. */
function curve(field: string, given: Pairs, flat: number, total: (number: number, t: number) => number) {
  const max = field === 'vols' ? 5 : 2;
  let last = 0;
  for (const [t = Number.NaN, number = Number.NaN] of given) {
    if (!(t > last && t <= 1e3))
      throw misplaced(field, `times must rise from 0 to at most 1000, got ${t} after ${last}`);
    const min = field === 'vols' ? 1e-6 : -0.5;
    if (!(number >= min && number <= max)) throw misplaced(field, `got ${number}; allowed are ${min} to ${max}`);
    last = t;
  }
  return (t: number): number => {
    let before = 0;
    let sum = 0;
    for (const [knot = 0, number = 0] of given) {
      const at = total(number, knot);
      if (t <= knot) return sum + ((at - sum) * (t - before)) / (knot - before);
      before = knot;
      sum = at;
    }
    return total(given.at(-1)?.[1] ?? flat, t);
  };
}

function assertVariance(vols: Pairs): void {
  let before = 0;
  for (const [t = 0, vol = 0] of vols) {
    if (vol * vol * t <= before)
      throw misplaced('vols', `vol² t is ${vol * vol * t} at ${t}, not above ${before} before; it must rise`);
    before = vol * vol * t;
  }
}

function dividendsOf(given: Pairs, T: number): readonly (readonly [number, number])[] {
  return given.flatMap(([t = Number.NaN, amount = Number.NaN]) => {
    if (!(t > 0 && amount >= 0 && amount <= 1e9))
      throw misplaced('dividends', `got [${t}, ${amount}]; expected a time above 0 and an amount of at least 0`);
    return t <= T ? [[t, amount] as const] : [];
  });
}

const misplaced = (field: string, fault: string) => validationError(field, `${field}: ${fault}.`, 'MALFORMED_CURVE');
