// Zeros of the Riemann zeta function on the critical line, counted by Gram blocks and certified by Turing's method.
//
// Z(t) by the Riemann–Siegel formula, whose sign is used only where it exceeds the bound of its error. Below a good Gram
// point g_n that enough blocks after it which keep Rosser's rule follow, there are at most n + 1 zeros, and at least so
// many if such blocks stand before it (Brent, Math. Comp. 33 (1979) 1361, theorem 3.2, after Turing and Lehman). As many
// changes of sign therefore are all zeros, simple and on the line. One step is one block, one zero, or 64 samples of Z.
//
// Calls in inner loops: a value of Z is a sum of its own, far longer than the call.
import {
  allocateF64,
  INFO_CAPACITY,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from '../kernel';
import { reserveHardyZ } from '../numerics/special/hardy-z';
import { set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isPositive } from '../parameters';
import { locate } from './zeta/locate';
import {
  allocateSearch,
  EXCEPTION_WIDTH,
  exceptionView,
  resetTables,
  Search,
  searchBlock,
  startSearch,
  TALLY,
  tallyView,
} from './zeta/search';
import { allocateBrackets, Brackets, highOf, lowOf, refined, Window } from './zeta/window';

export { abi, control } from '../kernel';

/**
 * tMin < tMax; from, the index of the Gram point to start at, −1 for all zeros from the first; near, a place near it;
 * corrections 1 … 5; isGuided 0 | 1: sampling by Rosser's rule; blocks >= 0: how many prove a count; ruleFrom, the t from
 * which they do; locateAll 0 | 1; target, the index of a zero to locate with its neighbours, or 0; tolerance of zeros;
 * capacity of brackets; points >= 0 of the curve.
 */
export enum Parameter {
  tMin,
  tMax,
  from,
  near,
  corrections,
  isGuided,
  blocks,
  ruleFrom,
  locateAll,
  target,
  tolerance,
  capacity,
  points,
}

/**
 * zeros f64[rows of ZeroColumn]; exceptions f64[rows of ExceptionColumn]; tally f64[4]: Gram intervals with 0, 1, 2, and 3
 * or more zeros; curve f64[points]: Z from tMin to tMax, evenly.
 */
export enum View {
  zeros,
  exceptions,
  tally,
  curve,
}

/** An interval that holds a zero, and the zero if it was located, else 0. */
export enum ZeroColumn {
  low,
  zero,
  high,
}

/** A Gram block of more than one interval, or without as many zeros: index of its first point, and its place. */
export enum ExceptionColumn {
  gram,
  length,
  zeros,
  place,
}

/**
 * baseGram and endGram: the good Gram points about the window, as indices; found: zeros between them; blocksBefore and
 * blocksAfter: blocks in a row that kept Rosser's rule.
 */
export enum Statistic {
  baseGram,
  endGram,
  endPlace,
  found,
  blocksBefore,
  blocksAfter,
  intervals,
  badPoints,
  violations,
  longest,
  evaluations,
}

const MAX_T: f64 = 1e7;
const MAX_CAPACITY: f64 = 1e6;
const MAX_POINTS: f64 = 1e5;
const CHUNK: i32 = 64;
/** Blocks after the window at most, if Rosser's rule fails there. */
const MAX_AFTER: i32 = 200;

/** What comes next. */
enum Phase {
  search,
  locate,
  curve,
  over,
}

let phase: Phase = Phase.search;
let done: f64 = 0;
let blocks: i32 = 0;
let points: i32 = 0;
let next: i32 = 0;
let baseGram: f64 = 0;
let endGram: f64 = 0;
let endPlace: f64 = 0;
let found: i32 = 0;
let before: i32 = 0;
let after: i32 = 0;
let tried: i32 = 0;
let hasEnd = false;
let isAll = false;
let curve: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!(parameter(Parameter.tMin) >= 0 && parameter(Parameter.tMin) < MAX_T)) return illegal(Parameter.tMin);
  if (!(parameter(Parameter.tMax) > parameter(Parameter.tMin) && parameter(Parameter.tMax) <= MAX_T))
    return illegal(Parameter.tMax);
  if (!isIntegerBetween(parameter(Parameter.from), -1, 1e8)) return illegal(Parameter.from);
  if (!(parameter(Parameter.near) >= 7 && parameter(Parameter.near) <= MAX_T)) return illegal(Parameter.near);
  if (!isIntegerBetween(parameter(Parameter.corrections), 1, 5)) return illegal(Parameter.corrections);
  if (!isFlag(parameter(Parameter.isGuided))) return illegal(Parameter.isGuided);
  if (!isIntegerBetween(parameter(Parameter.blocks), 0, 100)) return illegal(Parameter.blocks);
  if (!(parameter(Parameter.ruleFrom) >= 0 && parameter(Parameter.ruleFrom) <= MAX_T))
    return illegal(Parameter.ruleFrom);
  if (!isFlag(parameter(Parameter.locateAll))) return illegal(Parameter.locateAll);
  if (!isIntegerBetween(parameter(Parameter.target), 0, 1e8)) return illegal(Parameter.target);
  if (!isPositive(parameter(Parameter.tolerance))) return illegal(Parameter.tolerance);
  if (!isIntegerBetween(parameter(Parameter.capacity), 1, MAX_CAPACITY)) return illegal(Parameter.capacity);
  if (!isIntegerBetween(parameter(Parameter.points), 0, MAX_POINTS)) return illegal(Parameter.points);
  Window.tMin = parameter(Parameter.tMin);
  Window.tMax = parameter(Parameter.tMax);
  Window.corrections = <i32>parameter(Parameter.corrections);
  Window.evaluations = 0;
  blocks = <i32>parameter(Parameter.blocks);
  points = <i32>parameter(Parameter.points);
  curve = allocateF64(max(points, 1));
  const hasRoom = reserveHardyZ() && allocateSearch() && allocateBrackets(<i32>parameter(Parameter.capacity));
  return hasRoom && curve ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  phase = Phase.search;
  done = 0;
  next = 0;
  found = 0;
  before = 0;
  after = 0;
  tried = 0;
  hasEnd = false;
  Window.evaluations = 0;
  isAll = parameter(Parameter.from) === -1;
  Brackets.count = 0;
  startSearch(parameter(Parameter.from), parameter(Parameter.near), parameter(Parameter.isGuided) === 1);
  baseGram = Search.gram;
  endGram = Search.gram;
  endPlace = Search.place;
  writeStatistics();
  return Search.isLost ? INFO_CAPACITY : INFO_OK;
}

