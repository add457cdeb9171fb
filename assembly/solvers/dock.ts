// Docking of two rigid bodies: the pose of a ligand with the least energy beside a receptor that is fixed.
//
// Six degrees of freedom: the centroid and a unit quaternion. A step is one local minimisation (dock/minimise.ts): the start
// of a chain, or a hop from its last minimum (dock/search.ts). After the last step the best pose is refined and certified
// (dock/certificate.ts). It finds the global minimum with a probability, which a second search judges, and never with
// certainty. Lennard-Jones bodies in units of sigma and of the well depth, or Vina's scoring in ångström and kcal/mol.
//
// Compressed size: at most 18 kB, because both scorings, the search and the certificate are parts of it.
//
// Calls in inner loops: a pair of atoms calls the terms of its scoring, of which there are two.
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
import { copyValues, get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isPositive } from '../parameters';
import { ATOM_COLUMNS, allocateBodies, Bodies, fillBodies } from './dock/bodies';
import { allocateCells, fillCells } from './dock/cells';
import { allocateCertificate, Certificate, certify, poll } from './dock/certificate';
import { Energy, exactEnergy, gradientFault, outsideBox } from './dock/energy';
import { allocateMinimise, Minimise, minimise } from './dock/minimise';
import { POSE } from './dock/pose';
import { allocateSearch, drawStart, hop, isAccepted, Search, startChain, startSearch } from './dock/search';
import { allocateVina, fillVina, TERMS } from './dock/vina';

export { abi, control } from '../kernel';

/**
 * receptorAtoms, ligandAtoms >= 1; isVina 0 | 1; factor > 0 of the energy; chains >= 1; hops >= 0 after the start of each;
 * iterations >= 0 of a minimisation; isGiven 0 | 1: the first start is the pose of the view `given`; isBoxed 0 | 1: atoms
 * of the ligand have to be in the box, else it is only where starts are drawn; its centre, and its half sides > 0;
 * temperature > 0 of Metropolis' rule; hopLength, hopAngle > 0; maxStep > 0; tolerance > 0 of the gradient; seed; search:
 * searches of one seed that differ.
 */
export enum Parameter {
  receptorAtoms,
  ligandAtoms,
  isVina,
  factor,
  chains,
  hops,
  iterations,
  isGiven,
  isBoxed,
  centreX,
  centreY,
  centreZ,
  halfX,
  halfY,
  halfZ,
  temperature,
  hopLength,
  hopAngle,
  maxStep,
  tolerance,
  seed,
  search,
}

/**
 * Inputs receptor f64[atoms][5], ligand f64[atoms][5] about its centroid: x, y, z, radius, bits; given f64[7]: a pose.
 * Outputs history f64[steps][17], of each local minimum; best f64[7]: the refined pose; curvatures f64[6] there.
 */
export enum View {
  receptor,
  ligand,
  given,
  history,
  best,
  curvatures,
}

/**
 * The refined energy and the row of the history that it comes from, −1 if no pose lies in the box; the length of the
 * gradient, and what a Newton step would gain; directions without and with negative curvature; all evaluations;
 * minimisations whose iterations ran out; fault of the gradient at the best pose; farthest deviation of |q| from 1.
 */
export enum Statistic {
  energy,
  row,
  slope,
  decrement,
  flat,
  falling,
  evaluations,
  exhausted,
  gradientFault,
  unitFault,
}

/** A local minimum: exact energy, pose, distance outside the box, gradient, evaluations, Metropolis' answer, and terms. */
export enum HistoryColumn {
  energy,
  x,
  y,
  z,
  q0,
  q1,
  q2,
  q3,
  outside,
  slope,
  evaluations,
  accepted,
  term0,
  term1,
  term2,
  term3,
  term4,
}

const COLUMNS: i32 = 17;
const MAX_ATOMS: f64 = 100000;
const MAX_STEPS: f64 = 1000000;
/** Gradients of a minimum, over the energy and 1; one against a wall of the box is none. */
const STATIONARY: f64 = 1e-5;
const STATIONARY_VINA: f64 = 1e-2;
/** Energy above the least so far, below which a minimum of the smooth energy is refined on the sharp one. */
const NEAR: f64 = 0.1;
/** Steps of that refinement, in Å. */
const POLL_FROM: f64 = 0.02;
const POLL_TO: f64 = 1e-4;
/** Distance outside the box that is rounding. */
const INSIDE: f64 = 1e-9;

