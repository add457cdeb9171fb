// Options by simulation and, with early exercise, on a lattice: exact lognormal paths at given dates, with a control, mirrored and shifted sampling.
//
// A step is a block of 128 samples. Blocks go to 32 groups, each with the sums of its samples and their squares; with
// Sobol's sequence a group is a replicate of its own scrambling. Error of the mean: sigma / √samples, or about 1 / samples
// for smooth payoffs of few dimensions with Sobol. No error of a step: see quant/paths.ts.
//
// A step of a lattice is a level of quant/lattice.ts. Heston's variance: a step of the characteristic function is 32 nodes
// of quant/fourier.ts, and a step of its paths a block, whose steps in time have the error that quant/heston-paths.ts states.
//
// Calls in inner loops: each works on a row of 128.
// Compressed size: at most 20 kB, because lattices, paths and the characteristic function share the option.
import { INFO_OK, INFO_OUT_OF_MEMORY, parameter, resetArena, resetControl, setDone, setStatistic } from '../kernel';
import { seedRandom } from '../numerics/random';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import { allocateDraws, startGroup } from './quant/draws';
import {
  allocateFourier,
  Fourier,
  Heston,
  KINDS,
  NODES,
  startFourier,
  stepFourier,
  TRANSFORM_COLUMNS,
} from './quant/fourier';
import { allocateHestonPaths, HestonPaths, sampleHestonPaths, startHestonPaths } from './quant/heston-paths';
import { allocateLattice, Lattice, LEVEL_COLUMNS, latticePrice, startLattice, stepLattice } from './quant/lattice';
import { allocatePaths, Control, DATE_COLUMNS, dateTable, Option, samplePaths, startPaths } from './quant/paths';
import { addSamples, allocateSamples, BLOCK, COLUMNS, ESTIMATORS, GROUPS, Samples } from './quant/samples';

export { abi, control } from '../kernel';

/**
 * payoff: 0 vanilla, 1 digital, 2 asian, 3 barrier; phi: 1 call, −1 put; strike, discount, spot > 0; sigma, maturity >= 0;
 * dates >= 1; barrier >= 0 with isUp, isKnockIn, isContinuous 0 | 1; control: 0 none, 1 underlying, 2 vanilla, 3 geometric;
 * shift: deviations that the end of a path is moved by; isAntithetic, hasGreeks, isLikelihood 0 | 1; samples >= 1; isSobol
 * 0 | 1: with it each group has groupBlocks blocks; seed; levels
 * of a lattice, 0 for a simulation, and levelVariance. Heston: v0, kappa, theta, sigmaV >= 0 and rho between −1 and 1; nodes,
 * 0 without the characteristic function, with their spacing >= 0 and the number of strikes; timeSteps of paths, 0 for
 * lognormal ones; then spot is the forward.
 */
export enum Parameter {
  payoff,
  phi,
  strike,
  discount,
  spot,
  sigma,
  maturity,
  dates,
  barrier,
  isUp,
  isKnockIn,
  isContinuous,
  control,
  shift,
  isAntithetic,
  hasGreeks,
  isLikelihood,
  samples,
  isSobol,
  groupBlocks,
  seed,
  levels,
  levelVariance,
  v0,
  kappa,
  theta,
  sigmaV,
  rho,
  nodes,
  spacing,
  strikes,
  timeSteps,
}

/**
 * In: dates f64[dates][5], centres f64[6]. levels f64[levels + 1][3]. moneyness f64[strikes]: ln(F / K). Out: records
 * f64[32][19], transforms f64[strikes][10], magnitudes f64[5].
 */
export enum View {
  dates,
  centres,
  records,
  levels,
  moneyness,
  transforms,
  magnitudes,
}

/** price: of a lattice. isOver: 1 once the integrand is negligible. uncorrected: steps of paths that do not keep the mean. */
export enum Statistic {
  price,
  isOver,
  uncorrected,
}

/** Integrals of quant/fourier.ts with step h, and with step 2 h. */
export enum TransformColumn {
  price,
  slope,
  density,
  variance,
  time,
  coarsePrice,
  coarseSlope,
  coarseDensity,
  coarseVariance,
  coarseTime,
}

/** Forward, dividends to come, discount factor to today. */
export enum LevelColumn {
  forward,
  dividends,
  discount,
}

/** Forward and total variance of X, dividends to come, weight in the average, time in years. */
export enum DateColumn {
  forward,
  variance,
  dividends,
  weight,
  time,
}

/** Samples, those with a payoff; sums of x and x², then of y, y² and x y of each estimator, all less their centre. */
export enum RecordColumn {
  count,
  paid,
  control,
  control2,
  price,
  price2,
  priceControl,
  delta,
  delta2,
  deltaControl,
  gamma,
  gamma2,
  gammaControl,
  vega,
  vega2,
  vegaControl,
  rho,
  rho2,
  rhoControl,
}

