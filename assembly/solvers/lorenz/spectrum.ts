// A run of the variational system by Runge and Kutta's method with given steps: transient, then blocks.
//
// Error h⁴ along the way; the exponents are means over the way of the discrete system, whose own exponents differ by
// O(h⁴). Each step also shows its maxima and, for a while, its states.

import { explicitScratch } from '../../numerics/ode/explicit';
import { RUNGE_KUTTA_STAGES, rungeKuttaStep } from '../../numerics/ode/runge-kutta';
import { copyValues } from '../../numerics/vector';
import { blockWidth, noteSpeed, renewFrame, resetGrowth, startFrame, writeBlock } from './frame';
import { noteMaximum, noteTurns } from './maxima';
import { n, variational, variationalCount } from './system';

/** Steps done, with those of the transient. */
export let stepsDone: f64 = 0;
export let blocksDone: i32 = 0;
export let pathDone: i32 = 0;
/** The states now. */
export let y: usize = 0;

let dt: f64 = 0;
let steps: f64 = 0;
let transient: f64 = 0;
let interval: i32 = 1;
let sinceFrame: i32 = 0;
let sincePath: i32 = 0;
let blocks: i32 = 0;
let pathRows: i32 = 0;
let pathEvery: i32 = 1;
let next: usize = 0;
let k: usize = 0;
let blockRows: usize = 0;
let path: usize = 0;

/** Number of f64 that `initSpectrum` requires. */
export function spectrumSize(states: i32): i32 {
  const count = states + states * states + 1;
  return 2 * count + explicitScratch(RUNGE_KUTTA_STAGES, count);
}

export function initSpectrum(memoryAddress: usize, blocksAddress: usize, pathAddress: usize): void {
  const bytes = (<usize>variationalCount()) << 3;
  y = memoryAddress;
  next = y + bytes;
  k = next + bytes;
  blockRows = blocksAddress;
  path = pathAddress;
}

export function startSpectrum(
  states: usize,
  step: f64,
  stepCount: f64,
  transientSteps: f64,
  frameInterval: i32,
  blockCount: i32,
  rows: i32,
  every: i32,
): void {
  dt = step;
  steps = stepCount;
  transient = transientSteps;
  interval = frameInterval;
  blocks = blockCount;
  pathRows = rows;
  pathEvery = every;
  stepsDone = 0;
  blocksDone = 0;
  sinceFrame = 0;
  sincePath = 0;
  copyValues(y, states, n);
  startFrame(y, false);
  variational(0, y, k);
  copyValues(path, y, n);
  pathDone = 1;
}

/** One step. @returns whether all is finite */
export function advanceSpectrum(): bool {
  const count = variationalCount();
  rungeKuttaStep(variational, 0, y, k, dt, count, next);
  const after = k + ((<usize>((RUNGE_KUTTA_STAGES - 1) * count)) << 3);
  const isCounted = stepsDone >= transient;
  if (isCounted) {
    noteMaximum(y, k, next, after, dt);
    noteTurns(k, after);
    noteSpeed(after);
  }
  const old = y;
  y = next;
  next = old;
  copyValues(k, after, count);
  stepsDone += 1;
  if (++sincePath === pathEvery && pathDone < pathRows) {
    copyValues(path + ((<usize>(pathDone * n)) << 3), y, n);
    pathDone++;
    sincePath = 0;
  }
  if (stepsDone === transient) return renew() && beginGrowth();
  const isEnd = isCounted && stepsDone - transient === Math.floor((<f64>(blocksDone + 1) * steps) / <f64>blocks);
  if (++sinceFrame < interval && !isEnd) return true;
  if (!renew()) return false;
  if (isEnd) {
    writeBlock((stepsDone - transient) * dt, y, blockRows + ((<usize>(blocksDone * blockWidth(n))) << 3));
    blocksDone++;
  }
  return true;
}

function renew(): bool {
  sinceFrame = 0;
  if (!renewFrame(y)) return false;
  // The vectors are new, and so are their slopes.
  variational(0, y, k);
  return true;
}

function beginGrowth(): bool {
  resetGrowth(y);
  return true;
}
