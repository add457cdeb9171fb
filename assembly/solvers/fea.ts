// Linear elasticity in the plane and of bodies of revolution, by four-node quadrilaterals on nested meshes.
//
// The coarsest mesh is solved by Cholesky's method, each finer one by conjugate gradients from the solution before it; the
// operator is applied element by element and a V-cycle over the meshes is the preconditioner, so that the number of
// iterations hardly depends on the mesh. Displacements have order 2, stresses order 1 (2 at the Gauss points of regular
// meshes), where the solution is smooth. Hughes, The Finite Element Method (2000), chapters 3, 4 and 9.
//
// One step is a batch of elements, of rows of the factor, or one iteration.
//
// Calls in inner loops: those over elements, which are small functions of the element.
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
  statistic,
} from '../kernel';
import { Cg, descendCg, startCg, turnCg } from '../numerics/krylov/conjugate-gradient';
import { pairwiseDot } from '../numerics/sum';
import { get, set } from '../numerics/vector';
import { illegal, isIntegerBetween, isNonNegative, isPositive } from '../parameters';
import { elementStress, Material, setMaterial } from './fea/element';
import * as levels from './fea/levels';
import * as multigrid from './fea/multigrid';

export { abi, control } from '../kernel';

/**
 * levels 1 … 3; nodes, elements and edges of each, edges being those of the coarser mesh; profile, entries of the
 * coarsest matrix; state 0 plane stress, 1 plane strain, 2 axisymmetric; element 0 full, 1 B-bar, 2 incompatible modes;
 * young > 0; poisson in (−1, 0.5); expansion >= 0, per degree; thickness > 0; tolerance, relative in the energy norm;
 * maxIterations of each mesh.
 */
export enum Parameter {
  levels,
  nodes0,
  nodes1,
  nodes2,
  elements0,
  elements1,
  elements2,
  edges1,
  edges2,
  profile,
  state,
  element,
  young,
  poisson,
  expansion,
  thickness,
  tolerance,
  maxIterations,
}

/**
 * In, all levels one after the other, N nodes and M elements in all: points f64[N, 2]; quads i32[M, 4], anticlockwise,
 * counted in their level; edges i32[E, 2], nodes of the coarser level; fixed i32[N, 2], 0 or 1; prescribed and force
 * f64[N, 2]; heat f64[N], temperature rise; starts i32[2 nodes0 + 1], rows of the profile.
 * Out: u f64[N, 2]; stress f64[M, 4, 4], xx, yy, xy, zz at the Gauss points; reactions f64[nodes of the finest, 2], K u − f;
 * residuals f64[iterations of the finest], relative, in the norm of the preconditioner.
 */
export enum View {
  points,
  quads,
  edges,
  fixed,
  prescribed,
  force,
  heat,
  starts,
  u,
  stress,
  reactions,
  residuals,
}

/**
 * iterations of each finer mesh; work: uᵀ K u of each mesh; left: the relative error in the energy norm that the finest
 * iteration left; rounding: an estimate of its largest displacement error by rounding; singularRow, from 1, and
 * badElement, from 1, over all levels: why the run stopped.
 */
export enum Statistic {
  iterations1,
  iterations2,
  work0,
  work1,
  work2,
  left,
  rounding,
  singularRow,
  badElement,
}

const MAX_NODES: f64 = 1048576;
const MAX_PROFILE: f64 = 16777216;
const ELEMENTS_PER_STEP: i32 = 512;
const ROWS_PER_STEP: i32 = 32;
/** A pivot below this part of its diagonal is taken as 0. */
const SINGULAR: f64 = 1e-13;

const COMPUTE: i32 = 0;
const FACTOR: i32 = 1;
const BEGIN: i32 = 2;
const ITERATE: i32 = 3;
const STRESS: i32 = 4;
const OVER: i32 = 5;
const END: i32 = 6;
/** What a part of a step adds to `done`: sums of powers of two are exact. */
const SHARE: f64 = 1 / 32;

