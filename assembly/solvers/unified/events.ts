// Zero crossings: detected by signs at sample points inside a step, then located by separate steps from its start, so
// that the time of an event is as accurate as the states.
import { get, set } from '../../numerics/vector';
import { after, interpolateAt, stepTo, t, y } from './integrator';
import { eventCount, n } from './layout';
import { eventValue, eventValues } from './system';

/** Sample points of the signs, as fractions of a step. The early points detect a short flight after a jump. */
const SAMPLE_POINTS: usize = memory.data<f64>([0.015625, 0.0625, 0.25, 0.5, 0.75, 1]);
const SAMPLE_COUNT: i32 = 6;

/** Bisection alone would need 60. */
const MAX_ITERATIONS: i32 = 120;

/** i32[events, 4]: direction −1, 0 or 1; action; first assignment; number of assignments. */
let table: usize = 0;
/** Sign of each event at the start of the step: −1, 0 or 1; 0 if unknown. */
let signs: usize = 0;
let values: usize = 0;
/** Position of each event's zero crossing as a fraction of the step, or 2 for none. */
let crossings: usize = 0;
let states: usize = 0;

export const COUNT: i32 = 0;
export const STOP: i32 = 1;
export const ASSIGN: i32 = 2;

export function initEvents(tableAddress: usize, scratch: usize): void {
  const bytes = (<usize>eventCount()) << 3;
  table = tableAddress;
  signs = scratch;
  values = signs + bytes;
  crossings = values + bytes;
  states = crossings + bytes;
}

/** Number of f64 that `initEvents` requires. */
export function eventScratch(events: i32, states: i32): i32 {
  return 3 * events + states;
}

function column(event: i32, index: usize): i32 {
  return load<i32>(table + ((<usize>event) << 4) + (index << 2));
}

export function actionOf(event: i32): i32 {
  return column(event, 1);
}

export function firstAssignment(event: i32): i32 {
  return column(event, 2);
}

export function assignmentCount(event: i32): i32 {
  return column(event, 3);
}

/**
 * Sets the signs at (t, y) after a start or a jump.
 *
 * @param theta  events that crossed up to this fraction get sign 0
 */
export function resetSigns(theta: f64): void {
  eventValues(t, y, values);
  for (let i = 0; i < eventCount(); i++) set(signs, i, crossingOf(i) <= theta ? 0 : Math.sign(get(values, i)));
}

/**
 * Finds crossings in the prepared step of h; `crossingOf` returns their positions.
 *
 * An event crosses at most once per step: at the first crossing in its direction.
 */
export function findCrossings(h: f64): void {
  const count = eventCount();
  clearCrossings();
  let previousTheta: f64 = 0;
  for (let p = 0; p < SAMPLE_COUNT; p++) {
    const theta = get(SAMPLE_POINTS, p);
    if (theta === 1) memory.copy(states, after, (<usize>n) << 3);
    else interpolateAt(theta, states);
    eventValues(t + theta * h, states, values);
    for (let i = 0; i < count; i++) {
      const value = get(values, i);
      const sign = isNaN(value) ? 0 : Math.sign(value);
      const signBefore = get(signs, i);
      if (signBefore !== 0 && sign !== signBefore && !isNaN(value)) {
        const direction = column(i, 0);
        const isWanted = direction === 0 || <f64>direction === -signBefore;
        if (isWanted && get(crossings, i) > 1) set(crossings, i, locate(i, previousTheta, theta, signBefore, h));
      }
      set(signs, i, sign);
    }
    previousTheta = theta;
  }
}

/** Position of the crossing, 0 … 1 within the step, or 2 for none. */
export function crossingOf(event: i32): f64 {
  return get(crossings, event);
}

/** Clears the crossing of an event, so that it does not count again in this step. */
export function clearCrossing(event: i32): void {
  set(crossings, event, 2);
}

export function clearCrossings(): void {
  for (let i = 0; i < eventCount(); i++) clearCrossing(i);
}

/** The value of an event at the fraction θ of the step, by a separate step or by the interpolant. */
function valueAt(event: i32, theta: f64, h: f64, isStep: bool): f64 {
  if (theta === 0) return eventValue(event, t, y);
  if (theta === 1) return eventValue(event, t + h, after);
  if (isStep) stepTo(theta * h, states);
  else interpolateAt(theta, states);
  return eventValue(event, t + theta * h, states);
}

function locate(event: i32, from: f64, to: f64, signBefore: f64, h: f64): f64 {
  // Interpolant and step may disagree about the side of a crossing: retry with a margin, then by the interpolant alone.
  for (let iteration = 0; iteration < 3; iteration++) {
    const margin = iteration === 1 ? 0.125 : 0;
    const found = falsePosition(
      event,
      Math.max(0, from - margin),
      Math.min(1, to + margin),
      signBefore,
      h,
      iteration < 2,
    );
    if (found <= 1) return found;
  }
  return 1;
}

/**
 * Brackets by the Illinois variant of false position, with bisection where it is slow. Returns the far end of the last
 * bracket, where the event has happened. Dowell & Jarratt, BIT 11 (1971) 168, doi:10.1007/BF01934364.
 *
 * @param signBefore  the sign before the crossing
 * @returns the position, or 2 if both ends are on the same side
 */
function falsePosition(event: i32, from: f64, to: f64, signBefore: f64, h: f64, isStep: bool): f64 {
  let a = from;
  let b = to;
  let atA = valueAt(event, a, h, isStep);
  let atB = valueAt(event, b, h, isStep);
  if (Math.sign(atB) === signBefore || (Math.sign(atA) === -signBefore && a > 0)) return 2;
  if (Math.sign(atA) !== signBefore) atA = signBefore * Math.max(Math.abs(atB), 1e-300);
  const width = 2 * f64.EPSILON * Math.max(1, Math.abs(t) / h);
  let side: i32 = 0;
  for (let iteration = 0; iteration < MAX_ITERATIONS && b - a > width; iteration++) {
    let middle = iteration % 3 === 2 ? 0.5 * (a + b) : (a * atB - b * atA) / (atB - atA);
    if (!(middle > a && middle < b)) middle = 0.5 * (a + b);
    if (middle === a || middle === b) break;
    const value = valueAt(event, middle, h, isStep);
    if (Math.sign(value) === signBefore) {
      a = middle;
      atA = value;
      if (side === 1) atB *= 0.5;
      side = 1;
    } else {
      b = middle;
      atB = value;
      if (side === -1) atA *= 0.5;
      side = -1;
    }
  }
  return b;
}
