// Averages over the production half of a run, with their standard errors and the error of the step.

import { type CorrelatedMean, correlatedMean, correlatedMeanAlong, slopeAlong } from '../../core/correlated-mean.ts';
import { exp } from '../../core/elementary.ts';
import { bound, standard, type Uncertain, uncertain } from '../../core/uncertainty.ts';
import type { Quantity } from '../definition.ts';
import { maxDeviation } from '../parts/arrays.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { frameTimes, historiesOf, type Records, slopeOf } from './observables.ts';
import { CHAIN_LENGTH, type EvolveInput, type Problem } from './problem.ts';

export interface Average extends CorrelatedMean {
  readonly name: string;
  readonly unit: string;
  /** Bound of what the length of the step changes. */
  readonly step: number;
  readonly rounding: number;
}

/** Rounding of an average, relative to its largest contributions. */
const ROUNDING = 1e-12;
/** ΔP / (ρ ΔU) of a Lennard-Jones liquid is about 6 (Pedersen et al., Phys. Rev. Lett. 100 (2008) 015701); of a gas less. */
const PRESSURE_PER_ENERGY = 8;

/** The second half of a history; the first half is equilibration. */
export const productionOf = <T extends Float64Array>(history: T): Float64Array => history.subarray(history.length >> 1);

/** @param trajectory  f64[frames, atoms, 3], not wrapped */
export function averagesOf(records: Records, trajectory: Float64Array, problem: Problem, input: EvolveInput) {
  const { atoms, rho, pair } = problem;
  const { temperature, potential, kinetic, pressure, conserved } = historiesOf(records, problem);
  const total = productionOf(potential.map((energy, i) => energy + (kinetic[i] ?? 0)));
  const isCanonical = input.thermostat === 'bussi';
  const thermalError = isCanonical ? thermostatError(total.length, problem, input) : 0;
  const energyMean = correlatedMean(total);
  const slope = Math.min(SLOPE.max, Math.max(SLOPE.min, slopeAlong(productionOf(temperature), total)));
  const energyError = Math.max(energyMean.error, thermalError / slope);
  // With a thermostat, every average follows the total energy, which relaxes slowest.
  const mean = (history: Float64Array): CorrelatedMean =>
    isCanonical ? correlatedMeanAlong(history, total, energyError) : correlatedMean(history);
  /*
   * Velocity Verlet samples a harmonic mode of frequency ω with its potential energy larger by (ω Δt)² / 4, or kT/2 times
   * that; summed over the modes, Σ ω² kT = <f²>.
   */
  const forces2 = productionOf(records.column('force2'));
  const meanForce2 = forces2.reduce((sum, squares) => sum + squares, 0) / forces2.length;
  const shift = (input.dtSim * input.dtSim * meanForce2) / (8 * atoms);
  // Without a thermostat, averages follow an energy that is not kept.
  const step = shift + (input.thermostat === 'none' ? maxDeviation(conserved) : 0);
  const average = (name: string, unit: string, result: CorrelatedMean, bias: number, scale: number): Average => {
    return { ...result, name, unit, step: bias, rounding: ROUNDING * Math.max(Math.abs(result.mean), scale) };
  };
  const measured = correlatedMean(productionOf(temperature));
  const temperatureMean = isCanonical ? withError(measured, thermalError) : measured;
  const thermal = average('temperature_mean', 'epsilon/k_B', temperatureMean, (2 / 3) * step, pair.eps);
  const diffusion = diffusionOf(trajectory, problem, input);
  const diffusionStep = thermal.mean > 0 ? Math.abs(diffusion.mean) * Math.min(1, thermal.step / thermal.mean) : 0;
  return {
    /** The answer with a thermostat. */
    energy: () => average('energy_mean', 'epsilon', withError(energyMean, energyError), 2 * step, pair.eps),
    shown: [
      thermal,
      average('potential_energy_mean', 'epsilon', mean(productionOf(potential)), step, pair.eps),
      average(
        'pressure_mean',
        'epsilon/sigma^3',
        mean(productionOf(pressure)),
        PRESSURE_PER_ENERGY * rho * step,
        12 * rho * pair.eps,
      ),
      average('diffusion_coefficient', 'sigma^2/tau', diffusion, diffusionStep, 0),
      ...chainAverages(trajectory, problem).map(({ name, result }) => average(name, 'sigma^2', result, 0, 0)),
    ] as const,
  };
}

/** dT / dE of an atom: 2/3 of a gas; half of that, and less where it melts, of a crystal. */
const SLOPE = { min: 1 / 6, max: 2 / 3 } as const;

/**
 * The standard error of the mean temperature, from the noise of the thermostat. It gives the energy
 * dE = (K0 - K) dt / τ + 2 √(K K0 / (f τ)) dW for f degrees of freedom (Bussi, Donadio & Parrinello, J. Chem. Phys. 126
 * (2007) 014101), so the mean of K over a time t has the variance K0² (4 / f) τ / t, whatever the atoms do, but for the
 * change of E over that time. The history of a few τ does not show it.
 */
