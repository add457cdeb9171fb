// AC power flow by Newton's method in rectangular coordinates, V = e + j f.
//
// The balances of power and |V|² are quadratic, so along a step d the residual is (1 − μ) F + μ² G exactly, G being that at
// the full step; where a full step does not improve, μ is the minimum (Iwamoto & Tamura, IEEE Transactions on Power
// Apparatus and Systems PAS-100 (1981) 1736). A step that cannot improve ends the search: a minimum without solution nearby.
// Tinney & Hart, IEEE Transactions on Power Apparatus and Systems PAS-86 (1967) 1449.
//
// Calls in inner loops: those over branches, which are small functions of the branch.
import '../../numerics/trigonometric';
import { allocateBlockLu, factorBlocks, solveBlocks } from '../../numerics/csr/block-lu';
import { get, set } from '../../numerics/vector';
import { Direct, FUNCTIONALS } from './direct';
import {
  allocateAtLeastOne,
  BranchColumn,
  BusColumn,
  branchValue,
  busValue,
  entryOfBranch,
  fromBus,
  inService,
  isDead,
  isFree,
  Network,
  PV,
  placeOf,
  REFERENCE,
  toBus,
} from './network';

/** Outcomes: still at work, solved, no solution nearby, singular Jacobian, too many iterations. */
export const WORKING: i32 = 0;
export const SOLVED: i32 = 1;
export const STUCK: i32 = 2;
export const SINGULAR: i32 = 3;
export const EXHAUSTED: i32 = 4;

/** Below this part of the largest term of a balance, a mismatch is rounding; above the second, it is no solution. */
const ROUNDING: f64 = 1e-15;
const ACCEPTED: f64 = 1e-9;
/** A step that is shortened below this part has met a minimum. */
const MIN_STEP: f64 = 0.02;
/** Rounds of changes between given voltage and given reactive power, and how often a bus may return to its voltage. */
const MAX_ROUNDS: i32 = 30;
const MAX_RETURNS: f64 = 2;
const LIMIT_SLACK: f64 = 1e-9;

export namespace Newton {
  /** f64[buses, 2]: e and f */
  export let voltages: usize = 0;
  /** f64[branches, 4]: p and q into the from end, and into the to end */
  export let flows: usize = 0;
  /** f64[buses, 2]: p and q that the network takes from each bus, shunts included */
  export let powers: usize = 0;
  /** f64[FUNCTIONALS, buses, 2] */
  export let sensitivities: usize = 0;
  /** f64[buses]: 0; 1 at its upper, −1 at its lower limit of reactive power */
  export let limits: usize = 0;
  /** f64[maxIterations + 1] and f64[maxIterations + 1, buses]: mismatches and magnitudes of voltages by iteration */
  export let history: usize = 0;
  export let profiles: usize = 0;
  export let iterations: i32 = 0;
  export let rounds: i32 = 0;
  export let outcome: i32 = 0;
  export let mismatch: f64 = 0;
  /** The bus of the largest mismatch. */
  export let worst: i32 = 0;
  export let chosen: i32 = -1;
  export let lowest: i32 = -1;
  export let loaded: i32 = -1;
}

let maxIterations: i32 = 0;
let hasLimits = false;
/** f64[buses]: 1 where the voltage is given now; f64[buses]: returns to it. */
let holdsVoltage: usize = 0;
let returns: usize = 0;
/** f64[buses, 2] each: residual, residual at the full step, step, currents, voltages at the full step. */
let residual: usize = 0;
let trial: usize = 0;
let step: usize = 0;
let currents: usize = 0;
let moved: usize = 0;
let lower: usize = 0;
let upper: usize = 0;
let diagonal: usize = 0;
/** f64[branches, 8]: the two-port, g and b of ff, ft, tf, tt. */
let ports: usize = 0;
let norm: f64 = 0;

