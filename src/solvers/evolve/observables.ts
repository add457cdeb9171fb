// Observables computed from the records, frames, histogram and correlations of a run.

import type { Rows } from '../../kernels/rows.ts';
import type { EvolveFace } from './face.ts';
import { BINS, type EvolveInput, frameStep, type Problem } from './problem.ts';
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

export function historiesOf({ count, at }: Records, { atoms, rho, pair, momentum }: Problem): Histories {
  const series = (body: (row: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, row) => body(row));
  // The centre of mass moves with the momentum of the start and has no temperature.
  const [px, py, pz] = momentum;
  const centre = (px * px + py * py + pz * pz) / (2 * atoms);
  const thermal = (row: number): number => 2 * (at(row, 'kinetic') - centre);
  const energyAtCutoff = pair.cutoff === 'truncated' ? lennardJones(pair, pair.rc).energy : 0;
  return {
    conserved: series((row) => (at(row, 'energy') + at(row, 'kinetic') - at(row, 'heat')) / atoms),
    temperature: series((row) => thermal(row) / (3 * atoms - 3)),
    potential: series((row) => (at(row, 'energy') + at(row, 'inside') * energyAtCutoff) / atoms),
    kinetic: series((row) => at(row, 'kinetic') / atoms),
    pressure: series((row) => ((thermal(row) + at(row, 'virial')) * rho) / (3 * atoms)),
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

/** Velocity autocorrelation <v(0) · v(t)> per atom: the mean over windows with an origin each. */
export function velocityAutocorrelation(correlations: Float64Array, problem: Problem, { dtSim }: EvolveInput) {
  const { correlationLags: lags, atoms, recordEvery } = problem;
  const windows = correlations.length / lags;
  const values = Float64Array.from({ length: lags }, (_, lag) => {
    let sum = 0;
    for (let window = 0; window < windows; window++) sum += correlations[window * lags + lag] ?? 0;
    return sum / (windows * atoms);
  });
  return { times: values.map((_, lag) => lag * recordEvery * dtSim), values };
}

/** The coordinate inside the periodic box; the kernel leaves positions unwrapped. */
export const wrapped = (position: number, edge: number): number => position - edge * Math.floor(position / edge);
