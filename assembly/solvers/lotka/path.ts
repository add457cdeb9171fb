// The way from the start to the end: samples, and by how much the conserved quantity of a closed orbit drifts.
import { copyValues, get, set } from '../../numerics/vector';
import { after, at, insideWalk, startWalk, stride, tryWalk, WALK_ACCEPTED, WALK_FAILED } from './walk';

/** t, p, q. */
export const SAMPLE_COLUMNS: i32 = 3;
/** Logarithms beyond which populations leave the range of doubles. */
const MAX_LOG: f64 = 650;

export let accepted: f64 = 0;
export let rejected: f64 = 0;
export let isFinished = false;
export let isFailed = false;
/** Whether a population has left the range of doubles. */
export let isOverflowing = false;
export let rows: i32 = 0;

let samples: usize = 0;
let count: i32 = 0;
let end: f64 = 0;

export function startPath(from: usize, until: f64, tolerance: f64, first: f64, out: usize, sampleCount: i32): void {
  samples = out;
  count = sampleCount;
  end = until;
  accepted = 0;
  rejected = 0;
  rows = 0;
  isFinished = false;
  isFailed = false;
  isOverflowing = false;
  startWalk(from, tolerance, first);
  record();
}

function timeOf(row: i32): f64 {
  return row === count - 1 ? end : (end * <f64>row) / <f64>(count - 1);
}

function record(): void {
  while (rows < count && timeOf(rows) <= at) {
    const t = timeOf(rows);
    const row = samples + ((<usize>(SAMPLE_COLUMNS * rows)) << 3);
    set(row, 0, t);
    if (t === at) copyValues(row + 8, after, 2);
    else insideWalk((t - (at - stride)) / stride, row + 8);
    rows++;
  }
}

/** Tries one step. */
export function advancePath(): void {
  const outcome = tryWalk(end);
  if (outcome !== WALK_ACCEPTED) {
    rejected += 1;
    isFailed = outcome === WALK_FAILED;
    return;
  }
  accepted += 1;
  record();
  isOverflowing = get(after, 0) > MAX_LOG || get(after, 1) > MAX_LOG;
  isFinished = at >= end;
}