let done: f64 = 0;
let phase: i32 = 0;
let next: i32 = 0;
let level: i32 = 0;
let iteration: i32 = 0;
let maxIterations: i32 = 0;
let tolerance: f64 = 0;
let energy: f64 = 0;
/** What is left of the energy of the load, as a root. */
let left: f64 = 0;
let share: f64 = 1;
/** Of the steps that are done in parts. */
let part: i32 = 0;
let reactions: usize = 0;
let residuals: usize = 0;
let residualCount: i32 = 0;
let scratch: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  if (!isIntegerBetween(parameter(Parameter.levels), 1, levels.MAX_LEVELS)) return illegal(Parameter.levels);
  levels.Mesh.levels = <i32>parameter(Parameter.levels);
  for (let l = 0; l < levels.MAX_LEVELS; l++) {
    const isUsed = l < levels.Mesh.levels;
    const least: f64 = isUsed ? 1 : 0;
    if (!isIntegerBetween(parameter(Parameter.nodes0 + l), 4 * least, MAX_NODES)) return illegal(Parameter.nodes0 + l);
    if (!isIntegerBetween(parameter(Parameter.elements0 + l), least, MAX_NODES))
      return illegal(Parameter.elements0 + l);
    levels.nodeCount[l] = isUsed ? <i32>parameter(Parameter.nodes0 + l) : 0;
    levels.elementCount[l] = isUsed ? <i32>parameter(Parameter.elements0 + l) : 0;
    levels.edgeCount[l] = 0;
  }
  for (let l = 1; l < levels.MAX_LEVELS; l++) {
    const i = Parameter.edges1 + l - 1;
    const isUsed = l < levels.Mesh.levels;
    const expected = levels.nodeCount[l] - levels.nodeCount[l - 1] - levels.elementCount[l - 1];
    if (!isIntegerBetween(parameter(i), 0, MAX_NODES)) return illegal(i);
    if (isUsed && parameter(i) !== <f64>expected) return illegal(i);
    levels.edgeCount[l] = isUsed ? expected : 0;
  }
  const least = <f64>(2 * levels.nodeCount[0]);
  if (!isIntegerBetween(parameter(Parameter.profile), least, MAX_PROFILE)) return illegal(Parameter.profile);
  if (!isIntegerBetween(parameter(Parameter.state), 0, 2)) return illegal(Parameter.state);
  if (!isIntegerBetween(parameter(Parameter.element), 0, 2)) return illegal(Parameter.element);
  if (!isPositive(parameter(Parameter.young))) return illegal(Parameter.young);
  const poisson = parameter(Parameter.poisson);
  if (!(poisson > -1 && poisson < 0.5)) return illegal(Parameter.poisson);
  if (!isNonNegative(parameter(Parameter.expansion))) return illegal(Parameter.expansion);
  if (!isPositive(parameter(Parameter.thickness))) return illegal(Parameter.thickness);
  if (!isPositive(parameter(Parameter.tolerance))) return illegal(Parameter.tolerance);
  if (!isIntegerBetween(parameter(Parameter.maxIterations), 1, 1e6)) return illegal(Parameter.maxIterations);
  Material.state = <i32>parameter(Parameter.state);
  Material.element = <i32>parameter(Parameter.element);
  Material.expansion = parameter(Parameter.expansion);
  Material.thickness = parameter(Parameter.thickness);
  setMaterial(parameter(Parameter.young), poisson);
  tolerance = parameter(Parameter.tolerance);
  maxIterations = <i32>parameter(Parameter.maxIterations);
  if (!levels.allocateLevels()) return INFO_OUT_OF_MEMORY;
  if (!multigrid.allocateMultigrid(<i32>parameter(Parameter.profile))) return INFO_OUT_OF_MEMORY;
  const n = 2 * levels.nodeCount[levels.Mesh.levels - 1];
  reactions = allocateF64(n);
  residuals = allocateF64(maxIterations + 1);
  Cg.r = allocateF64(n);
  Cg.z = allocateF64(n);
  Cg.p = allocateF64(n);
  Cg.ap = allocateF64(n);
  scratch = allocateF64(n);
  return scratch === 0 || residuals === 0 ? INFO_OUT_OF_MEMORY : INFO_OK;
}

export function start(): i32 {
  if (!levels.areIndicesLegal()) return illegal(Parameter.nodes0);
  if (!multigrid.isProfileLegal()) return illegal(Parameter.profile);
  done = 0;
  phase = COMPUTE;
  next = 0;
  level = 0;
  part = 0;
  residualCount = 0;
  return INFO_OK;
}

