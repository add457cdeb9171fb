// One deterministic run: windows, samples and the peak of the infectious.
//
// A window begins and ends between two steps, so that no step crosses a jump. The peak is located inside its step by
// steps of their own, not on the samples.
import {
  interpolateStep,
  lastStep,
  STEP_ACCEPTED,
  STEP_FAILED,
  slopes,
  slopesBefore,
  startAdaptive,
  states,
  stepInside,
  time,
  tryAdaptiveStep,
} from '../../numerics/ode/adaptive';
import { copyValues, get, set } from '../../numerics/vector';
import { count, derivatives, infectiousOffset, setWindow, total } from './model';

/** Columns of a window: begin, end, factor of β, and rate of vaccination. */
export const WINDOW_COLUMNS: i32 = 4;
/** Columns of a sample before the states. */
export const SAMPLE_STATES: i32 = 1;

export let peak: f64 = 0;
export let peakTime: f64 = 0;
export let peaks: i32 = 0;
export let accepted: f64 = 0;
export let rejected: f64 = 0;
export let isFinished = false;
export let isFailed = false;

let windows: usize = 0;
let windowCount: i32 = 0;
let times: usize = 0;
let timeCount: i32 = 0;
let samples: usize = 0;
let path: usize = 0;
let scratch: usize = 0;
let trial: usize = 0;
let days: f64 = 0;
let rtol: f64 = 0;
let maxStep: f64 = 0;
let row: i32 = 0;
let until: f64 = 0;
let previousSlope: f64 = 0;

/**
 * @param windowTable  f64[windowCount, WINDOW_COLUMNS], in the order of time, without overlaps
 * @param sampleTimes  f64[timeCount], rising, from 0 to days
 * @param work         f64[2 · count]
 * @param livePath     f64[timeCount], the infectious, written for those who watch the run
 */
export function setCurve(
  windowTable: usize,
  windowsGiven: i32,
  sampleTimes: usize,
  timesGiven: i32,
  end: f64,
  work: usize,
  livePath: usize,
): void {
  path = livePath;
  windows = windowTable;
  windowCount = windowsGiven;
  times = sampleTimes;
  timeCount = timesGiven;
  days = end;
  scratch = work;
  trial = work + ((<usize>count) << 3);
}

/** Other times of the samples. @param livePath  as of `setCurve`; 0 for none */
export function setTimes(sampleTimes: usize, timesGiven: i32, livePath: usize): void {
  path = livePath;
  times = sampleTimes;
  timeCount = timesGiven;
}

/** @param out  f64[timeCount, SAMPLE_STATES + count], written */
export function startCurve(start: usize, tolerance: f64, longest: f64, out: usize): void {
  rtol = tolerance;
  maxStep = longest;
  samples = out;
  row = 0;
  accepted = 0;
  rejected = 0;
  isFinished = false;
  isFailed = false;
  peak = total(start + infectiousOffset);
  peakTime = 0;
  peaks = 0;
  previousSlope = 0;
  enterWindow(0, start);
  recordSamples();
}

/** The end of the window or gap that holds t; sets factor and rate of it. */
export function windowAt(t: f64): f64 {
  setWindow(1, 0);
  for (let w = 0; w < windowCount; w++) {
    const window = windows + ((<usize>(w * WINDOW_COLUMNS)) << 3);
    if (t < get(window, 0)) return Math.min(days, get(window, 0));
    if (t < get(window, 1)) {
      setWindow(get(window, 2), get(window, 3));
      return Math.min(days, get(window, 1));
    }
  }
  return days;
}

function enterWindow(t: f64, from: usize): void {
  until = windowAt(t);
  startAdaptive(t, from, rtol, maxStep, until - t);
  const slope = total(slopes + infectiousOffset);
  // A kink between a rise and a fall is a peak.
  if (previousSlope > 0 && slope <= 0) offerPeak(t, states);
}

/** Tries one step of the run. */
export function advanceCurve(): void {
  const outcome = tryAdaptiveStep(until);
  if (outcome !== STEP_ACCEPTED) {
    rejected += 1;
    isFailed = outcome === STEP_FAILED;
    return;
  }
  accepted += 1;
  findPeak();
  recordSamples();
  if (time < until) return;
  if (until >= days) {
    if (total(slopes + infectiousOffset) > 0) offerPeak(time, states);
    isFinished = true;
    return;
  }
  previousSlope = total(slopes + infectiousOffset);
  copyValues(scratch, states, count);
  enterWindow(time, scratch);
  previousSlope = 0;
}

function offerPeak(at: f64, y: usize): void {
  const infectious = total(y + infectiousOffset);
  peaks++;
  if (infectious <= peak) return;
  peak = infectious;
  peakTime = at;
}

/** Where the slope changes its sign from + to − inside the last step, by the method of the false position (Illinois). */
function findPeak(): void {
  let left = total(slopesBefore + infectiousOffset);
  let right = total(slopes + infectiousOffset);
  if (!(left > 0 && right <= 0)) return;
  let a: f64 = 0;
  let b: f64 = 1;
  let side = 0;
  let theta: f64 = 1;
  copyValues(scratch, states, count);
  for (let k = 0; k < 60 && right !== 0; k++) {
    theta = (a * right - b * left) / (right - left);
    if (!(theta > a && theta < b)) break;
    stepInside(theta, scratch);
    derivatives(0, scratch, trial);
    const slope = total(trial + infectiousOffset);
    if (slope === 0) break;
    if (slope > 0) {
      a = theta;
      left = slope;
      if (side === 1) right *= 0.5;
      side = 1;
    } else {
      b = theta;
      right = slope;
      if (side === -1) left *= 0.5;
      side = -1;
    }
    if (b - a < 1e-14) break;
  }
  offerPeak(time - lastStep + theta * lastStep, scratch);
}

function recordSamples(): void {
  while (row < timeCount) {
    const at = get(times, row);
    if (at > time) return;
    const sample = samples + ((<usize>(row * (SAMPLE_STATES + count))) << 3);
    set(sample, 0, at);
    const out = sample + ((<usize>SAMPLE_STATES) << 3);
    const from = time - lastStep;
    if (at === time || accepted === 0) copyValues(out, states, count);
    else interpolateStep((at - from) / lastStep, out);
    if (path) set(path, row, total(out + infectiousOffset));
    row++;
  }
}
