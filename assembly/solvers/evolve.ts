// Molecular dynamics of Lennard-Jones atoms and bead-spring chains in a periodic box, velocity Verlet.
//
// Unit mass and k_B = 1. Second order in dt, symplectic and time-reversible: the energy does not drift
// but oscillates by O(dt^2) about a shadow Hamiltonian as long as dt is well below the fastest period (for
// a Lennard-Jones liquid, dt < 0.01 in units of sig sqrt(m / eps); it blows up near 0.03). Swope,
// Andersen, Berens & Wilson, J. Chem. Phys. 76 (1982) 637, doi:10.1063/1.442716; Frenkel & Smit,
// Understanding Molecular Simulation, §4.3.
//
// Chains: atoms k and k + 1 are bonded unless k + 1 is a multiple of the chain length, by the spring
// k_b (r - r0)^2 / 2 on top of the Lennard-Jones pair (as in Kremer & Grest, J. Chem. Phys. 92 (1990)
// 5057, doi:10.1063/1.458541, with a harmonic spring in place of FENE).
//
// Thermostat (off when its time is 0): stochastic velocity rescaling, which samples the canonical
// ensemble and keeps the momentum. Bussi, Donadio & Parrinello, J. Chem. Phys. 126 (2007) 014101,
// doi:10.1063/1.2408420.
//
// Calls in inner loops: random deviates, drawn once per atom at the start and once per step by the thermostat.
// The loops over pairs and atoms make no calls.
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
import { pairEnergy, pairForces, pairsInside, pairVirial, setLennardJones } from '../numerics/particles/lennard-jones';
import {
  builds,
  FORCE,
  foldGhosts,
  ghosts,
  LINE,
  lines,
  motions,
  pairs,
  rebuild,
  refreshGhosts,
  reserveNeighbours,
  TAG,
  tags,
} from '../numerics/particles/neighbours';
import { gamma, normalPair, seedRandom } from '../numerics/random';
import { laneSum } from '../numerics/simd';
import { get, set } from '../numerics/vector';
import { illegal, isFlag, isIntegerBetween, isNonNegative, isPositive } from '../parameters';

export { abi, control } from '../kernel';

/**
 * atoms >= 2 in the box boxX × boxY × boxZ; t0 >= 0, the start temperature and the thermostat's; the pair eps, sig, rc
 * and the skin of its list, at most maxNeighbours partners per atom; isForceShifted and hasVelocities 0 | 1; bonds
 * kBond, r0Bond of chains of chainLength atoms, 0 for none; steps >= 1; frames 2 … steps + 1; a record every
 * recordEvery steps; thermostatTime 0 for none; the histogram counts every histogramEvery-th frame from
 * histogramFrom on, in bins up to histogramRange; velocities are correlated over correlationLags records from record
 * correlationFrom on, 0 for none.
 */
export enum Parameter {
  atoms,
  boxX,
  boxY,
  boxZ,
  t0,
  dt,
  eps,
  sig,
  rc,
  skin,
  isForceShifted,
  seed,
  hasVelocities,
  chainLength,
  kBond,
  r0Bond,
  steps,
  frames,
  recordEvery,
  thermostatTime,
  histogramFrom,
  histogramEvery,
  bins,
  histogramRange,
  maxNeighbours,
  correlationFrom,
  correlationLags,
}

/**
 * positions f64[atoms, 3], in: at the start, out: at the end, without wrapping; velocities f64[atoms, 3], read if
 * hasVelocities is 1; out: forces f64[atoms, 3] at the end, records f64[records, 6] and frames f64[frames, 6], see
 * RecordColumn, trajectory f64[frames, atoms, 3] without wrapping, distances f64[bins] of pairs, correlations
 * f64[windows, correlationLags]: Σ v(0) · v(lag) in consecutive windows, each with its own origin.
 */
export enum View {
  positions,
  velocities,
  forces,
  records,
  frames,
  trajectory,
  distances,
  correlations,
}

/** |Σ p| and Σ |p| at the end, builds of the list, listed pairs, ghost atoms. */
export enum Statistic {
  momentum,
  absoluteMomentum,
  builds,
  pairs,
  ghosts,
}

