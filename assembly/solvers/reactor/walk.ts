// Steps of point kinetics by either of two methods: collocation with halved steps for the error, or RODAS.
import { growth, shrinkage } from '../../numerics/ode/control';
import { rodasScratch, rodasStep } from '../../numerics/ode/rodas';
import { copyValues, get } from '../../numerics/vector';
import {
  COLLOCATION_ORDER,
  COLLOCATION_WORK,
  collocationStep,
  initCollocation,
  prepare,
  RESOLVENTS,
} from './collocation';
import { enterSegment, kinetics, kineticsJacobian, longestStep, resetProgram, STATES } from './model';

export const WALK_REJECTED: i32 = 0;
export const WALK_ACCEPTED: i32 = 1;
export const WALK_FAILED: i32 = 2;

const MIN_STEP_RATIO: f64 = 1e-15;
const RODAS_ORDER: f64 = 4;

/** Time and states after the last accepted step, and before it; the length of that step. */
export let at: f64 = 0;
export let after: usize = 0;
export let earlier: usize = 0;
export let stride: f64 = 0;

let isSecond = false;
let rtol: f64 = 0;
let nextStep: f64 = 0;
let until: f64 = 0;
let whole: usize = 0;
let middle: usize = 0;
let trial: usize = 0;
let slopes: usize = 0;
let ofWhole: usize = 0;
let ofHalf: usize = 0;
let ofPart: usize = 0;
let jacobian: usize = 0;
let scratch: usize = 0;

export const WALK_WORK: i32 = 7 * STATES + 3 * RESOLVENTS + COLLOCATION_WORK + STATES * (STATES + 1);

export function walkWork(): i32 {
  return WALK_WORK + rodasScratch(STATES);
}

export function initWalk(second: bool, work: usize): void {
  const vector: usize = STATES << 3;
  isSecond = second;
  after = work;
  earlier = after + vector;
  whole = earlier + vector;
  middle = whole + vector;
  trial = middle + vector;
  slopes = trial + vector;
  ofWhole = slopes + 2 * vector;
  ofHalf = ofWhole + (RESOLVENTS << 3);
  ofPart = ofHalf + (RESOLVENTS << 3);
  jacobian = ofPart + (RESOLVENTS << 3);
  const collocation = jacobian + ((STATES * (STATES + 1)) << 3);
  initCollocation(collocation);
  scratch = collocation + (COLLOCATION_WORK << 3);
}

export function startWalk(from: usize, tolerance: f64, first: f64): void {
  at = 0;
  stride = 0;
  rtol = tolerance;
  nextStep = first;
  copyValues(after, from, STATES);
  resetProgram();
  until = enterSegment(0);
}

/** Tries one step, at most to `end` and to the end of the part of the program. */
export function tryWalk(end: f64): i32 {
  if (at >= until) {
    until = enterSegment(at);
    // Where the program bends or jumps, the power turns within a prompt lifetime.
    nextStep = Math.min(nextStep, firstAfterJump());
  }
  const stop = Math.min(end, until);
  nextStep = Math.min(nextStep, longestStep());
  let to = at + nextStep;
  if (to + 0.01 * nextStep >= stop) to = stop;
  const h = to - at;
  const size = isSecond ? rodas(h) : collocation(h);
  const order = isSecond ? RODAS_ORDER : COLLOCATION_ORDER + 1;
  if (!(size <= 1)) {
    nextStep = h * shrinkage(size, order);
    return nextStep <= MIN_STEP_RATIO * at || nextStep < 1e-300 ? WALK_FAILED : WALK_REJECTED;
  }
  const old = earlier;
  earlier = after;
  after = trial;
  trial = old;
  at = to;
  stride = h;
  nextStep = h * growth(size, 1, order, 0);
  return WALK_ACCEPTED;
}

function firstAfterJump(): f64 {
  kinetics(at, after, slopes);
  const slope = Math.abs(get(slopes, 0));
  return slope > 0 ? (0.01 * get(after, 0)) / slope : Infinity;
}

/** Error over what is tolerated: of the single step, relative to each state; the two halves are far better. */
function collocation(h: f64): f64 {
  prepare(h, ofWhole);
  prepare(0.5 * h, ofHalf);
  if (!collocationStep(at, after, ofWhole, whole)) return NaN;
  if (!collocationStep(at, after, ofHalf, middle)) return NaN;
  if (!collocationStep(at + 0.5 * h, middle, ofHalf, trial)) return NaN;
  let largest: f64 = 0;
  for (let i = 0; i < STATES; i++) {
    const scale = rtol * Math.max(Math.abs(get(after, i)), Math.abs(get(trial, i)));
    if (scale > 0) largest = Math.max(largest, Math.abs(get(trial, i) - get(whole, i)) / scale);
  }
  return largest;
}

function rodas(h: f64): f64 {
  kinetics(at, after, slopes);
  kineticsJacobian(at, after, jacobian);
  if (rodasStep(kinetics, at, after, slopes, jacobian, h, STATES, trial, scratch) !== 0) return NaN;
  const error = scratch + ((5 * STATES) << 3);
  let largest: f64 = 0;
  for (let i = 0; i < STATES; i++) {
    const scale = rtol * Math.max(Math.abs(get(after, i)), Math.abs(get(trial, i)));
    if (scale > 0) largest = Math.max(largest, Math.abs(get(error, i)) / scale);
    if (!isFinite(get(trial, i))) return NaN;
  }
  return largest;
}

/** The states at the fraction θ of the last accepted step by a step of their own. */
export function insideWalk(theta: f64, out: usize): void {
  const from = at - stride;
  if (isSecond) {
    kinetics(from, earlier, slopes);
    kineticsJacobian(from, earlier, jacobian);
    rodasStep(kinetics, from, earlier, slopes, jacobian, theta * stride, STATES, out, scratch);
    return;
  }
  prepare(theta * stride, ofPart);
  collocationStep(from, earlier, ofPart, out);
}
