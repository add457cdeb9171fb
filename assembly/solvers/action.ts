// Symplectic maps of Hamiltonian systems: the leapfrog, and symmetric compositions of it of orders 4, 6 and 8.
//
// A run is one of four tasks: the map, with the energy after each step and then all steps back; the same motion by DOP853, or
// by extrapolation from a start half a rounding away, at errors near roundings; or a table of maps of all orders and Runge
// and Kutta's method at several steps (action/map.ts). A map is stable while h times the fastest frequency is below 2 for
// order 2, less for the others. Hairer, Lubich & Wanner, Geometric Numerical Integration (2nd ed.), §I.1, §V.3, §IX.8.
//
// Compressed size: at most 30 kB, because the expression machine with its functions is part of it.
//
// Calls in inner loops: forces, which the steps of numerics take as functions, and the machine.
import {
  allocateF64,
  INFO_CAPACITY,
  INFO_NON_FINITE,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from '../kernel';
import { compositionStages } from '../numerics/ode/composition';
import {
  controlledSize,
  here,
  initControlled,
  insideControlled,
  now,
  startControlled,
  TRY_ACCEPTED,
  TRY_FAILED,
  tryControlledStep,
  width,
} from '../numerics/ode/controlled';
import { copyValues, get, set } from '../numerics/vector';
import { illegal, isIntegerBetween, isPositive } from '../parameters';
import {
  allocateHamiltonian,
  clearReach,
  code,
  degrees,
  EXPRESSIONS,
  energy,
  KEPLER,
  pool,
  programs,
  setParameter,
  sizes,
  splitDerivatives,
  states,
} from './action/hamiltonian';
import {
  crossing,
  distanceFrom,
  initMap,
  largest,
  mapSize,
  moment,
  RUNGE_KUTTA,
  reverse,
  start as startEnergy,
  startMap,
  startMomentum,
  step,
  stepMap,
  sum,
  worst,
  worstMomentum,
  y,
} from './action/map';

export { abi, control } from '../kernel';

/**
 * task 0 map | 1 DOP853 | 2 extrapolation | 3 table; system 0 Kepler | 1 oscillator | 2 pendulum | 3 expressions of `degrees`
 * 1 … 3; constant, μ, ω² or λ; order 2, 4, 6 or 8 of the map; steps of it, of the coarsest row of the table, or tries of an
 * adaptive method; recordEvery; samples, length of times; levels, rows of each method of a table; sections, capacity; ticks,
 * the part of `done` that progress shares; codeWords and poolValues; dt, the step, also that of the coarsest row; tEnd,
 * firstStep and maxStep of an adaptive method.
 */
export enum Parameter {
  task,
  system,
  degrees,
  constant,
  order,
  steps,
  recordEvery,
  samples,
  levels,
  sections,
  ticks,
  codeWords,
  poolValues,
  dt,
  tEnd,
  firstStep,
  maxStep,
}

/**
 * In: initial f64[2 degrees], q and p; times f64[samples] of adaptive methods; programs i32[2 + 2 degrees, 2], code
 * i32[codeWords], pool f64[poolValues]. Out: history f64[samples, 2 + 2 degrees], t, q, p, E; sectionPoints f64[sections, 1 +
 * 2 degrees]; table f64[5 levels, 4 + 2 degrees], order (0 Runge–Kutta), steps, evaluations, largest |E − E₀|, q and p at
 * the end.
 */
export enum View {
  initial,
  times,
  programs,
  code,
  pool,
  history,
  sectionPoints,
  table,
}

/**
 * worst and worstMomentum: largest |E − E₀| and |L − L₀| after any step; scale, largest kinetic energy; energy and momentum at
 * the start; sum and moment of E − E₀ and of it times its step, for the trend; reversal, largest difference from the start
 * after all steps back; recorded samples; crossings of the section; reached time.
 */
export enum Statistic {
  worst,
  worstMomentum,
  scale,
  energy,
  momentum,
  sum,
  moment,
  reversal,
  recorded,
  crossings,
  reached,
}

const MAP: i32 = 0;
const EXTRAPOLATION: i32 = 2;
const TABLE: i32 = 3;
const METHODS: i32 = 5;
const RTOL_FIRST: f64 = 5e-16;
const RTOL_SECOND: f64 = 3e-16;
const MAX_STEPS: f64 = 1e10;
const MAX_SAMPLES: f64 = 100_000;
const MAX_WORDS: f64 = 1_000_000;
const MAX_LEVELS: f64 = 16;

let task: i32 = MAP;
let samples: i32 = 0;
let sections: i32 = 0;
let levels: i32 = 0;
let steps: f64 = 0;
let recordEvery: f64 = 1;
let initial: usize = 0;
let times: usize = 0;
let history: usize = 0;
let sectionPoints: usize = 0;
let table: usize = 0;
let mapMemory: usize = 0;
let integrator: usize = 0;
let point: usize = 0;
let done: f64 = 0;
let made: f64 = 0;
let recorded: i32 = 0;
let crossings: f64 = 0;
let isBack = false;
let isOver = false;
let row: i32 = 0;
let rowSteps: f64 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  const info = checkParameters();
  if (info !== INFO_OK) return info;
  task = <i32>parameter(Parameter.task);
  samples = <i32>parameter(Parameter.samples);
  sections = <i32>parameter(Parameter.sections);
  levels = <i32>parameter(Parameter.levels);
  steps = parameter(Parameter.steps);
  recordEvery = parameter(Parameter.recordEvery);
  const isAllocated = allocateHamiltonian(
    <i32>parameter(Parameter.system),
    <i32>parameter(Parameter.degrees),
    <i32>parameter(Parameter.codeWords),
    <i32>parameter(Parameter.poolValues),
  );
  if (!isAllocated) return INFO_OUT_OF_MEMORY;
  initial = allocateF64(states);
  times = allocateF64(samples);
  history = allocateF64(samples * (2 + states));
  sectionPoints = allocateF64(sections * (1 + states) + 1);
  table = allocateF64(METHODS * levels * (4 + states) + 1);
  mapMemory = allocateF64(mapSize(states));
  integrator = allocateF64(controlledSize(states));
  point = allocateF64(1 + states);
  if (!initial || !times || !history || !sectionPoints || !table || !mapMemory) return INFO_OUT_OF_MEMORY;
  return integrator && point ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function checkParameters(): i32 {
  if (!isIntegerBetween(parameter(Parameter.task), 0, TABLE)) return illegal(Parameter.task);
  if (!isIntegerBetween(parameter(Parameter.system), 0, EXPRESSIONS)) return illegal(Parameter.system);
  const system = <i32>parameter(Parameter.system);
  const least: f64 = system === KEPLER ? 2 : 1;
  const most: f64 = system === EXPRESSIONS ? 3 : least;
  if (!isIntegerBetween(parameter(Parameter.degrees), least, most)) return illegal(Parameter.degrees);
  if (!isFinite(parameter(Parameter.constant))) return illegal(Parameter.constant);
  if (!isIntegerBetween(parameter(Parameter.order), 2, 8)) return illegal(Parameter.order);
  if (compositionStages(<i32>parameter(Parameter.order)) === 0) return illegal(Parameter.order);
  if (!isIntegerBetween(parameter(Parameter.steps), 1, MAX_STEPS)) return illegal(Parameter.steps);
  if (!isIntegerBetween(parameter(Parameter.recordEvery), 1, MAX_STEPS)) return illegal(Parameter.recordEvery);
  if (!isIntegerBetween(parameter(Parameter.samples), 2, MAX_SAMPLES)) return illegal(Parameter.samples);
  if (!isIntegerBetween(parameter(Parameter.levels), 0, MAX_LEVELS)) return illegal(Parameter.levels);
  if (!isIntegerBetween(parameter(Parameter.sections), 0, MAX_SAMPLES)) return illegal(Parameter.sections);
  if (!isIntegerBetween(parameter(Parameter.ticks), 0, MAX_STEPS)) return illegal(Parameter.ticks);
  if (!isIntegerBetween(parameter(Parameter.codeWords), 0, MAX_WORDS)) return illegal(Parameter.codeWords);
  if (!isIntegerBetween(parameter(Parameter.poolValues), 0, MAX_WORDS)) return illegal(Parameter.poolValues);
  if (!isPositive(parameter(Parameter.dt))) return illegal(Parameter.dt);
  if (!isPositive(parameter(Parameter.tEnd))) return illegal(Parameter.tEnd);
  if (!isPositive(parameter(Parameter.firstStep))) return illegal(Parameter.firstStep);
  return isPositive(parameter(Parameter.maxStep)) ? INFO_OK : illegal(Parameter.maxStep);
}

export function start(): i32 {
  setParameter(parameter(Parameter.constant));
  initMap(mapMemory);
  done = 0;
  made = 0;
  recorded = 0;
  crossings = 0;
  isBack = false;
  isOver = false;
  row = 0;
  if (task === MAP) {
    startMap(initial, <i32>parameter(Parameter.order), parameter(Parameter.dt));
    setStatistic(Statistic.energy, startEnergy);
    setStatistic(Statistic.momentum, startMomentum);
    record(0, initial);
  } else if (task === TABLE) {
    if (levels === 0) isOver = true;
    else startRow();
  } else {
    initControlled(splitDerivatives, sizes, states, integrator);
    clearReach();
    const rtol = task === EXTRAPOLATION ? RTOL_SECOND : RTOL_FIRST;
    const first = parameter(Parameter.firstStep);
    startControlled(0, initial, rtol, first, parameter(Parameter.maxStep), task === EXTRAPOLATION);
    record(0, initial);
  }
  return INFO_OK;
}

function record(t: f64, from: usize): void {
  if (recorded >= samples) return;
  const to = history + ((<usize>(recorded * (2 + states))) << 3);
  set(to, 0, t);
  copyValues(to + 8, from, states);
  set(to, 1 + states, energy(from));
  recorded += 1;
}

/**
 * At most `count` steps, or tries.
 *
 * @returns info: 0; 2 a number is not finite; 4 the tries are spent
 */
export function advance(count: i32): i32 {
  let info = INFO_OK;
  for (let i = 0; i < count && !isOver && info === INFO_OK; i++) {
    if (task === MAP) info = advanceMap();
    else if (task === TABLE) info = advanceTable();
    else info = advanceAdaptive();
  }
  report();
  return info;
}

function report(): void {
  setStatistic(Statistic.recorded, <f64>recorded);
  setStatistic(Statistic.crossings, crossings);
  if (task === MAP || task === TABLE) {
    setDone(done);
    return;
  }
  const ticks = parameter(Parameter.ticks);
  const share = Math.min(1, now / parameter(Parameter.tEnd));
  setDone(isOver ? steps + ticks : done + Math.floor(ticks * share));
  setStatistic(Statistic.reached, now);
}

function advanceMap(): i32 {
  done += 1;
  if (isBack) {
    step();
    made += 1;
    if (made === steps) {
      isOver = true;
      setStatistic(Statistic.reversal, distanceFrom(initial));
    }
    return INFO_OK;
  }
  if (!stepMap()) return INFO_NON_FINITE;
  made += 1;
  if (degrees > 1 && sections > 0 && crossing(point)) addSection();
  const isLast = made === steps;
  if (isLast || Math.floor(made / recordEvery) * recordEvery === made) record(made * parameter(Parameter.dt), y);
  if (!isLast) return INFO_OK;
  setStatistic(Statistic.worst, worst);
  setStatistic(Statistic.worstMomentum, worstMomentum);
  setStatistic(Statistic.scale, largest);
  setStatistic(Statistic.sum, sum);
  setStatistic(Statistic.moment, moment);
  setStatistic(Statistic.reached, made * parameter(Parameter.dt));
  isBack = true;
  made = 0;
  reverse();
  return INFO_OK;
}

function addSection(): void {
  if (crossings < <f64>sections) {
    const to = sectionPoints + ((<usize>(<i32>crossings * (1 + states))) << 3);
    set(to, 0, (made - 1 + get(point, 0)) * parameter(Parameter.dt));
    copyValues(to + 8, point + 8, states);
  }
  crossings += 1;
}

/** Orders 2, 4, 6, 8 and Runge and Kutta's, each at all levels. */
function methodOf(i: i32): i32 {
  const method = i / levels;
  return method === METHODS - 1 ? RUNGE_KUTTA : 2 * (method + 1);
}

function startRow(): void {
  const factor = <f64>(1 << (row % levels));
  rowSteps = steps * factor;
  made = 0;
  startMap(initial, methodOf(row), parameter(Parameter.dt) / factor);
}

function advanceTable(): i32 {
  done += 1;
  const isGood = stepMap();
  made += 1;
  if (isGood && made < rowSteps) return INFO_OK;
  // A row that fails ends early, and counts as done.
  done += rowSteps - made;
  const to = table + ((<usize>(row * (4 + states))) << 3);
  const method = methodOf(row);
  set(to, 0, <f64>method);
  set(to, 1, rowSteps);
  set(to, 2, rowSteps * <f64>(method === RUNGE_KUTTA ? 4 : compositionStages(method)));
  set(to, 3, isGood ? worst : Infinity);
  copyValues(to + 32, y, states);
  row += 1;
  if (row === METHODS * levels) isOver = true;
  else startRow();
  return INFO_OK;
}

function advanceAdaptive(): i32 {
  done += 1;
  const end = parameter(Parameter.tEnd);
  const tried = tryControlledStep(end);
  if (tried === TRY_FAILED) {
    isOver = true;
    return INFO_OK;
  }
  if (tried === TRY_ACCEPTED) {
    while (recorded < samples && (get(times, recorded) <= now || now >= end)) {
      const t = get(times, recorded);
      if (t >= now) record(t, here);
      else {
        insideControlled((t - (now - width)) / width, point);
        record(t, point);
      }
    }
    isOver = now >= end;
  }
  return isOver || done < steps ? INFO_OK : INFO_CAPACITY;
}

export function view(i: i32): usize {
  if (i === View.initial) return initial;
  if (i === View.times) return times;
  if (i === View.programs) return programs;
  if (i === View.code) return code;
  if (i === View.pool) return pool;
  if (i === View.history) return history;
  if (i === View.sectionPoints) return sectionPoints;
  return i === View.table ? table : 0;
}

export function extent(i: i32): i32 {
  if (i === View.initial) return states;
  if (i === View.times) return samples;
  if (i === View.programs) return 2 * (2 + 2 * degrees);
  if (i === View.code) return <i32>parameter(Parameter.codeWords);
  if (i === View.pool) return <i32>parameter(Parameter.poolValues);
  if (i === View.history) return samples * (2 + states);
  if (i === View.sectionPoints) return sections * (1 + states);
  return i === View.table ? METHODS * levels * (4 + states) : 0;
}
