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
  fillFrom(Samples.controls, count, controlCentre);
  const middle = f64x2.splat(controlCentre);
  let sum = f64x2.splat(0);
  let squares = f64x2.splat(0);
  for (let at: usize = 0; at < ROW; at += 16) {
    const x = f64x2.sub(v128.load(Samples.controls + at), middle);
    sum = f64x2.add(sum, x);
    squares = f64x2.add(squares, f64x2.mul(x, x));
  }
  const paid = paidSamples(count);
  add(record, <f64>count);
  add(record + 8, paid);
  add(record + 16, laneSum(sum));
  add(record + 24, laneSum(squares));
  for (let e = 0; e < Samples.used; e++) addEstimates(record + ((<usize>(BEFORE + SUMS * e)) << 3), e, count);
}

function addEstimates(target: usize, e: i32, count: i32): void {
  const row = estimateRow(e);
  const centre = load<f64>(Samples.centres + ((<usize>(1 + e)) << 3));
  fillFrom(row, count, centre);
  const middle = f64x2.splat(centre);
  const controlMiddle = f64x2.splat(load<f64>(Samples.centres));
  let sum = f64x2.splat(0);
  let squares = f64x2.splat(0);
  let products = f64x2.splat(0);
  for (let at: usize = 0; at < ROW; at += 16) {
    const y = f64x2.sub(v128.load(row + at), middle);
    const x = f64x2.sub(v128.load(Samples.controls + at), controlMiddle);
    sum = f64x2.add(sum, y);
    squares = f64x2.add(squares, f64x2.mul(y, y));
    products = f64x2.add(products, f64x2.mul(x, y));
  }
  add(target, laneSum(sum));
  add(target + 8, laneSum(squares));
  add(target + 16, laneSum(products));
}

/** Number of samples whose price is not 0. */
function paidSamples(count: i32): f64 {
  const row = estimateRow(0);
  fillFrom(row, count, 0);
  const one = f64x2.splat(1);
  const zero = f64x2.splat(0);
  let paid = zero;
  for (let at: usize = 0; at < ROW; at += 16)
    paid = f64x2.add(paid, v128.and(one, f64x2.ne(v128.load(row + at), zero)));
  return laneSum(paid);
}

function fillFrom(row: usize, count: i32, value: f64): void {
  for (let i = count; i < BLOCK; i++) store<f64>(row + ((<usize>i) << 3), value);
}

function add(address: usize, value: f64): void {
  store<f64>(address, load<f64>(address) + value);
}
