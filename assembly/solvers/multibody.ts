// Bodies that attract each other: in a plane or in space by gravity, on a line with forces on each of them.
//
// DOP853 with errors measured by the distance to the nearest body, extrapolation for a second opinion
// (numerics/ode/controlled.ts), or equal steps of the classical Runge–Kutta method or of symplectic compositions. Closest
// approaches and contacts are located inside the steps. Fails where no step is short enough: a collision of points, or an
// escape in finite time. Hairer, Nørsett & Wanner I, §II.4 – II.10; Hairer, Lubich & Wanner, §V.3.
//
// Compressed size: at most 31 kB, because the expression machine with its functions is part of it.
//
// Calls in inner loops: pairs whose encounters are located, and the machine, for couplings.
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
import { compositionStages } from '../numerics/ode/composition';
import { controlledSize, initControlled } from '../numerics/ode/controlled';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import { allocateCouplings, code, pool, programs, weights } from './multibody/couplings';
import { contactFirst, contactSecond, encountersSize, PAIR_COLUMNS } from './multibody/encounters';
import {
  bodies,
  coordinates,
  drag,
  forcesSize,
  gravity,
  initForces,
  masses,
  setForces,
  sites,
  sizes,
  splitDerivatives,
  states,
} from './multibody/forces';
import {
  accepted,
  advanceRun,
  COMPOSITION,
  EXTRAPOLATION,
  outcome,
  RUNNING,
  reached,
  recorded,
  rejected,
  runSize,
  setSamples,
  startRun,
  stopTime,
} from './multibody/run';

export { abi, control } from '../kernel';

/**
 * bodies 1 … 16; dimensions 1 … 3; isField 0 | 1, a line with forces on each body; hasWork 0 | 1, whether the work of
 * drag and couplings is part of the state; method 0 DOP853 | 1 extrapolation | 2 Runge–Kutta | 3 composition, of `order`
 * 2, 4, 6 or 8; samples, length of an array; steps, equal ones or tries of adaptive ones; recordEvery, of equal steps;
 * ticks, the part of `done` that the time shares; couplings, codeWords and poolValues, lengths of arrays. Then strength of the
 * attraction and its softening, alpha and beta of the forces on each; the time; rtol, the first and the longest step.
 */
export enum Parameter {
  bodies,
  dimensions,
  isField,
  hasWork,
  method,
  order,
  samples,
  steps,
  recordEvery,
  ticks,
  couplings,
  codeWords,
  poolValues,
  strength,
  softening,
  alpha,
  beta,
  tEnd,
  rtol,
  firstStep,
  maxStep,
}

/**
 * In: masses, radii f64[bodies]; sites, gravity, drag f64[bodies] of a line; initial f64[states], positions, velocities, and 0
 * for work; times f64[samples]; weights f64[couplings], programs i32[couplings, 2], code i32[codeWords], pool
 * f64[poolValues]. Out: history f64[samples, 1 + states]; pairs f64[bodies (bodies − 1) / 2, 2], least distance and its
 * time; frame f64[bodies, dimensions], positions now.
 */
export enum View {
  masses,
  radii,
  sites,
  gravity,
  drag,
  initial,
  times,
  weights,
  programs,
  code,
  pool,
  history,
  pairs,
  frame,
}

/** outcome: 0 running, 1 at the end, 2 a contact, 3 no step is short enough; first and second, the bodies of a contact. */
export enum Statistic {
  outcome,
  stopTime,
  recorded,
  accepted,
  rejected,
  first,
  second,
}

const MAX_BODIES: f64 = 16;
const MAX_SAMPLES: f64 = 100_000;
const MAX_STEPS: f64 = 1e10;
const MAX_COUPLINGS: f64 = 64;
const MAX_WORDS: f64 = 1_000_000;

