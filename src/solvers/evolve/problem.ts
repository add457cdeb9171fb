// The problem of a request: its inputs, start, and output schedule; rejects parameters that cannot run.

import { z } from 'zod';
import { unstableError, validationError } from '../parts/errors.ts';
import { choice, real, sampleCount, seed, stepCount, timeStep, whole } from '../parts/inputs.ts';
import { recordInterval } from '../parts/sampling.ts';
import {
  assertApart,
  assertBondsInside,
  atomFields,
  type GivenAtoms,
  givenAtoms,
  MAX_ATOMS,
  totalMomentum,
} from './given-atoms.ts';
import { type Box, chainPositions, latticePositions } from './initial-positions.ts';
import { type Bonds, configurationOf, kineticOf, type Pair } from './reference.ts';

export const CHAIN_LENGTH = 16;
const PRESETS = ['lj-liquid', 'lj-gas', 'crystal', 'polymer'] as const;
const DEFAULT_ATOMS = 256;
const DISTANCE = { unit: 'sigma', min: 0.1, max: 10, default: 1 } as const;

export const inputs = z.strictObject({
  preset: choice(`State to start from; polymer: bead-spring chains of ${CHAIN_LENGTH} beads`, PRESETS),
  N: whole(`Number of atoms or beads; by default ${DEFAULT_ATOMS}, or that of positions`, {
    symbol: 'N',
    min: 2,
    max: MAX_ATOMS,
  }),
  rho: real('Number density; by default that of the preset: 0.8442, 0.05, 1.0915, 0.85 over sig³', {
    unit: 'sigma^-3',
    symbol: 'ρ',
    min: 1e-6,
    max: 1e4,
  }),
  T0: real('Start temperature, and the thermostat’s; by default that of the preset: 1.44, 2, 0.4, 1 times eps', {
    unit: 'epsilon/k_B',
    symbol: 'T',
    min: 0,
    max: 1e3,
  }),
  steps: stepCount('Number of time steps', { min: 10, max: 200_000, default: 2000 }),
  dtSim: timeStep('Time step, in units of sigma sqrt(m / epsilon)', { unit: 'tau', min: 1e-7, max: 1, default: 0.003 }),
  eps: real('Depth of the pair well', { unit: 'epsilon', symbol: 'ε', min: 0.01, max: 100, default: 1 }),
  sig: real('Distance at which the pair energy is zero', { symbol: 'σ', ...DISTANCE }),
  rc: real('Cut-off distance', { unit: 'sigma', symbol: 'r_c', min: 0.1, max: 60, default: 2.5 }),
  kBond: real('Stiffness k of the bonds of a polymer, energy k (r − r0)² / 2 on top of the pair’s', {
    unit: 'epsilon/sigma^2',
    symbol: 'k',
    min: 0,
    max: 1e5,
    default: 30,
  }),
  r0Bond: real('Rest length of the bonds of a polymer', { symbol: 'r_0', ...DISTANCE }),
  seed: seed('Seed of the start velocities and the thermostat'),
  sample: sampleCount('Rows of the series and frames of the trajectory', { max: 500, default: 40 }),
  cutoff: choice('How the pair ends at rc: cut, energy moved to zero there, or energy and force', [
    'truncated',
    'shifted',
    'force-shifted',
  ]),
  thermostat: choice('none: constant energy; bussi: canonical velocity rescaling to T0', ['none', 'bussi']),
  tau: real('Relaxation time of the thermostat', { unit: 'tau', symbol: 'τ', min: 0.01, max: 1e3, default: 0.5 }),
  ...atomFields,
});

export type EvolveInput = z.output<typeof inputs>;

export interface Problem {
  readonly pair: Pair;
  readonly atoms: number;
  readonly rho: number;
  readonly t0: number;
  readonly box: Box;
  /** Whether the box is so large that no atom can meet an image. */
  readonly isFree: boolean;
  readonly positions: Float64Array;
  /** Drawn at t0 if missing. */
  readonly velocities: Float64Array | undefined;
  /** Total momentum at the start: that of given velocities. */
  readonly momentum: readonly [number, number, number];
  /** Number of empty lattice sites. */
  readonly vacancies: number;
  /** Beads per chain, 0 for none. */
  readonly chainLength: number;
  readonly bonds: Bonds;
  readonly skin: number;
  readonly frames: number;
  readonly recordEvery: number;
  /** First frame of the production half; from it on, distances are counted at every `histogramEvery`-th frame. */
  readonly histogramFrom: number;
  readonly histogramEvery: number;
  readonly histogramRange: number;
  /** First record of the production half; from it on, velocities are correlated over so many records. */
  readonly correlationFrom: number;
  readonly correlationLags: number;
}