export function allocateNewton(fill: i32, iterations: i32): bool {
  const n = Network.buses;
  maxIterations = iterations;
  Newton.voltages = allocateAtLeastOne(2 * n);
  Newton.flows = allocateAtLeastOne(4 * Network.branches);
  Newton.powers = allocateAtLeastOne(2 * n);
  Newton.sensitivities = allocateAtLeastOne(2 * FUNCTIONALS * n);
  Newton.limits = allocateAtLeastOne(n);
  Newton.history = allocateAtLeastOne(iterations + 1);
  Newton.profiles = allocateAtLeastOne((iterations + 1) * n);
  holdsVoltage = allocateAtLeastOne(n);
  returns = allocateAtLeastOne(n);
  residual = allocateAtLeastOne(2 * n);
  trial = allocateAtLeastOne(2 * n);
  step = allocateAtLeastOne(2 * n);
  currents = allocateAtLeastOne(2 * n);
  moved = allocateAtLeastOne(2 * n);
  lower = allocateAtLeastOne(4 * fill);
  upper = allocateAtLeastOne(4 * fill);
  diagonal = allocateAtLeastOne(4 * n);
  ports = allocateAtLeastOne(8 * Network.branches);
  const hasRoom = lower !== 0 && upper !== 0 && diagonal !== 0 && ports !== 0 && Newton.profiles !== 0;
  return hasRoom && Newton.sensitivities !== 0 && allocateBlockLu(n);
}

/** @param start  0: angles of the DC flow; 1: angles of the references; 2: as the buses say */
export function startNewton(start: i32, limited: bool): void {
  hasLimits = limited;
  Newton.iterations = 0;
  Newton.rounds = 0;
  Newton.outcome = WORKING;
  norm = 0;
  let flat: f64 = 0;
  for (let i = Network.buses - 1; i >= 0; i--)
    if (busValue(i, BusColumn.kind) === REFERENCE) flat = busValue(i, BusColumn.angle);
  for (let i = 0; i < Network.buses; i++) {
    const kind = busValue(i, BusColumn.kind);
    const isGiven = kind === PV || kind === REFERENCE;
    const magnitude = isGiven ? busValue(i, BusColumn.voltage) : start === 2 ? busValue(i, BusColumn.startVoltage) : 1;
    let angle = start === 0 ? get(Direct.angles, i) : start === 1 ? flat : busValue(i, BusColumn.angle);
    if (kind === REFERENCE) angle = busValue(i, BusColumn.angle);
    set(Newton.voltages, 2 * i, isDead(i) ? 0 : magnitude * Math.cos(angle));
    set(Newton.voltages, 2 * i + 1, isDead(i) ? 0 : magnitude * Math.sin(angle));
    set(holdsVoltage, i, kind === PV ? 1 : 0);
    set(returns, i, 0);
    set(Newton.limits, i, 0);
  }
  for (let l = 0; l < Network.branches; l++) writePorts(l);
  norm = writeResidual(Newton.voltages, residual);
  record();
}

function writePorts(l: i32): void {
  const r = branchValue(l, BranchColumn.resistance);
  const x = branchValue(l, BranchColumn.reactance);
  const t = branchValue(l, BranchColumn.tap);
  const c = branchValue(l, BranchColumn.cosine);
  const s = branchValue(l, BranchColumn.sine);
  const port = portOf(l);
  if (!inService(l)) return;
  const square = r * r + x * x;
  const g = r / square;
  const b = -x / square;
  const own = b + 0.5 * branchValue(l, BranchColumn.charging);
  set(port, 0, g / (t * t));
  set(port, 1, own / (t * t));
  set(port, 2, -(g * c - b * s) / t);
  set(port, 3, -(g * s + b * c) / t);
  set(port, 4, -(g * c + b * s) / t);
  set(port, 5, -(b * c - g * s) / t);
  set(port, 6, g);
  set(port, 7, own);
}

function portOf(l: i32): usize {
  return ports + ((<usize>l) << 6);
}

function add(vector: usize, i: i32, value: f64): void {
  set(vector, i, get(vector, i) + value);
}

/** Adds (g + j b) V_j to the current of bus i. */
function addCurrent(i: i32, j: i32, g: f64, b: f64, v: usize): void {
  const e = get(v, 2 * j);
  const f = get(v, 2 * j + 1);
  add(currents, 2 * i, g * e - b * f);
  add(currents, 2 * i + 1, g * f + b * e);
}

