// Forward and discount of an option, as quantities with what their roundings do.

import { ROUNDOFF } from '../../core/decimal-error.ts';
import { log } from '../../core/elementary.ts';
import type { Quantity } from '../definition.ts';
import { quantity } from '../parts/fields.ts';
import type { QuantInput } from './inputs.ts';
import type { Problem } from './problem.ts';

export function termQuantities({ S0, q, T }: QuantInput, { terms, market, dates }: Problem): readonly Quantity[] {
  const { forward, discount, variance } = terms;
  // An exponential has the error of its exponent, that of the curve at any of its knots and of the logarithm of a mean.
  const reach = [...market.knots, T].reduce((most, t) => Math.max(most, Math.abs(market.growth(t))), 0);
  const roundings = 32 + 4 * (market.knots.length + dates.length);
  const relative = ROUNDOFF * roundings * (1 + reach + Math.abs(q * T));
  // What cash dividends leave of the price is a difference.
  const share = 1 + (2 * S0) / market.spot;
  const mean = dates.length > 0 ? variance + Math.abs(log(forward)) : 0;
  return [
    quantity('forward', forward, '$', relative * (share + mean) * forward),
    quantity('discount', discount, '1', relative * discount),
  ];
}
