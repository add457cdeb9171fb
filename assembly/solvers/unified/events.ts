// Zero crossings: found by signs at places inside a step, then narrowed on real steps from its start, so that the time of
// an event is as accurate as the states are.
import { get, set } from '../../numerics/vector';
import { eventCount, n } from './layout';
import { after, inside, reach, t, y } from './march';
import { eventValue, eventValues } from './system';

/** Where in a step signs are looked at. The early ones see a short flight after a jump. */
const PLACES: usize = memory.data<f64>([0.015625, 0.0625, 0.25, 0.5, 0.75, 1]);
const PLACE_COUNT: i32 = 6;

/** Halving alone would need 60. */
const MOST_ROUNDS: i32 = 120;

/** i32[events, 4]: direction −1, 0 or 1; what it does; its first assignment; how many. */
let table: usize = 0;
/** −1, 0 or 1 for each event: its sign at the start of the step, 0 if unknown. */
let signs: usize = 0;
let values: usize = 0;
/** Where in the step each event crosses zero, or 2. */
let crossings: usize = 0;
let place: usize = 0;

export const COUNT: i32 = 0;
export const STOP: i32 = 1;
export const ASSIGN: i32 = 2;

export function useEvents(tableAt: usize, scratch: usize): void {
  const bytes = (<usize>eventCount()) << 3;
  table = tableAt;
  signs = scratch;
  values = signs + bytes;
  crossings = values + bytes;
  place = crossings + bytes;
}

/** f64 that `useEvents` takes. */
export function eventScratch(events: i32, states: i32): i32 {
  return 3 * events + states;
}

function column(event: i32, at: usize): i32 {
  return load<i32>(table + ((<usize>event) << 4) + (at << 2));
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

/** Signs at (t, y), as after a start or a jump. @param part  what has happened by this place of the step has no sign */
export function resetSigns(part: f64): void {
  eventValues(t, y, values);
  for (let i = 0; i < eventCount(); i++) set(signs, i, crossingOf(i) <= part ? 0 : Math.sign(get(values, i)));
}

/**
 * Look for crossings in the step of h that was measured; `crossingOf` tells where.
 *
 * An event crosses at most once a step: the first time in its direction.
 */
export function findCrossings(h: f64): void {
  const count = eventCount();
  dismissAll();
  let before: f64 = 0;
  for (let p = 0; p < PLACE_COUNT; p++) {
    const theta = get(PLACES, p);
    if (theta === 1) memory.copy(place, after, (<usize>n) << 3);
    else inside(theta, place);
    eventValues(t + theta * h, place, values);
    for (let i = 0; i < count; i++) {
      const value = get(values, i);
      const sign = isNaN(value) ? 0 : Math.sign(value);
      const was = get(signs, i);
      if (was !== 0 && sign !== was && !isNaN(value)) {
        const direction = column(i, 0);
        const isWanted = direction === 0 || <f64>direction === -was;
        if (isWanted && get(crossings, i) > 1) set(crossings, i, narrow(i, before, theta, was, h));
      }
      set(signs, i, sign);
    }
    before = theta;
  }
}

/** 0 … 1 within the step, or 2. */
export function crossingOf(event: i32): f64 {
  return get(crossings, event);
}

/** Done with: it does not count again in this step. */
export function dismiss(event: i32): void {
  set(crossings, event, 2);
}

export function dismissAll(): void {
  for (let i = 0; i < eventCount(); i++) dismiss(i);
}

/** The value of an event at the part θ of the step, by a real step or by the interpolant. */
function valueAt(event: i32, theta: f64, h: f64, isReal: bool): f64 {
  if (theta === 0) return eventValue(event, t, y);
  if (theta === 1) return eventValue(event, t + h, after);
  if (isReal) reach(theta * h, place);
  else inside(theta, place);
  return eventValue(event, t + theta * h, place);
}

function narrow(event: i32, from: f64, to: f64, was: f64, h: f64): f64 {
  // Interpolant and step may put a crossing on two sides of a place: then around it, then by the interpolant alone.
  for (let round = 0; round < 3; round++) {
    const wide = round === 1 ? 0.125 : 0;
    const found = bisect(event, Math.max(0, from - wide), Math.min(1, to + wide), was, h, round < 2);
    if (found <= 1) return found;
  }
  return 1;
}

/**
 * Brackets by the Illinois variant of false position, halving where that is slow. The answer is the far end of the last
 * bracket: the event has happened. Dowell & Jarratt, BIT 11 (1971) 168, doi:10.1007/BF01934364.
 *
 * @param was  the sign before the crossing
 * @returns the place, or 2 if the ends are on the same side
 */
function bisect(event: i32, from: f64, to: f64, was: f64, h: f64, isReal: bool): f64 {
  let a = from;
  let b = to;
  let atA = valueAt(event, a, h, isReal);
  let atB = valueAt(event, b, h, isReal);
  if (Math.sign(atB) === was || (Math.sign(atA) === -was && a > 0)) return 2;
  if (Math.sign(atA) !== was) atA = was * Math.max(Math.abs(atB), 1e-300);
  const width = 2 * f64.EPSILON * Math.max(1, Math.abs(t) / h);
  let side: i32 = 0;
  for (let round = 0; round < MOST_ROUNDS && b - a > width; round++) {
    let middle = round % 3 === 2 ? 0.5 * (a + b) : (a * atB - b * atA) / (atB - atA);
    if (!(middle > a && middle < b)) middle = 0.5 * (a + b);
    if (middle === a || middle === b) break;
    const value = valueAt(event, middle, h, isReal);
    if (Math.sign(value) === was) {
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