function writeCurrents(v: usize): void {
  for (let i = 0; i < 2 * Network.buses; i++) set(currents, i, 0);
  for (let i = 0; i < Network.buses; i++)
    addCurrent(i, i, busValue(i, BusColumn.conductance), busValue(i, BusColumn.susceptance), v);
  for (let l = 0; l < Network.branches; l++) {
    if (!inService(l)) continue;
    const i = fromBus(l);
    const j = toBus(l);
    const port = portOf(l);
    addCurrent(i, i, get(port, 0), get(port, 1), v);
    addCurrent(i, j, get(port, 2), get(port, 3), v);
    addCurrent(j, i, get(port, 4), get(port, 5), v);
    addCurrent(j, j, get(port, 6), get(port, 7), v);
  }
}

/** What the balances miss, by bus: active power, then reactive power or |V|². @returns its Euclidean norm */
function writeResidual(v: usize, target: usize): f64 {
  writeCurrents(v);
  let sum: f64 = 0;
  let largest: f64 = -1;
  for (let i = 0; i < Network.buses; i++) {
    const e = get(v, 2 * i);
    const f = get(v, 2 * i + 1);
    const p = e * get(currents, 2 * i) + f * get(currents, 2 * i + 1);
    const q = f * get(currents, 2 * i) - e * get(currents, 2 * i + 1);
    set(Newton.powers, 2 * i, p);
    set(Newton.powers, 2 * i + 1, q);
    let first: f64 = 0;
    let second: f64 = 0;
    if (isFree(i)) {
      first = p - busValue(i, BusColumn.p);
      const v0 = busValue(i, BusColumn.voltage);
      second = get(holdsVoltage, i) === 1 ? e * e + f * f - v0 * v0 : q - reactivePower(i);
    }
    set(target, 2 * i, first);
    set(target, 2 * i + 1, second);
    sum += first * first + second * second;
    const size = Math.max(Math.abs(first), Math.abs(second));
    if (size > largest) {
      largest = size;
      Newton.worst = i;
    }
  }
  Newton.mismatch = largest;
  return Math.sqrt(sum);
}

/** The given reactive power of a bus: that of its loads and sources, or the limit that it is held at. */
function reactivePower(i: i32): f64 {
  const limit = get(Newton.limits, i);
  if (limit > 0) return busValue(i, BusColumn.qHigh);
  return limit < 0 ? busValue(i, BusColumn.qLow) : busValue(i, BusColumn.q);
}

function record(): void {
  set(Newton.history, Newton.iterations, Newton.mismatch);
  const row = Newton.profiles + ((<usize>(Newton.iterations * Network.buses)) << 3);
  for (let i = 0; i < Network.buses; i++) set(row, i, magnitudeOf(i));
}

export function magnitudeOf(i: i32): f64 {
  const e = get(Newton.voltages, 2 * i);
  const f = get(Newton.voltages, 2 * i + 1);
  return Math.sqrt(e * e + f * f);
}

/** Adds the derivatives of row i by V_j to a block: of P, and of Q unless the bus holds its voltage. */
function addBlock(block: usize, i: i32, g: f64, b: f64): void {
  const e = get(Newton.voltages, 2 * i);
  const f = get(Newton.voltages, 2 * i + 1);
  add(block, 0, e * g + f * b);
  add(block, 1, f * g - e * b);
  if (get(holdsVoltage, i) === 1) return;
  add(block, 2, f * g - e * b);
  add(block, 3, -(f * b + e * g));
}