/** Energy, pairs inside rc, kinetic energy, virial, Σ f², heat from the thermostat. */
export enum RecordColumn {
  energy,
  inside,
  kinetic,
  virial,
  force2,
  heat,
}

// Random streams.
const START_VELOCITIES: u32 = 1;
const THERMOSTAT_NORMAL: u32 = 2;
const THERMOSTAT_GAMMA: u32 = 3;

const RECORD_COLUMNS: i32 = RecordColumn.heat + 1;
const FAR_AWAY: f64 = 1e9;
const MAX_BINS: f64 = 10_000;
/** Maximum of a count. */
const MAX_COUNT: f64 = 2147483647;

let n: i32 = 0;
let lx: f64 = 0;
let ly: f64 = 0;
let lz: f64 = 0;
let t0: f64 = 0;
let dt: f64 = 0;
let isForceShifted: bool = false;
let chainLength: i32 = 0;
let kBond: f64 = 0;
let r0Bond: f64 = 0;
let steps: i32 = 0;
let frames: i32 = 0;
let recordEvery: i32 = 0;
let thermostatTime: f64 = 0;
let histogramFrom: i32 = 0;
let histogramEvery: i32 = 0;
let bins: i32 = 0;
let histogramRange: f64 = 0;
let correlationFrom: i32 = 0;
let correlationLags: i32 = 0;
/** Squared displacement of an atom beyond which the neighbour list is rebuilt: (skin / 2)². */
let maxDisplacement2: f64 = 0;

let positions: usize = 0;
let velocities: usize = 0;
let forces: usize = 0;
let records: usize = 0;
let frameRecords: usize = 0;
let framePositions: usize = 0;
let histogram: usize = 0;
let totalBins: i32 = 0;
let correlations: usize = 0;
let correlationWindows: i32 = 0;
let originVelocities: usize = 0; // f64[3 n]: velocities at the start of the window
let coordinates: usize = 0; // f64[3 (n + 2)]: scratch for the histogram
let lineAddresses: usize = 0; // usize[n]: address of the line of atom k, for bonds

let step: i32 = 0;
let frame: i32 = 0;
let bondEnergy: f64 = 0;
let bondVirial: f64 = 0;
let heat: f64 = 0;
const DEVIATES: usize = memory.data(16, 16);

export function reserve(): i32 {
  resetControl();
  resetArena();
  const rejected = checkParameters();
  if (rejected !== INFO_OK) return rejected;
  n = <i32>parameter(Parameter.atoms);
  lx = parameter(Parameter.boxX);
  ly = parameter(Parameter.boxY);
  lz = parameter(Parameter.boxZ);
  t0 = parameter(Parameter.t0);
  dt = parameter(Parameter.dt);
  const rc = parameter(Parameter.rc);
  const skin = parameter(Parameter.skin);
  isForceShifted = parameter(Parameter.isForceShifted) === 1;
  chainLength = <i32>parameter(Parameter.chainLength);
  kBond = parameter(Parameter.kBond);
  r0Bond = parameter(Parameter.r0Bond);
  steps = <i32>parameter(Parameter.steps);
  frames = <i32>parameter(Parameter.frames);
  recordEvery = <i32>parameter(Parameter.recordEvery);
  thermostatTime = parameter(Parameter.thermostatTime);
  histogramFrom = <i32>parameter(Parameter.histogramFrom);
  histogramEvery = <i32>parameter(Parameter.histogramEvery);
  bins = <i32>parameter(Parameter.bins);
  histogramRange = parameter(Parameter.histogramRange);
  correlationFrom = <i32>parameter(Parameter.correlationFrom);
  correlationLags = <i32>parameter(Parameter.correlationLags);
  seedRandom(parameter(Parameter.seed));
  setLennardJones(parameter(Parameter.eps), parameter(Parameter.sig), rc);
  maxDisplacement2 = 0.25 * skin * skin;

  positions = allocateF64(3 * n);
  velocities = allocateF64(3 * n);
  forces = allocateF64(3 * n);
  records = allocateF64(RECORD_COLUMNS * (steps / recordEvery + 1));
  frameRecords = allocateF64(RECORD_COLUMNS * frames);
  framePositions = allocateF64(3 * n * frames);
  const diagonal = Math.sqrt(lx * lx + ly * ly + lz * lz);
  totalBins = bins + 1 + <i32>Math.min(MAX_BINS, (0.5 * diagonal * <f64>bins) / histogramRange);
  histogram = allocateF64(totalBins);
  const correlated = steps / recordEvery + 1 - correlationFrom;
  correlationWindows = correlationLags > 0 ? max(0, correlated / correlationLags) : 0;
  correlations = allocateF64(correlationWindows * correlationLags);
  originVelocities = allocateF64(correlationWindows > 0 ? 3 * n : 0);
  coordinates = allocateF64(3 * (n + 2));
  lineAddresses = allocateF64(n);
  if (lineAddresses === 0) return INFO_OUT_OF_MEMORY;
  return reserveNeighbours(n, lx, ly, lz, rc + skin, parameter(Parameter.maxNeighbours));
}