/** Reduced density ρσ³ and temperature kT/ε of each preset. */
const STATES: Readonly<Record<(typeof PRESETS)[number], { readonly rho: number; readonly t0: number }>> = {
  // The melt of the LAMMPS benchmark: from a lattice at 1.44 it equilibrates near 0.70, close to the triple point.
  'lj-liquid': { rho: 0.8442, t0: 1.44 },
  'lj-gas': { rho: 0.05, t0: 2 },
  // The density of zero pressure at T = 0, summed without a cut-off; half of T0 goes into the springs of the lattice.
  crystal: { rho: 1.0915, t0: 0.4 },
  // The melt of Kremer & Grest.
  polymer: { rho: 0.85, t0: 1 },
};

export const BINS = 150;

/** Skin in units of sig: a displacement of half the skin rebuilds the list. Measured in bench/evolve.ts. */
const SKIN = 0.3;
const MAX_RECORDS = 2_000;
/** Maximum number of frames in the histogram; fewer where a frame has many pairs. */
const MAX_HISTOGRAM_FRAMES = 50;
/** Maximum number of lags of the velocity autocorrelation. */
const MAX_CORRELATION_LAGS = 200;
const MAX_HISTOGRAM_PAIRS = 20_000_000;
/** Range of g(r) in units of sig: about six shells. */
const HISTOGRAM_RANGE = 6;
/** Maximum density in units of sig^-3: beyond it atoms overlap and no step is small enough. */
const MAX_REDUCED_DENSITY = 1.5;
/** Maximum step in units of sig sqrt(m / eps): longer steps diverge in a liquid; the safe range ends near 0.01. */
const MAX_REDUCED_STEP = 0.02;
/** Maximum ω Δt of a spring: velocity Verlet is stable below 2 and still accurate at half of it. */
const MAX_PHASE_STEP = 1;

/** @throws DomainError VALIDATION_FAILED (atoms, density, cut-off), UNSTABLE_SCHEME (step) */
export function problemOf(input: EvolveInput): Problem {
  const { preset, eps, sig, rc, steps } = input;
  const given = givenAtoms(input);
  const pair: Pair = { eps, sig, rc, cutoff: input.cutoff };
  assertCutoff(rc, sig);
  const chainLength = preset === 'polymer' ? CHAIN_LENGTH : 0;
  const bonds: Bonds = { chainLength, k: input.kBond, r0: input.r0Bond };
  const start = given ? givenStart(given, pair, bonds, input) : latticeStart(input, chainLength);
  const { atoms, box, t0, velocities } = start;
  const rho = given ? atoms / (box.x * box.y * box.z) : start.rho;
  assertDensity(rho, sig * sig * sig, given ? 'box' : 'rho');
  assertStep(input, Math.max(t0, maxKinetic(velocities)));

  const frames = Math.min(input.sample, steps + 1);
  const histogramFrom = Math.ceil((frames - 1) / 2);
  const histogramFrames = Math.min(MAX_HISTOGRAM_FRAMES, Math.ceil((2 * MAX_HISTOGRAM_PAIRS) / (atoms * atoms)));
  const recordEvery = recordInterval(steps, MAX_RECORDS);
  const records = Math.floor(steps / recordEvery) + 1;
  const correlationFrom = records >> 1;
  return {
    ...start,
    pair,
    rho,
    momentum: totalMomentum(velocities),
    chainLength,
    bonds,
    skin: SKIN * sig,
    frames,
    recordEvery,
    histogramFrom,
    histogramEvery: Math.ceil((frames - histogramFrom) / histogramFrames),
    histogramRange: Math.min(0.5 * Math.min(box.x, box.y, box.z), HISTOGRAM_RANGE * sig),
    correlationFrom,
    correlationLags: Math.max(1, Math.min(MAX_CORRELATION_LAGS, (records - correlationFrom) >> 2)),
  };
}

type Start = Pick<Problem, 'atoms' | 'rho' | 't0' | 'box' | 'isFree' | 'positions' | 'velocities' | 'vacancies'>;

function latticeStart(
  { preset, N: atoms = DEFAULT_ATOMS, eps, sig, r0Bond, ...input }: EvolveInput,
  chain: number,
): Start {
  const sig3 = sig * sig * sig;
  const rho = input.rho ?? STATES[preset].rho / sig3;
  assertDensity(rho, sig3, 'rho');
  const t0 = input.T0 ?? STATES[preset].t0 * eps;
  const { box, positions, sites } =
    chain > 0 ? chainPositions(atoms, rho, Math.max(1.05 * sig, r0Bond)) : latticePositions(atoms, rho);
  const vacancies = chain > 0 ? 0 : sites - atoms;
  return { atoms, rho, t0, box, isFree: false, positions, velocities: undefined, vacancies };
}

/** Given atoms are at rest unless velocities or T0 are given. */
function givenStart(given: GivenAtoms, pair: Pair, bonds: Bonds, input: EvolveInput): Start {
  const { positions, velocities } = given;
  const atoms = positions.length / 3;
  assertGiven(given, input);
  assertApart(given, pair.sig);
  assertBondsInside(given, bonds.chainLength);
  const kinetic = velocities ? kineticOf(velocities) : 0;
  const t0 = input.T0 ?? (2 * kinetic) / (3 * atoms - 3);
  const box = given.box ?? freeBox(given, pair, bonds, Math.max(kinetic, 1.5 * (atoms - 1) * t0), input);
  const isFree = given.box === undefined;
  return { atoms, rho: 0, t0, box, isFree, positions, velocities, vacancies: 0 };
}