function thermostatError(records: number, { atoms, recordEvery, t0 }: Problem, { dtSim, tau }: EvolveInput): number {
  const relaxations = (records * recordEvery * dtSim) / tau;
  const change = 1 - (1 - exp(-relaxations)) / relaxations;
  return t0 * Math.sqrt((4 * change) / (3 * (atoms - 1) * relaxations));
}

const withError = ({ mean, error, independent }: CorrelatedMean, known: number): CorrelatedMean => ({
  mean,
  error: known,
  independent: known > 0 ? independent * (error / known) * (error / known) : independent,
});

export const uncertaintyOf = ({ error, step, rounding, independent }: Average): Uncertain =>
  uncertain([
    standard('statistics', error, `scatter of the second half of the run, worth ${Math.floor(independent)} values`),
    bound('discretisation', step, 'shift of averages by the length of the step'),
    bound('rounding', rounding, 'rounding of the sums over atoms'),
  ]);

export function averageQuantities(
  { shown }: ReturnType<typeof averagesOf>,
  { atoms, chainLength }: Problem,
): Quantity[] {
  const quantities = shown.map((average) =>
    quantity(average.name, average.mean, average.unit, uncertaintyOf(average).uncertainty),
  );
  return chainLength > 0 ? [...quantities, exactly('chains', Math.floor(atoms / CHAIN_LENGTH), '1')] : quantities;
}

/** A sixth of the slope of the squared displacement of each atom; atoms, or chains, move almost independently. */
function diffusionOf(trajectory: Float64Array, problem: Problem, input: EvolveInput): CorrelatedMean {
  const { atoms, frames, histogramFrom, chainLength } = problem;
  const times = frameTimes(problem, input).subarray(histogramFrom);
  const slopes = Float64Array.from({ length: atoms }, (_, k) => {
    const squares = times.map((_, i) => {
      const now = 3 * (atoms * (histogramFrom + i) + k);
      let sum = 0;
      for (let d = 0; d < 3; d++) {
        const x = (trajectory[now + d] ?? 0) - (trajectory[3 * k + d] ?? 0);
        sum += x * x;
      }
      return sum;
    });
    return frames - histogramFrom > 1 ? slopeOf(times, squares) / 6 : 0;
  });
  const chains = chainLength > 0 ? Math.floor(atoms / chainLength) : 0;
  if (chains < 2) return independentMean(slopes);
  // Beads of a chain move together.
  const ofChains = Float64Array.from({ length: chains }, (_, chain) => {
    return independentMean(slopes.subarray(chain * chainLength, (chain + 1) * chainLength)).mean;
  });
  return { ...independentMean(ofChains), mean: independentMean(slopes).mean };
}

/** Squared sizes of complete chains, averaged over the production frames. */
function chainAverages(trajectory: Float64Array, { atoms, frames, histogramFrom, chainLength }: Problem) {
  const chains = chainLength > 0 ? Math.floor(atoms / chainLength) : 0;
  if (chains === 0) return [];
  const sizes = (of: (first: number) => number): CorrelatedMean => {
    const table = Array.from({ length: frames - histogramFrom }, (_, frame) =>
      Float64Array.from({ length: chains }, (_, chain) =>
        of(3 * (atoms * (histogramFrom + frame) + chain * chainLength)),
      ),
    );
    const meanOf = (values: Float64Array) => independentMean(values).mean;
    if (chains === 1) return correlatedMean(table.map(meanOf));
    return independentMean(
      Float64Array.from({ length: chains }, (_, k) => meanOf(Float64Array.from(table, (row) => row[k] ?? 0))),
    );
  };
  const bead = (first: number, k: number, d: number): number => trajectory[first + 3 * k + d] ?? 0;
  const endToEnd = (first: number): number => {
    let squares = 0;
    for (let d = 0; d < 3; d++) {
      const x = bead(first, chainLength - 1, d) - bead(first, 0, d);
      squares += x * x;
    }
    return squares;
  };
  const gyration = (first: number): number => {
    let radius = 0;
    for (let d = 0; d < 3; d++) {
      let sum = 0;
      let squares = 0;
      for (let k = 0; k < chainLength; k++) {
        sum += bead(first, k, d);
        squares += bead(first, k, d) * bead(first, k, d);
      }
      radius += squares / chainLength - (sum / chainLength) * (sum / chainLength);
    }
    return radius;
  };
  return [
    { name: 'end_to_end_squared', result: sizes(endToEnd) },
    { name: 'radius_of_gyration_squared', result: sizes(gyration) },
  ];
}

/** Few values tell little about their own scatter: Student's t of n - 1 degrees of freedom has this variance. */
const studentVariance = (n: number): number => (n > 4 ? (n - 1) / (n - 3) : 3);

function independentMean(values: Float64Array): CorrelatedMean {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const variance = n > 1 ? (squares / (n * (n - 1))) * studentVariance(n) : 0;
  return { mean, error: Math.sqrt(variance), independent: n };
}