/** Checks one by one, so that no value is converted to an integer before. */
function checkParameters(): i32 {
  if (!isIntegerBetween(parameter(Parameter.atoms), 2, MAX_COUNT)) return illegal(Parameter.atoms);
  if (!isPositive(parameter(Parameter.boxX))) return illegal(Parameter.boxX);
  if (!isPositive(parameter(Parameter.boxY))) return illegal(Parameter.boxY);
  if (!isPositive(parameter(Parameter.boxZ))) return illegal(Parameter.boxZ);
  if (!isNonNegative(parameter(Parameter.t0))) return illegal(Parameter.t0);
  if (!isPositive(parameter(Parameter.dt))) return illegal(Parameter.dt);
  if (!isPositive(parameter(Parameter.eps))) return illegal(Parameter.eps);
  if (!isPositive(parameter(Parameter.sig))) return illegal(Parameter.sig);
  if (!isPositive(parameter(Parameter.rc))) return illegal(Parameter.rc);
  if (!isPositive(parameter(Parameter.skin))) return illegal(Parameter.skin);
  if (!isFlag(parameter(Parameter.isForceShifted))) return illegal(Parameter.isForceShifted);
  if (!isFlag(parameter(Parameter.hasVelocities))) return illegal(Parameter.hasVelocities);
  if (!isIntegerBetween(parameter(Parameter.chainLength), 0, MAX_COUNT)) return illegal(Parameter.chainLength);
  if (!isFinite(parameter(Parameter.kBond))) return illegal(Parameter.kBond);
  if (!isFinite(parameter(Parameter.r0Bond))) return illegal(Parameter.r0Bond);
  if (!isIntegerBetween(parameter(Parameter.steps), 1, MAX_COUNT)) return illegal(Parameter.steps);
  const maxFrames = parameter(Parameter.steps) + 1;
  if (!isIntegerBetween(parameter(Parameter.frames), 2, maxFrames)) return illegal(Parameter.frames);
  if (!isIntegerBetween(parameter(Parameter.recordEvery), 1, MAX_COUNT)) return illegal(Parameter.recordEvery);
  if (!isNonNegative(parameter(Parameter.thermostatTime))) return illegal(Parameter.thermostatTime);
  if (!isIntegerBetween(parameter(Parameter.histogramFrom), 0, MAX_COUNT)) return illegal(Parameter.histogramFrom);
  if (!isIntegerBetween(parameter(Parameter.histogramEvery), 1, MAX_COUNT)) return illegal(Parameter.histogramEvery);
  if (!isIntegerBetween(parameter(Parameter.bins), 1, MAX_COUNT)) return illegal(Parameter.bins);
  if (!isPositive(parameter(Parameter.histogramRange))) return illegal(Parameter.histogramRange);
  if (!isIntegerBetween(parameter(Parameter.correlationFrom), 0, MAX_COUNT)) return illegal(Parameter.correlationFrom);
  if (!isIntegerBetween(parameter(Parameter.correlationLags), 0, MAX_COUNT)) return illegal(Parameter.correlationLags);
  return isPositive(parameter(Parameter.maxNeighbours)) ? INFO_OK : illegal(Parameter.maxNeighbours);
}

