// Zeros by Gram blocks: between two good Gram points g_n, where (−1)^n Z(g_n) > 0, as many zeros are expected as there are
// Gram intervals (Rosser's rule). A block is sampled until as many changes of sign are found, or no more by halving.
//
// Brent, On the zeros of the Riemann zeta function in the critical strip, Math. Comp. 33 (1979), §3–4.
import { allocateF64 } from '../../kernel';
import { Low } from '../../numerics/double-double';
import { thetaTurns } from '../../numerics/special/riemann-siegel-theta';
import { addBracket, Brackets, lowOf, searched, signOf } from './window';

/** Gram intervals of the longest block: none below 10^7 has more than a dozen. */
const MAX_LENGTH: i32 = 24;
const MAX_HALVINGS: i32 = 8;
/** Without Rosser's rule each interval is halved so often. */
const PLAIN_HALVINGS: i32 = 3;
const MAX_POINTS: i32 = (MAX_LENGTH + 1) << MAX_HALVINGS;
/** Halvings before dips are followed, and steps into one dip. */
const DIPS_AFTER: i32 = 2;
const MAX_DIP_STEPS: i32 = 16;
const GOLDEN: f64 = 0.3819660112501051;
/** Rows of the table of exceptions. */
export const MAX_EXCEPTIONS: i32 = 2_000;
export const EXCEPTION_WIDTH: i32 = 4;
/** Gram intervals are counted by their zeros: 0, 1, 2, 3 or more. */
export const TALLY: i32 = 4;

export namespace Search {
  /** Whether samples follow what Rosser's rule expects. */
  export let isGuided: bool = true;
  /** Index and place of the good Gram point that the next block starts at. */
  export let gram: f64 = 0;
  export let place: f64 = 0;
  /** Blocks in a row, up to now, that kept Rosser's rule. */
  export let kept: i32 = 0;
  export let violations: f64 = 0;
  export let intervals: f64 = 0;
  export let badPoints: f64 = 0;
  export let longest: f64 = 0;
  export let exceptions: i32 = 0;
  export let isLost: bool = false;
}

let ts: usize = 0;
let zs: usize = 0;
let grams: usize = 0;
let points: i32 = 0;
/** Blocks of more than one interval, or without as many zeros: index, length, zeros, place. */
let exceptions: usize = 0;
let tallies: usize = 0;

export function allocateSearch(): bool {
  ts = allocateF64(MAX_POINTS);
  zs = allocateF64(MAX_POINTS);
  grams = allocateF64(MAX_LENGTH + 1);
  exceptions = allocateF64(MAX_EXCEPTIONS * EXCEPTION_WIDTH);
  tallies = allocateF64(TALLY);
  return ts !== 0 && zs !== 0 && grams !== 0 && exceptions !== 0 && tallies !== 0;
}

export function exceptionView(): usize {
  return exceptions;
}

export function tallyView(): usize {
  return tallies;
}

/** The first good Gram point from index `from` on. */
export function startSearch(from: f64, near: f64, isGuided: bool): void {
  Search.isGuided = isGuided;
  Search.kept = 0;
  Search.isLost = false;
  resetTables();
  let n = from;
  let t = gramPoint(n, near);
  for (let tries = 0; !isGood(n, t, searched(t)); tries++) {
    if (tries === MAX_LENGTH) {
      Search.isLost = true;
      return;
    }
    n += 1;
    t = gramPoint(n, t);
  }
  Search.gram = n;
  Search.place = t;
}

/** Counts and tables start anew. */
export function resetTables(): void {
  Brackets.count = 0;
  Search.violations = 0;
  Search.intervals = 0;
  Search.badPoints = 0;
  Search.longest = 0;
  Search.exceptions = 0;
  memory.fill(tallies, 0, (<usize>TALLY) << 3);
}

/** t with θ(t) = nπ, by Newton's method from a place at most a few intervals away. */
export function gramPoint(n: f64, near: f64): f64 {
  let t = near;
  for (let i = 0; i < 20; i++) {
    const turns = thetaTurns(t);
    const step = (turns - 0.5 * n + Low.part) / slope(t);
    t -= step;
    if (abs(step) < 1e-14 * t) break;
  }
  return t;
}

/** θ'(t) in turns: ln(t / 2π) / 4π, and the next term. */
function slope(t: f64): f64 {
  return (0.5 * Math.log(t / (2 * Math.PI)) - 1 / (48 * t * t)) / (2 * Math.PI);
}

function isGood(n: f64, t: f64, z: f64): bool {
  const isEven = Math.floor(0.5 * n) * 2 === n;
  return signOf(z, t) === (isEven ? 1 : -1);
}

/** Samples the next block, appends its brackets and moves on to its end. */
export function searchBlock(): void {
  const length = gramPoints();
  if (Search.isLost) return;
  if (Search.isGuided) {
    for (let halvings = 1; halvings <= MAX_HALVINGS && changes() < length; halvings++) {
      halve();
      if (halvings > DIPS_AFTER && changes() < length) followDips(length);
    }
  } else {
    for (let halvings = 0; halvings < PLAIN_HALVINGS; halvings++) halve();
  }
  const first = Brackets.count;
  appendBrackets();
  const found = changes();
  const isKept = found >= length;
  Search.kept = isKept ? Search.kept + 1 : 0;
  if (!isKept) Search.violations += 1;
  Search.intervals += length;
  Search.badPoints += length - 1;
  Search.longest = max(Search.longest, <f64>length);
  if (length > 1 || found !== length) addException(length, found);
  tally(first, length);
  Search.gram += length;
  Search.place = load<f64>(grams + ((<usize>length) << 3));
}

