// Reaction rates f and g of a row of cells: Gray–Scott, FitzHugh–Nagumo, or two expressions.
//
//   Gray–Scott        f = −u v² + F (1 − u)        g = u v² − (F + k) v
//   FitzHugh–Nagumo   f = u − u³/3 − v + I         g = ε (u + a − b v)
//
// Expressions are run over a whole row: by a linked module (expression/compiled.ts) in blocks, of which the machine
// checks the first row, or by the machine alone.
//
// Calls in inner loops: the machine, for expressions that are not compiled, and for initial states.
import { assertSame, compiledRows } from '../../expression/compiled';
import { evaluate, FAILURE_NONE, failure, STACK_VALUES } from '../../expression/machine';
import { allocate, allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';

export const GRAY_SCOTT: i32 = 0;
export const FITZHUGH_NAGUMO: i32 = 1;
export const EXPRESSIONS: i32 = 2;

/** Expressions by number. The first two are rates; the others give the initial state. */
export const RATE_U: i32 = 0;
export const RATE_V: i32 = 1;
export const INITIAL_U: i32 = 2;
export const INITIAL_V: i32 = 3;
export const PROGRAMS: i32 = 4;

/** Slots of an expression: u, v, x, y, t, and the rate of u once it is known. */
const SLOTS: i32 = 6;
const SLOT_RATE: i32 = 5;
const ROW_BYTES: usize = 48;

/** i32[4, 2]: where each expression begins in code and pool; −1 where there is none. */
export let programs: usize = 0;
export let code: usize = 0;
export let pool: usize = 0;
let stack: usize = 0;
/** f64[columns, SLOTS] */
let slots: usize = 0;
/** Rates of a row, f64[columns], and one more if that is odd. */
export let rateU: usize = 0;
export let rateV: usize = 0;

let columns: i32 = 0;
let model: i32 = 0;
let hx: f64 = 0;
let hy: f64 = 0;
let lengthX: f64 = 0;
let lengthY: f64 = 0;
let isPeriodic = false;
let feed: f64 = 0;
let removal: f64 = 0;
let epsilon: f64 = 0;
let a: f64 = 0;
let b: f64 = 0;
let current: f64 = 0;

/** Where an expression had no value: its number, from 1, and the place; 0 if all have. */
export let faultProgram: f64 = 0;
export let faultX: f64 = 0;
export let faultY: f64 = 0;
export let faultT: f64 = 0;

/** @param widthY  of a cell; 0 on a line */
export function configure(modelNumber: i32, cells: i32, rows: i32, widthX: f64, widthY: f64, periodic: bool): void {
  model = modelNumber;
  columns = cells;
  hx = widthX;
  hy = widthY;
  lengthX = <f64>cells * widthX;
  lengthY = <f64>rows * widthY;
  isPeriodic = periodic;
}

export function configureGrayScott(feedRate: f64, removalRate: f64): void {
  feed = feedRate;
  removal = feedRate + removalRate;
}

export function configureFitzHughNagumo(rate: f64, shift: f64, leak: f64, stimulus: f64): void {
  epsilon = rate;
  a = shift;
  b = leak;
  current = stimulus;
}

export function allocateKinetics(codeWords: i32, poolValues: i32): bool {
  programs = allocate(PROGRAMS * 8);
  code = allocate((<usize>codeWords) << 2);
  pool = allocateF64(poolValues);
  stack = allocateF64(STACK_VALUES);
  slots = allocateF64(SLOTS * columns);
  rateU = allocateF64(columns + 1);
  rateV = allocateF64(columns + 1);
  return !!(programs && code && pool && stack && slots && rateU && rateV);
}

export function resetFault(): void {
  faultProgram = 0;
}

export function isGiven(program: i32): bool {
  return load<i32>(programs + ((<usize>program) << 3)) >= 0;
}

/** The place of a cell center; a line lies at y = 0. */
export function xOf(i: f64): f64 {
  return (i + 0.5) * hx;
}
export function yOf(j: f64): f64 {
  return hy === 0 ? 0 : (j + 0.5) * hy;
}

function run(program: i32, row: usize): f64 {
  const at = programs + ((<usize>program) << 3);
  return evaluate(code + ((<usize>load<i32>(at)) << 2), pool + ((<usize>load<i32>(at, 4)) << 3), row, stack);
}

function note(program: i32, row: usize): void {
  if (faultProgram !== 0) return;
  faultProgram = <f64>(program + 1);
  faultX = get(row, 2);
  faultY = get(row, 3);
  faultT = get(row, 4);
}

/**
 * An initial state at cell (i, j): the value at its center for one sample; else its mean by a hat of two cells over
 * samples² points, `samples` on a line, so that a jump keeps its place on any grid.
 */
export function initialValue(program: i32, i: i32, j: i32, samples: i32): f64 {
  const rows = hy === 0 ? 1 : samples;
  let sum: f64 = 0;
  let weights: f64 = 0;
  for (let q = 0; q < rows; q++)
    for (let p = 0; p < samples; p++) {
      const s = offset(p, samples);
      const t = offset(q, rows);
      const weight = (1 - Math.abs(s)) * (1 - Math.abs(t));
      memory.fill(slots, 0, ROW_BYTES);
      set(slots, 2, inside(xOf(<f64>i + s), lengthX));
      set(slots, 3, hy === 0 ? 0 : inside(yOf(<f64>j + t), lengthY));
      const value = run(program, slots);
      if (!isFinite(value) || failure() !== FAILURE_NONE) note(program, slots);
      sum += weight * value;
      weights += weight;
    }
  return sum / weights;
}

/** Sample p of n over (−1, 1). */
function offset(p: i32, n: i32): f64 {
  return (2 * <f64>p + 1) / <f64>n - 1;
}

/** A place beyond a side as the domain continues there. */
function inside(x: f64, length: f64): f64 {
  if (x < 0) return isPeriodic ? x + length : -x;
  if (x > length) return isPeriodic ? x - length : 2 * length - x;
  return x;
}

/** Writes f and g of row j to rateU and rateV. @returns whether every expression has a value */
export function rateRow(u: usize, v: usize, j: i32, t: f64): bool {
  if (model === EXPRESSIONS) return expressionRow(u, v, j, t);
  if (model === GRAY_SCOTT) grayScottRow(u, v);
  else fitzHughNagumoRow(u, v);
  return true;
}

function grayScottRow(u: usize, v: usize): void {
  const inflow = f64x2.splat(feed);
  const outflow = f64x2.splat(removal);
  const end = u + ((<usize>columns) << 3);
  let f = rateU;
  let g = rateV;
  while (u < end) {
    const x = v128.load(u);
    const y = v128.load(v);
    const conversion = f64x2.mul(x, f64x2.mul(y, y));
    v128.store(f, f64x2.sub(inflow, f64x2.add(conversion, f64x2.mul(inflow, x))));
    v128.store(g, f64x2.sub(conversion, f64x2.mul(outflow, y)));
    u += 16;
    v += 16;
    f += 16;
    g += 16;
  }
}

function fitzHughNagumoRow(u: usize, v: usize): void {
  const stimulus = f64x2.splat(current);
  const rate = f64x2.splat(epsilon);
  const shift = f64x2.splat(a);
  const leak = f64x2.splat(b);
  const one = f64x2.splat(1);
  const third = f64x2.splat(1.0 / 3.0);
  const end = u + ((<usize>columns) << 3);
  let f = rateU;
  let g = rateV;
  while (u < end) {
    const x = v128.load(u);
    const y = v128.load(v);
    const cubic = f64x2.mul(x, f64x2.sub(one, f64x2.mul(third, f64x2.mul(x, x))));
    v128.store(f, f64x2.add(f64x2.sub(cubic, y), stimulus));
    v128.store(g, f64x2.mul(rate, f64x2.sub(f64x2.add(x, shift), f64x2.mul(leak, y))));
    u += 16;
    v += 16;
    f += 16;
    g += 16;
  }
}

function expressionRow(u: usize, v: usize, j: i32, t: f64): bool {
  const y = yOf(<f64>j);
  for (let i = 0; i < columns; i++) {
    const row = slots + <usize>i * ROW_BYTES;
    set(row, 0, get(u, i));
    set(row, 1, get(v, i));
    set(row, 2, xOf(<f64>i));
    set(row, 3, y);
    set(row, 4, t);
  }
  let isDefined: f64 = 0;
  let i = 0;
  while (i < columns) {
    const row = slots + <usize>i * ROW_BYTES;
    const done = compiledRows(pool, row, rateV + ((<usize>i) << 3), columns - i);
    const f = run(RATE_U, row);
    const isFailure = failure() !== FAILURE_NONE;
    if (isFailure) note(RATE_U, row);
    if (done > 0) assertSame(get(row, SLOT_RATE), f);
    else set(row, SLOT_RATE, f);
    const g = run(RATE_V, row);
    if (failure() !== FAILURE_NONE) note(RATE_V, row);
    if (done > 0) assertSame(get(rateV, i), g);
    else set(rateV, i, g);
    i += max(done, 1);
  }
  for (i = 0; i < columns; i++) {
    const f = get(slots + <usize>i * ROW_BYTES, SLOT_RATE);
    set(rateU, i, f);
    // 0 for finite numbers, NaN for others.
    isDefined += f * 0 + get(rateV, i) * 0;
  }
  if (isDefined === 0 && faultProgram === 0) return true;
  for (i = 0; i < columns; i++) {
    const row = slots + <usize>i * ROW_BYTES;
    if (!isFinite(get(rateU, i))) note(RATE_U, row);
    if (!isFinite(get(rateV, i))) note(RATE_V, row);
  }
  return false;
}