export function start(): i32 {
  step = 0;
  frame = 0;
  heat = 0;
  bondEnergy = 0;
  bondVirial = 0;
  if (parameter(Parameter.hasVelocities) !== 1) drawVelocities();
  for (let k = 0; k < n; k++) {
    const line = lines + <usize>k * LINE;
    const motion = motions + <usize>k * LINE;
    for (let d = 0; d < 3; d++) {
      set(line, d, get(positions, 3 * k + d));
      set(motion, d, get(velocities, 3 * k + d));
    }
    store<i32>(tags + <usize>k * TAG, k, 12);
  }
  const info = rebuild();
  if (info !== INFO_OK) return info;
  updateLineAddresses();
  computeForces(true);
  return observe();
}

export function advance(chunk: i32): i32 {
  const last = min(steps, step + chunk);
  while (step < last) {
    step++;
    if (drift() <= maxDisplacement2) {
      refreshGhosts();
    } else {
      const info = rebuild();
      if (info !== INFO_OK) return info;
      updateLineAddresses();
    }
    const isObserved = step % recordEvery === 0 || step === frameStep();
    computeForces(isObserved);
    kick();
    if (thermostatTime > 0) rescale();
    if (isObserved) {
      const info = observe();
      if (info !== INFO_OK) return info;
    }
    setDone(<f64>step);
  }
  if (step === steps) writeFinalState();
  return INFO_OK;
}

export function view(i: i32): usize {
  if (i === View.positions) return positions;
  if (i === View.velocities) return velocities;
  if (i === View.forces) return forces;
  if (i === View.records) return records;
  if (i === View.frames) return frameRecords;
  if (i === View.trajectory) return framePositions;
  if (i === View.distances) return histogram;
  return i === View.correlations ? correlations : 0;
}

export function extent(i: i32): i32 {
  if (i === View.positions || i === View.velocities || i === View.forces) return 3 * n;
  if (i === View.records) return RECORD_COLUMNS * (steps / recordEvery + 1);
  if (i === View.frames) return RECORD_COLUMNS * frames;
  if (i === View.trajectory) return 3 * n * frames;
  if (i === View.distances) return bins;
  return i === View.correlations ? correlationWindows * correlationLags : 0;
}

/** Draws Maxwell velocities by seed and atom number, removes the total momentum, and scales to exactly t0. */
function drawVelocities(): void {
  let sumX: f64 = 0;
  let sumY: f64 = 0;
  let sumZ: f64 = 0;
  for (let k = 0; k < n; k++) {
    normalPair(DEVIATES, START_VELOCITIES, 2 * <u64>k);
    set(velocities, 3 * k, get(DEVIATES, 0));
    set(velocities, 3 * k + 1, get(DEVIATES, 1));
    normalPair(DEVIATES, START_VELOCITIES, 2 * <u64>k + 1);
    set(velocities, 3 * k + 2, get(DEVIATES, 0));
    sumX += get(velocities, 3 * k);
    sumY += get(velocities, 3 * k + 1);
    sumZ += get(velocities, 3 * k + 2);
  }
  let squares: f64 = 0;
  for (let k = 0; k < n; k++) {
    set(velocities, 3 * k, get(velocities, 3 * k) - sumX / <f64>n);
    set(velocities, 3 * k + 1, get(velocities, 3 * k + 1) - sumY / <f64>n);
    set(velocities, 3 * k + 2, get(velocities, 3 * k + 2) - sumZ / <f64>n);
    for (let d = 0; d < 3; d++) squares += get(velocities, 3 * k + d) * get(velocities, 3 * k + d);
  }
  const scale = Math.sqrt((t0 * <f64>(3 * n - 3)) / squares);
  for (let k = 0; k < 3 * n; k++) set(velocities, k, get(velocities, k) * scale);
}

/**
 * Half a kick, then the drift; clears the forces.
 *
 * @returns the largest squared displacement since the last build
 */
