// The objective: rows that are summed, each a sum of elements, each a program of few local variables and constants.
//
// f is the sum over rows of the row (kind 0), its square (1) or the square of its positive part (2). An element gathers
// its local variables from x, so that a sparse problem costs what its entries cost; derivatives by programs that the
// host has differentiated, where it could, else by central differences of the element alone. Griewank & Toint on
// partial separability: Numer. Math. 39 (1982) 119–137. Elements are in the order of their rows.

import { evaluate, FAILURE_NONE, failure, STACK_VALUES } from '../../expression/machine';
import { ADD_SLOT, CONST, HALT, OPERAND_SHIFT, OPERATION_MASK, POW_SLOT, SLOT } from '../../expression/opcodes';
import { get, set } from '../../numerics/vector';
import { hasMemory, take, takeF64, takeI32 } from './memory';

export const SQUARED: i32 = 1;
export const POSITIVE_PART: i32 = 2;

/** Columns of `programs`: local variables, constants, first row of `table`. */
const PROGRAM_WORDS: i32 = 3;
/** Columns of `table`: offset of the code, of the pool, operations. Rows: value, slopes, second slopes of the triangle. */
const TABLE_WORDS: i32 = 3;
/** Instead of an offset: the derivative is 0, and the derivative has no program. */
const ZERO: i32 = -1;
/** Columns of `elements`: program, row, first index, first constant. */
const ELEMENT_WORDS: i32 = 4;
/** Steps of central differences relative to the variable: ε^(1/3) and, for second slopes of values, ε^(1/4). */
const FIRST_STEP: f64 = 6.0554544523933395e-6;
const SECOND_STEP: f64 = 1.220703125e-4;

export let programs: usize = 0;
export let table: usize = 0;
export let code: usize = 0;
export let pool: usize = 0;
export let elements: usize = 0;
export let indices: usize = 0;
export let constants: usize = 0;
export let kinds: usize = 0;
export let residuals: usize = 0;

/** Values and slopes of f that were computed, and operations of all programs. */
export let evaluations: f64 = 0;
export let gradients: f64 = 0;
export let work: f64 = 0;
/** Whether an expression could not be evaluated: bounds of a sum, or steps. */
export let isBroken = false;
/** Σ of the sizes of all terms of the last slopes: what their rounding is relative to. */
export let slopeScale: f64 = 0;
/** Slopes by differences although there are programs. */
export let isCentral = false;

let rowCount: i32 = 0;
let elementCount: i32 = 0;
let tableCount: i32 = 0;
let variables: i32 = 0;
let slots: usize = 0;
let stack: usize = 0;
let computed: usize = 0;
let curved: usize = 0;
let rowSlopes: usize = 0;
let isTouched: usize = 0;
let touched: usize = 0;
let touchedCount: i32 = 0;
/** u8[rows of the table]: whether the program reads no variable; unknown before its first run. */
let constancy: usize = 0;
/** f64[elements, second slopes] of those, NaN before they are known; 0 rows where they would be too many. */
let known: usize = 0;
let knownWidth: i32 = 0;

/** f64[elements, locals]: the slopes of the last `gradient`, NaN first where they were not computed; 0 columns for none. */
let kept: usize = 0;
let keptWidth: i32 = 0;
/** Whether they are those at the point where f was computed last. */
let hasKept = false;

const UNKNOWN: u8 = 0;
const CONSTANT: u8 = 1;
const VARIABLE: u8 = 2;
const MAX_KNOWN: f64 = 1_000_000;

