// The period of a closed orbit by Runge and Kutta's method of order 4 with equal steps: a second way for people who halve
// steps. Of numerics/ode/runge-kutta.ts in locals, since two states in memory cost twice the time. Times at the section
// are located by shorter steps from the step before it.

import { rootInStep } from '../../numerics/ode/root-in-step';
import { get } from '../../numerics/vector';
import { predatorSlope, preySlope } from './model';

export let equalPeriod: f64 = 0;
/** q at the first arrival and at the second. */
export let firstArrival: f64 = 0;
export let secondArrival: f64 = 0;
export let isRoundFinished = false;
export let isRoundFailed = false;

const SIXTH: f64 = 1.0 / 6.0;

let p: f64 = 0;
let q: f64 = 0;
let nextP: f64 = 0;
let nextQ: f64 = 0;
let h: f64 = 0;
let step: f64 = 0;
let firstTime: f64 = 0;
let arrivals: i32 = 0;

/** @param from  f64[2], p and q of the start */
export function startEqualSteps(from: usize, stepLength: f64): void {
  p = get(from, 0);
  q = get(from, 1);
  h = stepLength;
  step = 0;
  arrivals = 0;
  isRoundFinished = false;
  isRoundFailed = false;
}

/** From (p, q) by a step of `width`. */
function stepBy(width: f64): void {
  const half = 0.5 * width;
  const p1 = preySlope(q);
  const q1 = predatorSlope(p);
  const p2 = preySlope(q + half * q1);
  const q2 = predatorSlope(p + half * p1);
  const p3 = preySlope(q + half * q2);
  const q3 = predatorSlope(p + half * p2);
  const p4 = preySlope(q + width * q3);
  const q4 = predatorSlope(p + width * p3);
  nextP = p + width * SIXTH * (p1 + 2 * (p2 + p3) + p4);
  nextQ = q + width * SIXTH * (q1 + 2 * (q2 + q3) + q4);
}

function preyAt(theta: f64): f64 {
  stepBy(theta * h);
  return nextP;
}

export function advanceEqualSteps(): void {
  stepBy(h);
  const toP = nextP;
  const toQ = nextQ;
  if (p > 0 && toP <= 0) {
    const theta = rootInStep(preyAt, p, toP);
    preyAt(theta);
    arrive((step + theta) * h);
  }
  p = toP;
  q = toQ;
  step += 1;
  if (!isFinite(toP) || !isFinite(toQ)) isRoundFailed = true;
}

function arrive(t: f64): void {
  if (arrivals === 0) {
    firstTime = t;
    firstArrival = nextQ;
  } else {
    equalPeriod = t - firstTime;
    secondArrival = nextQ;
    isRoundFinished = true;
  }
  arrivals++;
}