function drift(): f64 {
  const half = f64x2.splat(0.5 * dt);
  const whole = f64x2.splat(dt);
  const zero = f64x2.splat(0);
  let largest = zero;
  const end = lines + <usize>n * LINE;
  for (let line = lines, motion = motions; line < end; line += LINE, motion += LINE) {
    const vxy = f64x2.add(v128.load(motion), f64x2.mul(half, v128.load(line, FORCE)));
    const vz = f64x2.add(v128.load(motion, 16), f64x2.mul(half, v128.load(line, FORCE + 16)));
    const xy = f64x2.add(v128.load(line), f64x2.mul(whole, vxy));
    const z = f64x2.add(v128.load(line, 16), f64x2.mul(whole, vz));
    v128.store(motion, vxy);
    v128.store(motion, vz, 16);
    v128.store(line, xy);
    v128.store(line, z, 16);
    v128.store(line, zero, FORCE);
    v128.store(line, zero, FORCE + 16);
    const displacementXy = f64x2.sub(xy, v128.load(motion, FORCE));
    const displacementZ = f64x2.sub(z, v128.load(motion, FORCE + 16));
    const squares = f64x2.add(f64x2.mul(displacementXy, displacementXy), f64x2.mul(displacementZ, displacementZ));
    // A NaN persists, and every comparison with it is false.
    largest = f64x2.max(largest, f64x2.add(squares, v128.shuffle<f64>(squares, squares, 1, 0)));
  }
  return f64x2.extract_lane(largest, 0);
}

/** The second half of the kick. */
function kick(): void {
  const half = f64x2.splat(0.5 * dt);
  const end = lines + <usize>n * LINE;
  for (let line = lines, motion = motions; line < end; line += LINE, motion += LINE) {
    v128.store(motion, f64x2.add(v128.load(motion), f64x2.mul(half, v128.load(line, FORCE))));
    v128.store(motion, f64x2.add(v128.load(motion, 16), f64x2.mul(half, v128.load(line, FORCE + 16))), 16);
  }
}

function computeForces(isObserved: bool): void {
  if (isForceShifted) {
    if (isObserved) pairForces<f64, f64>(n);
    else pairForces<i32, f64>(n);
  } else {
    if (isObserved) pairForces<f64, i32>(n);
    else pairForces<i32, i32>(n);
  }
  foldGhosts();
  if (chainLength > 1) addBonds();
}

/** A rebuild reorders the lines: store the new address of each atom's line. */
function updateLineAddresses(): void {
  for (let i = 0; i < n; i++) {
    const k = load<i32>(tags + <usize>i * TAG, 12);
    store<usize>(lineAddresses + <usize>k * sizeof<usize>(), lines + <usize>i * LINE);
  }
}

/** Coordinate d (0, 1, 2) of the atom at `line`, without wrapping. */
function unwrapped(line: usize, d: i32): f64 {
  const tag = tags + ((line - lines) / LINE) * TAG;
  const edge = d === 0 ? lx : d === 1 ? ly : lz;
  return get(line, d) + <f64>load<i32>(tag + ((<usize>d) << 2)) * edge;
}

/** Springs along the chains, between the atoms themselves rather than their nearest images. */
function addBonds(): void {
  bondEnergy = 0;
  bondVirial = 0;
  for (let k = 0; k + 1 < n; k++) {
    if ((k + 1) % chainLength === 0) continue;
    const a = load<usize>(lineAddresses + <usize>k * sizeof<usize>());
    const b = load<usize>(lineAddresses + <usize>(k + 1) * sizeof<usize>());
    const dx = unwrapped(a, 0) - unwrapped(b, 0);
    const dy = unwrapped(a, 1) - unwrapped(b, 1);
    const dz = unwrapped(a, 2) - unwrapped(b, 2);
    const r = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const stretch = r - r0Bond;
    const f = (-kBond * stretch) / r;
    store<f64>(a, load<f64>(a, FORCE) + f * dx, FORCE);
    store<f64>(a, load<f64>(a, FORCE + 8) + f * dy, FORCE + 8);
    store<f64>(a, load<f64>(a, FORCE + 16) + f * dz, FORCE + 16);
    store<f64>(b, load<f64>(b, FORCE) - f * dx, FORCE);
    store<f64>(b, load<f64>(b, FORCE + 8) - f * dy, FORCE + 8);
    store<f64>(b, load<f64>(b, FORCE + 16) - f * dz, FORCE + 16);
    bondEnergy += 0.5 * kBond * stretch * stretch;
    bondVirial += f * r * r;
  }
}