/** @returns false without memory */
export function reserveObjective(
  n: i32,
  rows: i32,
  elementTotal: i32,
  programCount: i32,
  tableRows: i32,
  codeWords: i32,
  poolValues: i32,
  indexCount: i32,
  constantCount: i32,
  locals: i32,
  maxSlots: i32,
): bool {
  variables = n;
  rowCount = rows;
  elementCount = elementTotal;
  tableCount = tableRows;
  programs = takeI32(programCount * PROGRAM_WORDS);
  table = takeI32(tableRows * TABLE_WORDS);
  code = takeI32(codeWords);
  pool = takeF64(poolValues + 1);
  elements = takeI32(elementTotal * ELEMENT_WORDS);
  indices = takeI32(indexCount + 1);
  constants = takeF64(constantCount + 1);
  kinds = takeI32(rows);
  residuals = takeF64(rows);
  slots = takeF64(maxSlots + 1);
  stack = takeF64(STACK_VALUES);
  computed = takeF64(locals + 1);
  curved = takeF64(locals * locals + 1);
  constancy = take(tableRows);
  const width = 0.5 * <f64>locals * <f64>(locals + 1);
  knownWidth = width * <f64>elementTotal <= MAX_KNOWN ? <i32>width : 0;
  known = takeF64(knownWidth * elementTotal + 1);
  keptWidth = <f64>locals * <f64>elementTotal <= MAX_KNOWN ? locals : 0;
  kept = takeF64(keptWidth * elementTotal + 1);
  rowSlopes = takeF64(n);
  isTouched = take(n);
  touched = takeI32(n);
  return hasMemory();
}

export function startObjective(): void {
  evaluations = 0;
  gradients = 0;
  work = 0;
  isBroken = false;
  hasKept = false;
  memory.fill(constancy, UNKNOWN, tableCount);
  for (let i = 0; i < knownWidth * elementCount; i++) set(known, i, NaN);
}

export function setCentral(central: bool): void {
  isCentral = central;
  hasKept = false;
}

/** Operations of a method beside those of programs. */
export function addWork(operations: f64): void {
  work += operations;
}

function word(base: usize, i: i32): i32 {
  return load<i32>(base + ((<usize>i) << 2));
}

/** Puts the variables and constants of element e into the slots. @returns its program */
function gather(e: i32, x: usize): i32 {
  const element = e * ELEMENT_WORDS;
  const program = word(elements, element);
  const locals = localsOf(program);
  const from = word(elements, element + 2);
  for (let k = 0; k < locals; k++) set(slots, k, get(x, word(indices, from + k)));
  const count = word(programs, program * PROGRAM_WORDS + 1);
  const first = word(elements, element + 3);
  for (let k = 0; k < count; k++) set(slots, locals + k, get(constants, first + k));
  return program;
}

function localsOf(program: i32): i32 {
  return word(programs, program * PROGRAM_WORDS);
}

function run(entry: i32): f64 {
  const at = entry * TABLE_WORDS;
  work += <f64>word(table, at + 2);
  const codeAt = code + ((<usize>word(table, at)) << 2);
  const poolAt = pool + ((<usize>word(table, at + 1)) << 3);
  // Slopes of what is linear are constants.
  const first = load<i32>(codeAt);
  if ((first & OPERATION_MASK) === CONST && (load<i32>(codeAt, 4) & OPERATION_MASK) === HALT)
    return load<f64>(poolAt + ((<usize>(first >>> OPERAND_SHIFT)) << 3));
  const result = evaluate(codeAt, poolAt, slots, stack);
  if (failure() !== FAILURE_NONE) isBroken = true;
  return result;
}

/** Whether the program of a row of the table reads no variable of its element: it has one value for each element. */
function isConstant(entry: i32, locals: i32): bool {
  const found = load<u8>(constancy + entry);
  if (found !== UNKNOWN) return found === CONSTANT;
  let isFree = true;
  for (let at = code + ((<usize>word(table, entry * TABLE_WORDS)) << 2); ; at += 4) {
    const instruction = load<i32>(at);
    const operation = instruction & OPERATION_MASK;
    if (operation === HALT) break;
    const reads = operation === SLOT || (operation >= ADD_SLOT && operation <= POW_SLOT);
    if (reads && instruction >>> OPERAND_SHIFT < locals) isFree = false;
  }
  store<u8>(constancy + entry, isFree ? CONSTANT : VARIABLE);
  return isFree;
}