/** Gram points from the present good one to the next good one, as first samples. @returns how many intervals */
function gramPoints(): i32 {
  let t = Search.place;
  points = 0;
  addPoint(t, searched(t));
  store<f64>(grams, t);
  for (let length = 1; length <= MAX_LENGTH; length++) {
    const n = Search.gram + length;
    t = gramPoint(n, t + 0.5 / slope(t));
    const z = searched(t);
    addPoint(t, z);
    store<f64>(grams + ((<usize>length) << 3), t);
    if (isGood(n, t, z)) return length;
  }
  Search.isLost = true;
  return 0;
}

function addPoint(t: f64, z: f64): void {
  const at = (<usize>points) << 3;
  points++;
  store<f64>(ts + at, t);
  store<f64>(zs + at, z);
}

function tOf(i: i32): f64 {
  return load<f64>(ts + ((<usize>i) << 3));
}

function zOf(i: i32): f64 {
  return load<f64>(zs + ((<usize>i) << 3));
}

/** Changes of sign between samples whose sign is certain. */
function changes(): i32 {
  let count = 0;
  let before = signOf(zOf(0), tOf(0));
  for (let i = 1; i < points; i++) {
    const sign = signOf(zOf(i), tOf(i));
    if (sign === 0) continue;
    if (before !== 0 && sign !== before) count++;
    before = sign;
  }
  return count;
}

function appendBrackets(): void {
  let low = 0;
  let before = signOf(zOf(0), tOf(0));
  for (let i = 1; i < points; i++) {
    const sign = signOf(zOf(i), tOf(i));
    if (sign === 0) continue;
    if (before !== 0 && sign !== before) addBracket(tOf(low), tOf(i));
    before = sign;
    low = i;
  }
}

/** A sample in the middle between every two. */
function halve(): void {
  if (2 * points - 1 > MAX_POINTS) return;
  for (let i = points - 1; i > 0; i--) {
    const to = (<usize>(2 * i)) << 3;
    const middle = 0.5 * (tOf(i - 1) + tOf(i));
    const z = searched(middle);
    store<f64>(ts + to, tOf(i));
    store<f64>(zs + to, zOf(i));
    store<f64>(ts + to - 8, middle);
    store<f64>(zs + to - 8, z);
  }
  points = 2 * points - 1;
}

/** Goes down where |Z| has a minimum between samples of one sign, until a change of sign shows or none can. */
function followDips(length: i32): void {
  for (let i = 1; i + 1 < points && changes() < length; i++) {
    const z = zOf(i);
    const isUp = z > 0;
    if (zOf(i - 1) > 0 !== isUp || zOf(i + 1) > 0 !== isUp) continue;
    if (abs(z) > abs(zOf(i - 1)) || abs(z) > abs(zOf(i + 1)) || points >= MAX_POINTS) continue;
    const t = dip(tOf(i - 1), tOf(i), tOf(i + 1), z);
    if (t === 0) continue;
    insert(t < tOf(i) ? i : i + 1, t, searched(t));
    i++;
  }
}

/** A place near a minimum of |Z| where the sign is certainly the other one; 0 if golden sections find none. */
function dip(low: f64, middle: f64, high: f64, least: f64): f64 {
  const wanted = least > 0 ? -1 : 1;
  let a = low;
  let b = middle;
  let c = high;
  let lowest = abs(least);
  for (let k = 0; k < MAX_DIP_STEPS; k++) {
    const isLeft = b - a > c - b;
    const t = isLeft ? b - GOLDEN * (b - a) : b + GOLDEN * (c - b);
    const z = searched(t);
    if (signOf(z, t) === wanted) return t;
    if (abs(z) < lowest) {
      if (isLeft) c = b;
      else a = b;
      b = t;
      lowest = abs(z);
    } else if (isLeft) a = t;
    else c = t;
  }
  return 0;
}

function insert(index: i32, t: f64, z: f64): void {
  const at = (<usize>index) << 3;
  const bytes = (<usize>(points - index)) << 3;
  memory.copy(ts + at + 8, ts + at, bytes);
  memory.copy(zs + at + 8, zs + at, bytes);
  store<f64>(ts + at, t);
  store<f64>(zs + at, z);
  points++;
}

function addException(length: i32, found: i32): void {
  if (Search.exceptions === MAX_EXCEPTIONS) return;
  const row = exceptions + ((<usize>(Search.exceptions * EXCEPTION_WIDTH)) << 3);
  Search.exceptions++;
  store<f64>(row, Search.gram);
  store<f64>(row, <f64>length, 8);
  store<f64>(row, <f64>found, 16);
  store<f64>(row, Search.place, 24);
}

/** Counts the intervals of a block by the zeros in them. @param first  the first bracket of the block */
function tally(first: i32, length: i32): void {
  let next = first;
  for (let i = 1; i <= length; i++) {
    const end = load<f64>(grams + ((<usize>i) << 3));
    let zeros = 0;
    for (; next < Brackets.count && lowOf(next) < end; next++) zeros++;
    const at = tallies + ((<usize>min(zeros, TALLY - 1)) << 3);
    store<f64>(at, load<f64>(at) + 1);
  }
}
