// Power flow of an electric network: DC, outages of one branch each, and AC by Newton's method.
//
// One factorisation of the DC equations gives angles, flows, distribution factors and all outages; the pattern and order of
// its factor serve the Jacobians of the AC equations too. Exact up to rounding; Newton's iteration ends there. One step is a
// batch of eliminated buses, the DC flow, a batch of outages, or one iteration; the run ends early, so the number of steps
// is a bound.
//
// Calls in inner loops: rows and columns of sparse patterns are short lists, whose entries are read by small functions, and
// the ordering appends and compresses such lists once for each pivot.
import { INFO_OK, INFO_OUT_OF_MEMORY, parameter, resetArena, resetControl, setDone, setStatistic } from '../kernel';
import { advanceOrdering, Ordering, startOrdering } from '../numerics/csr/minimum-degree';
import { get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween } from '../parameters';
import { allocateDirect, Direct, FUNCTIONALS, factorDirect, solveDirect } from './grid/direct';
import {
  allocateAtLeastOne,
  allocateNetwork,
  BRANCH_COLUMNS,
  BUS_COLUMNS,
  findEntries,
  isDead,
  isLegalNetwork,
  Network,
  writeNeighbours,
} from './grid/network';
import { allocateNewton, magnitudeOf, Newton, startNewton, stepNewton, WORKING } from './grid/newton';
import { allocateOutages, computeOutage, Outages, startOutages } from './grid/outages';

export { abi, control } from '../kernel';
export { OutageColumn } from './grid/outages';

/**
 * buses >= 1; branches >= 0; fill, room for the pattern of the factor; isDirect 0 | 1: the DC flow; isAlternating 0 | 1:
 * the AC flow; hasOutages and hasFactors 0 | 1: outages, and the matrices of factors, of the DC flow; chosen, the branch
 * whose flow is the value, from 0, −1 the largest; start 0 angles of the DC flow, 1 flat, 2 as given; hasLimits 0 | 1:
 * limits of reactive power hold; maxIterations of all rounds together.
 */
export enum Parameter {
  buses,
  branches,
  fill,
  isDirect,
  isAlternating,
  hasOutages,
  hasFactors,
  chosen,
  start,
  hasLimits,
  maxIterations,
}

/**
 * In: buses f64[buses, 10] and branches f64[branches, 11], in the columns of network.ts. Out: angles f64[buses], rad, and flows
 * f64[branches] of the DC flow; sensitivities f64[4, buses]; outages f64[branches, OutageColumn]; distribution
 * f64[branches, buses] and transfer f64[branches, branches] of factors; voltages f64[buses, 2], e and f; magnitudes and
 * phases f64[buses]; ends f64[branches, 4], p and q into each end; powers f64[buses, 2]; gradients f64[4, buses, 2]; limits
 * f64[buses]; mismatches f64[iterations + 1]; profiles f64[iterations + 1, buses], magnitudes by iteration.
 */
export enum View {
  buses,
  branches,
  angles,
  flows,
  sensitivities,
  outages,
  distribution,
  transfer,
  voltages,
  magnitudes,
  phases,
  ends,
  powers,
  gradients,
  limits,
  mismatches,
  profiles,
}

/**
 * singular: the bus, from 1, whose balance has no pivot in the DC flow; fill of the factor; chosen, lowest and loaded:
 * branch, bus and branch of the DC flow, and of the AC flow, −1 if there is none; outcome of the AC flow: 0 not computed,
 * 1 solved, 2 stuck, 3 singular, 4 too many iterations; worst: the bus of the mismatch.
 */
export enum Statistic {
  singular,
  fill,
  chosen,
  lowest,
  loaded,
  outcome,
  iterations,
  rounds,
  mismatch,
  worst,
  chosenAlternating,
  lowestAlternating,
  loadedAlternating,
}

const MAX_BUSES: f64 = 65536;
const MAX_BRANCHES: f64 = 131072;
const MAX_FILL: f64 = 16777216;
const MAX_ITERATIONS: f64 = 1000;
const PIVOTS_PER_STEP: i32 = 128;
const OUTAGES_PER_STEP: i32 = 16;