/** At most `count` steps; fewer where the run is over or comes to steps of another cost. How they are grouped does not affect the result. */
export function advance(count: i32): i32 {
  const begun = phase;
  for (let k = 0; k < count && phase === begun && phase !== OVER; k++) {
    share = 1;
    const info = step();
    done += share;
    setDone(done);
    if (info === INFO_OK) continue;
    phase = OVER;
    return info;
  }
  return <i32>statistic(Statistic.singularRow) > 0 || <i32>statistic(Statistic.badElement) > 0
    ? INFO_NOT_CONVERGED
    : INFO_OK;
}

function step(): i32 {
  if (phase === COMPUTE) return computeElements();
  if (phase === FACTOR) return factorRows();
  if (phase === BEGIN) return beginLevel();
  if (phase === ITERATE) return iterate();
  return phase === END ? endLevel() : computeStress();
}

function levelOf(e: i32): i32 {
  let l = 0;
  while (l + 1 < levels.Mesh.levels && e >= levels.elementStart[l + 1]) l++;
  return l;
}

function computeElements(): i32 {
  const end = min(next + ELEMENTS_PER_STEP, levels.totalElements());
  for (; next < end; next++) {
    if (levels.computeElement(levelOf(next), next)) continue;
    setStatistic(Statistic.badElement, <f64>(next + 1));
    return INFO_NOT_CONVERGED;
  }
  if (next < levels.totalElements()) return INFO_OK;
  multigrid.assembleCoarsest();
  phase = FACTOR;
  next = 0;
  return INFO_OK;
}

function factorRows(): i32 {
  const n = 2 * levels.nodeCount[0];
  const end = min(next + ROWS_PER_STEP, n);
  for (; next < end; next++) {
    if (multigrid.factorCoarsest(next) > SINGULAR) continue;
    setStatistic(Statistic.singularRow, <f64>(next + 1));
    return INFO_NOT_CONVERGED;
  }
  if (next === n) phase = BEGIN;
  return INFO_OK;
}

/** r = f − K u on free displacements. */
function writeResidual(): void {
  const n = Cg.n;
  levels.multiply(Cg.x, Cg.r);
  const force = levels.at(levels.force, level);
  for (let i = 0; i < n; i++) set(Cg.r, i, get(force, i) - get(Cg.r, i));
  levels.mask(Cg.r);
}

function writePrescribed(isAlone: bool): void {
  const prescribed = levels.at(levels.prescribed, level);
  for (let i = 0; i < Cg.n; i++) {
    if (levels.isFixed(level, i)) set(Cg.x, i, get(prescribed, i));
    else if (isAlone) set(Cg.x, i, 0);
  }
}

/** A part of what begins a mesh: the smoother, the energy of its load alone, and the start at the solution before. */
function beginLevel(): i32 {
  share = SHARE;
  if (part === 0) {
    Cg.n = 2 * levels.nodeCount[level];
    Cg.x = levels.at(levels.u, level);
    iteration = 0;
    levels.setLevel(level);
    multigrid.setTop(level);
    if (level > 0) multigrid.prepareLevel(level);
    part = level > 0 ? 1 : 2;
  } else if (part === 1) {
    if (multigrid.continueLevel(level)) part = 2;
  } else if (part === 2) {
    levels.setLevel(level);
    writePrescribed(true);
    writeResidual();
    multigrid.startPrecondition(Cg.r);
    part = 3;
  } else if (part === 3) {
    multigrid.finishPrecondition(Cg.z);
    energy = pairwiseDot(Cg.r, Cg.z, Cg.n);
    if (!isFinite(energy)) return INFO_NON_FINITE;
    part = 4;
  } else if (part === 4) {
    if (level > 0) {
      levels.prolong(level, levels.at(levels.u, level - 1), Cg.x);
      writePrescribed(false);
      writeResidual();
    }
    multigrid.startPrecondition(Cg.r);
    part = 5;
  } else {
    startCg(finishStart);
    part = 0;
    phase = ITERATE;
  }
  return INFO_OK;
}

/** The half that `beginLevel` has left of the preconditioner. */
function finishStart(_from: usize, to: usize): void {
  multigrid.finishPrecondition(to);
}

/** A third of an iteration. */
function iterate(): i32 {
  if (part === 0) {
    left = energy > 0 ? Math.sqrt(Math.max(0, Cg.rz) / energy) : 0;
    if (level === levels.Mesh.levels - 1) {
      set(residuals, iteration, left);
      residualCount = iteration + 1;
    }
    if (left <= tolerance || iteration === maxIterations) return leaveIteration();
    iteration++;
    // A product that is not positive is left by rounding alone: the iteration is as close as it gets.
    if (!descendCg(levels.apply)) return leaveIteration();
    share = SHARE;
    part = 1;
    return INFO_OK;
  }
  if (part === 1) {
    multigrid.startPrecondition(Cg.r);
    share = SHARE;
    part = 2;
    return INFO_OK;
  }
  multigrid.finishPrecondition(Cg.z);
  share = 1 - 2 * SHARE;
  part = 0;
  return turnCg() ? INFO_OK : leaveIteration();
}