function kineticEnergy(): f64 {
  let sum = f64x2.splat(0);
  const end = motions + <usize>n * LINE;
  for (let motion = motions; motion < end; motion += LINE) {
    const vxy = v128.load(motion);
    const vz = v128.load(motion, 16);
    sum = f64x2.add(sum, f64x2.add(f64x2.mul(vxy, vxy), f64x2.mul(vz, vz)));
  }
  return 0.5 * laneSum(sum);
}

/** Draws a new kinetic energy from the canonical dynamics and scales all velocities to it (Bussi et al., eq. A7). */
function rescale(): void {
  const degreesOfFreedom = <f64>(3 * n - 3);
  const before = kineticEnergy();
  if (before === 0) return;
  const decay = Math.exp(-dt / thermostatTime);
  normalPair(DEVIATES, THERMOSTAT_NORMAL, <u64>step);
  const normal = get(DEVIATES, 0);
  const chiSquare = 2 * gamma(0.5 * (degreesOfFreedom - 1), THERMOSTAT_GAMMA, <u64>step);
  const share = ((1 - decay) * 0.5 * t0) / before;
  const scale2 = decay + share * (normal * normal + chiSquare) + 2 * normal * Math.sqrt(decay * share);
  heat += before * (scale2 - 1);
  const scale = f64x2.splat(Math.sqrt(scale2));
  const end = motions + <usize>n * LINE;
  for (let motion = motions; motion < end; motion += LINE) {
    v128.store(motion, f64x2.mul(scale, v128.load(motion)));
    v128.store(motion, f64x2.mul(scale, v128.load(motion, 16)), 16);
  }
}

/** The step at which the next frame is due. */
function frameStep(): i32 {
  return frame < frames ? <i32>((<i64>frame * <i64>steps) / <i64>(frames - 1)) : -1;
}

/** Writes the record and the frame that are due at this step. info: 0; 2 if the energy is not finite. */
function observe(): i32 {
  const energy = pairEnergy() + bondEnergy;
  const kinetic = kineticEnergy();
  if (step % recordEvery === 0) {
    const row = step / recordEvery;
    record(records + <usize>row * (RECORD_COLUMNS * 8), energy, kinetic);
    if (correlationWindows > 0) correlate(row - correlationFrom);
  }
  if (step === frameStep()) {
    record(frameRecords + <usize>frame * (RECORD_COLUMNS * 8), energy, kinetic);
    writeUnwrapped(framePositions + <usize>frame * <usize>(3 * n) * 8);
    if (frame >= histogramFrom && (frame - histogramFrom) % histogramEvery === 0) countDistances();
    frame++;
  }
  return isFinite(energy + kinetic) ? INFO_OK : INFO_NON_FINITE;
}

/** Writes Σ v(0) · v(t) of the window in which the record is. @param row  of the records from correlationFrom on */
function correlate(row: i32): void {
  if (row < 0 || row >= correlationWindows * correlationLags) return;
  const isOrigin = row % correlationLags === 0;
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    const motion = motions + <usize>i * LINE;
    const origin = originVelocities + <usize>load<i32>(tags + <usize>i * TAG, 12) * 24;
    if (isOrigin) memory.copy(origin, motion, 24);
    sum += get(motion, 0) * get(origin, 0) + get(motion, 1) * get(origin, 1) + get(motion, 2) * get(origin, 2);
  }
  set(correlations, row, sum);
}

function record(row: usize, energy: f64, kinetic: f64): void {
  let squares: f64 = 0;
  for (let line = lines, end = lines + <usize>n * LINE; line < end; line += LINE) {
    const x = load<f64>(line, FORCE);
    const y = load<f64>(line, FORCE + 8);
    const z = load<f64>(line, FORCE + 16);
    squares += x * x + y * y + z * z;
  }
  set(row, RecordColumn.energy, energy);
  set(row, RecordColumn.inside, pairsInside());
  set(row, RecordColumn.kinetic, kinetic);
  set(row, RecordColumn.virial, pairVirial() + bondVirial);
  set(row, RecordColumn.force2, squares);
  set(row, RecordColumn.heat, heat);
}

