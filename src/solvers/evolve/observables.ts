// Observables computed from the records, frames and distance histogram of a run.

import type { Rows } from '../../kernels/rows.ts';
import { quantity } from '../parts/fields.ts';
import type { EvolveFace } from './face.ts';
import { BINS, CHAIN_LENGTH, type EvolveInput, frameStep, type Problem } from './problem.ts';
import { lennardJones } from './reference.ts';

/** Records of a run, or of its frames. */
export type Records = Rows<EvolveFace['columns']['record'][number]>;

/** Thermodynamic histories from kernel records, per atom where that is customary. */
export interface Histories {
  /** Conserved energy: total energy minus the heat from the thermostat, per atom. */
  readonly conserved: Float64Array;
  readonly temperature: Float64Array;
  /** Potential energy with the chosen cut-off; truncated pairs count in full. */
  readonly potential: Float64Array;
  readonly kinetic: Float64Array;
  readonly pressure: Float64Array;
}

export function historiesOf({ count, at }: Records, { atoms, rho, pair }: Problem): Histories {
  const series = (body: (row: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, row) => body(row));
  const energyAtCutoff = pair.cutoff === 'truncated' ? lennardJones(pair, pair.rc).energy : 0;
  return {
    conserved: series((row) => (at(row, 'energy') + at(row, 'kinetic') - at(row, 'heat')) / atoms),
    temperature: series((row) => (2 * at(row, 'kinetic')) / (3 * atoms - 3)),
    potential: series((row) => (at(row, 'energy') + at(row, 'inside') * energyAtCutoff) / atoms),
    kinetic: series((row) => at(row, 'kinetic') / atoms),
    pressure: series((row) => ((2 * at(row, 'kinetic') + at(row, 'virial')) * rho) / (3 * atoms)),
  };
}

/** Least-squares slope of y over x. */
export function slopeOf(x: Float64Array, y: Float64Array): number {
  const meanX = x.reduce((sum, value) => sum + value, 0) / x.length;
  const meanY = y.reduce((sum, value) => sum + value, 0) / y.length;
  let xy = 0;
  let xx = 0;
  for (let i = 0; i < x.length; i++) {
    xy += ((x[i] ?? 0) - meanX) * ((y[i] ?? 0) - meanY);
    xx += ((x[i] ?? 0) - meanX) * ((x[i] ?? 0) - meanX);
  }
  return xx > 0 ? xy / xx : 0;
}

export const frameTimes = ({ frames }: Problem, { steps, dtSim }: EvolveInput): Float64Array =>
  Float64Array.from({ length: frames }, (_, frame) => frameStep(frame, frames, steps) * dtSim);

/** Mean squared displacement of each frame from the start. */
export function displacementsOf(trajectory: Float64Array, { atoms, frames }: Problem): Float64Array {
  return Float64Array.from({ length: frames }, (_, frame) => {
    const from = 3 * atoms * frame;
    let squares = 0;
    for (let k = 0; k < 3 * atoms; k++) {
      const displacement = (trajectory[from + k] ?? 0) - (trajectory[k] ?? 0);
      squares += displacement * displacement;
    }
    return squares / atoms;
  });
}

/** Pair distribution g(r): pairs counted in shells, over those of an ideal gas of the same density. */
export function distribution(distances: Float64Array, problem: Problem): { r: Float64Array; g: Float64Array } {
  const width = problem.histogramRange / BINS;
  const frameCount = Math.ceil((problem.frames - problem.histogramFrom) / problem.histogramEvery);
  // Each atom sees N - 1 others, each with density 1 / V.
  const others = (problem.rho * (problem.atoms - 1)) / problem.atoms;
  const r = Float64Array.from({ length: BINS }, (_, bin) => (bin + 0.5) * width);
  const g = r.map((_, bin) => {
    const shell = ((4 * Math.PI) / 3) * width * width * width * (3 * bin * bin + 3 * bin + 1);
    return (distances[bin] ?? 0) / (frameCount * problem.atoms * others * shell);
  });
  return { r, g };
}

/** Mean size of the chains over the production frames; only complete chains count. */
export function chainQuantities(trajectory: Float64Array, { atoms, frames, histogramFrom }: Problem) {
  const chains = Math.floor(atoms / CHAIN_LENGTH);
  let ends = 0;
  let radii = 0;
  for (let frame = histogramFrom; frame < frames; frame++) {
    for (let chain = 0; chain < chains; chain++) {
      const first = 3 * (atoms * frame + chain * CHAIN_LENGTH);
      for (let d = 0; d < 3; d++) {
        const bead = (k: number): number => trajectory[first + 3 * k + d] ?? 0;
        let sum = 0;
        let squares = 0;
        for (let k = 0; k < CHAIN_LENGTH; k++) {
          sum += bead(k);
          squares += bead(k) * bead(k);
        }
        const end = bead(CHAIN_LENGTH - 1) - bead(0);
        ends += end * end;
        radii += squares / CHAIN_LENGTH - (sum / CHAIN_LENGTH) * (sum / CHAIN_LENGTH);
      }
    }
  }
  const count = Math.max(1, chains * (frames - histogramFrom));
  return [
    quantity('chains', chains, '1'),
    quantity('end_to_end_squared', ends / count, 'sigma^2'),
    quantity('radius_of_gyration_squared', radii / count, 'sigma^2'),
  ];
}

/** The coordinate inside the periodic box; the kernel leaves positions unwrapped. */
export const wrapped = (position: number, edge: number): number => position - edge * Math.floor(position / edge);
