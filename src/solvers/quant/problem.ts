// The problem of a request: the dates at which paths are drawn, and how.

import { exp, log } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import { impliedVolatility, type Terms } from './black.ts';
import { type Heston, hestonOf } from './heston.ts';
import type { QuantInput } from './inputs.ts';
import { type Market, marketOf } from './market.ts';

export interface DateRow {
  /** Mean of X. */
  readonly forward: number;
  /** Variance of ln X. */
  readonly variance: number;
  /** S − X: value of the dividends to come. */
  readonly dividends: number;
  readonly weight: number;
  readonly time: number;
}

export type Control = 'none' | 'underlying' | 'vanilla' | 'geometric';

export interface Problem {
  readonly market: Market;
  /** Undefined with a certain variance. */
  readonly heston: Heston | undefined;
  /** The European option on the lognormal part, or on the mean of an asian one. */
  readonly terms: Terms;
  readonly dates: readonly DateRow[];
  /** NaN without one. */
  readonly barrier: number;
  readonly isContinuous: boolean;
  readonly isUp: boolean;
  readonly isKnockIn: boolean;
  readonly control: Control;
  readonly isAntithetic: boolean;
  /** Importance sampling: deviations that the end of a path is moved by. */
  readonly shift: number;
  readonly greeks: QuantInput['greeks'];
  /** Without chance: expired, or without volatility. */
  readonly isCertain: boolean;
  readonly phi: number;
  /** Of the given market price, with the bound of its error. */
  readonly implied: { readonly sigma: number; readonly error: number } | undefined;
}

/** Beyond these, `auto` moves the paths: deviations to the money, and total variance. */
const FAR = 1.5;
const WIDE = 0.25;
/** Total variances beyond which exponentials of paths, and of a lattice with its grid, overflow. */
const MAX_VARIANCE = { paths: 500, lattice: 200 } as const;
const DEFAULT_DATES = 12;

/** @throws DomainError VALIDATION_FAILED: inputs that do not fit together, curves, a barrier that is already crossed */
export function problemOf(input: QuantInput): Problem {
  const { type, style, K, T } = input;
  const heston = hestonOf(input);
  const market = marketOf(input, heston);
  const phi = type === 'call' ? 1 : -1;
  const isContinuous = style === 'barrier' && (input.dates ?? 0) === 0;
  assertFits(input, market, isContinuous);
  const times = timesOf(input, market, isContinuous);
  const isMean = style === 'asian';
  const dates = times.map((time, i): DateRow => {
    const variance = market.variance(time);
    return {
      forward: market.forward(time),
      variance,
      dividends: market.dividendsAfter(time),
      weight: isMean ? 1 / times.length : Number(i === times.length - 1),
      time,
    };
  });
  const isCertain = !(market.variance(T) > 0);
  const terms = isMean ? meanTerms(dates, phi, K, exp(-market.growth(T))) : endTerms(market, phi, K, T);
  const sampling = samplingOf(input, terms, isCertain, market.hasDividends);
  const isRough = style === 'digital' || style === 'barrier';
  const isLikelihood = input.greeks === 'likelihood' || (input.greeks === 'pathwise' && isRough);
  const hasGreeks = input.greeks !== 'none' && !isCertain && !isContinuous && !hasFlatStep(dates) && !heston;
  return {
    market,
    heston,
    terms,
    dates,
    barrier: style === 'barrier' ? (input.H ?? Number.NaN) : Number.NaN,
    isContinuous: isContinuous && !isCertain,
    isUp: input.barrier.startsWith('up'),
    isKnockIn: input.barrier.endsWith('in'),
    ...sampling,
    greeks: hasGreeks ? (isLikelihood ? 'likelihood' : 'pathwise') : 'none',
    isCertain,
    phi,
    implied: input.price === undefined ? undefined : impliedVolatility(terms, input.price, T),
  };
}

/** Two dates without variance between them have no score. */
const hasFlatStep = (dates: readonly DateRow[]): boolean =>
  dates.some(({ variance }, i) => !(variance > (dates[i - 1]?.variance ?? 0)));

function timesOf({ style, T, dates }: QuantInput, { knots }: Market, isContinuous: boolean): readonly number[] {
  if (isContinuous) return [...knots, T];
  const count = style === 'asian' ? (dates ?? DEFAULT_DATES) : style === 'barrier' ? (dates ?? 1) : 1;
  return Array.from({ length: count }, (_, i) => ((i + 1) * T) / count);
}

const endTerms = (market: Market, phi: number, strike: number, T: number): Terms => ({
  phi,
  forward: market.forward(T),
  strike,
  variance: market.variance(T),
  discount: exp(-market.growth(T)),
});