function writeUnwrapped(out: usize): void {
  for (let i = 0; i < n; i++) {
    const line = lines + <usize>i * LINE;
    const k = load<i32>(tags + <usize>i * TAG, 12);
    for (let d = 0; d < 3; d++) set(out, 3 * k + d, unwrapped(line, d));
  }
}

/**
 * Adds every pair of nearest images to the histogram. Bins beyond `histogramRange` are never read: they replace a
 * slower branch, and spread stores that would wait for each other in a single bin.
 */
function countDistances(): void {
  const stride = (<usize>(n + 2)) << 3;
  const y = coordinates + stride;
  const z = y + stride;
  for (let i = 0; i < n; i++) {
    const line = lines + <usize>i * LINE;
    set(coordinates, i, load<f64>(line));
    set(y, i, load<f64>(line, 8));
    set(z, i, load<f64>(line, 16));
  }
  // An odd number of partners is padded with one beyond every bin.
  set(coordinates, n, FAR_AWAY);
  const boxX = f64x2.splat(lx);
  const boxY = f64x2.splat(ly);
  const boxZ = f64x2.splat(lz);
  const perLength = f64x2.splat(<f64>bins / histogramRange);
  const overflowBin = f64x2.splat(<f64>(totalBins - 1));
  const end = (<usize>n) << 3;
  for (let a: usize = 0; a < end; a += 8) {
    const xa = v128.load_splat<f64>(coordinates + a);
    const ya = v128.load_splat<f64>(y + a);
    const za = v128.load_splat<f64>(z + a);
    for (let b = a + 8; b < end; b += 16) {
      const dx = nearestImage(f64x2.abs(f64x2.sub(v128.load(coordinates + b), xa)), boxX);
      const dy = nearestImage(f64x2.abs(f64x2.sub(v128.load(y + b), ya)), boxY);
      const dz = nearestImage(f64x2.abs(f64x2.sub(v128.load(z + b), za)), boxZ);
      const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz));
      const bin = i32x4.trunc_sat_f64x2_s_zero(f64x2.pmin(f64x2.mul(f64x2.sqrt(r2), perLength), overflowBin));
      addPair(<usize>i32x4.extract_lane(bin, 0));
      addPair(<usize>i32x4.extract_lane(bin, 1));
    }
  }
}

/** Atoms are at most a skin outside the box, so a shift by one box suffices. */
function nearestImage(distance: v128, box: v128): v128 {
  return f64x2.pmin(distance, f64x2.abs(f64x2.sub(distance, box)));
}

/** Counts a pair once for each of its two atoms. */
function addPair(bin: usize): void {
  const at = histogram + (bin << 3);
  store<f64>(at, load<f64>(at) + 2);
}

/** Writes the state after the last step, ordered by atom number, and the statistics of the run. */
function writeFinalState(): void {
  writeUnwrapped(positions);
  let px: f64 = 0;
  let py: f64 = 0;
  let pz: f64 = 0;
  let absoluteSum: f64 = 0;
  for (let i = 0; i < n; i++) {
    const line = lines + <usize>i * LINE;
    const motion = motions + <usize>i * LINE;
    const k = load<i32>(tags + <usize>i * TAG, 12);
    for (let d = 0; d < 3; d++) {
      set(velocities, 3 * k + d, get(motion, d));
      set(forces, 3 * k + d, load<f64>(line + ((<usize>d) << 3), FORCE));
      absoluteSum += Math.abs(get(motion, d));
    }
    px += get(motion, 0);
    py += get(motion, 1);
    pz += get(motion, 2);
  }
  setStatistic(Statistic.momentum, Math.sqrt(px * px + py * py + pz * pz));
  setStatistic(Statistic.absoluteMomentum, absoluteSum);
  setStatistic(Statistic.builds, <f64>builds);
  setStatistic(Statistic.pairs, <f64>pairs);
  setStatistic(Statistic.ghosts, <f64>ghosts);
}