const ORDER: i32 = 0;
const DIRECT: i32 = 1;
const OUTAGES: i32 = 2;
const START: i32 = 3;
const ITERATE: i32 = 4;
const OVER: i32 = 5;

let done: f64 = 0;
let phase: i32 = 0;
let next: i32 = 0;
let isDirect = false;
let isAlternating = false;
let hasOutages = false;
let hasFactors = false;
let magnitudes: usize = 0;
let phases: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.buses), 1, MAX_BUSES)) return illegal(Parameter.buses);
  if (!isIntegerBetween(parameter(Parameter.branches), 0, MAX_BRANCHES)) return illegal(Parameter.branches);
  if (!isIntegerBetween(parameter(Parameter.fill), 0, MAX_FILL)) return illegal(Parameter.fill);
  if (!isFlag(parameter(Parameter.isDirect))) return illegal(Parameter.isDirect);
  if (!isFlag(parameter(Parameter.isAlternating))) return illegal(Parameter.isAlternating);
  if (!isFlag(parameter(Parameter.hasOutages))) return illegal(Parameter.hasOutages);
  if (!isFlag(parameter(Parameter.hasFactors))) return illegal(Parameter.hasFactors);
  if (!isIntegerBetween(parameter(Parameter.chosen), -1, parameter(Parameter.branches) - 1))
    return illegal(Parameter.chosen);
  if (!isIntegerBetween(parameter(Parameter.start), 0, 2)) return illegal(Parameter.start);
  if (!isFlag(parameter(Parameter.hasLimits))) return illegal(Parameter.hasLimits);
  if (!isIntegerBetween(parameter(Parameter.maxIterations), 1, MAX_ITERATIONS)) return illegal(Parameter.maxIterations);
  const fill = <i32>parameter(Parameter.fill);
  isDirect = parameter(Parameter.isDirect) === 1;
  isAlternating = parameter(Parameter.isAlternating) === 1;
  hasFactors = isDirect && parameter(Parameter.hasFactors) === 1;
  hasOutages = isDirect && parameter(Parameter.hasOutages) === 1;
  if (!allocateNetwork(<i32>parameter(Parameter.buses), <i32>parameter(Parameter.branches), fill))
    return INFO_OUT_OF_MEMORY;
  magnitudes = allocateAtLeastOne(Network.buses);
  phases = allocateAtLeastOne(Network.buses);
  if (phases === 0 || !allocateDirect(fill)) return INFO_OUT_OF_MEMORY;
  if (!allocateOutages(hasOutages, hasFactors)) return INFO_OUT_OF_MEMORY;
  const iterations = isAlternating ? <i32>parameter(Parameter.maxIterations) : 0;
  return allocateNewton(isAlternating ? fill : 0, iterations) ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  if (!isLegalNetwork()) return illegal(Parameter.branches);
  done = 0;
  next = 0;
  phase = ORDER;
  Direct.singular = 0;
  Direct.chosen = -1;
  Direct.lowest = -1;
  Direct.loaded = -1;
  Newton.chosen = <i32>parameter(Parameter.chosen);
  Newton.lowest = -1;
  Newton.loaded = -1;
  Newton.outcome = WORKING;
  Newton.iterations = 0;
  Newton.rounds = 0;
  Newton.mismatch = 0;
  Newton.worst = 0;
  Network.fill = 0;
  writeNeighbours();
  startOrdering();
  writeStatistics();
  return INFO_OK;
}

/** How steps are grouped into calls does not affect the result. */
export function advance(count: i32): i32 {
  for (let k = 0; k < count && phase !== OVER; k++) {
    const info = step();
    if (info !== INFO_OK) return info;
    done += 1;
  }
  setDone(done);
  writeStatistics();
  return INFO_OK;
}