/** f at x, with the rows in `residuals`; ∞ where it is not a number. */
export function value(x: usize): f64 {
  evaluations += 1;
  hasKept = false;
  for (let i = 0; i < rowCount; i++) set(residuals, i, 0);
  for (let e = 0; e < elementCount; e++) {
    const program = gather(e, x);
    const row = word(elements, e * ELEMENT_WORDS + 1);
    set(residuals, row, get(residuals, row) + run(word(programs, program * PROGRAM_WORDS + 2)));
  }
  let sum: f64 = 0;
  for (let i = 0; i < rowCount; i++) sum += summand(word(kinds, i), get(residuals, i));
  return isNaN(sum) ? Infinity : sum;
}

function summand(kind: i32, r: f64): f64 {
  if (kind === SQUARED) return r * r;
  return kind === POSITIVE_PART ? (r > 0 ? r * r : r > -Infinity ? 0 : NaN) : r;
}

/** The derivative of the summand by its row. */
function weight(kind: i32, r: f64): f64 {
  if (kind === SQUARED) return 2 * r;
  return kind === POSITIVE_PART ? (r > 0 ? 2 * r : 0) : 1;
}

/** The slopes of the element in the slots, by differences if asked for. */
function elementSlopes(program: i32, out: usize): void {
  const locals = localsOf(program);
  const first = word(programs, program * PROGRAM_WORDS + 2);
  for (let k = 0; k < locals; k++) {
    const entry = first + 1 + k;
    const offset = word(table, entry * TABLE_WORDS);
    if (offset === ZERO) set(out, k, 0);
    else if (offset >= 0 && !isCentral) set(out, k, run(entry));
    else set(out, k, difference(first, k));
  }
}

function difference(entry: i32, k: i32): f64 {
  const x = get(slots, k);
  const h = FIRST_STEP * Math.max(Math.abs(x), 1e-2);
  const above = x + h;
  const below = x - h;
  set(slots, k, above);
  const up = run(entry);
  set(slots, k, below);
  const down = run(entry);
  set(slots, k, x);
  return (up - down) / (above - below);
}

/** The second slopes of the element in the slots, f64[locals, locals], all symmetric. */
function elementCurvature(e: i32, program: i32): void {
  const locals = localsOf(program);
  let entry = word(programs, program * PROGRAM_WORDS + 2) + 1 + locals;
  for (let j = 0; j < locals; j++) {
    for (let k = j; k < locals; k++) {
      const second = secondSlope(e, program, entry, j, k);
      set(curved, j * locals + k, second);
      set(curved, k * locals + j, second);
      entry++;
    }
  }
}

function secondSlope(e: i32, program: i32, entry: i32, j: i32, k: i32): f64 {
  const offset = word(table, entry * TABLE_WORDS);
  if (offset >= 0 && !isCentral) {
    const locals = localsOf(program);
    if (knownWidth === 0 || !isConstant(entry, locals)) return run(entry);
    // Of quadratic elements with long programs. The operations count as if it ran.
    const at = e * knownWidth + entry - word(programs, program * PROGRAM_WORDS + 2) - 1 - locals;
    const before = get(known, at);
    if (isNaN(before)) set(known, at, run(entry));
    else work += <f64>word(table, entry * TABLE_WORDS + 2);
    return get(known, at);
  }
  return offset === ZERO ? 0 : secondDifference(program, j, k);
}

