// DC power flow: B θ = P, with the sensitivities of chosen numbers to what is left of each balance.
//
// The flow of a branch is (θ_i − θ_j − φ) / (x t): voltages of 1, no resistance, small angles. Stott, Jardim & Alsaç, IEEE
// Transactions on Power Systems 24 (2009) 1290.
import { allocateLdl, factorLdl, solveLdl } from '../../numerics/csr/sparse-ldl';
import { get, set } from '../../numerics/vector';
import {
  allocateAtLeastOne,
  BranchColumn,
  BusColumn,
  branchValue,
  busValue,
  DEAD,
  entryOfBranch,
  fromBus,
  inService,
  isDead,
  isFree,
  Network,
  placeOf,
  REFERENCE,
  toBus,
} from './network';

/** Numbers with a sensitivity each: the chosen flow, the lowest angle or voltage, the power of the references, the largest loading. */
export const FUNCTIONALS: i32 = 4;
/** The first solution, and refinements of it with the residual. */
const ROUNDS: i32 = 3;

export namespace Direct {
  /** f64[buses], rad */
  export let angles: usize = 0;
  /** f64[branches] */
  export let flows: usize = 0;
  /** f64[FUNCTIONALS, buses] */
  export let sensitivities: usize = 0;
  /** Bus or branch of each functional; −1 if there is none. */
  export let chosen: i32 = -1;
  export let lowest: i32 = -1;
  export let loaded: i32 = -1;
  /** The bus of a vanishing pivot, from 1; 0 if there is none. */
  export let singular: i32 = 0;
}

let values: usize = 0;
let diagonal: usize = 0;
let work: usize = 0;

/** @returns whether there was memory. @param fill  room for the pattern of the factor */
export function allocateDirect(fill: i32): bool {
  const n = Network.buses;
  Direct.angles = allocateAtLeastOne(n);
  Direct.flows = allocateAtLeastOne(Network.branches);
  Direct.sensitivities = allocateAtLeastOne(FUNCTIONALS * n);
  values = allocateAtLeastOne(fill);
  diagonal = allocateAtLeastOne(n);
  work = allocateAtLeastOne(n);
  return Direct.flows !== 0 && Direct.sensitivities !== 0 && values !== 0 && work !== 0 && allocateLdl(n);
}

/** 1 / (x t) of a branch in service. */
export function susceptance(l: i32): f64 {
  return 1 / (branchValue(l, BranchColumn.reactance) * branchValue(l, BranchColumn.tap));
}

function add(vector: usize, i: i32, value: f64): void {
  set(vector, i, get(vector, i) + value);
}

export function factorDirect(): void {
  for (let m = 0; m < Network.fill; m++) set(values, m, 0);
  for (let i = 0; i < Network.buses; i++) set(diagonal, placeOf(i), isFree(i) ? 0 : 1);
  for (let l = 0; l < Network.branches; l++) {
    if (!inService(l)) continue;
    const b = susceptance(l);
    if (isFree(fromBus(l))) add(diagonal, placeOf(fromBus(l)), b);
    if (isFree(toBus(l))) add(diagonal, placeOf(toBus(l)), b);
    const entry = entryOfBranch(l);
    if (entry >= 0) add(values, entry, -b);
  }
  const position = factorLdl(values, diagonal);
  Direct.singular = 0;
  for (let i = 0; position > 0 && i < Network.buses; i++) if (placeOf(i) === position - 1) Direct.singular = i + 1;
}