const MAX_DATES: f64 = 400;
const MAX_LEVELS: f64 = 10000;
const MAX_SAMPLES: f64 = 1e8;
const MAX_NODES: f64 = 1e6;
const MAX_STRIKES: f64 = 1000;
const MAX_TIME_STEPS: f64 = 2000;

let samples: i32 = 0;
let groupBlocks: i32 = 0;
let done: i32 = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.payoff), 0, 3)) return illegal(Parameter.payoff);
  if (Math.abs(parameter(Parameter.phi)) !== 1) return illegal(Parameter.phi);
  if (!isPositive(parameter(Parameter.strike))) return illegal(Parameter.strike);
  if (!isPositive(parameter(Parameter.discount))) return illegal(Parameter.discount);
  if (!isPositive(parameter(Parameter.spot))) return illegal(Parameter.spot);
  if (!isNonNegative(parameter(Parameter.sigma))) return illegal(Parameter.sigma);
  if (!isNonNegative(parameter(Parameter.maturity))) return illegal(Parameter.maturity);
  if (!isIntegerBetween(parameter(Parameter.dates), 1, MAX_DATES)) return illegal(Parameter.dates);
  if (!isNonNegative(parameter(Parameter.barrier))) return illegal(Parameter.barrier);
  if (!isFlag(parameter(Parameter.isUp))) return illegal(Parameter.isUp);
  if (!isFlag(parameter(Parameter.isKnockIn))) return illegal(Parameter.isKnockIn);
  if (!isFlag(parameter(Parameter.isContinuous))) return illegal(Parameter.isContinuous);
  if (!isIntegerBetween(parameter(Parameter.control), 0, 3)) return illegal(Parameter.control);
  if (!isFinite(parameter(Parameter.shift))) return illegal(Parameter.shift);
  if (!isFlag(parameter(Parameter.isAntithetic))) return illegal(Parameter.isAntithetic);
  if (!isFlag(parameter(Parameter.hasGreeks))) return illegal(Parameter.hasGreeks);
  if (!isFlag(parameter(Parameter.isLikelihood))) return illegal(Parameter.isLikelihood);
  if (!isIntegerBetween(parameter(Parameter.samples), 1, MAX_SAMPLES)) return illegal(Parameter.samples);
  if (!isFlag(parameter(Parameter.isSobol))) return illegal(Parameter.isSobol);
  if (!isIntegerBetween(parameter(Parameter.groupBlocks), 1, MAX_SAMPLES)) return illegal(Parameter.groupBlocks);
  if (!isIntegerBetween(parameter(Parameter.seed), 0, f64.MAX_SAFE_INTEGER)) return illegal(Parameter.seed);
  if (!isIntegerBetween(parameter(Parameter.levels), 0, MAX_LEVELS)) return illegal(Parameter.levels);
  if (!isNonNegative(parameter(Parameter.levelVariance))) return illegal(Parameter.levelVariance);
  if (!isNonNegative(parameter(Parameter.v0))) return illegal(Parameter.v0);
  if (!isNonNegative(parameter(Parameter.kappa))) return illegal(Parameter.kappa);
  if (!isNonNegative(parameter(Parameter.theta))) return illegal(Parameter.theta);
  if (!isNonNegative(parameter(Parameter.sigmaV))) return illegal(Parameter.sigmaV);
  if (!(Math.abs(parameter(Parameter.rho)) < 1)) return illegal(Parameter.rho);
  if (!isIntegerBetween(parameter(Parameter.nodes), 0, MAX_NODES)) return illegal(Parameter.nodes);
  if (!isNonNegative(parameter(Parameter.spacing))) return illegal(Parameter.spacing);
  if (!isIntegerBetween(parameter(Parameter.strikes), 0, MAX_STRIKES)) return illegal(Parameter.strikes);
  if (!isIntegerBetween(parameter(Parameter.timeSteps), 0, MAX_TIME_STEPS)) return illegal(Parameter.timeSteps);
  Heston.v0 = parameter(Parameter.v0);
  Heston.kappa = parameter(Parameter.kappa);
  Heston.theta = parameter(Parameter.theta);
  Heston.sigma = parameter(Parameter.sigmaV);
  Heston.rho = parameter(Parameter.rho);
  Heston.maturity = parameter(Parameter.maturity);
  Fourier.nodes = <i32>parameter(Parameter.nodes);
  Fourier.spacing = parameter(Parameter.spacing);
  Fourier.strikes = <i32>parameter(Parameter.strikes);
  HestonPaths.steps = <i32>parameter(Parameter.timeSteps);
  Lattice.levels = <i32>parameter(Parameter.levels);
  Lattice.step = parameter(Parameter.levelVariance);
  Lattice.phi = parameter(Parameter.phi);
  Lattice.strike = parameter(Parameter.strike);
  Option.payoff = <i32>parameter(Parameter.payoff);
  Option.phi = parameter(Parameter.phi);
  Option.strike = parameter(Parameter.strike);
  Option.discount = parameter(Parameter.discount);
  Option.spot = parameter(Parameter.spot);
  Option.sigma = parameter(Parameter.sigma);
  Option.maturity = parameter(Parameter.maturity);
  Option.dates = <i32>parameter(Parameter.dates);
  Option.barrier = parameter(Parameter.barrier);
  Option.isUp = parameter(Parameter.isUp) === 1;
  Option.isKnockIn = parameter(Parameter.isKnockIn) === 1;
  Option.isContinuous = parameter(Parameter.isContinuous) === 1;
  Option.control = <i32>parameter(Parameter.control);
  Option.shift = parameter(Parameter.shift);
  Option.isAntithetic = parameter(Parameter.isAntithetic) === 1;
  Option.isLikelihood = parameter(Parameter.isLikelihood) === 1;
  Samples.hasControl = Option.control !== Control.none;
  Samples.used = parameter(Parameter.hasGreeks) === 1 ? ESTIMATORS : 1;
  samples = <i32>parameter(Parameter.samples);
  groupBlocks = <i32>parameter(Parameter.groupBlocks);
  seedRandom(parameter(Parameter.seed));
  if (Lattice.levels > 0 && !allocateLattice()) return INFO_OUT_OF_MEMORY;
  if (Fourier.nodes > 0 && !allocateFourier()) return INFO_OUT_OF_MEMORY;
  if (HestonPaths.steps > 0 && !allocateHestonPaths()) return INFO_OUT_OF_MEMORY;
  const dimensions = HestonPaths.steps > 0 ? 2 * HestonPaths.steps : Option.dates;
  const hasRoom = allocateSamples() && allocatePaths();
  return hasRoom && allocateDraws(dimensions, parameter(Parameter.isSobol) === 1) ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  done = 0;
  if (Lattice.levels > 0) startLattice();
  if (Fourier.nodes > 0) startFourier();
  if (HestonPaths.steps > 0) startHestonPaths();
  startPaths();
  return INFO_OK;
}