/** Difference along variable k of slope j, or of values where slopes are differences too. */
function secondDifference(program: i32, j: i32, k: i32): f64 {
  const first = word(programs, program * PROGRAM_WORDS + 2);
  const hasSlope = word(table, (first + 1 + j) * TABLE_WORDS) >= 0 && !isCentral;
  const x = get(slots, k);
  const h = (hasSlope ? FIRST_STEP : SECOND_STEP) * Math.max(Math.abs(x), 1e-2);
  const above = x + h;
  const below = x - h;
  set(slots, k, above);
  const up = hasSlope ? run(first + 1 + j) : wideDifference(first, j);
  set(slots, k, below);
  const down = hasSlope ? run(first + 1 + j) : wideDifference(first, j);
  set(slots, k, x);
  return (up - down) / (above - below);
}

function wideDifference(entry: i32, k: i32): f64 {
  const x = get(slots, k);
  const h = SECOND_STEP * Math.max(Math.abs(x), 1e-2);
  const above = x + h;
  const below = x - h;
  set(slots, k, above);
  const up = run(entry);
  set(slots, k, below);
  const down = run(entry);
  set(slots, k, x);
  return (up - down) / (above - below);
}

/** f at x, and its slopes in g; row by row, so that an element that is a row is gathered once. */
export function gradient(x: usize, g: usize): f64 {
  evaluations += 1;
  gradients += 1;
  slopeScale = 0;
  for (let j = 0; j < variables; j++) set(g, j, 0);
  let sum: f64 = 0;
  let e = 0;
  for (let i = 0; i < rowCount; i++) {
    const first = e;
    let r: f64 = 0;
    for (; e < elementCount && word(elements, e * ELEMENT_WORDS + 1) === i; e++)
      r += run(word(programs, gather(e, x) * PROGRAM_WORDS + 2));
    set(residuals, i, r);
    const kind = word(kinds, i);
    sum += summand(kind, r);
    const w = weight(kind, r);
    for (let k = first; k < e; k++)
      if (w !== 0) addSlopes(k, e - first > 1, x, w, g);
      else if (keptWidth > 0) set(kept, k * keptWidth, NaN);
  }
  hasKept = keptWidth > 0;
  return isNaN(sum) ? Infinity : sum;
}

/** Adds w times the slopes of element e, which may be in the slots already. */
function addSlopes(e: i32, gathers: bool, x: usize, w: f64, g: usize): void {
  const element = e * ELEMENT_WORDS;
  const program = gathers ? gather(e, x) : word(elements, element);
  const slopes = keptWidth > 0 ? kept + ((<usize>(e * keptWidth)) << 3) : computed;
  elementSlopes(program, slopes);
  const from = word(elements, element + 2);
  const locals = localsOf(program);
  for (let k = 0; k < locals; k++) {
    const j = word(indices, from + k);
    const term = w * get(slopes, k);
    slopeScale += Math.abs(term);
    set(g, j, get(g, j) + term);
  }
}

/** Where the slopes of element e at x are: kept, or computed. f at x must have been computed last. */
function slopesOf(e: i32, x: usize): usize {
  const at = kept + ((<usize>(e * keptWidth)) << 3);
  if (hasKept && !isNaN(load<f64>(at))) return at;
  elementSlopes(gather(e, x), computed);
  return computed;
}

/** Adds the slopes of element e to the row that is being collected. */
function collect(e: i32, x: usize): void {
  const slopes = slopesOf(e, x);
  const program = word(elements, e * ELEMENT_WORDS);
  const from = word(elements, e * ELEMENT_WORDS + 2);
  const locals = localsOf(program);
  for (let k = 0; k < locals; k++) {
    const j = word(indices, from + k);
    if (load<u8>(isTouched + j) === 0) {
      store<u8>(isTouched + j, 1);
      store<i32>(touched + ((<usize>touchedCount) << 2), j);
      touchedCount++;
    }
    set(rowSlopes, j, get(rowSlopes, j) + get(slopes, k));
  }
}

function clearRow(): void {
  for (let i = 0; i < touchedCount; i++) {
    const j = word(touched, i);
    set(rowSlopes, j, 0);
    store<u8>(isTouched + j, 0);
  }
  touchedCount = 0;
}

