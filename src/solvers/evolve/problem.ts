// The problem of a request: its inputs, start, and output schedule; rejects parameters that cannot run.

import { z } from 'zod';
import { unstableError, validationError } from '../parts/errors.ts';
import { choice, real, sampleCount, seed, stepCount, timeStep, whole } from '../parts/inputs.ts';
import { recordInterval } from '../parts/sampling.ts';
import { type Box, chainPositions, latticePositions } from './initial-positions.ts';
import type { Pair } from './reference.ts';

export const CHAIN_LENGTH = 16;
const PRESETS = ['lj-liquid', 'lj-gas', 'crystal', 'polymer'] as const;
const DISTANCE = { unit: 'sigma', min: 0.1, max: 10, default: 1 } as const;

export const inputs = z.strictObject({
  preset: choice(`State to start from; polymer: bead-spring chains of ${CHAIN_LENGTH} beads`, PRESETS),
  N: whole('Number of atoms or beads', { symbol: 'N', min: 2, max: 2000, default: 256 }),
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
});

export type EvolveInput = z.output<typeof inputs>;

export interface Problem {
  readonly pair: Pair;
  readonly atoms: number;
  readonly rho: number;
  readonly t0: number;
  readonly box: Box;
  readonly positions: Float64Array;
  /** Number of empty lattice sites. */
  readonly vacancies: number;
  /** Beads per chain, 0 for none. */
  readonly chainLength: number;
  readonly skin: number;
  readonly frames: number;
  readonly recordEvery: number;
  /** First frame of the production half; from it on, distances are counted at every `histogramEvery`-th frame. */
  readonly histogramFrom: number;
  readonly histogramEvery: number;
  readonly histogramRange: number;
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
const MAX_HISTOGRAM_PAIRS = 20_000_000;
/** Range of g(r) in units of sig: about six shells. */
const HISTOGRAM_RANGE = 6;
/** Maximum density in units of sig^-3: beyond it atoms overlap and no step is small enough. */
const MAX_REDUCED_DENSITY = 1.5;
/** Maximum step in units of sig sqrt(m / eps): longer steps diverge in a liquid; the safe range ends near 0.01. */
const MAX_REDUCED_STEP = 0.02;
/** Maximum ω Δt of a spring: velocity Verlet is stable below 2 and still accurate at half of it. */
const MAX_PHASE_STEP = 1;

/** @throws DomainError VALIDATION_FAILED (density, cut-off), UNSTABLE_SCHEME (step) */
export function problemOf(input: EvolveInput): Problem {
  const { preset, N: atoms, eps, sig, rc, steps } = input;
  const sig3 = sig * sig * sig;
  const rho = input.rho ?? STATES[preset].rho / sig3;
  const t0 = input.T0 ?? STATES[preset].t0 * eps;
  assertDensity(rho, sig3);
  assertCutoff(rc, sig);
  assertStep(input, t0);

  const chainLength = preset === 'polymer' ? CHAIN_LENGTH : 0;
  const { box, positions, sites } =
    chainLength > 0 ? chainPositions(atoms, rho, Math.max(1.05 * sig, input.r0Bond)) : latticePositions(atoms, rho);
  const frames = Math.min(input.sample, steps + 1);
  const histogramFrom = Math.ceil((frames - 1) / 2);
  const histogramFrames = Math.min(MAX_HISTOGRAM_FRAMES, Math.ceil((2 * MAX_HISTOGRAM_PAIRS) / (atoms * atoms)));
  return {
    pair: { eps, sig, rc, cutoff: input.cutoff },
    atoms,
    rho,
    t0,
    box,
    positions,
    vacancies: chainLength > 0 ? 0 : sites - atoms,
    chainLength,
    skin: SKIN * sig,
    frames,
    recordEvery: recordInterval(steps, MAX_RECORDS),
    histogramFrom,
    histogramEvery: Math.ceil((frames - histogramFrom) / histogramFrames),
    histogramRange: Math.min(0.5 * Math.min(box.x, box.y, box.z), HISTOGRAM_RANGE * sig),
  };
}

/** The step at which a frame is recorded. */
export const frameStep = (frame: number, frames: number, steps: number): number =>
  Math.floor((frame * steps) / (frames - 1));

function assertDensity(rho: number, sig3: number): void {
  const max = MAX_REDUCED_DENSITY / sig3;
  if (rho <= max) return;
  const message = `rho is ${rho}; atoms of this sig overlap beyond ${max} (rho sig³ at most ${MAX_REDUCED_DENSITY}).`;
  throw validationError('rho', message, 'TOO_DENSE', { rho_max: max });
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