function leaveIteration(): i32 {
  share = SHARE;
  part = 0;
  phase = END;
  return INFO_OK;
}

/** A part of what ends a mesh: its work, and on the finest the reactions and the roundings. */
function endLevel(): i32 {
  const n = Cg.n;
  share = SHARE;
  if (part === 0) {
    if (level > 0) setStatistic(Statistic.iterations1 + level - 1, <f64>iteration);
    levels.multiply(Cg.x, scratch);
    const work = pairwiseDot(Cg.x, scratch, n);
    setStatistic(Statistic.work0 + level, work);
    if (!isFinite(work)) return INFO_NON_FINITE;
    const hasConverged = left <= tolerance;
    level++;
    phase = BEGIN;
    if (level < levels.Mesh.levels) return hasConverged ? INFO_OK : INFO_NOT_CONVERGED;
    setStatistic(Statistic.left, left);
    const force = levels.at(levels.force, level - 1);
    for (let i = 0; i < n; i++) set(reactions, i, get(scratch, i) - get(force, i));
    phase = END;
    part = 1;
  } else if (part === 1) {
    // The preconditioner carries roundings of K u, with signs at random, to displacements.
    levels.multiplyMagnitudes(Cg.x, Cg.r);
    for (let i = 0; i < n; i++) set(Cg.r, i, get(Cg.r, i) * f64.EPSILON * multigrid.sign(i));
    multigrid.startPrecondition(Cg.r);
    part = 2;
  } else {
    multigrid.finishPrecondition(Cg.z);
    let largest: f64 = 0;
    for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(get(Cg.z, i)));
    setStatistic(Statistic.rounding, largest);
    part = 0;
    phase = STRESS;
    next = 0;
  }
  return INFO_OK;
}

const XY: usize = memory.data(8 * 8, 16);
const HEAT: usize = memory.data(4 * 8, 16);
const DISPLACED: usize = memory.data(8 * 8, 16);

function computeStress(): i32 {
  const end = min(next + ELEMENTS_PER_STEP, levels.totalElements());
  for (; next < end; next++) {
    const l = levelOf(next);
    const u = levels.at(levels.u, l);
    levels.gather(l, next, XY, HEAT);
    for (let i = 0; i < 8; i++) set(DISPLACED, i, get(u, 2 * levels.nodeOf(next, i >> 1) + (i & 1)));
    elementStress(XY, HEAT, DISPLACED, levels.stress + ((<usize>(16 * next)) << 3));
  }
  if (next === levels.totalElements()) phase = OVER;
  return INFO_OK;
}

export function view(i: i32): usize {
  switch (i) {
    case View.points:
      return levels.points;
    case View.quads:
      return levels.quads;
    case View.edges:
      return levels.edges;
    case View.fixed:
      return levels.fixed;
    case View.prescribed:
      return levels.prescribed;
    case View.force:
      return levels.force;
    case View.heat:
      return levels.heat;
    case View.starts:
      return multigrid.starts;
    case View.u:
      return levels.u;
    case View.stress:
      return levels.stress;
    case View.reactions:
      return reactions;
    case View.residuals:
      return residuals;
    default:
      return 0;
  }
}

export function extent(i: i32): i32 {
  switch (i) {
    case View.points:
    case View.fixed:
    case View.prescribed:
    case View.force:
    case View.u:
      return 2 * levels.totalNodes();
    case View.quads:
      return 4 * levels.totalElements();
    case View.edges:
      return 2 * levels.totalEdges();
    case View.heat:
      return levels.totalNodes();
    case View.starts:
      return 2 * levels.nodeCount[0] + 1;
    case View.stress:
      return 16 * levels.totalElements();
    case View.reactions:
      return 2 * levels.nodeCount[levels.Mesh.levels - 1];
    case View.residuals:
      // While it runs, one frame: those so far, then 0.
      return phase === OVER ? residualCount : maxIterations + 1;
    default:
      return 0;
  }
}
