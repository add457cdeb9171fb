// Sine, cosine and tangent in double-double: Taylor's series after the reduction to |rest| <= π/4.

import { PI } from './constants.ts';
import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';
import { reciprocalFactorials } from './exponential.ts';
import { type Reduced, reduce } from './reduction.ts';

/** (π/4)^28 / 29! < 2^-106 */
const FACTORIALS = reciprocalFactorials(28);
const signed = (value: DoubleDouble, index: number) => (index % 2 === 0 ? value : dd.negative(value));
/** 1/1!, -1/3!, … and 1/0!, -1/2!, … */
const SINE = FACTORIALS.filter((_, k) => k % 2 === 1).map(signed);
const COSINE = FACTORIALS.filter((_, k) => k % 2 === 0).map(signed);

export interface SineCosine {
  readonly sine: DoubleDouble;
  readonly cosine: DoubleDouble;
}

/** Both are NaN for NaN and infinities. */
export const sineCosine = (x: DoubleDouble): SineCosine =>
  x.high - x.high === 0 ? ofReduced(reduce(x)) : { sine: dd.NOT_A_NUMBER, cosine: dd.NOT_A_NUMBER };

export const sin = (x: DoubleDouble) => sineAhead(x, 0);
export const cos = (x: DoubleDouble) => sineAhead(x, 1);

/** The sine of x and some right angles: one series instead of two. */
function sineAhead(x: DoubleDouble, rightAngles: number): DoubleDouble {
  if (x.high - x.high !== 0) return dd.NOT_A_NUMBER;
  const { quadrant, rest } = reduce(x);
  const ahead = (quadrant + rightAngles) & 3;
  const value = ahead % 2 === 0 ? sineSeries(rest) : cosineSeries(rest);
  return ahead < 2 ? value : dd.negative(value);
}

const sineSeries = (rest: DoubleDouble) =>
  rest.high === 0 ? rest : dd.multiply(rest, dd.polynomial(SINE, dd.square(rest)));
const cosineSeries = (rest: DoubleDouble) => dd.polynomial(COSINE, dd.square(rest));

export function tan(x: DoubleDouble): DoubleDouble {
  const { sine, cosine } = sineCosine(x);
  return dd.divide(sine, cosine);
}

/** sin x / x, which is 1 at 0. */
export const sinc = (x: DoubleDouble) => (x.high === 0 ? dd.ONE : dd.divide(sin(x), x));

/** sin πx and cos πx, with their zeros at multiples of ½: the argument is reduced before π rounds it. */
export function sineCosinePi(x: DoubleDouble): SineCosine {
  const halves = Math.round(2 * x.high);
  const rest = dd.multiply(dd.addNumber(x, -halves / 2), PI);
  return ofReduced({ quadrant: ((halves % 4) + 4) % 4, rest });
}

function ofReduced({ quadrant, rest }: Reduced): SineCosine {
  const sine = sineSeries(rest);
  const cosine = cosineSeries(rest);
  if (quadrant === 0) return { sine, cosine };
  if (quadrant === 1) return { sine: cosine, cosine: dd.negative(sine) };
  if (quadrant === 2) return { sine: dd.negative(sine), cosine: dd.negative(cosine) };
  return { sine: dd.negative(cosine), cosine: sine };
}
