// Quantities of the branch: velocity, energy, period, amplitude, escape, and the steady answer to a drive.

import type { Quantity } from '../definition.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { energyOf } from './energy.ts';
import type { Problem } from './problem.ts';
import { conditioned, regimeOf } from './regime.ts';

export interface Ends {
  readonly dphi: number;
  readonly dphiUncertainty: number;
  readonly reference: number;
  readonly referenceUncertainty: number;
  readonly lag: number;
}

export function quantitiesOf(problem: Problem, ends: Ends): readonly Quantity[] {
  const { phi0, dphi0, stepsPerSample, samples } = problem;
  const energy = energyOf(problem, phi0, dphi0);
  return [
    quantity('dphi', ends.dphi, 'phi/s', ends.dphiUncertainty),
    quantity('rk4', ends.reference, 'phi', ends.referenceUncertainty),
    exactly('rk4_steps', 2 * stepsPerSample * (samples - 1), '1'),
    quantity('energy_at_start', energy.total, 'phi^2/s^2', 8 * Number.EPSILON * problem.cancellation * energy.size),
    ...(problem.regime === undefined ? linearQuantities(problem) : duffingQuantities(problem)),
    ...steadyQuantities(problem, ends.lag),
  ];
}

function duffingQuantities({ a, b, phi0, dphi0, cancellation }: Problem): readonly Quantity[] {
  const of = (name: string, unit: string, pick: (regime: ReturnType<typeof regimeOf>) => number | undefined) => {
    const number = conditioned((...parameters) => pick(regimeOf(...parameters)), [a, b, phi0, dphi0]);
    return number === undefined ? [] : [quantity(name, number.value, unit, cancellation * number.uncertainty)];
  };
  return [
    ...of('period', 's', ({ period }) => period),
    ...of('angular_frequency', 'rad/s', ({ period }) => period && (2 * Math.PI) / period),
    ...of('amplitude', 'phi', ({ amplitude }) => amplitude),
    ...of('elliptic_parameter', '1', ({ m }) => m),
    ...of('escape_time', 's', ({ escapeTime }) => escapeTime),
  ];
}

function linearQuantities({ a, c, cancellation }: Problem): readonly Quantity[] {
  const square = a - 0.25 * c * c;
  if (!(square > 0)) return [];
  const frequency = Math.sqrt(square);
  // Relative: half of what the difference has.
  const rounding = cancellation * Number.EPSILON * (3 + (2 * (a + 0.25 * c * c)) / square);
  return [
    quantity('period', (2 * Math.PI) / frequency, 's', ((2 * Math.PI) / frequency) * rounding),
    quantity('angular_frequency', frequency, 'rad/s', frequency * rounding),
  ];
}

/** Amplitude and lag of what remains when the start has died away, or without damping of the part at the drive's frequency. */
function steadyQuantities({ a, c, b, cosine, sine, omega, cancellation }: Problem, lag: number): readonly Quantity[] {
  const force = Math.sqrt(cosine * cosine + sine * sine);
  if (b !== 0 || force === 0) return [];
  const [stiffness, loss] = [a - omega * omega, c * omega];
  const size = Math.sqrt(stiffness * stiffness + loss * loss);
  if (size === 0) return [];
  const rounding = (cancellation * Number.EPSILON * 4 * (Math.abs(a) + omega * omega + Math.abs(loss))) / size;
  const amplitude = force / size;
  return [
    quantity('steady_amplitude', amplitude, 'phi', amplitude * (rounding + 4 * Number.EPSILON)),
    quantity('phase_lag', lag, 'rad', rounding + 4 * Number.EPSILON * Math.abs(lag)),
  ];
}