let radii: usize = 0;
let initial: usize = 0;
let times: usize = 0;
let history: usize = 0;
let pairs: usize = 0;
let frame: usize = 0;
let integrator: usize = 0;
let encounterScratch: usize = 0;
let scratch: usize = 0;
let sampleCount: i32 = 0;
let pairCount: i32 = 0;
let couplingCount: i32 = 0;
let tries: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  const info = checkParameters();
  if (info !== INFO_OK) return info;
  const n = <i32>parameter(Parameter.bodies);
  const forces = allocateF64(forcesSize(n, <i32>parameter(Parameter.dimensions)));
  if (!forces) return INFO_OUT_OF_MEMORY;
  const isField = parameter(Parameter.isField) === 1;
  const hasWork = parameter(Parameter.hasWork) === 1;
  initForces(n, <i32>parameter(Parameter.dimensions), isField, hasWork, forces);
  sampleCount = <i32>parameter(Parameter.samples);
  pairCount = (n * (n - 1)) >> 1;
  couplingCount = <i32>parameter(Parameter.couplings);
  radii = allocateF64(n);
  initial = allocateF64(states);
  times = allocateF64(sampleCount);
  history = allocateF64(sampleCount * (1 + states));
  pairs = allocateF64(pairCount * PAIR_COLUMNS + 1);
  frame = allocateF64(coordinates);
  integrator = allocateF64(controlledSize(states));
  encounterScratch = allocateF64(encountersSize(states));
  scratch = allocateF64(runSize(states));
  if (!radii || !initial || !times || !history || !pairs || !frame) return INFO_OUT_OF_MEMORY;
  if (!integrator || !encounterScratch || !scratch) return INFO_OUT_OF_MEMORY;
  const words = <i32>parameter(Parameter.codeWords);
  return allocateCouplings(couplingCount, words, <i32>parameter(Parameter.poolValues)) ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function checkParameters(): i32 {
  if (!isIntegerBetween(parameter(Parameter.bodies), 1, MAX_BODIES)) return illegal(Parameter.bodies);
  if (!isIntegerBetween(parameter(Parameter.dimensions), 1, 3)) return illegal(Parameter.dimensions);
  if (!isFlag(parameter(Parameter.isField))) return illegal(Parameter.isField);
  if (parameter(Parameter.isField) === 1 && parameter(Parameter.dimensions) !== 1) return illegal(Parameter.dimensions);
  if (!isFlag(parameter(Parameter.hasWork))) return illegal(Parameter.hasWork);
  if (parameter(Parameter.hasWork) === 1 && parameter(Parameter.isField) !== 1) return illegal(Parameter.hasWork);
  if (!isIntegerBetween(parameter(Parameter.method), 0, COMPOSITION)) return illegal(Parameter.method);
  if (<i32>parameter(Parameter.method) === COMPOSITION) {
    if (parameter(Parameter.hasWork) === 1) return illegal(Parameter.hasWork);
    if (!isIntegerBetween(parameter(Parameter.order), 2, 8)) return illegal(Parameter.order);
    if (compositionStages(<i32>parameter(Parameter.order)) === 0) return illegal(Parameter.order);
  }
  if (!isIntegerBetween(parameter(Parameter.samples), 2, MAX_SAMPLES)) return illegal(Parameter.samples);
  if (!isIntegerBetween(parameter(Parameter.steps), 1, MAX_STEPS)) return illegal(Parameter.steps);
  if (<i32>parameter(Parameter.method) > EXTRAPOLATION) {
    if (!isIntegerBetween(parameter(Parameter.recordEvery), 1, MAX_STEPS)) return illegal(Parameter.recordEvery);
  } else {
    const rtol = parameter(Parameter.rtol);
    if (!(rtol > 0 && rtol < 1)) return illegal(Parameter.rtol);
    if (!isPositive(parameter(Parameter.firstStep))) return illegal(Parameter.firstStep);
    if (!isPositive(parameter(Parameter.maxStep))) return illegal(Parameter.maxStep);
  }
  if (!isIntegerBetween(parameter(Parameter.ticks), 0, MAX_STEPS)) return illegal(Parameter.ticks);
  if (!isIntegerBetween(parameter(Parameter.couplings), 0, MAX_COUPLINGS)) return illegal(Parameter.couplings);
  if (!isIntegerBetween(parameter(Parameter.codeWords), 0, MAX_WORDS)) return illegal(Parameter.codeWords);
  if (!isIntegerBetween(parameter(Parameter.poolValues), 0, MAX_WORDS)) return illegal(Parameter.poolValues);
  if (!isFinite(parameter(Parameter.strength))) return illegal(Parameter.strength);
  if (!isNonNegative(parameter(Parameter.softening))) return illegal(Parameter.softening);
  if (!isFinite(parameter(Parameter.alpha))) return illegal(Parameter.alpha);
  if (!isFinite(parameter(Parameter.beta))) return illegal(Parameter.beta);
  return isPositive(parameter(Parameter.tEnd)) ? INFO_OK : illegal(Parameter.tEnd);
}