/** @returns whether the Jacobian at the voltages is regular */
function factorJacobian(): bool {
  memory.fill(lower, 0, (<usize>Network.fill) << 5);
  memory.fill(upper, 0, (<usize>Network.fill) << 5);
  writeCurrents(Newton.voltages);
  for (let i = 0; i < Network.buses; i++) {
    const block = diagonalOf(i);
    const e = get(Newton.voltages, 2 * i);
    const f = get(Newton.voltages, 2 * i + 1);
    const isUnknown = isFree(i);
    set(block, 0, isUnknown ? get(currents, 2 * i) : 1);
    set(block, 1, isUnknown ? get(currents, 2 * i + 1) : 0);
    if (get(holdsVoltage, i) === 1) {
      set(block, 2, 2 * e);
      set(block, 3, 2 * f);
    } else {
      set(block, 2, isUnknown ? -get(currents, 2 * i + 1) : 0);
      set(block, 3, isUnknown ? get(currents, 2 * i) : 1);
    }
    if (isUnknown) addBlock(block, i, busValue(i, BusColumn.conductance), busValue(i, BusColumn.susceptance));
  }
  for (let l = 0; l < Network.branches; l++) {
    if (!inService(l)) continue;
    const i = fromBus(l);
    const j = toBus(l);
    const port = portOf(l);
    if (isFree(i)) addBlock(diagonalOf(i), i, get(port, 0), get(port, 1));
    if (isFree(j)) addBlock(diagonalOf(j), j, get(port, 6), get(port, 7));
    const entry = entryOfBranch(l);
    if (entry < 0) continue;
    // The lower block is the row of the bus that is eliminated later.
    const isFromLater = placeOf(i) > placeOf(j);
    const offset = (<usize>entry) << 5;
    addBlock((isFromLater ? lower : upper) + offset, i, get(port, 2), get(port, 3));
    addBlock((isFromLater ? upper : lower) + offset, j, get(port, 4), get(port, 5));
  }
  return factorBlocks(lower, upper, diagonal) === 0;
}

function diagonalOf(i: i32): usize {
  return diagonal + ((<usize>placeOf(i)) << 5);
}

/** The largest term of a balance: what rounding is measured by. */
function largestTerm(): f64 {
  let largest: f64 = 1;
  for (let i = 0; i < Network.buses; i++) {
    const size = Math.abs(get(Newton.powers, 2 * i)) + Math.abs(get(Newton.powers, 2 * i + 1));
    if (size > largest) largest = size;
  }
  for (let l = 0; l < Network.branches; l++) {
    const port = portOf(l);
    if (!inService(l)) continue;
    const square = magnitudeOf(fromBus(l)) * magnitudeOf(toBus(l));
    largest = Math.max(largest, square * (Math.abs(get(port, 6)) + Math.abs(get(port, 7))));
  }
  return largest;
}

/** One iteration, or the end of a round. */
export function stepNewton(): void {
  const before = Newton.mismatch;
  const scale = largestTerm();
  if (before <= ROUNDING * scale) {
    endRound();
    return;
  }
  if (Newton.iterations === maxIterations) {
    if (before <= ACCEPTED * scale) endRound();
    else Newton.outcome = EXHAUSTED;
    return;
  }
  if (!factorJacobian()) {
    Newton.outcome = SINGULAR;
    return;
  }
  const n2 = 2 * Network.buses;
  for (let k = 0; k < n2; k++) set(step, k, -get(residual, k));
  solveBlocks(lower, upper, diagonal, step, false);
  for (let k = 0; k < n2; k++) set(moved, k, get(Newton.voltages, k) + get(step, k));
  const after = writeResidual(moved, trial);
  Newton.iterations++;
  if (after < norm) {
    norm = after;
    memory.copy(Newton.voltages, moved, (<usize>n2) << 3);
    memory.copy(residual, trial, (<usize>n2) << 3);
    record();
    return;
  }
  if (before <= ACCEPTED * scale) {
    // Rounding: the step before was the best one.
    norm = writeResidual(Newton.voltages, residual);
    record();
    endRound();
    return;
  }
  const mu = isFinite(after) ? shortenedStep() : 0;
  if (mu > 0) {
    for (let k = 0; k < n2; k++) set(moved, k, get(Newton.voltages, k) + mu * get(step, k));
    memory.copy(Newton.voltages, moved, (<usize>n2) << 3);
  }
  norm = writeResidual(Newton.voltages, residual);
  record();
  if (mu < MIN_STEP) Newton.outcome = STUCK;
}

