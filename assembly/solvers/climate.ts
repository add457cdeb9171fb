// Shallow water on a line or a rectangle, over a bed b, on a plane that turns at f/2:
//
//   ∂h/∂t + ∇·(h u) = 0        ∂(h u)/∂t + ∇·(h u u) + g h ∇(h + b) + f k × h u + g n² |u| u / h^(1/3) = 0
//
// Finite volumes of order 1 in time and space, or of order 2 (climate/second.ts, steps of Heun's), explicit. Fluxes by Lax and Friedrichs (one speed dx/dt for all faces), by
// Rusanov (the largest speed of the two cells beside a face), or by Harten, Lax and van Leer. Stable and h >= 0 for
// dt ((|u| + c)/dx + (|v| + c)/dy) <= 1; Lax and Friedrichs in a plane for half of dx/(|u| + c). The smaller dt, the more
// Lax and Friedrichs smear. Rest over any bed is kept by hydrostatic reconstruction, and flow along an axis in geostrophic
// balance by a bed that leans with f v / g. Friction is exact for a fixed depth.
// Rusanov, USSR Comput. Math. Math. Phys. 1 (1962); Harten, Lax & van Leer, SIAM Rev. 25 (1983) 35; Audusse et al., SIAM
// J. Sci. Comput. 25 (2004) 2050; Bouchut, Le Sommer & Zeitlin, J. Fluid Mech. 514 (2004) 35; LeVeque, Finite Volume
// Methods for Hyperbolic Problems (2002), ch. 12 and 13.
//
// Calls in inner loops: cbrt, with friction only.
export { abi, control } from '../kernel';

