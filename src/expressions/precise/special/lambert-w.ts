// Lambert's W in double-double, branches 0 and -1: Newton's iteration from a rough start, where the kernel uses a
// rational function next to the branch point and a step of fourth order elsewhere.
//
// Around 0 and next to the branch point at -1/e Newton solves w e^w = x, elsewhere w + ln(w/x) = 0. Relative error
// below 1e-28; next to -1/e that of √(1 + e x), about 1e-24 for the double beside it. Outside its domain a branch is
// NaN.

import { log as logOfDouble } from '../../../core/elementary.ts';
import { INVERSE_E } from '../constants.ts';
import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { exp } from '../exponential.ts';
import { log } from '../logarithm.ts';

/** Half a unit in the last place of 1/e: no other double is closer below -1/e. */
const HALF_UNIT = 2 ** -55;
/** Distance from -1/e up to which the initial value is the series at the branch point. */
const NEAR = 0.2;

export function lambertW(branch: DoubleDouble, x: DoubleDouble): DoubleDouble {
  const isUpper = branch.high === 0;
  if (!(isUpper || branch.high === -1) || Number.isNaN(x.high)) return dd.NOT_A_NUMBER;
  if (x.high === 0) return isUpper ? x : dd.exactly(Number.NEGATIVE_INFINITY);
  if (!isUpper && x.high > 0) return dd.NOT_A_NUMBER;
  if (x.high === Number.POSITIVE_INFINITY) return x;
  const distance = dd.add(x, INVERSE_E);
  if (distance.high <= 0) return distance.high > -HALF_UNIT ? dd.exactly(-1) : dd.NOT_A_NUMBER;
  const start = isUpper ? upperStart(x.high, distance.high) : lowerStart(x.high, distance.high);
  const isByProduct = distance.high < NEAR || (isUpper && x.high < 0.5);
  return isByProduct ? byProduct(start, x) : byLogarithm(start, x);
}

const STEPS = 8;

/** w - (w e^w - x) / ((1 + w) e^w) */
function byProduct(start: number, x: DoubleDouble): DoubleDouble {
  let w = dd.exactly(start);
  for (let i = 0; i < STEPS; i++) {
    const e = exp(w);
    const step = dd.divide(dd.subtract(w, dd.divide(x, e)), dd.addNumber(w, 1));
    w = dd.subtract(w, step);
    if (isSettled(step, w)) break;
  }
  return w;
}

/** w - (w + ln(w/x)) w / (1 + w), where the quotient itself may overflow. */
function byLogarithm(start: number, x: DoubleDouble): DoubleDouble {
  const logarithm = log(dd.magnitude(x));
  let w = dd.exactly(start);
  for (let i = 0; i < STEPS; i++) {
    const excess = dd.add(w, dd.subtract(log(dd.magnitude(w)), logarithm));
    const step = dd.multiply(excess, dd.divide(w, dd.addNumber(w, 1)));
    w = dd.subtract(w, step);
    if (isSettled(step, w)) break;
  }
  return w;
}

/** The next step would be the square of this one. */
const isSettled = (step: DoubleDouble, w: DoubleDouble) =>
  Math.abs(step.high) < 1e-18 * Math.abs(dd.addNumber(w, 1).high * w.high);

/** Near the branch point, W = -1 + p - p²/3 + 11 p³/72 - … with p = ±√(2 (1 + e x)). */
function nearBranchPoint(distance: number, side: number): number {
  const p = side * Math.sqrt(2 * Math.E * distance);
  return -1 + p * (1 - p * (1 / 3 - (p * 11) / 72));
}

/** Within 2 % (Iacono & Boyd 2017, Adv. Comput. Math. 43, 1403-1436, eq. 17). */
function upperStart(x: number, distance: number): number {
  if (distance < NEAR) return nearBranchPoint(distance, 1);
  if (Math.abs(x) < 1e-3) return x * (1 - x);
  const l = logOfDouble(1 + x);
  return l * (1 - logOfDouble(1 + l) / (2 + l));
}

/** Within 15 % (Corless et al. 1996, Adv. Comput. Math. 5, 329-359). */
function lowerStart(x: number, distance: number): number {
  if (distance < NEAR) return nearBranchPoint(distance, -1);
  const l = logOfDouble(-x);
  const ll = logOfDouble(-l);
  return l - ll + ll / l;
}