/** The minimum of |(1 − μ) F + μ² G|² in [0, 1]: its derivative rises from −2|F|² and is positive at 1. */
function shortenedStep(): f64 {
  let ff: f64 = 0;
  let fg: f64 = 0;
  let gg: f64 = 0;
  for (let k = 0; k < 2 * Network.buses; k++) {
    ff += get(residual, k) * get(residual, k);
    fg += get(residual, k) * get(trial, k);
    gg += get(trial, k) * get(trial, k);
  }
  let low: f64 = 0;
  let high: f64 = 1;
  for (let k = 0; k < 60; k++) {
    const mu = 0.5 * (low + high);
    const slope = (mu - 1) * ff + (2 * mu - 3 * mu * mu) * fg + 2 * mu * mu * mu * gg;
    if (slope < 0) low = mu;
    else high = mu;
  }
  return low;
}

/** The balances hold: buses beyond their limits change, or the flow is solved. */
function endRound(): void {
  norm = writeResidual(Newton.voltages, residual);
  if (hasLimits && Newton.rounds < MAX_ROUNDS && changeBuses()) {
    Newton.rounds++;
    norm = writeResidual(Newton.voltages, residual);
    return;
  }
  finish();
}

/** @returns whether a bus has changed between given voltage and given reactive power */
function changeBuses(): bool {
  let hasChanged = false;
  for (let i = 0; i < Network.buses; i++) {
    if (busValue(i, BusColumn.kind) !== PV) continue;
    const q = get(Newton.powers, 2 * i + 1);
    const limit = get(Newton.limits, i);
    if (limit === 0) {
      const isHigh = q > busValue(i, BusColumn.qHigh) + LIMIT_SLACK;
      const isLow = q < busValue(i, BusColumn.qLow) - LIMIT_SLACK;
      if (!isHigh && !isLow) continue;
      set(Newton.limits, i, isHigh ? 1 : -1);
      set(holdsVoltage, i, 0);
      hasChanged = true;
      continue;
    }
    const excess = limit * (magnitudeOf(i) - busValue(i, BusColumn.voltage));
    if (!(excess > LIMIT_SLACK) || get(returns, i) >= MAX_RETURNS) continue;
    add(returns, i, 1);
    set(Newton.limits, i, 0);
    set(holdsVoltage, i, 1);
    hasChanged = true;
  }
  return hasChanged;
}

/** Flows, and the sensitivities of the functionals. */
function finish(): void {
  for (let l = 0; l < Network.branches; l++) {
    const row = Newton.flows + ((<usize>l) << 5);
    for (let k = 0; k < 4; k++) set(row, k, 0);
    if (!inService(l)) continue;
    writeEnd(l, fromBus(l), toBus(l), 0, row);
    writeEnd(l, toBus(l), fromBus(l), 1, row);
  }
  chooseFunctionals();
  if (!factorJacobian()) {
    Newton.outcome = SINGULAR;
    return;
  }
  const rowBytes = (<usize>Network.buses) << 4;
  memory.fill(Newton.sensitivities, 0, <usize>FUNCTIONALS * rowBytes);
  for (let k = 0; k < FUNCTIONALS; k++) {
    const row = Newton.sensitivities + <usize>k * rowBytes;
    if (k === 0) addFlowGradient(Newton.chosen, false, 1, 0, row);
    else if (k === 1) addVoltageGradient(Newton.lowest, row);
    else if (k === 2) addReferenceGradient(row);
    else addLoadingGradient(row);
    for (let i = 0; i < Network.buses; i++) {
      if (isFree(i)) continue;
      set(row, 2 * i, 0);
      set(row, 2 * i + 1, 0);
    }
    solveBlocks(lower, upper, diagonal, row, true);
  }
  Newton.outcome = SOLVED;
}

/** Power into an end of a branch at bus i. @param end  0 the from end, 1 the to end */
function writeEnd(l: i32, i: i32, j: i32, end: i32, row: usize): void {
  const port = portOf(l);
  const own = end === 0 ? 0 : 6;
  const other = end === 0 ? 2 : 4;
  const ei = get(Newton.voltages, 2 * i);
  const fi = get(Newton.voltages, 2 * i + 1);
  const ej = get(Newton.voltages, 2 * j);
  const fj = get(Newton.voltages, 2 * j + 1);
  const re = get(port, own) * ei - get(port, own + 1) * fi + (get(port, other) * ej - get(port, other + 1) * fj);
  const im = get(port, own) * fi + get(port, own + 1) * ei + (get(port, other) * fj + get(port, other + 1) * ej);
  set(row, 2 * end, ei * re + fi * im);
  set(row, 2 * end + 1, fi * re - ei * im);
}