import {
  allocateF64,
  INFO_NON_FINITE,
  INFO_NOT_CONVERGED,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from '../kernel';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import * as flux from './climate/flux';
import * as grid from './climate/grid';
import * as measure from './climate/measure';
import * as second from './climate/second';
import * as step from './climate/step';

/**
 * columns and rows, cells along x and y, rows 1 for a line; hasCross 0 | 1, v of a line is kept (1 in a plane); spacingX and
 * spacingY > 0; gravity > 0; scheme 0 Lax–Friedrichs, 1 Rusanov, 2 HLL; courant > 0; end, time > 0; maxSteps, and ticks of
 * progress over the time; manning n >= 0; coriolis f at y = 0 and beta, its slope; west, east, south, north: 0 wall, 1 open,
 * 2 periodic, in pairs; dryDepth, below which water rests; samples and frames >= 1 after the start; stride, cells from
 * one number of a frame to the next; gauges; frontRow and frontDepth: a front is the last place of the row that is deeper;
 * order 0 or 1, or 2 with half the step that courant gives; limiter 0 minmod, 1 van Leer.
 */
export enum Parameter {
  columns,
  rows,
  hasCross,
  spacingX,
  spacingY,
  gravity,
  scheme,
  courant,
  end,
  maxSteps,
  ticks,
  manning,
  coriolis,
  beta,
  west,
  east,
  south,
  north,
  dryDepth,
  samples,
  frames,
  stride,
  gauges,
  frontRow,
  frontDepth,
  order,
  limiter,
}

/**
 * In: initialDepth, initialX and initialY f64[rows, columns], h, h u and h v at the start; bed f64[rows, columns];
 * gaugePlaces f64[gauges, 2], in cells from the first center along x and y. Out: history f64[samples + 2, 8], see
 * HistoryColumn; gaugeDepths f64[samples + 2, gauges]; frames f64[frames + 2, rows / stride, columns / stride], depths;
 * depth, flowX and flowY f64[rows, columns], h, h u and h v at the last sample.
 */
export enum View {
  initialDepth,
  initialX,
  initialY,
  bed,
  gaugePlaces,
  history,
  gaugeDepths,
  frames,
  depth,
  flowX,
  flowY,
}

/** steps done; recorded rows of history and of frames; clipped, volume that rounding took below 0 and that was added. */
export enum Statistic {
  steps,
  samples,
  frames,
  clipped,
}

/**
 * t; volume of the water; outflow, volume that left through open sides until then; energy of motion and of height over
 * g and density 1; speed, the largest |u|; lowest depth; front; volume and energy are per width on a line.
 */
export enum HistoryColumn {
  t,
  volume,
  outflow,
  kinetic,
  potential,
  speed,
  lowest,
  front,
}

const MAX_CELLS: f64 = 4194304;

let end: f64 = 0;
let time: f64 = 0;
let steps: f64 = 0;
let maxSteps: f64 = 0;
let ticks: f64 = 0;
let samples: f64 = 0;
let frames: f64 = 0;
let sample: f64 = 0;
let frame: f64 = 0;

let initialDepth: usize = 0;
let initialX: usize = 0;
let initialY: usize = 0;
let bed: usize = 0;
let gaugePlaces: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  const wrong = illegalParameter();
  if (wrong !== 0) return wrong;
  return allocateAll() ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function illegalParameter(): i32 {
  if (!isIntegerBetween(parameter(Parameter.columns), 4, MAX_CELLS)) return illegal(Parameter.columns);
  const rows = parameter(Parameter.rows);
  if (rows !== 1 && !isIntegerBetween(rows, 4, MAX_CELLS)) return illegal(Parameter.rows);
  if (rows * parameter(Parameter.columns) > MAX_CELLS) return illegal(Parameter.rows);
  if (!isFlag(parameter(Parameter.hasCross))) return illegal(Parameter.hasCross);
  if (rows > 1 && parameter(Parameter.hasCross) !== 1) return illegal(Parameter.hasCross);
  for (let i: i32 = Parameter.spacingX; i <= Parameter.gravity; i++) if (!isPositive(parameter(i))) return illegal(i);
  if (!isIntegerBetween(parameter(Parameter.scheme), 0, 2)) return illegal(Parameter.scheme);
  for (let i: i32 = Parameter.courant; i <= Parameter.end; i++) if (!isPositive(parameter(i))) return illegal(i);
  if (!isIntegerBetween(parameter(Parameter.maxSteps), 1, 1e12)) return illegal(Parameter.maxSteps);
  if (!isIntegerBetween(parameter(Parameter.ticks), 1, 1e12)) return illegal(Parameter.ticks);
  if (!isNonNegative(parameter(Parameter.manning))) return illegal(Parameter.manning);
  for (let i: i32 = Parameter.coriolis; i <= Parameter.beta; i++) {
    if (!isFinite(parameter(i))) return illegal(i);
    // A line that turns has a velocity across.
    if (parameter(i) !== 0 && parameter(Parameter.hasCross) !== 1) return illegal(i);
  }
  const side = illegalSide();
  if (side !== 0) return side;
  if (!isNonNegative(parameter(Parameter.dryDepth))) return illegal(Parameter.dryDepth);
  for (let i: i32 = Parameter.samples; i <= Parameter.stride; i++)
    if (!isIntegerBetween(parameter(i), 1, 1e6)) return illegal(i);
  if (!isIntegerBetween(parameter(Parameter.gauges), 1, 1024)) return illegal(Parameter.gauges);
  if (!isIntegerBetween(parameter(Parameter.frontRow), 0, rows - 1)) return illegal(Parameter.frontRow);
  if (!isFinite(parameter(Parameter.frontDepth))) return illegal(Parameter.frontDepth);
  if (!isIntegerBetween(parameter(Parameter.order), 0, 2)) return illegal(Parameter.order);
  if (!isFlag(parameter(Parameter.limiter))) return illegal(Parameter.limiter);
  return 0;
}

/** Periodic sides come in pairs. */
function illegalSide(): i32 {
  for (let i: i32 = Parameter.west; i <= Parameter.north; i++)
    if (!isIntegerBetween(parameter(i), 0, 2)) return illegal(i);
  for (let i: i32 = Parameter.west; i <= Parameter.south; i += 2)
    if ((parameter(i) === grid.PERIODIC) !== (parameter(i + 1) === grid.PERIODIC)) return illegal(i + 1);
  return 0;
}

function allocateAll(): bool {
  end = parameter(Parameter.end);
  maxSteps = parameter(Parameter.maxSteps);
  ticks = parameter(Parameter.ticks);
  samples = parameter(Parameter.samples);
  frames = parameter(Parameter.frames);
  const columns = <i32>parameter(Parameter.columns);
  const rows = <i32>parameter(Parameter.rows);
  grid.configure(
    columns,
    rows,
    parameter(Parameter.hasCross) === 1,
    <i32>parameter(Parameter.west),
    <i32>parameter(Parameter.east),
    <i32>parameter(Parameter.south),
    <i32>parameter(Parameter.north),
  );
  flux.configure(<i32>parameter(Parameter.scheme), parameter(Parameter.gravity));
  step.configure(
    parameter(Parameter.spacingX),
    parameter(Parameter.spacingY),
    parameter(Parameter.gravity),
    <i32>parameter(Parameter.scheme),
    parameter(Parameter.courant),
    parameter(Parameter.manning),
    parameter(Parameter.coriolis),
    parameter(Parameter.beta),
    parameter(Parameter.dryDepth),
    <i32>parameter(Parameter.order),
  );
  second.configure(parameter(Parameter.gravity), <i32>parameter(Parameter.scheme), <i32>parameter(Parameter.limiter));
  initialDepth = allocateF64(columns * rows);
  initialX = allocateF64(columns * rows);
  initialY = allocateF64(columns * rows);
  bed = allocateF64(columns * rows);
  gaugePlaces = allocateF64(2 * <i32>parameter(Parameter.gauges));
  const isInput = !!(initialDepth && initialX && initialY && bed && gaugePlaces);
  return isInput && grid.allocateGrid() && step.allocateStep() && allocateRecords();
}

function allocateRecords(): bool {
  return measure.allocateMeasure(
    parameter(Parameter.spacingX),
    parameter(Parameter.spacingY),
    parameter(Parameter.gravity),
    <i32>samples + 2,
    <i32>frames + 2,
    <i32>parameter(Parameter.stride),
    <i32>parameter(Parameter.gauges),
    <i32>parameter(Parameter.frontRow),
    parameter(Parameter.frontDepth),
  );
}

export function start(): i32 {
  time = 0;
  steps = 0;
  sample = 0;
  frame = 0;
  grid.setBed(bed);
  if (parameter(Parameter.order) === 2) second.setBed(bed);
  grid.read(initialDepth, initialX, initialY);
  step.prepare();
  measure.reset();
  return record();
}

export function advance(count: f64): i32 {
  let left = count;
  for (; left >= 1 && time < end; left--) {
    if (steps >= maxSteps) return INFO_NOT_CONVERGED;
    const dt = step.timeStep(end - time);
    if (!(dt > 0)) return INFO_NON_FINITE;
    // What is left is the end itself: no rounding makes another step.
    const next = dt >= end - time ? end : time + dt;
    if (next === time) return INFO_NON_FINITE;
    step.advance(dt);
    time = next;
    steps++;
    const info = record();
    if (info !== INFO_OK) return info;
  }
  return INFO_OK;
}

/** Records what is due at this time, and reports progress. */
function record(): i32 {
  const isEnd = time >= end;
  if (!isFinite(step.fastest)) return INFO_NON_FINITE;
  if (isEnd || time >= (sample * end) / samples) {
    measure.recordSample(time, step.outflow, bed, gaugePlaces);
    // The next one that is not past.
    sample = Math.floor((time * samples) / end) + 1;
    if (isEnd || time >= (frame * end) / frames) {
      measure.recordFrame();
      frame = Math.floor((time * frames) / end) + 1;
    }
  }
  setStatistic(Statistic.steps, steps);
  setStatistic(Statistic.samples, <f64>measure.sampleCount);
  setStatistic(Statistic.frames, <f64>measure.frameCount);
  setStatistic(Statistic.clipped, step.clipped);
  setDone(isEnd ? maxSteps + ticks : steps + Math.floor((ticks * time) / end));
  return INFO_OK;
}

export function view(i: i32): usize {
  switch (i) {
    case View.initialDepth:
      return initialDepth;
    case View.initialX:
      return initialX;
    case View.initialY:
      return initialY;
    case View.bed:
      return bed;
    case View.gaugePlaces:
      return gaugePlaces;
    case View.history:
      return measure.history;
    case View.gaugeDepths:
      return measure.gaugeDepths;
    case View.frames:
      return measure.frames;
    case View.depth:
      return measure.depth;
    case View.flowX:
      return measure.flowX;
    case View.flowY:
      return measure.flowY;
    default:
      return 0;
  }
}

export function extent(i: i32): i32 {
  switch (i) {
    case View.gaugePlaces:
      return 2 * measure.gauges;
    case View.history:
      return measure.maxSamples * measure.COLUMNS;
    case View.gaugeDepths:
      return measure.maxSamples * measure.gauges;
    case View.frames:
      return measure.maxFrames * measure.frameLength;
    default:
      return i >= View.initialDepth && i <= View.flowY ? grid.rows * grid.columns : 0;
  }
}
