// Records of the state: budgets, extremes and the front, depths at gauges, frames, and the state itself.
//
// Calls in inner loops: none.
import { allocateF64 } from '../../kernel';
import { neumaierSum3 } from '../../numerics/sum';
import { get, set } from '../../numerics/vector';
import * as grid from './grid';

/** Of the history, in the order of the kernel's HistoryColumn. */
export const COLUMNS: i32 = 8;

let dx: f64 = 0;
let dy: f64 = 0;
let gravity: f64 = 0;
let stride: i32 = 0;
let frontRow: i32 = 0;
let frontDepth: f64 = 0;
export let gauges: i32 = 0;
export let maxSamples: i32 = 0;
export let maxFrames: i32 = 0;
export let frameLength: i32 = 0;
export let sampleCount: i32 = 0;
export let frameCount: i32 = 0;

export let history: usize = 0;
export let gaugeDepths: usize = 0;
export let frames: usize = 0;
export let depth: usize = 0;
export let flowX: usize = 0;
export let flowY: usize = 0;
let terms: usize = 0;
let sums: usize = 0;

export function allocateMeasure(
  spacingX: f64,
  spacingY: f64,
  g: f64,
  sampleRows: i32,
  frameRows: i32,
  every: i32,
  gaugeNumber: i32,
  row: i32,
  level: f64,
): bool {
  dx = spacingX;
  dy = spacingY;
  gravity = g;
  maxSamples = sampleRows;
  maxFrames = frameRows;
  stride = every;
  gauges = gaugeNumber;
  frontRow = row;
  frontDepth = level;
  const cells = grid.rows * grid.columns;
  frameLength = ((grid.columns + every - 1) / every) * ((grid.rows + every - 1) / every);
  history = allocateF64(sampleRows * COLUMNS);
  gaugeDepths = allocateF64(sampleRows * gaugeNumber);
  frames = allocateF64(frameRows * frameLength);
  depth = allocateF64(cells);
  flowX = allocateF64(cells);
  flowY = allocateF64(cells);
  terms = allocateF64(3 * grid.columns + 3);
  sums = allocateF64(3 * grid.rows);
  return !!(history && gaugeDepths && frames && depth && flowX && flowY && terms && sums);
}

export function reset(): void {
  sampleCount = 0;
  frameCount = 0;
}

export function recordSample(time: f64, outflow: f64, bed: usize, places: usize): void {
  const bytes = (<usize>grid.columns) << 3;
  for (let j = 0; j < grid.rows; j++) {
    const at = <usize>j * grid.stride;
    memory.copy(depth + <usize>j * bytes, grid.h + at, bytes);
    memory.copy(flowX + <usize>j * bytes, grid.q + at, bytes);
    memory.copy(flowY + <usize>j * bytes, grid.r + at, bytes);
  }
  const row = history + ((<usize>(sampleCount * COLUMNS)) << 3);
  set(row, 0, time);
  setTotals(row, bed);
  set(row, 2, outflow);
  setExtremes(row);
  set(row, 7, front());
  const gaugeRow = gaugeDepths + ((<usize>(sampleCount * gauges)) << 3);
  for (let k = 0; k < gauges; k++) set(gaugeRow, k, depthAt(get(places, 2 * k), get(places, 2 * k + 1)));
  sampleCount++;
}

/** Volume, energy of motion and energy of height, row by row. */
function setTotals(row: usize, bed: usize): void {
  const length = (<usize>grid.columns) << 3;
  const rowSums = (<usize>grid.rows) << 3;
  for (let j = 0; j < grid.rows; j++) {
    const at = <usize>j * grid.stride;
    const beds = bed + <usize>j * length;
    for (let i = 0; i < grid.columns; i++) {
      const h = get(grid.h + at, i);
      const u = get(grid.u + at, i);
      const v = get(grid.v + at, i);
      set(terms, i, h);
      set(terms + length, i, 0.5 * h * (u * u + v * v));
      set(terms + 2 * length, i, gravity * h * (0.5 * h + get(beds, i)));
    }
    neumaierSum3(terms, grid.columns, length, sums + ((<usize>j) << 3), rowSums);
  }
  neumaierSum3(sums, grid.rows, rowSums, terms, 8);
  set(row, 1, dx * dy * get(terms, 0));
  set(row, 3, dx * dy * get(terms, 1));
  set(row, 4, dx * dy * get(terms, 2));
}

/** Two cells at a time; beside the last cell of an odd row is its copy in the halo. */
function setExtremes(row: usize): void {
  let fastest = f64x2.splat(0);
  let lowest = f64x2.splat(f64.POSITIVE_INFINITY);
  for (let j = 0; j < grid.rows; j++) {
    const at = <usize>j * grid.stride;
    for (let i: usize = at; i < at + ((<usize>grid.columns) << 3); i += 16) {
      const u = v128.load(grid.u + i);
      const v = v128.load(grid.v + i);
      fastest = f64x2.pmax(fastest, f64x2.add(f64x2.mul(u, u), f64x2.mul(v, v)));
      lowest = f64x2.pmin(lowest, v128.load(grid.h + i));
    }
  }
  set(row, 5, Math.sqrt(Math.max(f64x2.extract_lane(fastest, 0), f64x2.extract_lane(fastest, 1))));
  set(row, 6, Math.min(f64x2.extract_lane(lowest, 0), f64x2.extract_lane(lowest, 1)));
}

/** The last place of the row that is as deep, between two centers; 0 if none is. */
function front(): f64 {
  const h = grid.h + <usize>frontRow * grid.stride;
  for (let i = grid.columns - 1; i >= 0; i--) {
    const here = get(h, i);
    if (!(here > frontDepth)) continue;
    const beyond = i === grid.columns - 1 ? here : get(h, i + 1);
    const part = beyond < here ? Math.min(1, (here - frontDepth) / (here - beyond)) : 0.5;
    return dx * (<f64>i + 0.5 + part);
  }
  return 0;
}

/** Between centers linear; beyond the outer ones that of the cell. */
function depthAt(x: f64, y: f64): f64 {
  const i = <i32>Math.floor(Math.min(Math.max(x, 0), <f64>(grid.columns - 2)));
  const s = Math.min(Math.max(x - <f64>i, 0), 1);
  if (grid.rows === 1) return mix(grid.h, i, s);
  const j = <i32>Math.floor(Math.min(Math.max(y, 0), <f64>(grid.rows - 2)));
  const t = Math.min(Math.max(y - <f64>j, 0), 1);
  const row = grid.h + <usize>j * grid.stride;
  return (1 - t) * mix(row, i, s) + t * mix(row + grid.stride, i, s);
}

function mix(row: usize, i: i32, s: f64): f64 {
  return (1 - s) * get(row, i) + s * get(row, i + 1);
}

export function recordFrame(): void {
  let to = frames + ((<usize>(frameCount * frameLength)) << 3);
  for (let j = 0; j < grid.rows; j += stride)
    for (let i = 0; i < grid.columns; i += stride, to += 8) store<f64>(to, get(grid.h + <usize>j * grid.stride, i));
  frameCount++;
}