/** Apparent power at the end where it is larger. */
export function apparentPower(l: i32): f64 {
  return Math.sqrt(Math.max(endSquare(l, 0), endSquare(l, 1)));
}

function endSquare(l: i32, end: i32): f64 {
  const p = get(Newton.flows, 4 * l + 2 * end);
  const q = get(Newton.flows, 4 * l + 2 * end + 1);
  return p * p + q * q;
}

function chooseFunctionals(): void {
  let largest: f64 = -1;
  let loading: f64 = -1;
  Newton.lowest = -1;
  Newton.loaded = -1;
  const isChosen = Newton.chosen >= 0;
  for (let l = 0; l < Network.branches; l++) {
    if (!inService(l)) continue;
    const size = Math.abs(get(Newton.flows, 4 * l));
    if (!isChosen && size > largest) {
      largest = size;
      Newton.chosen = l;
    }
    const rating = branchValue(l, BranchColumn.rating);
    if (rating > 0 && apparentPower(l) / rating > loading) {
      loading = apparentPower(l) / rating;
      Newton.loaded = l;
    }
  }
  for (let i = 0; i < Network.buses; i++) {
    if (isDead(i)) continue;
    if (Newton.lowest < 0 || magnitudeOf(i) < magnitudeOf(Newton.lowest)) Newton.lowest = i;
  }
}

/** Adds the gradient of wp P + wq Q at an end of a branch. */
function addFlowGradient(l: i32, isTo: bool, wp: f64, wq: f64, row: usize): void {
  if (l < 0 || !inService(l)) return;
  const i = isTo ? toBus(l) : fromBus(l);
  const j = isTo ? fromBus(l) : toBus(l);
  const port = portOf(l);
  const own = isTo ? 6 : 0;
  const other = isTo ? 4 : 2;
  const e = get(Newton.voltages, 2 * i);
  const f = get(Newton.voltages, 2 * i + 1);
  const ej = get(Newton.voltages, 2 * j);
  const fj = get(Newton.voltages, 2 * j + 1);
  const g = get(port, own);
  const b = get(port, own + 1);
  const gj = get(port, other);
  const bj = get(port, other + 1);
  // P = g |V_i|² + …, Q = −b |V_i|² + …, and the current of the other end.
  const re = gj * ej - bj * fj;
  const im = gj * fj + bj * ej;
  add(row, 2 * i, wp * (2 * g * e + re) + wq * (-2 * b * e - im));
  add(row, 2 * i + 1, wp * (2 * g * f + im) + wq * (-2 * b * f + re));
  add(row, 2 * j, wp * (e * gj + f * bj) + wq * (f * gj - e * bj));
  add(row, 2 * j + 1, wp * (f * gj - e * bj) - wq * (f * bj + e * gj));
}

function addVoltageGradient(i: i32, row: usize): void {
  if (i < 0) return;
  const magnitude = magnitudeOf(i);
  add(row, 2 * i, get(Newton.voltages, 2 * i) / magnitude);
  add(row, 2 * i + 1, get(Newton.voltages, 2 * i + 1) / magnitude);
}

function addReferenceGradient(row: usize): void {
  for (let l = 0; l < Network.branches; l++) {
    if (!inService(l)) continue;
    if (!isFree(fromBus(l))) addFlowGradient(l, false, 1, 0, row);
    if (!isFree(toBus(l))) addFlowGradient(l, true, 1, 0, row);
  }
}

function addLoadingGradient(row: usize): void {
  const l = Newton.loaded;
  if (l < 0) return;
  const isTo = endSquare(l, 1) > endSquare(l, 0);
  const size = apparentPower(l);
  const at = 4 * l + (isTo ? 2 : 0);
  if (size > 0) addFlowGradient(l, isTo, get(Newton.flows, at) / size, get(Newton.flows, at + 1) / size, row);
}
