// Nelder and Mead's simplex with the parameters of Gao and Han, that depend on n, and a new simplex at the best vertex until
// it changes nothing.
//
// No slopes; without a proof of convergence, and slow beyond about ten variables. Nelder & Mead, Comput. J. 7 (1965) 308–313;
// Gao & Han, Comput. Optim. Appl. 51 (2012) 259–277.

import { copyValues, get, set } from '../../numerics/vector';
import { hasMemory, takeF64 } from './memory';
import { value } from './objective';
import {
  beginState,
  COLLAPSED,
  clip,
  countIteration,
  f,
  isBelowAll,
  isNegligible,
  NO_START,
  n,
  STATIONARY,
  setStatus,
  setValue,
  trialX,
  UNBOUNDED,
  x,
} from './state';

/** Edges of a first simplex, relative to the coordinate and where it is 0. */
const EDGE: f64 = 0.05;
const EDGE_AT_ZERO: f64 = 0.00025;
const MAX_RESTARTS: i32 = 20;
const SMALL: f64 = 1e-8;

let vertices: usize = 0;
let values: usize = 0;
let center: usize = 0;
let other: usize = 0;
let restarts: i32 = 0;
let bestBefore: f64 = 0;
/** Iterations since the best value fell noticeably, and that value. */
let idle: i32 = 0;
let lastBest: f64 = 0;

export function reserveSimplex(isNeeded: bool): bool {
  vertices = takeF64(isNeeded ? n * (n + 1) : 1);
  values = takeF64(n + 1);
  center = takeF64(n);
  other = takeF64(n);
  return hasMemory();
}

function vertex(i: i32): usize {
  return vertices + ((<usize>(n * i)) << 3);
}

export function beginSimplex(): void {
  beginState(value(x));
  restarts = 0;
  bestBefore = f;
  idle = 0;
  lastBest = f;
  if (f < Infinity) build(1);
  else setStatus(NO_START);
}

function build(size: f64): void {
  for (let i = 0; i <= n; i++) {
    copyValues(vertex(i), x, n);
    if (i > 0) {
      const at = get(x, i - 1);
      const edge = size * (at !== 0 ? EDGE * at : EDGE_AT_ZERO);
      let moved = clip(i - 1, at + edge);
      if (moved === at) moved = clip(i - 1, at - edge);
      set(vertex(i), i - 1, moved);
    }
    set(values, i, i === 0 ? f : value(vertex(i)));
  }
}

/** The trial at center + t (center − worst). */
function tryAt(t: f64, worst: usize): f64 {
  for (let j = 0; j < n; j++) set(trialX, j, clip(j, get(center, j) + t * (get(center, j) - get(worst, j))));
  return value(trialX);
}

function replace(i: i32, from: usize, v: f64): void {
  copyValues(vertex(i), from, n);
  set(values, i, v);
}

export function iterateSimplex(): void {
  let best = 0;
  let worst = 0;
  for (let i = 1; i <= n; i++) {
    if (get(values, i) < get(values, best)) best = i;
    if (get(values, i) >= get(values, worst)) worst = i;
  }
  if (worst === best) worst = best === 0 ? n : 0;
  let second = best;
  for (let i = 0; i <= n; i++) if (i !== worst && get(values, i) > get(values, second)) second = i;
  copyValues(x, vertex(best), n);
  setValue(get(values, best));
  if (isBelowAll(f)) {
    setStatus(UNBOUNDED);
    return;
  }
  if (f < lastBest - 1e-15 * Math.abs(lastBest)) {
    lastBest = f;
    idle = 0;
  } else {
    idle++;
  }
  if ((isNegligible(get(values, worst) - f) && isSmall(best)) || idle > 100 + 40 * n) {
    again();
    return;
  }
  for (let j = 0; j < n; j++) {
    let sum: f64 = 0;
    for (let i = 0; i <= n; i++) if (i !== worst) sum += get(vertex(i), j);
    set(center, j, sum / <f64>n);
  }
  const dimension = <f64>max(n, 2);
  const expansion = 1 + 2 / dimension;
  const contraction = 0.75 - 1 / (2 * dimension);
  const shrink = 1 - 1 / dimension;
  const reflected = tryAt(1, vertex(worst));
  countIteration();
  if (reflected < f) {
    copyValues(other, trialX, n);
    const expanded = tryAt(expansion, vertex(worst));
    if (expanded < reflected) replace(worst, trialX, expanded);
    else replace(worst, other, reflected);
    return;
  }
  if (reflected < get(values, second)) {
    replace(worst, trialX, reflected);
    return;
  }
  const isOutside = reflected < get(values, worst);
  const bound = isOutside ? reflected : get(values, worst);
  const contracted = tryAt(isOutside ? contraction : -contraction, vertex(worst));
  if (contracted <= bound && contracted < Infinity && (contracted < get(values, worst) || isOutside)) {
    replace(worst, trialX, contracted);
    return;
  }
  for (let i = 0; i <= n; i++) {
    if (i === best) continue;
    for (let j = 0; j < n; j++) set(vertex(i), j, get(x, j) + shrink * (get(vertex(i), j) - get(x, j)));
    set(values, i, value(vertex(i)));
  }
}

function isSmall(best: i32): bool {
  for (let j = 0; j < n; j++) {
    const at = get(vertex(best), j);
    for (let i = 0; i <= n; i++)
      if (Math.abs(get(vertex(i), j) - at) > SMALL * Math.max(Math.abs(at), 1e-4)) return false;
  }
  return true;
}

function again(): void {
  const isLast = restarts > 0 && isNegligible(bestBefore - f);
  if (isLast || restarts >= MAX_RESTARTS) {
    setStatus(isLast ? STATIONARY : COLLAPSED);
    return;
  }
  restarts++;
  bestBefore = f;
  idle = 0;
  build(restarts % 2 === 1 ? -1 : 1);
}
