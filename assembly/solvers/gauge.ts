// Lattice gauge theory: links of Z2, U(1) or SU(2) on a periodic lattice with Wilson's action, by Monte Carlo.
//
// A step is a sweep of all links by heat bath or Metropolis, then sweeps of over-relaxation, then a measurement. Exact in
// the mean, with an error of sqrt(2 tau / sweeps) deviations; tau grows towards a transition, and two phases of a first
// order one may not meet in any run (gauge/update.ts). Wilson, Phys. Rev. D 10 (1974) 2445.
//
// Calls in inner loops: the sites of a lattice, each of which draws its links or multiplies several quaternions.
import {
  allocateF64,
  INFO_NON_FINITE,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from '../kernel';
import { seedRandom } from '../numerics/random';
import { illegal, isFlag, isIntegerBetween, isNonNegative } from '../parameters';
import { allocateLattice, fillNeighbours, Lattice, SU2, startLinks, Z2 } from './gauge/lattice';
import {
  allocateObservables,
  measureLoops,
  measurePlaquettes,
  measurePolyakov,
  Observables,
  transformGauge,
  unitarityDefect,
} from './gauge/observables';
import { allocateUpdate, relaxLinks, startUpdate, tuneWidth, Update, updateLinks } from './gauge/update';

export { abi, control } from '../kernel';

/**
 * group: 0 Z2, 1 U(1), 2 SU(2); dim 2..4; size and time >= 2: sites along space and time; beta >= 0; isMetropolis, isHot
 * 0 | 1; overrelaxation >= 0: sweeps of it in a step; thermalisation >= 0: steps without a record; sweeps >= 1: steps with
 * one; side: of the largest Wilson loop, 0 for none; interval: steps from one record of loops to the next; seed; replica:
 * runs of one seed that differ.
 */
export enum Parameter {
  group,
  dim,
  size,
  time,
  beta,
  isMetropolis,
  overrelaxation,
  isHot,
  thermalisation,
  sweeps,
  side,
  interval,
  seed,
  replica,
}

/** history f64[sweeps][7]; loops f64[records][side][side], of sweeps interval, 2 interval, …: r along space, t along time. */
export enum View {
  history,
  loops,
}

/** Acceptance of Metropolis; max | |U|² − 1 |; change of the mean plaquette under a random gauge transformation. */
export enum Statistic {
  acceptance,
  unitarity,
  gaugeChange,
}

/** Mean plaquettes; the Polyakov loop; both sides of the identity of Schwinger and Dyson. */
export enum HistoryColumn {
  plaquette,
  spacelike,
  timelike,
  polyakovRe,
  polyakovIm,
  identityLeft,
  identityRight,
}

const COLUMNS = 7;
const MAX_SITES: f64 = 1048576;
const MAX_SWEEPS: f64 = 10000000;
const MAX_SIDE: f64 = 8;
const MAX_BETA: f64 = 1000000;
/** Streams of a replica: of updates, the start, and the gauge transformation. */
const STREAMS: u32 = 32;
const START: u32 = 20;
const GAUGE: u32 = 21;

let thermalisation: i32 = 0;
let sweeps: i32 = 0;
let interval: i32 = 1;
let overrelaxation: i32 = 0;
let done: i32 = 0;
let history: usize = 0;
let loops: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.group), Z2, SU2)) return illegal(Parameter.group);
  if (!isIntegerBetween(parameter(Parameter.dim), 2, 4)) return illegal(Parameter.dim);
  if (!isIntegerBetween(parameter(Parameter.size), 2, MAX_SITES)) return illegal(Parameter.size);
  if (!isIntegerBetween(parameter(Parameter.time), 2, MAX_SITES)) return illegal(Parameter.time);
  if (!isNonNegative(parameter(Parameter.beta)) || parameter(Parameter.beta) > MAX_BETA) return illegal(Parameter.beta);
  if (!isFlag(parameter(Parameter.isMetropolis))) return illegal(Parameter.isMetropolis);
  if (!isIntegerBetween(parameter(Parameter.overrelaxation), 0, 1000)) return illegal(Parameter.overrelaxation);
  if (!isFlag(parameter(Parameter.isHot))) return illegal(Parameter.isHot);
  if (!isIntegerBetween(parameter(Parameter.thermalisation), 0, MAX_SWEEPS)) return illegal(Parameter.thermalisation);
  if (!isIntegerBetween(parameter(Parameter.sweeps), 1, MAX_SWEEPS)) return illegal(Parameter.sweeps);
  if (!isIntegerBetween(parameter(Parameter.side), 0, MAX_SIDE)) return illegal(Parameter.side);
  if (!isIntegerBetween(parameter(Parameter.interval), 1, MAX_SWEEPS)) return illegal(Parameter.interval);
  if (!isIntegerBetween(parameter(Parameter.seed), 0, f64.MAX_SAFE_INTEGER)) return illegal(Parameter.seed);
  if (!isIntegerBetween(parameter(Parameter.replica), 0, 1000)) return illegal(Parameter.replica);
  Lattice.group = <i32>parameter(Parameter.group);
  Lattice.dim = <i32>parameter(Parameter.dim);
  Lattice.size = <i32>parameter(Parameter.size);
  Lattice.time = <i32>parameter(Parameter.time);
  let sites = parameter(Parameter.time);
  for (let mu = 1; mu < Lattice.dim; mu++) sites *= parameter(Parameter.size);
  if (sites > MAX_SITES) return illegal(Parameter.size);
  Update.beta = parameter(Parameter.beta);
  Update.isMetropolis = parameter(Parameter.isMetropolis) === 1;
  Observables.side = <i32>parameter(Parameter.side);
  overrelaxation = <i32>parameter(Parameter.overrelaxation);
  thermalisation = <i32>parameter(Parameter.thermalisation);
  sweeps = <i32>parameter(Parameter.sweeps);
  interval = <i32>parameter(Parameter.interval);
  seedRandom(parameter(Parameter.seed));
  Lattice.stream = STREAMS * <u32>parameter(Parameter.replica);
  history = allocateF64(sweeps * COLUMNS);
  loops = allocateF64(max<i32>(1, loopRecords() * Observables.side * Observables.side));
  if (history === 0 || loops === 0) return INFO_OUT_OF_MEMORY;
  return allocateLattice() && allocateObservables() && allocateUpdate() ? INFO_OK : INFO_OUT_OF_MEMORY;
}

