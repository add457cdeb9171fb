// Inverse trigonometric functions in double-double, all from the angle of a point in the plane.

import { cos as cosOfDouble, sin as sinOfDouble } from '../../core/elementary.ts';
import { HALF_PI, PI } from './constants.ts';
import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';
import { sineCosine } from './trigonometric.ts';

export const atan = (x: DoubleDouble) => atan2(x, dd.ONE);
export const asin = (x: DoubleDouble) => atan2(x, pythagoreanComplement(x));
export const acos = (x: DoubleDouble) => atan2(pythagoreanComplement(x), x);

/** √(1 - x²), factored to avoid cancellation near ±1. */
const pythagoreanComplement = (x: DoubleDouble) =>
  dd.squareRoot(dd.multiply(dd.addNumber(dd.negative(x), 1), dd.addNumber(x, 1)));

/** The angle of the point (x, y), from -π to π; signs of zeros count. */
export function atan2(y: DoubleDouble, x: DoubleDouble): DoubleDouble {
  const acute = acuteAngle(dd.magnitude(y), dd.magnitude(x));
  return dd.withSignOf(dd.isNegative(x) ? dd.subtract(PI, acute) : acute, y);
}

/** For y, x >= 0; 0 at the origin, and π/4 between infinities. */
function acuteAngle(y: DoubleDouble, x: DoubleDouble): DoubleDouble {
  if (Number.isNaN(x.high + y.high)) return dd.NOT_A_NUMBER;
  const isFarRight = x.high === Number.POSITIVE_INFINITY;
  const isFarUp = y.high === Number.POSITIVE_INFINITY;
  if (isFarRight && isFarUp) return dd.scale(HALF_PI, -1);
  if (y.high === 0 || isFarRight) return dd.ZERO;
  if (x.high === 0 || isFarUp) return HALF_PI;
  return y.high > x.high ? dd.subtract(HALF_PI, lowAngle(x, y)) : lowAngle(y, x);
}

/**
 * For 0 <= y <= x: an angle t with 15 correct digits plus the remaining angle, whose tangent is
 * (y cos t - x sin t) / (x cos t + y sin t).
 */
function lowAngle(y: DoubleDouble, x: DoubleDouble): DoubleDouble {
  const exponent = dd.exponentOf(x.high);
  const across = dd.scale(x, -exponent);
  const up = dd.scale(y, -exponent);
  const start = angleOfDouble(up.high / across.high);
  const { sine, cosine } = sineCosine(dd.exactly(start));
  const rest = dd.divide(
    dd.subtract(dd.multiply(up, cosine), dd.multiply(across, sine)),
    dd.add(dd.multiply(across, cosine), dd.multiply(up, sine)),
  );
  return dd.add(dd.exactly(start), rest);
}

/** The angle whose tangent is t, 0 <= t <= 1, to a few units in the last place. */
function angleOfDouble(t: number): number {
  const start = t * (Math.PI / 4 + 0.273 * (1 - t)); // within 0.004
  const [sine, cosine] = [sinOfDouble(start), cosOfDouble(start)];
  const rest = (t * cosine - sine) / (cosine + t * sine);
  const z = rest * rest;
  return start + rest * (1 - z * (1 / 3 - z * (1 / 5 - z / 7)));
}
