// Inverse trigonometric functions in double-double, all from the angle of a point in the plane.

import { cos as cosOfDouble, sin as sinOfDouble } from '../../core/elementary.ts';
import { HALF_PI, PI } from './constants.ts';
import {
  add,
  addNumber,
  type DoubleDouble,
  divide,
  exactly,
  exponentOf,
  isNegative,
  magnitude,
  multiply,
  NOT_A_NUMBER,
  negative,
  ONE,
  scale,
  squareRoot,
  subtract,
  withSignOf,
  ZERO,
} from './double-double.ts';
import { sineCosine } from './trigonometric.ts';

export const atan = (x: DoubleDouble) => atan2(x, ONE);
export const asin = (x: DoubleDouble) => atan2(x, otherSide(x));
export const acos = (x: DoubleDouble) => atan2(otherSide(x), x);

/** √(1 - x²) by factors that keep their digits near ±1. */
const otherSide = (x: DoubleDouble) => squareRoot(multiply(addNumber(negative(x), 1), addNumber(x, 1)));

/** The angle of the point (x, y), from -π to π; signs of zeros count. */
export function atan2(y: DoubleDouble, x: DoubleDouble): DoubleDouble {
  const acute = acuteAngle(magnitude(y), magnitude(x));
  return withSignOf(isNegative(x) ? subtract(PI, acute) : acute, y);
}

/** For y, x >= 0; 0 at the origin, and π/4 between infinities. */
function acuteAngle(y: DoubleDouble, x: DoubleDouble): DoubleDouble {
  if (Number.isNaN(x.high + y.high)) return NOT_A_NUMBER;
  const isFarRight = x.high === Number.POSITIVE_INFINITY;
  const isFarUp = y.high === Number.POSITIVE_INFINITY;
  if (isFarRight && isFarUp) return scale(HALF_PI, -1);
  if (y.high === 0 || isFarRight) return ZERO;
  if (x.high === 0 || isFarUp) return HALF_PI;
  return y.high > x.high ? subtract(HALF_PI, lowAngle(x, y)) : lowAngle(y, x);
}

/**
 * For 0 <= y <= x: from an angle t that is right to 15 digits, by the angle that remains, whose tangent is
 * (y cos t - x sin t) / (x cos t + y sin t).
 */
function lowAngle(y: DoubleDouble, x: DoubleDouble): DoubleDouble {
  const turns = exponentOf(x.high);
  const across = scale(x, -turns);
  const up = scale(y, -turns);
  const start = angleOfDouble(up.high / across.high);
  const { sine, cosine } = sineCosine(exactly(start));
  const rest = divide(
    subtract(multiply(up, cosine), multiply(across, sine)),
    add(multiply(across, cosine), multiply(up, sine)),
  );
  return add(exactly(start), rest);
}

/** The angle whose tangent is t, 0 <= t <= 1, to a few units in the last place. */
function angleOfDouble(t: number): number {
  const start = t * (Math.PI / 4 + 0.273 * (1 - t)); // within 0.004
  const [sine, cosine] = [sinOfDouble(start), cosOfDouble(start)];
  const rest = (t * cosine - sine) / (cosine + t * sine);
  const z = rest * rest;
  return start + rest * (1 - z * (1 / 3 - z * (1 / 5 - z / 7)));
}