/** The mean of the dates, as if it were lognormal with the variance of the geometric mean. */
function meanTerms(dates: readonly DateRow[], phi: number, strike: number, discount: number): Terms {
  let forward = 0;
  let paid = 0;
  for (const { forward: own, weight, dividends } of dates) {
    forward += weight * own;
    paid += weight * dividends;
  }
  return { phi, forward, strike: strike - paid, variance: geometricMean(dates).variance, discount };
}

/** Mean of ln X at a date. */
export const logMeanOf = ({ forward, variance }: DateRow): number => log(forward) - 0.5 * variance;

/** Mean and variance of Σ weight ln X. */
export function geometricMean(dates: readonly DateRow[]): { readonly mean: number; readonly variance: number } {
  let [mean, variance, later, before] = [0, 0, 1, 0];
  for (const date of dates) {
    mean += date.weight * logMeanOf(date);
    variance += later * later * (date.variance - before);
    later -= date.weight;
    before = date.variance;
  }
  return { mean, variance };
}

function samplingOf(
  input: QuantInput,
  terms: Terms,
  isCertain: boolean,
  hasDividends: boolean,
): Pick<Problem, 'control' | 'isAntithetic' | 'shift'> {
  const { style, variance: asked } = input;
  const plain = { control: 'none', isAntithetic: false, shift: 0 } as const;
  if (isCertain || asked === 'none') return plain;
  const root = Math.sqrt(terms.variance);
  const money = terms.strike > 0 ? (log(terms.strike / terms.forward) + 0.5 * terms.variance) / root : -99;
  const isFar = input.model === 'lognormal' && (terms.phi * money > FAR || terms.variance > WIDE);
  if (asked === 'importance' || (asked === 'auto' && isFar))
    return { ...plain, shift: style === 'digital' ? digitalShift(terms.phi, money) : shiftOf(terms) };
  const control =
    style === 'asian' ? (hasDividends ? 'none' : 'geometric') : style === 'barrier' ? 'vanilla' : 'underlying';
  return {
    control: asked === 'antithetic' ? 'none' : control,
    isAntithetic: asked !== 'control',
    shift: 0,
  };
}

const digitalShift = (phi: number, money: number): number => (phi * money > 0 ? money : 0);

/** Where payoff times density is largest: the best shift (Glasserman, Heidelberger & Shahabuddin 1999). */
function shiftOf({ phi, forward, strike, variance }: Terms): number {
  const root = Math.sqrt(variance);
  if (strike <= 0) return phi > 0 ? root : 0;
  const money = (log(strike / forward) + 0.5 * variance) / root;
  // phi √w S / (phi (S − K)) = phi z has one root, beyond the money.
  let near = phi * money;
  let far = near + 40 + root;
  for (let k = 0; k < 80; k++) {
    const middle = 0.5 * (near + far);
    const price = forward * exp(root * phi * middle - 0.5 * variance);
    if ((phi * root * price) / (price - strike) > middle) near = middle;
    else far = middle;
  }
  return phi * 0.5 * (near + far);
}

function assertFits(input: QuantInput, market: Market, isContinuous: boolean): void {
  const { style, H, S0, barrier, dates, price, T } = input;
  const variance = market.variance(T);
  const max = style === 'american' ? MAX_VARIANCE.lattice : MAX_VARIANCE.paths;
  if (variance > max) {
    const field = input.model !== 'lognormal' ? 'theta' : (input.vols ?? []).length > 0 ? 'vols' : 'sigma';
    const message = `${field}: the variance until T is ${variance}; at most ${max} is allowed with style ${style}.`;
    throw validationError(field, message, 'OUT_OF_RANGE', { max });
  }
  if (style === 'asian' && dates === 0)
    throw validationError('dates', 'dates is 0; a mean needs at least 1 date.', 'OUT_OF_RANGE', { min: 1 });
  if (price !== undefined && style !== 'european')
    throw validationError('price', `price is given; an implied volatility needs style european, got ${style}.`);
  if (style !== 'barrier') return;
  if (H === undefined)
    throw validationError('H', 'H is missing; style barrier needs the level of the barrier.', 'MISSING');
  if (T === 0) throw validationError('T', 'T is 0; a barrier needs time to be crossed.', 'EXPIRED');
  const isUp = barrier.startsWith('up');
  if (isUp ? H <= S0 : H >= S0) {
    const message = `H is ${H}; a barrier ${barrier} lies ${isUp ? 'above' : 'below'} S0 = ${S0}.`;
    throw validationError('H', message, 'ALREADY_CROSSED', { S0 });
  }
  if (isContinuous && market.hasDividends)
    throw validationError('dividends', 'dividends with a barrier that is watched always; give dates.', 'NEEDS_DATES');
}