/** At most `count` blocks. How they are grouped into calls does not affect the result. */
export function advance(count: i32): i32 {
  if (Lattice.levels > 0) return advanceLattice(count);
  if (Fourier.nodes > 0) return advanceFourier(count);
  for (let k = 0; k < count; k++) {
    const left = samples - done * BLOCK;
    const group = done / groupBlocks;
    if (left <= 0 || group >= GROUPS) break;
    const inGroup = done - group * groupBlocks;
    if (inGroup === 0) startGroup(group);
    if (HestonPaths.steps > 0) sampleHestonPaths(done, inGroup);
    else samplePaths(done, inGroup);
    addSamples(group, min<i32>(left, BLOCK));
    done++;
  }
  setStatistic(Statistic.uncorrected, <f64>HestonPaths.uncorrected);
  setDone(<f64>done);
  return INFO_OK;
}

function advanceFourier(count: i32): i32 {
  const steps = (Fourier.nodes + NODES - 1) / NODES;
  for (let k = 0; k < count && done < steps && !Fourier.isOver; k++) {
    stepFourier();
    done++;
  }
  setDone(<f64>done);
  setStatistic(Statistic.isOver, Fourier.isOver ? 1 : 0);
  return INFO_OK;
}

function advanceLattice(count: i32): i32 {
  for (let k = 0; k < count && Lattice.level > 0; k++) {
    stepLattice();
    done++;
  }
  setDone(<f64>done);
  setStatistic(Statistic.price, latticePrice());
  return INFO_OK;
}

export function view(i: i32): usize {
  if (i === View.dates) return dateTable;
  if (i === View.centres) return Samples.centres;
  if (i === View.levels) return Lattice.table;
  if (i === View.moneyness) return Fourier.table;
  if (i === View.transforms) return Fourier.transforms;
  if (i === View.magnitudes) return Fourier.magnitudes;
  return i === View.records ? Samples.records : 0;
}

export function extent(i: i32): i32 {
  if (i === View.dates) return Option.dates * DATE_COLUMNS;
  if (i === View.centres) return 1 + ESTIMATORS;
  if (i === View.levels) return Lattice.levels > 0 ? (Lattice.levels + 1) * LEVEL_COLUMNS : 0;
  if (i === View.moneyness) return Fourier.nodes > 0 ? Fourier.strikes : 0;
  if (i === View.transforms) return Fourier.nodes > 0 ? Fourier.strikes * TRANSFORM_COLUMNS : 0;
  if (i === View.magnitudes) return Fourier.nodes > 0 ? KINDS : 0;
  return i === View.records ? GROUPS * COLUMNS : 0;
}
