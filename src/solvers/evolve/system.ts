// What a request means: presets filled in, the start built, the schedule laid, and what cannot be run refused.

import { DomainError } from '../../core/errors.ts';
import type { Cutoff, Pair } from './reference.ts';
import { type Box, chainStart, latticeStart } from './start.ts';

export type Preset = 'lj-liquid' | 'lj-gas' | 'crystal' | 'polymer';

export interface EvolveInput {
  readonly preset: Preset;
  readonly N: number;
  readonly rho?: number | undefined;
  readonly T0?: number | undefined;
  readonly steps: number;
  readonly dtSim: number;
  readonly eps: number;
  readonly sig: number;
  readonly rc: number;
  readonly kBond: number;
  readonly r0Bond: number;
  readonly seed: number;
  readonly sample: number;
  readonly cutoff: Cutoff;
  readonly thermostat: 'none' | 'bussi';
  readonly tau: number;
}

export interface System {
  readonly pair: Pair;
  readonly atoms: number;
  readonly rho: number;
  readonly t0: number;
  readonly box: Box;
  readonly positions: Float64Array;
  /** Lattice sites that no atom took. */
  readonly vacancies: number;
  /** Beads a chain, 0 for none. */
  readonly chainLength: number;
  readonly skin: number;
  readonly frames: number;
  readonly recordEvery: number;
  /** The first frame of the production half; distances are counted from it on, at every countEvery-th frame. */
  readonly countFrom: number;
  readonly countEvery: number;
  readonly countReach: number;
}

/** Reduced density ρσ³ and temperature kT/ε of each preset. */
const STATES: Readonly<Record<Preset, { readonly rho: number; readonly t0: number }>> = {
  // The melt of the LAMMPS benchmark: from a lattice at 1.44 it settles near 0.70, close to the triple point.
  'lj-liquid': { rho: 0.8442, t0: 1.44 },
  'lj-gas': { rho: 0.05, t0: 2 },
  // The density of zero pressure at T = 0, summed without a cut-off; half of T0 goes into the springs of the lattice.
  crystal: { rho: 1.0915, t0: 0.4 },
  // The melt of Kremer & Grest.
  polymer: { rho: 0.85, t0: 1 },
};

export const CHAIN_LENGTH = 16;
export const BINS = 150;

/** The list is built again when an atom has moved half of this times sig. Measured in bench/evolve.ts. */
const SKIN = 0.3;
const MOST_RECORDS = 2_000;
/** Distances are counted at up to this many frames, fewer where one frame alone has many pairs. */
const MOST_COUNTED_FRAMES = 50;
const MOST_COUNTED_PAIRS = 20_000_000;
/** g(r) is of interest to about the sixth shell. */
const COUNT_REACH = 6;
/** Denser than this the atoms overlap and no step is small enough. */
const MOST_DENSE = 1.5;
/** Steps longer than this, in units of sig sqrt(m / eps), blow up in a liquid; the safe range ends near 0.01. */
const LONGEST_STEP = 0.02;
/** Velocity Verlet is stable for ω Δt < 2 and still follows a spring at half of it. */
const LONGEST_ANGLE = 1;

/** @throws DomainError VALIDATION_FAILED (density, cut-off), UNSTABLE_SCHEME (step) */
export function systemOf(input: EvolveInput): System {
  const { preset, N: atoms, eps, sig, rc, steps } = input;
  const sig3 = sig * sig * sig;
  const rho = input.rho ?? STATES[preset].rho / sig3;
  const t0 = input.T0 ?? STATES[preset].t0 * eps;
  refuseDense(rho, sig3);
  refuseShort(rc, sig);
  refuseFast(input, t0);

  const chainLength = preset === 'polymer' ? CHAIN_LENGTH : 0;
  const { box, positions, sites } =
    chainLength > 0 ? chainStart(atoms, rho, Math.max(1.05 * sig, input.r0Bond)) : latticeStart(atoms, rho);
  const frames = Math.min(input.sample, steps + 1);
  const countFrom = Math.ceil((frames - 1) / 2);
  const counted = Math.min(MOST_COUNTED_FRAMES, Math.ceil((2 * MOST_COUNTED_PAIRS) / (atoms * atoms)));
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
    recordEvery: Math.ceil(steps / MOST_RECORDS),
    countFrom,
    countEvery: Math.ceil((frames - countFrom) / counted),
    countReach: Math.min(0.5 * Math.min(box.x, box.y, box.z), COUNT_REACH * sig),
  };
}

/** The step of the records and frames of a run. */
export const frameStep = (frame: number, frames: number, steps: number): number =>
  Math.floor((frame * steps) / (frames - 1));

function refuse(
  code: 'VALIDATION_FAILED' | 'UNSTABLE_SCHEME',
  path: string,
  reason: string,
  message: string,
  facts: Readonly<Record<string, number>>,
): never {
  throw new DomainError(code, message, { details: [{ path, code: reason, message }], facts });
}

function refuseDense(rho: number, sig3: number): void {
  const most = MOST_DENSE / sig3;
  if (rho <= most) return;
  const message = `rho is ${rho}; atoms of this sig overlap beyond ${most} (rho sig³ at most ${MOST_DENSE}).`;
  refuse('VALIDATION_FAILED', 'rho', 'TOO_DENSE', message, { rho_max: most });
}

function refuseShort(rc: number, sig: number): void {
  // 2^(1/6): where the pair force vanishes.
  const least = 1.122462048309373 * sig;
  if (rc >= least * (1 - 1e-6)) return;
  const message = `rc is ${rc}; a cut-off inside the repulsive core is below 2^(1/6) sig = ${least}; usual is 2.5 sig.`;
  refuse('VALIDATION_FAILED', 'rc', 'CUTOFF_IN_CORE', message, { rc_min: least });
}

function refuseFast({ dtSim, eps, sig, preset, kBond }: EvolveInput, t0: number): void {
  // A hot atom crosses the core faster than the well would throw it.
  const core = (LONGEST_STEP * sig) / Math.sqrt(Math.max(eps, t0));
  // Two unit masses on a spring: ω² = 2 k.
  const spring = preset === 'polymer' && kBond > 0 ? LONGEST_ANGLE / Math.sqrt(2 * kBond) : Number.POSITIVE_INFINITY;
  const most = Math.min(core, spring);
  if (dtSim <= most) return;
  const message = `dtSim is ${dtSim}; at this temperature and stiffness velocity Verlet takes steps up to ${most}.`;
  refuse('UNSTABLE_SCHEME', 'dtSim', 'STEP_TOO_LONG', message, { dt_max: most });
}