export function start(): i32 {
  tries = 0;
  setForces(
    parameter(Parameter.strength),
    parameter(Parameter.softening),
    parameter(Parameter.alpha),
    parameter(Parameter.beta),
  );
  initControlled(splitDerivatives, sizes, states, integrator);
  setSamples(times, sampleCount, history, frame);
  startRun(
    <i32>parameter(Parameter.method),
    <i32>parameter(Parameter.order),
    initial,
    parameter(Parameter.tEnd),
    parameter(Parameter.rtol),
    parameter(Parameter.firstStep),
    parameter(Parameter.maxStep),
    parameter(Parameter.steps),
    parameter(Parameter.recordEvery),
    pairs,
    radii,
    encounterScratch,
    scratch,
  );
  return INFO_OK;
}

/**
 * Tries at most `count` steps.
 *
 * @returns info: 0, or 4 if `steps` is spent before the end of the time
 */
export function advance(count: i32): i32 {
  const max = parameter(Parameter.steps);
  for (let i = 0; i < count && outcome === RUNNING && tries < max; i++) {
    tries += 1;
    advanceRun();
  }
  const isOver = outcome !== RUNNING;
  const ticks = parameter(Parameter.ticks);
  const share = Math.min(1, reached() / parameter(Parameter.tEnd));
  setDone(isOver ? max + ticks : tries + Math.floor(ticks * share));
  setStatistic(Statistic.outcome, <f64>outcome);
  setStatistic(Statistic.stopTime, isOver ? stopTime : reached());
  setStatistic(Statistic.recorded, <f64>recorded);
  setStatistic(Statistic.accepted, accepted);
  setStatistic(Statistic.rejected, rejected);
  setStatistic(Statistic.first, <f64>contactFirst);
  setStatistic(Statistic.second, <f64>contactSecond);
  return isOver || tries < max ? INFO_OK : INFO_CAPACITY;
}

export function view(i: i32): usize {
  if (i === View.masses) return masses;
  if (i === View.radii) return radii;
  if (i === View.sites) return sites;
  if (i === View.gravity) return gravity;
  if (i === View.drag) return drag;
  if (i === View.initial) return initial;
  if (i === View.times) return times;
  if (i === View.weights) return weights;
  if (i === View.programs) return programs;
  if (i === View.code) return code;
  if (i === View.pool) return pool;
  if (i === View.history) return history;
  if (i === View.pairs) return pairs;
  return i === View.frame ? frame : 0;
}

export function extent(i: i32): i32 {
  if (i <= View.drag) return bodies;
  if (i === View.initial) return states;
  if (i === View.times) return sampleCount;
  if (i === View.weights) return couplingCount;
  if (i === View.programs) return 2 * couplingCount;
  if (i === View.code) return <i32>parameter(Parameter.codeWords);
  if (i === View.pool) return <i32>parameter(Parameter.poolValues);
  if (i === View.history) return sampleCount * (1 + states);
  if (i === View.pairs) return pairCount * PAIR_COLUMNS;
  return i === View.frame ? coordinates : 0;
}
