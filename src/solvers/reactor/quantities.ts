// The further results of a run, each with its ±.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Quantity } from '../definition.ts';
import { at, last, maxMagnitude } from '../parts/arrays.ts';
import { exactly, quantity, rounded } from '../parts/fields.ts';
import type { Curves } from './curves.ts';
import type { ReactorFace } from './face.ts';
import type { Problem } from './problem.ts';

const RESERVE = 2;

export interface Results {
  readonly problem: Problem;
  readonly curves: Curves;
  readonly second: Curves;
  readonly one: KernelOutput<ReactorFace>;
  readonly other: KernelOutput<ReactorFace>;
  readonly roots: readonly number[];
}

/** What roundings of ρ, β and Λ do to the logarithm of the power until the end. */
export function roundingOf({ groups, Lambda, tEnd, beta }: Problem, { rho, rate, t }: Curves): number {
  const reach = Math.min(tEnd, last(t));
  const fastest = maxMagnitude(rate);
  // dω/dρ = 1/(Λ + Σ β λ/(ω + λ)²) at the fastest growth; at no growth the precursors hold it.
  let slope = Lambda;
  for (const [i, share] of groups.beta.entries()) {
    const decay = at(groups.lambda, i);
    const sum = Math.max(0, fastest) + decay;
    slope += (share * decay) / (sum * sum);
  }
  return Number.EPSILON * (256 + (8 * reach * (maxMagnitude(rho) + beta)) / slope);
}

export function quantitiesOf({ problem, curves, second, one, other, roots }: Results): readonly Quantity[] {
  const { beta, Lambda, nominal, coefficient, groups } = problem;
  const rounding = roundingOf(problem, curves);
  const both = (name: string, unit: string, value: number, reference: number) =>
    quantity(name, value, unit, RESERVE * Math.abs(value - reference) + rounding * Math.abs(value));
  const [rho, otherRho] = [last(curves.rho), last(second.rho)];
  const rhoError = RESERVE * Math.abs(rho - otherRho) + 8 * Number.EPSILON * (Math.abs(rho) + beta);
  const [fastest = 0] = roots;
  const { peak = 0, peakTime = 0, tripTime = -1, accepted = 0 } = one.statistics;
  const before = other.statistics;
  const [rateNow, rateThen] = [last(curves.rate), last(second.rate)];
  const rateError = RESERVE * Math.abs(rateNow - rateThen) + (64 * Number.EPSILON * (Math.abs(rho) + beta)) / Lambda;
  // dω = dρ/(dρ/dω) at the root.
  let slope = Lambda;
  for (const [i, share] of groups.beta.entries()) {
    const sum = fastest + at(groups.lambda, i);
    slope += (share * at(groups.lambda, i)) / (sum * sum);
  }
  const fastestError = rhoError / slope + 16 * Number.EPSILON * Math.abs(fastest);
  const hasPeriod = Math.abs(fastest) > 10 * fastestError;
  const isCut = curves.t.length <= problem.points;
  const peakError = RESERVE * Math.abs(peakTime - (before.peakTime ?? 0)) + 1e-9 * problem.tEnd;
  return [
    quantity('reactivity_pcm', 1e5 * rho, 'pcm', 1e5 * rhoError),
    quantity('reactivity_dollars', rho / beta, '$', rhoError / beta + 8 * Number.EPSILON * Math.abs(rho / beta)),
    quantity('growth_rate', rateNow, '1/s', rateError),
    ...(hasPeriod
      ? [
          quantity('asymptotic_period', 1 / fastest, 's', (fastestError / Math.abs(fastest) / Math.abs(fastest)) * 1.2),
          ...(fastest > 0
            ? [
                quantity(
                  'doubling_time',
                  Math.LN2 / fastest,
                  's',
                  ((Math.LN2 * fastestError) / fastest / fastest) * 1.2,
                ),
              ]
            : []),
        ]
      : []),
    ...(isCut ? [] : [both('peak', 'P/P0', peak, before.peak ?? 0), quantity('peak_time', peakTime, 's', peakError)]),
    both('energy', 'J', nominal * last(curves.integral), nominal * last(second.integral)),
    ...(coefficient === 0 ? [] : [both('temperature_rise_end', 'K', last(curves.theta), last(second.theta))]),
    ...(rho < beta && problem.pieces.length === 1 && coefficient === 0
      ? [
          quantity(
            'prompt_jump',
            beta / (beta - rho),
            '1',
            8 * Number.EPSILON * (beta / (beta - rho)) * (beta / (beta - rho)),
          ),
        ]
      : []),
    ...(tripTime >= 0 && !isCut ? [both('trip_time', 's', tripTime, before.tripTime ?? -1)] : []),
    rounded('beta', beta, '1', groups.beta.length + 16),
    exactly('t_reached', last(curves.t), 's'),
    exactly('steps', accepted, '1'),
  ];
}
