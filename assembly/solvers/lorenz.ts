// Chaotic dynamics: the Lyapunov exponents of Lorenz's, Rössler's or the caller's equations, and of two close starts.
//
// The variational equations along the way by Runge and Kutta's method of order 4 (stable for h |λ| < 2.785), with frames
// that are made orthonormal at intervals (lorenz/spectrum.ts, frame.ts); again by DOP853 with its own steps
// (lorenz/second.ts). Equilibria by Newton's method. Fails where a way leaves every bound. Benettin, Galgani, Giorgilli
// & Strelcyn, Meccanica 15 (1980) 9, doi:10.1007/BF02128236.
//
// Compressed size: at most 31 kB, because it has the machine of expressions, which is most of it.
//
// Calls in inner loops: a step calls the right side of the caller, and expressions run on the machine.
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
import { copyValues, get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import { equilibriaSize, equilibriumWidth, findEquilibrium, initEquilibria } from './lorenz/equilibria';
import { blockWidth, initFrame } from './lorenz/frame';
import { initMaxima, maximaCount, turnCount } from './lorenz/maxima';
import {
  advancePair,
  advanceVectors,
  initSecond,
  isFailed,
  PAIR_COLUMNS,
  rowsDone,
  secondSize,
  startPair,
  startVectors,
  timeNow,
} from './lorenz/second';
import { advanceSpectrum, initSpectrum, pathDone, spectrumSize, startSpectrum, stepsDone, y } from './lorenz/spectrum';
import { allocateSystem, code, EXPRESSIONS, pool, programs, setConstants } from './lorenz/system';

export { abi, control } from '../kernel';

/**
 * kind 0 spectrum by Runge and Kutta | 1 spectrum by DOP853 | 2 two close starts; model 0 Lorenz | 1 Rössler | 2
 * expressions; states 2 … 6; lengths of programs, code and pool; steps and transient, of kind 0; interval, steps from frame to
 * frame; blocks; pathRows and pathEvery, steps from row to row; section, the state whose maxima are found; maxima, their
 * number at most; samples of kind 2; extrapolates 0 | 1; maxSteps, tries of kinds 1 and 2; ticks, the part of `done`
 * that their time shares. Then first, second and third constant; dt; transientTime, time and maxStep; rtol.
 */
export enum Parameter {
  kind,
  model,
  states,
  programs,
  codeWords,
  poolValues,
  steps,
  transient,
  interval,
  blocks,
  pathRows,
  pathEvery,
  section,
  maxima,
  samples,
  extrapolates,
  maxSteps,
  ticks,
  first,
  second,
  third,
  dt,
  transientTime,
  time,
  maxStep,
  rtol,
}

/**
 * In: programs i32[programs, 3], code i32[codeWords], pool f64[poolValues] (lorenz/system.ts); initial f64[states], or
 * f64[2, states] of two starts. Out: blocks f64[blocks, states + 3]: time, logarithms of growth, integral of the trace, the
 * largest slope in the block; path f64[pathRows, states]; maxima f64[maxima]; equilibria f64[32, 2 + states + states²]
 * (lorenz/equilibria.ts), the first from the end of the way; end f64[states]; pair f64[samples, 3].
 */
export enum View {
  programs,
  code,
  pool,
  initial,
  blocks,
  path,
  maxima,
  equilibria,
  end,
  pair,
}

/** time: reached; maxima: found; turns: maxima of the state that has most; tries of a step. */
export enum Statistic {
  time,
  maxima,
  turns,
  tries,
}

const SPECTRUM: f64 = 0;
const PAIR: f64 = 2;
const EQUILIBRIA: i32 = 32;
const MAX_STATES: f64 = 6;
const MAX_STEPS: f64 = 1e9;
const MAX_ROWS: f64 = 100_000;
const MAX_WORDS: f64 = 100_000;

let isSpectrum = false;
let isPair = false;
let states: i32 = 3;
let blockCount: i32 = 0;
let tries: f64 = 0;
let isDone = false;
let initial: usize = 0;
let blocks: usize = 0;
let path: usize = 0;
let maxima: usize = 0;
let equilibria: usize = 0;
let end: usize = 0;
let pair: usize = 0;
let work: usize = 0;
let frame: usize = 0;
let newton: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  const info = checkNumbers();
  if (info !== INFO_OK) return info;
  isSpectrum = parameter(Parameter.kind) === SPECTRUM;
  isPair = parameter(Parameter.kind) === PAIR;
  states = <i32>parameter(Parameter.states);
  blockCount = <i32>parameter(Parameter.blocks);
  const isAllocated = allocateSystem(
    <i32>parameter(Parameter.model),
    states,
    <i32>parameter(Parameter.programs),
    <i32>parameter(Parameter.codeWords),
    <i32>parameter(Parameter.poolValues),
  );
  initial = allocateF64(isPair ? 2 * states : states);
  blocks = allocateF64(isPair ? 1 : blockCount * blockWidth(states));
  pair = allocateF64(isPair ? PAIR_COLUMNS * <i32>parameter(Parameter.samples) : 1);
  path = allocateF64(isSpectrum ? states * <i32>parameter(Parameter.pathRows) : 1);
  maxima = allocateF64(isSpectrum ? <i32>parameter(Parameter.maxima) + 1 : 1);
  equilibria = allocateF64(isSpectrum ? EQUILIBRIA * equilibriumWidth(states) : 1);
  end = allocateF64(states);
  frame = allocateF64(5 * states);
  newton = allocateF64(equilibriaSize(states) + states);
  work = allocateF64(isSpectrum ? spectrumSize(states) : secondSize(states));
  if (!isAllocated || !initial || !blocks || !pair || !path || !maxima || !equilibria) return INFO_OUT_OF_MEMORY;
  return end && frame && newton && work ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function checkNumbers(): i32 {
  if (!isIntegerBetween(parameter(Parameter.kind), 0, PAIR)) return illegal(Parameter.kind);
  if (!isIntegerBetween(parameter(Parameter.model), 0, EXPRESSIONS)) return illegal(Parameter.model);
  const isGiven = parameter(Parameter.model) === EXPRESSIONS;
  const least: f64 = isGiven ? 2 : 3;
  if (!isIntegerBetween(parameter(Parameter.states), least, isGiven ? MAX_STATES : 3)) return illegal(Parameter.states);
  for (let i: i32 = Parameter.programs; i <= Parameter.poolValues; i++) {
    if (!isIntegerBetween(parameter(i), 0, MAX_WORDS)) return illegal(i);
  }
  if (isGiven && parameter(Parameter.programs) < parameter(Parameter.states)) return illegal(Parameter.programs);
  if (!isIntegerBetween(parameter(Parameter.section), 0, parameter(Parameter.states) - 1)) {
    return illegal(Parameter.section);
  }
  for (let i: i32 = Parameter.first; i <= Parameter.third; i++) if (!isFinite(parameter(i))) return illegal(i);
  if (!isFlag(parameter(Parameter.extrapolates))) return illegal(Parameter.extrapolates);
  if (parameter(Parameter.kind) === SPECTRUM) return checkSpectrum();
  if (!isIntegerBetween(parameter(Parameter.maxSteps), 1, MAX_STEPS)) return illegal(Parameter.maxSteps);
  if (!isIntegerBetween(parameter(Parameter.ticks), 0, MAX_STEPS)) return illegal(Parameter.ticks);
  if (!isPositive(parameter(Parameter.time))) return illegal(Parameter.time);
  const rtol = parameter(Parameter.rtol);
  if (!(rtol > 0 && rtol < 1)) return illegal(Parameter.rtol);
  if (parameter(Parameter.kind) === PAIR) {
    return isIntegerBetween(parameter(Parameter.samples), 2, MAX_ROWS) ? INFO_OK : illegal(Parameter.samples);
  }
  if (!isNonNegative(parameter(Parameter.transientTime))) return illegal(Parameter.transientTime);
  if (!isPositive(parameter(Parameter.maxStep))) return illegal(Parameter.maxStep);
  return isIntegerBetween(parameter(Parameter.blocks), 1, MAX_ROWS) ? INFO_OK : illegal(Parameter.blocks);
}

function checkSpectrum(): i32 {
  if (!isIntegerBetween(parameter(Parameter.steps), 1, MAX_STEPS)) return illegal(Parameter.steps);
  if (!isIntegerBetween(parameter(Parameter.transient), 0, MAX_STEPS)) return illegal(Parameter.transient);
  if (!isIntegerBetween(parameter(Parameter.interval), 1, MAX_ROWS)) return illegal(Parameter.interval);
  const most = Math.min(MAX_ROWS, parameter(Parameter.steps));
  if (!isIntegerBetween(parameter(Parameter.blocks), 1, most)) return illegal(Parameter.blocks);
  if (!isIntegerBetween(parameter(Parameter.pathRows), 1, MAX_ROWS)) return illegal(Parameter.pathRows);
  if (!isIntegerBetween(parameter(Parameter.pathEvery), 1, MAX_ROWS)) return illegal(Parameter.pathEvery);
  if (!isIntegerBetween(parameter(Parameter.maxima), 0, MAX_ROWS)) return illegal(Parameter.maxima);
  return isPositive(parameter(Parameter.dt)) ? INFO_OK : illegal(Parameter.dt);
}

export function start(): i32 {
  tries = 0;
  isDone = false;
  setConstants(parameter(Parameter.first), parameter(Parameter.second), parameter(Parameter.third));
  initFrame(frame);
  initEquilibria(newton + ((<usize>states) << 3));
  if (isSpectrum) {
    initSpectrum(work, blocks, path);
    initMaxima(
      <i32>parameter(Parameter.section),
      <i32>parameter(Parameter.maxima),
      maxima,
      frame + 4 * ((<usize>states) << 3),
    );
    startSpectrum(
      initial,
      parameter(Parameter.dt),
      parameter(Parameter.steps),
      parameter(Parameter.transient),
      <i32>parameter(Parameter.interval),
      blockCount,
      <i32>parameter(Parameter.pathRows),
      <i32>parameter(Parameter.pathEvery),
    );
    return INFO_OK;
  }
  initSecond(work, isPair ? pair : blocks, isPair);
  const rtol = parameter(Parameter.rtol);
  const time = parameter(Parameter.time);
  if (isPair) {
    const isExtrapolation = parameter(Parameter.extrapolates) === 1;
    const section = <i32>parameter(Parameter.section);
    startPair(initial, time, <i32>parameter(Parameter.samples), section, rtol, isExtrapolation);
  } else {
    startVectors(initial, parameter(Parameter.transientTime), time, blockCount, rtol, parameter(Parameter.maxStep));
  }
  return INFO_OK;
}

/**
 * Makes at most `count` steps, or tries of steps.
 *
 * @returns info: 0; 2 a number is not finite; 4 `maxSteps` is spent
 */
export function advance(count: i32): i32 {
  return isSpectrum ? advanceSteps(count) : advanceTries(count);
}

function advanceSteps(count: i32): i32 {
  const all = parameter(Parameter.transient) + parameter(Parameter.steps);
  for (let i = 0; i < count && stepsDone < all; i++) {
    if (!advanceSpectrum()) {
      setStatistic(Statistic.time, stepsDone * parameter(Parameter.dt));
      setDone(stepsDone);
      return INFO_NON_FINITE;
    }
  }
  if (stepsDone === all && !isDone) {
    isDone = true;
    findEquilibria();
  }
  setDone(stepsDone);
  setStatistic(Statistic.time, stepsDone * parameter(Parameter.dt));
  setStatistic(Statistic.maxima, <f64>maximaCount());
  setStatistic(Statistic.turns, turnCount());
  return INFO_OK;
}

/** From the end of the way, its start, the origin, the mean of the path, and places along the path. */
function findEquilibria(): void {
  const width = (<usize>equilibriumWidth(states)) << 3;
  const bytes = (<usize>states) << 3;
  copyValues(end, y, states);
  findEquilibrium(y, equilibria);
  findEquilibrium(initial, equilibria + width);
  const mean = newton;
  for (let i = 0; i < states; i++) set(mean, i, 0);
  findEquilibrium(mean, equilibria + 2 * width);
  for (let row = 0; row < pathDone; row++) {
    for (let i = 0; i < states; i++) set(mean, i, get(mean, i) + get(path, row * states + i) / <f64>pathDone);
  }
  findEquilibrium(mean, equilibria + 3 * width);
  for (let k = 4; k < EQUILIBRIA; k++) {
    const row = <i32>((<i64>(k - 3) * <i64>(pathDone - 1)) / <i64>(EQUILIBRIA - 4));
    findEquilibrium(path + <usize>row * bytes, equilibria + <usize>k * width);
  }
}

function advanceTries(count: i32): i32 {
  const rows = isPair ? <i32>parameter(Parameter.samples) : blockCount;
  const most = parameter(Parameter.maxSteps);
  for (let i = 0; i < count && rowsDone < rows && !isFailed && tries < most; i++) {
    tries += 1;
    if (isPair) advancePair();
    else advanceVectors();
  }
  const isOver = rowsDone === rows;
  const last = parameter(Parameter.time) + (isPair ? 0 : parameter(Parameter.transientTime));
  const ticks = parameter(Parameter.ticks);
  setDone(isOver ? most + ticks : tries + Math.floor(ticks * Math.min(1, timeNow() / last)));
  setStatistic(Statistic.time, timeNow());
  setStatistic(Statistic.tries, tries);
  if (isFailed) return INFO_NON_FINITE;
  return isOver || tries < most ? INFO_OK : INFO_CAPACITY;
}

export function view(i: i32): usize {
  if (i === View.programs) return programs;
  if (i === View.code) return code;
  if (i === View.pool) return pool;
  if (i === View.initial) return initial;
  if (i === View.blocks) return blocks;
  if (i === View.path) return path;
  if (i === View.maxima) return maxima;
  if (i === View.equilibria) return equilibria;
  if (i === View.end) return end;
  return i === View.pair ? pair : 0;
}

export function extent(i: i32): i32 {
  if (i === View.programs) return 3 * <i32>parameter(Parameter.programs);
  if (i === View.code) return <i32>parameter(Parameter.codeWords);
  if (i === View.pool) return <i32>parameter(Parameter.poolValues);
  if (i === View.initial) return isPair ? 2 * states : states;
  if (i === View.blocks) return isPair ? 0 : blockCount * blockWidth(states);
  if (i === View.pair) return isPair ? PAIR_COLUMNS * <i32>parameter(Parameter.samples) : 0;
  if (!isSpectrum) return 0;
  if (i === View.path) return states * <i32>parameter(Parameter.pathRows);
  if (i === View.maxima) return <i32>parameter(Parameter.maxima);
  if (i === View.end) return states;
  return i === View.equilibria ? EQUILIBRIA * equilibriumWidth(states) : 0;
}