/** @param chosen  the branch whose flow is the value; −1: the one with the largest */
export function solveDirect(chosen: i32): void {
  const n = Network.buses;
  for (let i = 0; i < n; i++)
    set(Direct.angles, i, busValue(i, BusColumn.kind) === REFERENCE ? busValue(i, BusColumn.angle) : 0);
  for (let round = 0; round < ROUNDS; round++) {
    writeFlows();
    for (let i = 0; i < n; i++)
      set(work, i, isFree(i) ? busValue(i, BusColumn.p) - busValue(i, BusColumn.conductance) : 0);
    for (let l = 0; l < Network.branches; l++) {
      if (isFree(fromBus(l))) add(work, fromBus(l), -get(Direct.flows, l));
      if (isFree(toBus(l))) add(work, toBus(l), get(Direct.flows, l));
    }
    solveLdl(values, diagonal, work);
    for (let i = 0; i < n; i++) if (isFree(i)) add(Direct.angles, i, get(work, i));
  }
  writeFlows();
  choose(chosen);
  memory.fill(Direct.sensitivities, 0, (<usize>(FUNCTIONALS * n)) << 3);
  flowSensitivity(Direct.chosen, Direct.sensitivities);
  if (Direct.lowest >= 0 && isFree(Direct.lowest)) {
    const row = sensitivityRow(1);
    set(row, Direct.lowest, 1);
    solveLdl(values, diagonal, row);
  }
  referenceSensitivity(sensitivityRow(2));
  flowSensitivity(Direct.loaded, sensitivityRow(3));
}

function sensitivityRow(k: i32): usize {
  return Direct.sensitivities + ((<usize>(k * Network.buses)) << 3);
}

function writeFlows(): void {
  for (let l = 0; l < Network.branches; l++) {
    if (!inService(l)) {
      set(Direct.flows, l, 0);
      continue;
    }
    const difference = get(Direct.angles, fromBus(l)) - get(Direct.angles, toBus(l));
    set(Direct.flows, l, susceptance(l) * (difference - branchValue(l, BranchColumn.shift)));
  }
}

function choose(chosen: i32): void {
  Direct.chosen = chosen;
  Direct.lowest = -1;
  Direct.loaded = -1;
  let largest: f64 = -1;
  let loading: f64 = -1;
  for (let l = 0; l < Network.branches; l++) {
    if (!inService(l)) continue;
    const size = Math.abs(get(Direct.flows, l));
    if (chosen < 0 && size > largest) {
      largest = size;
      Direct.chosen = l;
    }
    const rating = branchValue(l, BranchColumn.rating);
    if (rating > 0 && size / rating > loading) {
      loading = size / rating;
      Direct.loaded = l;
    }
  }
  for (let i = 0; i < Network.buses; i++) {
    if (isDead(i)) continue;
    if (Direct.lowest < 0 || get(Direct.angles, i) < get(Direct.angles, Direct.lowest)) Direct.lowest = i;
  }
}

/** Solves B y = e_i − e_j for the ends of a branch. @param y  f64[buses] */
export function solveDipole(l: i32, y: usize): void {
  for (let i = 0; i < Network.buses; i++) set(y, i, 0);
  if (isFree(fromBus(l))) set(y, fromBus(l), 1);
  if (isFree(toBus(l))) set(y, toBus(l), -1);
  solveLdl(values, diagonal, y);
}

/** The row of distribution factors of a branch: how its flow changes with each injection. */
function flowSensitivity(l: i32, row: usize): void {
  if (l < 0 || !inService(l)) return;
  solveDipole(l, row);
  const b = susceptance(l);
  for (let i = 0; i < Network.buses; i++) set(row, i, b * get(row, i));
}

function referenceSensitivity(row: usize): void {
  for (let l = 0; l < Network.branches; l++) {
    if (!inService(l)) continue;
    const b = susceptance(l);
    if (isFree(fromBus(l)) && !isFree(toBus(l))) add(row, fromBus(l), -b);
    if (isFree(toBus(l)) && !isFree(fromBus(l))) add(row, toBus(l), -b);
  }
  solveLdl(values, diagonal, row);
}

/** Whether a bus is a reference that is not dead. */
export function isReference(i: i32): bool {
  return !isFree(i) && busValue(i, BusColumn.kind) !== DEAD;
}