let chains: i32 = 1;
let perChain: i32 = 1;
let done: i32 = 0;
let exhausted: f64 = 0;
let unitFault: f64 = 0;
let bestRow: i32 = -1;
let bestEnergy: f64 = Infinity;
let currentEnergy: f64 = 0;
let given: usize = 0;
let history: usize = 0;
let best: usize = 0;
let curvatures: usize = 0;
let current: usize = 0;
let pose: usize = 0;
let work: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.receptorAtoms), 1, MAX_ATOMS)) return illegal(Parameter.receptorAtoms);
  if (!isIntegerBetween(parameter(Parameter.ligandAtoms), 1, MAX_ATOMS)) return illegal(Parameter.ligandAtoms);
  if (!isFlag(parameter(Parameter.isVina))) return illegal(Parameter.isVina);
  if (!isPositive(parameter(Parameter.factor))) return illegal(Parameter.factor);
  if (!isIntegerBetween(parameter(Parameter.chains), 1, MAX_STEPS)) return illegal(Parameter.chains);
  if (!isIntegerBetween(parameter(Parameter.hops), 0, MAX_STEPS)) return illegal(Parameter.hops);
  if (parameter(Parameter.chains) * (parameter(Parameter.hops) + 1) > MAX_STEPS) return illegal(Parameter.hops);
  if (!isIntegerBetween(parameter(Parameter.iterations), 0, MAX_STEPS)) return illegal(Parameter.iterations);
  if (!isFlag(parameter(Parameter.isGiven))) return illegal(Parameter.isGiven);
  if (!isFlag(parameter(Parameter.isBoxed))) return illegal(Parameter.isBoxed);
  for (let k: i32 = Parameter.centreX; k <= Parameter.centreZ; k++) if (!isFinite(parameter(k))) return illegal(k);
  for (let k: i32 = Parameter.halfX; k <= Parameter.tolerance; k++) if (!isPositive(parameter(k))) return illegal(k);
  if (!isIntegerBetween(parameter(Parameter.seed), 0, f64.MAX_SAFE_INTEGER)) return illegal(Parameter.seed);
  if (!isIntegerBetween(parameter(Parameter.search), 0, 1000)) return illegal(Parameter.search);
  Bodies.receptorAtoms = <i32>parameter(Parameter.receptorAtoms);
  Bodies.ligandAtoms = <i32>parameter(Parameter.ligandAtoms);
  Energy.isVina = parameter(Parameter.isVina) === 1;
  Energy.factor = parameter(Parameter.factor);
  Energy.isBoxed = parameter(Parameter.isBoxed) === 1;
  for (let k = 0; k < 6; k++) set(Energy.box, k, parameter(Parameter.centreX + k));
  chains = <i32>parameter(Parameter.chains);
  perChain = 1 + <i32>parameter(Parameter.hops);
  Minimise.maxIterations = <i32>parameter(Parameter.iterations);
  Minimise.maxStep = parameter(Parameter.maxStep);
  Minimise.tolerance = parameter(Parameter.tolerance);
  Search.temperature = parameter(Parameter.temperature);
  Search.hopLength = parameter(Parameter.hopLength);
  Search.hopAngle = parameter(Parameter.hopAngle);
  Search.number = <u32>parameter(Parameter.search);
  seedRandom(parameter(Parameter.seed));
  given = allocateF64(POSE);
  history = allocateF64(chains * perChain * COLUMNS);
  best = allocateF64(POSE);
  current = allocateF64(POSE);
  pose = allocateF64(POSE);
  work = allocateF64(32);
  curvatures = allocateCertificate();
  if (given === 0 || history === 0 || best === 0 || current === 0 || pose === 0 || work === 0 || curvatures === 0)
    return INFO_OUT_OF_MEMORY;
  if (!allocateBodies() || !allocateMinimise() || !allocateSearch()) return INFO_OUT_OF_MEMORY;
  if (!Energy.isVina) return INFO_OK;
  return allocateCells() && allocateVina() ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  done = 0;
  exhausted = 0;
  unitFault = 0;
  bestRow = -1;
  bestEnergy = Infinity;
  Energy.evaluations = 0;
  if (!fillBodies()) return INFO_NON_FINITE;
  if (Energy.isVina) {
    fillCells(4);
    fillVina();
  }
  startSearch();
  return INFO_OK;
}

