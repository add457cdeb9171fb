// A binary heap of variables, the most active on top; of equal ones the lower number.
import { allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';
import { allocateWords, setWord, word } from './formula';

/** Activities are scaled down when one exceeds this. */
const MAX_ACTIVITY: f64 = 1e100;

let heap: usize = 0;
/** Place of each variable in the heap, −1 if it is not there. */
let places: usize = 0;
let activities: usize = 0;
let size = 0;
let count = 0;
let increment: f64 = 1;

export function allocateHeap(variables: i32): bool {
  count = variables;
  heap = allocateWords(variables);
  places = allocateWords(variables);
  activities = allocateF64(variables);
  return heap !== 0 && places !== 0 && activities !== 0;
}

export function fillHeap(): void {
  increment = 1;
  size = count;
  for (let v = 0; v < count; v++) {
    setWord(heap, v, v);
    setWord(places, v, v);
  }
}

export function isHeapEmpty(): bool {
  return size === 0;
}

export function popMostActive(): i32 {
  const top = word(heap, 0);
  size--;
  setWord(places, top, -1);
  if (size > 0) {
    place(word(heap, size), 0);
    sink(0);
  }
  return top;
}

export function pushVariable(v: i32): void {
  if (word(places, v) >= 0) return;
  place(v, size);
  size++;
  rise(size - 1);
}

export function bump(v: i32): void {
  const activity = get(activities, v) + increment;
  set(activities, v, activity);
  if (activity > MAX_ACTIVITY) rescale();
  const at = word(places, v);
  if (at >= 0) rise(at);
}

/** Later bumps weigh more, which is the decay of all others. */
export function decay(factor: f64): void {
  increment *= factor;
}

function rescale(): void {
  for (let v = 0; v < count; v++) set(activities, v, get(activities, v) * (1 / MAX_ACTIVITY));
  increment *= 1 / MAX_ACTIVITY;
}

function place(v: i32, at: i32): void {
  setWord(heap, at, v);
  setWord(places, v, at);
}

function isBefore(v: i32, w: i32): bool {
  const a = get(activities, v);
  const b = get(activities, w);
  return a > b || (a === b && v < w);
}

function rise(at: i32): void {
  const v = word(heap, at);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = word(heap, parent);
    if (!isBefore(v, above)) break;
    place(above, at);
    at = parent;
  }
  place(v, at);
}

function sink(at: i32): void {
  const v = word(heap, at);
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && isBefore(word(heap, child + 1), word(heap, child))) child++;
    const below = word(heap, child);
    if (!isBefore(below, v)) break;
    place(below, at);
    at = child;
  }
  place(v, at);
}
