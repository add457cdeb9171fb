// I_n(x) of whole order in double-double: Schläfli's integral through the saddle point, by the trapezoidal rule, where
// the kernel uses the power series and the asymptotic expansion. With sinh s = n/x and r² = n² + x², it is e^(r - n s)
// times the integral (NIST Digital Library of Mathematical Functions, §10.32.3). Relative error below 1e-26.

import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { multiplyByExp } from '../exponential.ts';
import { log } from '../logarithm.ts';
import { hypotenuse } from '../power.ts';
import { ofWholeOrder } from './bessel.ts';
import { saddleIntegral } from './saddle-integral.ts';

/** Above this, I_n(x) overflows for every allowed order. */
const OVERFLOW = 1500;

export const besselI = (n: DoubleDouble, x: DoubleDouble) => ofWholeOrder(n, x, true, ofPositive);

function ofPositive(n: number, x: DoubleDouble): DoubleDouble {
  if (x.high === 0) return n === 0 ? dd.ONE : dd.ZERO;
  if (x.high > OVERFLOW) return dd.exactly(Number.POSITIVE_INFINITY);
  const r = hypotenuse(dd.exactly(n), x);
  // s = ln((n + r)/x), as a difference, because the quotient may overflow
  const s = n === 0 ? dd.ZERO : dd.subtract(log(dd.add(dd.exactly(n), r)), log(x));
  return multiplyByExp(saddleIntegral(n, r), dd.subtract(r, dd.multiplyByNumber(s, n)));
}