function step(): i32 {
  if (phase === ORDER) {
    const info = advanceOrdering(PIVOTS_PER_STEP);
    if (info !== INFO_OK) return info;
    if (Ordering.done < Network.buses) return INFO_OK;
    findEntries();
    phase = isDirect ? DIRECT : START;
    return INFO_OK;
  }
  if (phase === DIRECT) {
    factorDirect();
    if (Direct.singular > 0) {
      phase = OVER;
      return INFO_OK;
    }
    solveDirect(<i32>parameter(Parameter.chosen));
    startOutages();
    phase = hasOutages || hasFactors ? OUTAGES : START;
    return INFO_OK;
  }
  if (phase === OUTAGES) {
    for (let k = 0; k < OUTAGES_PER_STEP && next < Network.branches; k++) computeOutage(next++);
    if (next === Network.branches) phase = START;
    return INFO_OK;
  }
  if (phase === START) {
    if (!isAlternating) {
      phase = OVER;
      return INFO_OK;
    }
    startNewton(<i32>parameter(Parameter.start), parameter(Parameter.hasLimits) === 1);
    phase = ITERATE;
    return INFO_OK;
  }
  stepNewton();
  if (Newton.outcome === WORKING) return INFO_OK;
  for (let i = 0; i < Network.buses; i++) {
    set(magnitudes, i, isDead(i) ? 0 : magnitudeOf(i));
    set(phases, i, isDead(i) ? 0 : Math.atan2(get(Newton.voltages, 2 * i + 1), get(Newton.voltages, 2 * i)));
  }
  phase = OVER;
  return INFO_OK;
}

function writeStatistics(): void {
  setStatistic(Statistic.singular, <f64>Direct.singular);
  setStatistic(Statistic.fill, <f64>Network.fill);
  setStatistic(Statistic.chosen, <f64>Direct.chosen);
  setStatistic(Statistic.lowest, <f64>Direct.lowest);
  setStatistic(Statistic.loaded, <f64>Direct.loaded);
  setStatistic(Statistic.outcome, <f64>Newton.outcome);
  setStatistic(Statistic.iterations, <f64>Newton.iterations);
  setStatistic(Statistic.rounds, <f64>Newton.rounds);
  setStatistic(Statistic.mismatch, Newton.mismatch);
  setStatistic(Statistic.worst, <f64>Newton.worst);
  setStatistic(Statistic.chosenAlternating, <f64>Newton.chosen);
  setStatistic(Statistic.lowestAlternating, <f64>Newton.lowest);
  setStatistic(Statistic.loadedAlternating, <f64>Newton.loaded);
}

export function view(i: i32): usize {
  if (i === View.buses) return Network.bus;
  if (i === View.branches) return Network.branch;
  if (i === View.angles) return Direct.angles;
  if (i === View.flows) return Direct.flows;
  if (i === View.sensitivities) return Direct.sensitivities;
  if (i === View.outages) return Outages.table;
  if (i === View.distribution) return Outages.distribution;
  if (i === View.transfer) return Outages.transfer;
  if (i === View.voltages) return Newton.voltages;
  if (i === View.magnitudes) return magnitudes;
  if (i === View.phases) return phases;
  if (i === View.ends) return Newton.flows;
  if (i === View.powers) return Newton.powers;
  if (i === View.gradients) return Newton.sensitivities;
  if (i === View.limits) return Newton.limits;
  if (i === View.mismatches) return Newton.history;
  return i === View.profiles ? Newton.profiles : 0;
}

export function extent(i: i32): i32 {
  const n = Network.buses;
  const m = Network.branches;
  if (i === View.buses) return n * BUS_COLUMNS;
  if (i === View.branches) return m * BRANCH_COLUMNS;
  if (i === View.angles) return n;
  if (i === View.flows) return m;
  if (i === View.sensitivities) return FUNCTIONALS * n;
  if (i === View.outages) return hasOutages ? 6 * m : 0;
  if (i === View.distribution) return hasFactors ? m * n : 0;
  if (i === View.transfer) return hasFactors ? m * m : 0;
  if (i === View.voltages) return 2 * n;
  if (i === View.magnitudes) return n;
  if (i === View.phases) return n;
  if (i === View.ends) return 4 * m;
  if (i === View.powers) return 2 * n;
  if (i === View.gradients) return 2 * FUNCTIONALS * n;
  if (i === View.limits) return n;
  if (i === View.mismatches) return isAlternating ? Newton.iterations + 1 : 0;
  return i === View.profiles && isAlternating ? (Newton.iterations + 1) * n : 0;
}
