// What can be read off the rows, frames and distances of a run.

import { lennardJones } from './reference.ts';
import { BINS, CHAIN_LENGTH, type EvolveInput, frameStep, type System } from './system.ts';

/** Columns of a record: energy, pairs inside rc, kinetic energy, virial, Σ f², heat taken from the thermostat. */
export const COLUMNS = 6;
export const COLUMN = { energy: 0, inside: 1, kinetic: 2, virial: 3, force2: 4, heat: 5 } as const;

/** Thermodynamic histories from rows of the kernel, per atom where that is usual. */
export interface Histories {
  /** What the integrator conserves, less what the thermostat gave, per atom. */
  readonly conserved: Float64Array;
  readonly temperature: Float64Array;
  /** The energy of the chosen cut-off: a truncated pair counts in full. */
  readonly potential: Float64Array;
  readonly kinetic: Float64Array;
  readonly pressure: Float64Array;
}

export function historiesOf(rows: Float64Array, { atoms, rho, pair }: System): Histories {
  const count = rows.length / COLUMNS;
  const at = (row: number, column: number): number => rows[row * COLUMNS + column] ?? 0;
  const per = (body: (row: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, row) => body(row));
  const atEnd = pair.cutoff === 'truncated' ? lennardJones(pair, pair.rc).energy : 0;
  return {
    conserved: per((row) => (at(row, COLUMN.energy) + at(row, COLUMN.kinetic) - at(row, COLUMN.heat)) / atoms),
    temperature: per((row) => (2 * at(row, COLUMN.kinetic)) / (3 * atoms - 3)),
    potential: per((row) => (at(row, COLUMN.energy) + at(row, COLUMN.inside) * atEnd) / atoms),
    kinetic: per((row) => at(row, COLUMN.kinetic) / atoms),
    pressure: per((row) => ((2 * at(row, COLUMN.kinetic) + at(row, COLUMN.virial)) * rho) / (3 * atoms)),
  };
}

/** The largest way of a history from its start. */
export function swingOf(history: Float64Array): number {
  const from = history[0] ?? 0;
  return history.reduce((largest, value) => Math.max(largest, Math.abs(value - from)), 0);
}

/** Least-squares slope of y over x. */
export function slopeOf(x: Float64Array, y: Float64Array): number {
  const meanX = x.reduce((sum, one) => sum + one, 0) / x.length;
  const meanY = y.reduce((sum, one) => sum + one, 0) / y.length;
  let xy = 0;
  let xx = 0;
  for (let i = 0; i < x.length; i++) {
    xy += ((x[i] ?? 0) - meanX) * ((y[i] ?? 0) - meanY);
    xx += ((x[i] ?? 0) - meanX) * ((x[i] ?? 0) - meanX);
  }
  return xx > 0 ? xy / xx : 0;
}

export const frameTimes = ({ frames }: System, { steps, dtSim }: EvolveInput): Float64Array =>
  Float64Array.from({ length: frames }, (_, frame) => frameStep(frame, frames, steps) * dtSim);

/** Mean squared displacement of each frame from the start. */
export function displacementsOf(trajectory: Float64Array, { atoms, frames }: System): Float64Array {
  return Float64Array.from({ length: frames }, (_, frame) => {
    const at = 3 * atoms * frame;
    let squares = 0;
    for (let k = 0; k < 3 * atoms; k++) {
      const way = (trajectory[at + k] ?? 0) - (trajectory[k] ?? 0);
      squares += way * way;
    }
    return squares / atoms;
  });
}

/** g(r): pairs counted in shells over those of as many atoms without correlation. */
export function distribution(distances: Float64Array, system: System): { r: Float64Array; g: Float64Array } {
  const width = system.countReach / BINS;
  const counted = Math.ceil((system.frames - system.countFrom) / system.countEvery);
  // Each atom sees N - 1 others, each with density 1 / V.
  const others = (system.rho * (system.atoms - 1)) / system.atoms;
  const r = Float64Array.from({ length: BINS }, (_, bin) => (bin + 0.5) * width);
  const g = r.map((_, bin) => {
    const shell = ((4 * Math.PI) / 3) * width * width * width * (3 * bin * bin + 3 * bin + 1);
    return (distances[bin] ?? 0) / (counted * system.atoms * others * shell);
  });
  return { r, g };
}

/** Size of the chains over the production frames; only whole chains count. */
export function chainQuantities(trajectory: Float64Array, { atoms, frames, countFrom }: System) {
  const chains = Math.floor(atoms / CHAIN_LENGTH);
  let ends = 0;
  let radii = 0;
  for (let frame = countFrom; frame < frames; frame++) {
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
  const count = Math.max(1, chains * (frames - countFrom));
  return [
    { name: 'chains', value: chains, unit: '1' },
    { name: 'end_to_end_squared', value: ends / count, unit: 'sigma^2' },
    { name: 'radius_of_gyration_squared', value: radii / count, unit: 'sigma^2' },
  ];
}