/** At most `count` minimisations. How they are grouped into calls does not affect the result. */
export function advance(count: i32): i32 {
  const total = chains * perChain;
  for (let k = 0; k < count && done < total; k++) {
    const chain = done / perChain;
    const isStart = done % perChain === 0;
    if (isStart) {
      startChain(chain);
      if (done === 0 && parameter(Parameter.isGiven) === 1) copyValues(pose, given, POSE);
      else drawStart(pose, chain);
    } else {
      copyValues(pose, current, POSE);
      hop(pose);
    }
    const before = Energy.evaluations;
    minimise(pose);
    if (Minimise.isExhausted) exhausted += 1;
    const takes = isStart || isAccepted(Minimise.energy - currentEnergy);
    if (takes) {
      copyValues(current, pose, POSE);
      currentEnergy = Minimise.energy;
    }
    record(Energy.evaluations - before, takes);
    done++;
    if (done === total) finish();
  }
  setDone(<f64>done);
  return INFO_OK;
}

function record(evaluations: f64, takes: bool): void {
  const row = history + ((<usize>(done * COLUMNS)) << 3);
  const steepest = Energy.isVina ? STATIONARY_VINA : STATIONARY;
  let energy = exactEnergy(pose);
  if (Energy.isVina && Minimise.maxIterations > 0 && energy < bestEnergy + NEAR && !(outsideBox() > INSIDE)) {
    poll(pose, POLL_FROM, POLL_TO);
    energy = exactEnergy(pose);
  }
  const outside = outsideBox();
  set(row, HistoryColumn.energy, energy);
  copyValues(row + 8, pose, POSE);
  set(row, HistoryColumn.outside, outside);
  set(row, HistoryColumn.slope, Minimise.slope);
  set(row, HistoryColumn.evaluations, evaluations);
  set(row, HistoryColumn.accepted, takes ? 1 : 0);
  copyValues(row + ((<usize>HistoryColumn.term0) << 3), TERMS, 5);
  let square: f64 = 0;
  for (let k = 3; k < POSE; k++) square += get(pose, k) * get(pose, k);
  unitFault = Math.max(unitFault, Math.abs(Math.sqrt(square) - 1));
  const isStationary = Minimise.maxIterations === 0 || Minimise.slope <= steepest * (1 + Math.abs(energy));
  if (outside > INSIDE || !isStationary || !(energy < bestEnergy)) return;
  bestEnergy = energy;
  bestRow = done;
  copyValues(best, pose, POSE);
}

function finish(): void {
  setStatistic(Statistic.exhausted, exhausted);
  setStatistic(Statistic.unitFault, unitFault);
  setStatistic(Statistic.row, <f64>bestRow);
  setStatistic(Statistic.evaluations, Energy.evaluations);
  if (bestRow < 0) return;
  if (Minimise.maxIterations > 0) certify(best);
  else Certificate.energy = exactEnergy(best);
  setStatistic(Statistic.energy, Certificate.energy);
  setStatistic(Statistic.slope, Certificate.slope);
  setStatistic(Statistic.decrement, Certificate.decrement);
  setStatistic(Statistic.flat, Certificate.flat);
  setStatistic(Statistic.falling, Certificate.falling);
  setStatistic(Statistic.gradientFault, leastGradientFault());
}

/** At the best pose and beside it: a difference across a corner of Vina's slopes shows no fault of the gradient. */
function leastGradientFault(): f64 {
  let fault = gradientFault(best, work);
  for (let k = 0; k < 3; k++) {
    copyValues(pose, best, POSE);
    for (let d = 0; d < 3; d++) set(pose, d, get(pose, d) + 1e-3 * <f64>(k + 1 + d));
    fault = Math.min(fault, gradientFault(pose, work));
  }
  return fault;
}

export function view(i: i32): usize {
  if (i === View.receptor) return Bodies.receptor;
  if (i === View.ligand) return Bodies.ligand;
  if (i === View.given) return given;
  if (i === View.history) return history;
  if (i === View.best) return best;
  return i === View.curvatures ? curvatures : 0;
}

export function extent(i: i32): i32 {
  if (i === View.receptor) return Bodies.receptorAtoms * ATOM_COLUMNS;
  if (i === View.ligand) return Bodies.ligandAtoms * ATOM_COLUMNS;
  if (i === View.given || i === View.best) return POSE;
  if (i === View.history) return chains * perChain * COLUMNS;
  return i === View.curvatures ? 6 : 0;
}