function assertGiven({ positions, velocities, box }: GivenAtoms, { N, rho, T0, thermostat }: EvolveInput): void {
  const atoms = positions.length / 3;
  if (N !== undefined && N !== atoms)
    throw validationError('N', `N is ${N}; positions has ${atoms} atoms.`, 'COUNTS_DIFFER', { atoms });
  if (rho !== undefined)
    throw validationError('rho', 'rho is given together with positions; give the box instead.', 'GIVEN_TWICE');
  if (velocities && T0 !== undefined && thermostat === 'none')
    throw validationError('T0', 'T0 is given together with velocities, which it would not change.', 'GIVEN_TWICE');
  if (thermostat === 'none') return;
  if (!box)
    throw validationError(
      'thermostat',
      `thermostat ${thermostat} needs a box: atoms in free space fly away.`,
      'NO_BOX',
    );
  if (totalMomentum(velocities).some((p) => p !== 0)) {
    const message = `velocities has the total momentum ${totalMomentum(velocities).join(', ')}; the thermostat needs 0.`;
    throw validationError('velocities', message, 'MOMENTUM');
  }
}

/** Minimum energy per atom of any number of atoms, in eps: below that of the close-packed crystal, -8.611. */
const MIN_ENERGY = -8.7;
/** The energy in free space is summed in a box of this size. */
const WIDE: Box = { x: 1e9, y: 1e9, z: 1e9 };

/**
 * The box of atoms in free space: no atom can go so far that it meets an image. Its speed is bounded by the energy, all
 * of which one atom may get.
 */
function freeBox({ positions }: GivenAtoms, pair: Pair, bonds: Bonds, kinetic: number, input: EvolveInput): Box {
  const atoms = positions.length / 3;
  const { energy } = configurationOf(positions, WIDE, pair, bonds);
  const least = -pair.eps * Math.min((atoms * (atoms - 1)) / 2, -MIN_ENERGY * atoms);
  const reach = Math.sqrt(2 * (kinetic + energy - least)) * input.steps * input.dtSim;
  const edge = (d: number): number => {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let k = d; k < positions.length; k += 3) {
      low = Math.min(low, positions[k] ?? 0);
      high = Math.max(high, positions[k] ?? 0);
    }
    return high - low + 2 * (reach + pair.rc + SKIN * pair.sig);
  };
  return { x: edge(0), y: edge(1), z: edge(2) };
}

function maxKinetic(velocities: Float64Array | undefined): number {
  let largest = 0;
  for (let k = 0; k < (velocities?.length ?? 0); k += 3) {
    const [x = 0, y = 0, z = 0] = velocities?.subarray(k, k + 3) ?? [];
    largest = Math.max(largest, 0.5 * (x * x + y * y + z * z));
  }
  return largest;
}

/** The step at which a frame is recorded. */
export const frameStep = (frame: number, frames: number, steps: number): number =>
  Math.floor((frame * steps) / (frames - 1));

function assertDensity(rho: number, sig3: number, field: 'rho' | 'box'): void {
  const max = MAX_REDUCED_DENSITY / sig3;
  if (rho <= max) return;
  const message = `${field === 'rho' ? 'rho' : 'The density in the box'} is ${rho}; atoms of this sig overlap beyond ${max} (rho sig³ at most ${MAX_REDUCED_DENSITY}).`;
  throw validationError(field, message, 'TOO_DENSE', { rho_max: max });
}

function assertCutoff(rc: number, sig: number): void {
  // 2^(1/6): where the pair force vanishes.
  const min = 1.122462048309373 * sig;
  if (rc >= min * (1 - 1e-6)) return;
  const message = `rc is ${rc}; a cut-off inside the repulsive core is below 2^(1/6) sig = ${min}; usual is 2.5 sig.`;
  throw validationError('rc', message, 'CUTOFF_IN_CORE', { rc_min: min });
}

function assertStep({ dtSim, eps, sig, preset, kBond }: EvolveInput, t0: number): void {
  // A hot atom crosses the core faster than an atom accelerated by the well.
  const coreStep = (MAX_REDUCED_STEP * sig) / Math.sqrt(Math.max(eps, t0));
  // Two unit masses on a spring: ω² = 2 k.
  const springStep =
    preset === 'polymer' && kBond > 0 ? MAX_PHASE_STEP / Math.sqrt(2 * kBond) : Number.POSITIVE_INFINITY;
  const max = Math.min(coreStep, springStep);
  if (dtSim <= max) return;
  const message = `dtSim is ${dtSim}; at this temperature and stiffness velocity Verlet takes steps up to ${max}.`;
  throw unstableError('dtSim', message, 'STEP_TOO_LONG', { dt_max: max });
}