/**
 * Calls `onRow` with the slopes f64[n] and the value of every row of squares that counts, in order; f at x must have been
 * computed last. The callee may write into the slopes.
 */
export function eachRow(x: usize, onRow: (slopes: usize, r: f64) => void): void {
  let e = 0;
  for (let i = 0; i < rowCount; i++) {
    const r = get(residuals, i);
    const counts = !(word(kinds, i) === POSITIVE_PART && !(r > 0));
    while (e < elementCount && word(elements, e * ELEMENT_WORDS + 1) === i) {
      if (counts) collect(e, x);
      e++;
    }
    if (!counts) continue;
    onRow(rowSlopes, r);
    for (let j = 0; j < variables; j++) set(rowSlopes, j, 0);
    clearRow();
  }
}

/** The matrix of second slopes of f, f64[n, n]; f at x must have been computed last. */
export function hessian(x: usize, h: usize): void {
  const n = variables;
  memory.fill(h, 0, (<usize>(n * n)) << 3);
  let e = 0;
  for (let i = 0; i < rowCount; i++) {
    const kind = word(kinds, i);
    const r = get(residuals, i);
    const w = weight(kind, r);
    const isSquare = kind === SQUARED || (kind === POSITIVE_PART && r > 0);
    while (e < elementCount && word(elements, e * ELEMENT_WORDS + 1) === i) {
      if (isSquare) collect(e, x);
      if (w !== 0) addCurvature(e, x, w, h);
      e++;
    }
    if (isSquare) {
      for (let a = 0; a < touchedCount; a++) {
        const j = word(touched, a);
        for (let b = 0; b < touchedCount; b++) {
          const k = word(touched, b);
          set(h, j * n + k, get(h, j * n + k) + 2 * get(rowSlopes, j) * get(rowSlopes, k));
        }
      }
      clearRow();
    }
  }
}

/** The diagonal of the second slopes of f, f64[n]; f at x must have been computed last. */
export function hessianDiagonal(x: usize, out: usize): void {
  for (let j = 0; j < variables; j++) set(out, j, 0);
  let e = 0;
  for (let i = 0; i < rowCount; i++) {
    const kind = word(kinds, i);
    const r = get(residuals, i);
    const w = weight(kind, r);
    const isSquare = kind === SQUARED || (kind === POSITIVE_PART && r > 0);
    for (; e < elementCount && word(elements, e * ELEMENT_WORDS + 1) === i; e++) {
      if (isSquare) collect(e, x);
      if (w !== 0) addDiagonal(e, x, w, out);
    }
    if (!isSquare) continue;
    for (let a = 0; a < touchedCount; a++) {
      const j = word(touched, a);
      set(out, j, get(out, j) + 2 * get(rowSlopes, j) * get(rowSlopes, j));
    }
    clearRow();
  }
}

function addDiagonal(e: i32, x: usize, w: f64, out: usize): void {
  const program = gather(e, x);
  const locals = localsOf(program);
  const from = word(elements, e * ELEMENT_WORDS + 2);
  let entry = word(programs, program * PROGRAM_WORDS + 2) + 1 + locals;
  for (let k = 0; k < locals; k++) {
    const j = word(indices, from + k);
    set(out, j, get(out, j) + w * secondSlope(e, program, entry, k, k));
    entry += locals - k;
  }
}

function addCurvature(e: i32, x: usize, w: f64, h: usize): void {
  const program = gather(e, x);
  elementCurvature(e, program);
  const locals = localsOf(program);
  const from = word(elements, e * ELEMENT_WORDS + 2);
  for (let a = 0; a < locals; a++) {
    const j = word(indices, from + a) * variables;
    for (let b = 0; b < locals; b++) {
      const at = j + word(indices, from + b);
      set(h, at, get(h, at) + w * get(curved, a * locals + b));
    }
  }
}
