// Sums over samples: a record for each group, and rows of one block of samples.
import { allocateF64 } from '../../kernel';
import { laneSum } from '../../numerics/simd';

/** Samples of a block; arrays over a block are rows of so many f64. */
export const BLOCK: i32 = 128;
/** Bytes of a row. */
export const ROW: usize = 1024;
/** price, delta, gamma, vega, rho */
export const ESTIMATORS: i32 = 5;
export const GROUPS: i32 = 32;

const BEFORE: i32 = 4;
const SUMS: i32 = 3;
export const COLUMNS: i32 = BEFORE + SUMS * ESTIMATORS;

export namespace Samples {
  /** f64[ESTIMATORS][BLOCK]: values of each estimator; f64[BLOCK]: of the control. */
  export let estimates: usize = 0;
  export let controls: usize = 0;
  /** Whether the sums with the control are used. */
  export let hasControl: bool = false;
  /** f64[GROUPS][COLUMNS] */
  export let records: usize = 0;
  /** f64[1 + ESTIMATORS]: what is subtracted from the control and from each estimator, so that squares keep digits. */
  export let centres: usize = 0;
  /** Number of estimators in use. */
  export let used: i32 = 0;
}

export function allocateSamples(): bool {
  Samples.estimates = allocateF64(ESTIMATORS * BLOCK);
  Samples.controls = allocateF64(BLOCK);
  Samples.records = allocateF64(GROUPS * COLUMNS);
  Samples.centres = allocateF64(1 + ESTIMATORS);
  return Samples.estimates !== 0 && Samples.controls !== 0 && Samples.records !== 0 && Samples.centres !== 0;
}

export function estimateRow(e: i32): usize {
  return Samples.estimates + <usize>e * ROW;
}

/** Adds the first `count` samples of the rows to the record of a group. Rows are changed beyond `count`. */
export function addSamples(group: i32, count: i32): void {
  const record = Samples.records + ((<usize>(group * COLUMNS)) << 3);
  const controlCentre = load<f64>(Samples.centres);
  add(record, <f64>count);
  add(record + 8, paidSamples(count));
  if (Samples.hasControl) {
    fillFrom(Samples.controls, count, controlCentre);
    addMoments(record + 16, Samples.controls, controlCentre);
  }
  for (let e = 0; e < Samples.used; e++) {
    const target = record + ((<usize>(BEFORE + SUMS * e)) << 3);
    const row = estimateRow(e);
    const centre = load<f64>(Samples.centres + ((<usize>(1 + e)) << 3));
    fillFrom(row, count, centre);
    addMoments(target, row, centre);
    if (Samples.hasControl) addProducts(target + 16, row, centre, controlCentre);
  }
}

// Two accumulators in each sum: an addition waits for the one before it.

/** Adds the sum and the squares of a row less its centre. */
function addMoments(target: usize, row: usize, centre: f64): void {
  const middle = f64x2.splat(centre);
  let sum = f64x2.splat(0);
  let sum2 = sum;
  let squares = sum;
  let squares2 = sum;
  for (let at: usize = 0; at < ROW; at += 32) {
    const x = f64x2.sub(v128.load(row + at), middle);
    const x2 = f64x2.sub(v128.load(row + at, 16), middle);
    sum = f64x2.add(sum, x);
    sum2 = f64x2.add(sum2, x2);
    squares = f64x2.add(squares, f64x2.mul(x, x));
    squares2 = f64x2.add(squares2, f64x2.mul(x2, x2));
  }
  add(target, laneSum(f64x2.add(sum, sum2)));
  add(target + 8, laneSum(f64x2.add(squares, squares2)));
}

/** Adds the products of a row and of the controls, less their centres. */
function addProducts(target: usize, row: usize, centre: f64, controlCentre: f64): void {
  const controls = Samples.controls;
  const middle = f64x2.splat(centre);
  const controlMiddle = f64x2.splat(controlCentre);
  let sum = f64x2.splat(0);
  let sum2 = sum;
  for (let at: usize = 0; at < ROW; at += 32) {
    const x = f64x2.sub(v128.load(row + at), middle);
    const x2 = f64x2.sub(v128.load(row + at, 16), middle);
    sum = f64x2.add(sum, f64x2.mul(x, f64x2.sub(v128.load(controls + at), controlMiddle)));
    sum2 = f64x2.add(sum2, f64x2.mul(x2, f64x2.sub(v128.load(controls + at, 16), controlMiddle)));
  }
  add(target, laneSum(f64x2.add(sum, sum2)));
}

/** Number of samples whose price is not 0. */
function paidSamples(count: i32): f64 {
  const row = estimateRow(0);
  fillFrom(row, count, 0);
  const zero = f64x2.splat(0);
  // A comparison gives the integer −1 in a lane where it holds.
  let paid = i64x2.splat(0);
  let paid2 = paid;
  for (let at: usize = 0; at < ROW; at += 32) {
    paid = i64x2.sub(paid, f64x2.ne(v128.load(row + at), zero));
    paid2 = i64x2.sub(paid2, f64x2.ne(v128.load(row + at, 16), zero));
  }
  const both = i64x2.add(paid, paid2);
  return <f64>(i64x2.extract_lane(both, 0) + i64x2.extract_lane(both, 1));
}

function fillFrom(row: usize, count: i32, value: f64): void {
  for (let i = count; i < BLOCK; i++) store<f64>(row + ((<usize>i) << 3), value);
}

function add(address: usize, value: f64): void {
  store<f64>(address, load<f64>(address) + value);
}
