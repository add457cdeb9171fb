// The value with its ± and its witness: the energy that is kept, or the mean energy under a thermostat.

import { correlatedMean } from '../../core/correlated-mean.ts';
import { log } from '../../core/elementary.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import type { Solution } from '../definition.ts';
import { last, maxDeviation } from '../parts/arrays.ts';
import { type averagesOf, productionOf, uncertaintyOf } from './averages.ts';
import { MAX_DEVIATIONS } from './invariants.ts';
import { historiesOf } from './observables.ts';
import type { Problem } from './problem.ts';
import { configurationOf, kineticOf } from './reference.ts';
import { energiesAtEnd, ROUNDING, type Run } from './run.ts';

/** A mean needs a history worth so many independent values, and quarters that agree within so many errors. */
const MIN_INDEPENDENT = 2;
export const MEAN_NEEDS = `it needs ${MIN_INDEPENDENT} independent values, and last quarters that agree within ${MAX_DEVIATIONS} errors`;

export type Answer = Pick<Solution, 'value' | 'uncertainty' | 'budget' | 'bound' | 'witness'> & {
  readonly isSupported: boolean;
};

/**
 * At constant energy the exact motion keeps the energy of the start, which is known without any step: the sum over all
 * pairs and images, and the kinetic energy that was given or drawn.
 */
export function constantEnergy(run: Run, finer: Run | undefined, deviation: number, problem: Problem): Answer {
  const { atoms, box, pair, bonds, positions, velocities, t0 } = problem;
  const at0 = velocities ? kineticOf(velocities) : 1.5 * (atoms - 1) * t0;
  const start = configurationOf(positions, box, pair, bonds).energy;
  const reference = (start + at0) / atoms;
  const [energy, kinetic] = energiesAtEnd(run);
  const value = (energy + kinetic) / atoms;
  const scale = (Math.abs(energy) + kinetic) / atoms;
  const finerDeviation = finer ? maxDeviation(historiesOf(finer.records, problem).conserved) : 0;
  const distance = finer ? Math.abs(value - energiesAtEnd(finer).reduce((sum, part) => sum + part) / atoms) : 0;
  const stepError = Math.max(deviation, Math.abs(value - reference), distance);
  const rounding = ROUNDING * Math.max(scale, (Math.abs(start) + at0) / atoms, pair.eps);
  const uncertainty = uncertain([
    bound('discretisation', stepError, 'largest deviation of the energy from that of the start, and between two steps'),
    bound('rounding', rounding, 'rounding of the sums over atoms and pairs'),
  ]);
  const ratio = finer ? log(deviation / finerDeviation) / log(1.5) : 0;
  return {
    value,
    ...uncertainty,
    bound: uncertainty.uncertainty / Math.max(Math.abs(reference), scale, rounding),
    isSupported: true,
    witness: {
      method: 'energy of the start, summed over every pair and image without a list and without a step',
      reference,
      scale,
      ...(finerDeviation > 0 && deviation > 0 ? { observedOrder: ratio } : {}),
    },
  };
}

/** With a thermostat the state at the end is one of many; the answer is the mean energy of the production half. */
export function meanEnergy(run: Run, averages: ReturnType<typeof averagesOf>, problem: Problem): Answer {
  const { atoms, box, pair, bonds } = problem;
  const average = averages.energy();
  const { potential, kinetic } = historiesOf(run.records, problem);
  const total = productionOf(potential.map((part, i) => part + (kinetic[i] ?? 0)));
  const [early, late] = [correlatedMean(total.subarray(0, total.length >> 1)), correlatedMean(productionOf(total))];
  const value = average.mean;
  const reference = late.mean;
  const [listed] = energiesAtEnd(run);
  const summed = configurationOf(run.positions, box, pair, bonds).energy;
  const listError = Math.abs(listed - summed) / atoms;
  const scale = Math.abs(value) + last(kinetic);
  const own = uncertaintyOf(average);
  const uncertainty = uncertain([...own.budget, bound('rounding', listError, 'last state, summed without a list')]);
  const agree =
    Math.abs(early.mean - late.mean) <= MAX_DEVIATIONS * Math.sqrt(early.error * early.error + late.error * late.error);
  return {
    value,
    ...uncertainty,
    bound: Math.max(uncertainty.uncertainty, Math.abs(value - reference)) / Math.max(Math.abs(reference), scale),
    isSupported: agree && average.independent >= MIN_INDEPENDENT && listError <= 1e-9 * scale,
    witness: { method: 'mean energy of the last quarter of the run', reference, scale },
  };
}