/** At most `count` steps. How they are grouped into calls does not affect the result. */
export function advance(count: i32): i32 {
  for (let k = 0; k < count && phase !== Phase.over; k++) {
    if (phase === Phase.search) searchOn();
    else if (phase === Phase.locate) locateNext();
    else sampleCurve();
    done += 1;
    if (Search.isLost || Brackets.isFull) {
      writeStatistics();
      return INFO_CAPACITY;
    }
  }
  setDone(done);
  writeStatistics();
  return INFO_OK;
}

function searchOn(): void {
  searchBlock();
  const end = Search.place;
  if (!isAll && end <= Window.tMin) {
    before = Search.kept;
    baseGram = Search.gram;
    resetTables();
    return;
  }
  if (hasEnd) tried++;
  // The last good Gram point that is known to have blocks in a row after it, or the first behind the window.
  const isBroken = hasEnd && Search.kept === 0;
  if ((!hasEnd && end >= max(Window.tMax, parameter(Parameter.ruleFrom))) || isBroken) {
    hasEnd = true;
    endGram = Search.gram;
    endPlace = end;
    found = Brackets.count;
    after = 0;
  } else if (hasEnd) after++;
  if (hasEnd && (after >= blocks || tried >= MAX_AFTER)) {
    Brackets.count = found;
    phase = Phase.locate;
    next = 0;
  }
}

/** Locates the next bracket that is asked for. */
function locateNext(): void {
  while (next < found && !isAsked(next)) next++;
  if (next < found) locate(next++, parameter(Parameter.tolerance));
  else {
    phase = points > 0 ? Phase.curve : Phase.over;
    next = 0;
  }
}

function isAsked(i: i32): bool {
  const low = lowOf(i);
  const high = highOf(i);
  if (low <= Window.tMin && high >= Window.tMin) return true;
  if (low <= Window.tMax && high >= Window.tMax) return true;
  if (parameter(Parameter.locateAll) === 1) return high > Window.tMin && low < Window.tMax;
  const target = parameter(Parameter.target);
  return target > 0 && abs(baseGram + 2 + <f64>i - target) <= 1;
}

function sampleCurve(): void {
  const step = (Window.tMax - Window.tMin) / max(<f64>points - 1, 1);
  for (let k = 0; k < CHUNK && next < points; k++, next++) {
    const t = next === points - 1 ? Window.tMax : Window.tMin + <f64>next * step;
    set(curve, next, refined(t));
  }
  if (next === points) phase = Phase.over;
}

function writeStatistics(): void {
  setStatistic(Statistic.baseGram, baseGram);
  setStatistic(Statistic.endGram, endGram);
  setStatistic(Statistic.endPlace, endPlace);
  setStatistic(Statistic.found, <f64>found);
  setStatistic(Statistic.blocksBefore, <f64>before);
  setStatistic(Statistic.blocksAfter, <f64>after);
  setStatistic(Statistic.intervals, Search.intervals);
  setStatistic(Statistic.badPoints, Search.badPoints);
  setStatistic(Statistic.violations, Search.violations);
  setStatistic(Statistic.longest, Search.longest);
  setStatistic(Statistic.evaluations, Window.evaluations);
}

export function view(i: i32): usize {
  if (i === View.zeros) return Brackets.rows;
  if (i === View.exceptions) return exceptionView();
  if (i === View.tally) return tallyView();
  return i === View.curve ? curve : 0;
}

export function extent(i: i32): i32 {
  if (i === View.zeros) return Brackets.count * 3;
  if (i === View.exceptions) return Search.exceptions * EXCEPTION_WIDTH;
  if (i === View.tally) return TALLY;
  return i === View.curve ? points : 0;
}
