// A search along a line for the strong Wolfe conditions: an interval is narrowed by cubic interpolation.
//
// The lower end always satisfies the condition of decrease and falls; the upper end violates one or rises, so that an
// acceptable step lies between. Where the values differ by their rounding only, the slopes decide, as Hager and Zhang
// propose (SIAM J. Optim. 16 (2005) 170–192). Nocedal & Wright, Numerical Optimization, on line searches.
import { get, set } from '../../numerics/vector';
import { gradient } from './objective';
import { clip, f, isBelowAll, longestStep, n, p, trialG, trialX, x } from './state';

const DECREASE: f64 = 1e-4;
const MAX_TRIES: i32 = 60;
const EXPANSION: f64 = 4;
/** Values closer than this, relative to them, differ by rounding. */
const NOISE: f64 = 8 * 2.220446049250313e-16;
/** A step so short that f, relative to it, cannot fall by more: shorter ones show nothing. */
const UNSEEN: f64 = 2.220446049250313e-16;

export let step: f64 = 0;
export let trialF: f64 = 0;
export let isUnbounded = false;

let trialSlope: f64 = 0;

function tryStep(a: f64): void {
  for (let j = 0; j < n; j++) set(trialX, j, clip(j, get(x, j) + a * get(p, j)));
  trialF = gradient(trialX, trialG);
  trialSlope = 0;
  for (let j = 0; j < n; j++) trialSlope += get(trialG, j) * get(p, j);
  step = a;
}

/**
 * From x along p; the trial holds the new point.
 *
 * @param first  the first step to try
 * @param slope  along p at x, negative
 * @param wolfe  the slope may be at most this part of it
 * @returns whether a step was found
 */
export function search(first: f64, slope: f64, wolfe: f64): bool {
  isUnbounded = false;
  const longest = longestStep();
  let low: f64 = 0;
  let lowF = f;
  let lowSlope = slope;
  let high: f64 = Infinity;
  let highF: f64 = 0;
  let highSlope: f64 = 0;
  let a = Math.min(first, longest);
  for (let i = 0; i < MAX_TRIES && a > 0; i++) {
    tryStep(a);
    if (isBelowAll(trialF)) {
      isUnbounded = true;
      return true;
    }
    if (!(trialF < Infinity) || !isFinite(trialSlope)) {
      high = a;
      highF = Infinity;
      a = low + 0.1 * (a - low);
      continue;
    }
    const isNoise = Math.abs(trialF - f) <= NOISE * Math.abs(f);
    const falls = trialF <= f + DECREASE * a * slope || (isNoise && trialSlope <= (2 * DECREASE - 1) * slope);
    if (!falls || (trialF > lowF && !isNoise)) {
      high = a;
      highF = trialF;
      highSlope = trialSlope;
    } else if (Math.abs(trialSlope) <= -wolfe * slope || (a >= longest && trialSlope < 0)) {
      return true;
    } else if (trialSlope > 0) {
      high = a;
      highF = trialF;
      highSlope = trialSlope;
    } else {
      low = a;
      lowF = trialF;
      lowSlope = trialSlope;
    }
    if (high < Infinity && high - low <= 1e-15 * high) break;
    a = high === Infinity ? Math.min(EXPANSION * a, longest) : between(low, lowF, lowSlope, high, highF, highSlope);
    if (low === 0 && -a * slope <= UNSEEN * Math.abs(f)) break;
  }
  if (!(low > 0)) return false;
  tryStep(low);
  return trialF < f;
}

/** The minimum of the cubic through both ends, away from them. */
function between(low: f64, lowF: f64, lowSlope: f64, high: f64, highF: f64, highSlope: f64): f64 {
  const width = high - low;
  let a = low + 0.5 * width;
  if (isFinite(highF)) {
    const d = lowSlope + highSlope - (3 * (highF - lowF)) / width;
    const root = d * d - lowSlope * highSlope;
    if (root >= 0) {
      const e = Math.sqrt(root);
      const cubic = high - (width * (highSlope + e - d)) / (highSlope - lowSlope + 2 * e);
      if (isFinite(cubic)) a = cubic;
    }
  }
  return Math.max(low + 0.1 * width, Math.min(high - 0.1 * width, a));
}