function loopRecords(): i32 {
  return Observables.side > 0 ? sweeps / interval : 0;
}

export function start(): i32 {
  done = 0;
  fillNeighbours();
  startLinks(parameter(Parameter.isHot) === 1, START + Lattice.stream);
  startUpdate();
  Update.accepted = 0;
  Update.proposed = 0;
  return INFO_OK;
}

/** At most `count` steps. How they are grouped into calls does not affect the result. */
export function advance(count: i32): i32 {
  for (let k = 0; k < count && done < thermalisation + sweeps; k++) {
    updateLinks(done);
    for (let relax = 0; relax < overrelaxation; relax++) relaxLinks();
    if (done < thermalisation) tuneWidth();
    else if (!recordSweep(done - thermalisation)) return INFO_NON_FINITE;
    done++;
    if (done === thermalisation + sweeps) finish();
  }
  setDone(<f64>done);
  return INFO_OK;
}

function recordSweep(sweep: i32): bool {
  measurePlaquettes();
  measurePolyakov();
  const links = <f64>(Lattice.sites * Lattice.dim);
  const row = history + ((<usize>sweep * COLUMNS) << 3);
  store<f64>(row, Observables.plaquette);
  store<f64>(row, Observables.spacelike, 8);
  store<f64>(row, Observables.timelike, 16);
  store<f64>(row, Observables.polyakovRe, 24);
  store<f64>(row, Observables.polyakovIm, 32);
  store<f64>(row, Update.mean / links, 40);
  store<f64>(row, Update.spread / links, 48);
  const record = (sweep + 1) / interval;
  if (Observables.side > 0 && record * interval === sweep + 1)
    measureLoops(loops + ((<usize>(record - 1) * <usize>(Observables.side * Observables.side)) << 3));
  return isFinite(Observables.plaquette);
}

function finish(): void {
  setStatistic(Statistic.acceptance, Update.proposed > 0 ? Update.accepted / Update.proposed : 1);
  const before = Observables.plaquette;
  transformGauge(GAUGE + Lattice.stream);
  measurePlaquettes();
  setStatistic(Statistic.gaugeChange, Observables.plaquette - before);
  setStatistic(Statistic.unitarity, unitarityDefect());
}

export function view(i: i32): usize {
  if (i === View.history) return history;
  return i === View.loops ? loops : 0;
}

export function extent(i: i32): i32 {
  if (i === View.history) return sweeps * COLUMNS;
  return i === View.loops ? loopRecords() * Observables.side * Observables.side : 0;
}
