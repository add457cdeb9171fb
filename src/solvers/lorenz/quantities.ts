// The further results of a run, each with its ±.

import type { Quantity } from '../definition.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { dimensionOf, withZero } from './dimension.ts';
import type { Equilibria } from './equilibria.ts';
import type { Growth } from './growth.ts';
import type { Pair } from './pair.ts';
import { pathOf } from './plan.ts';
import type { Problem } from './problem.ts';
import { contraction, hopfRho } from './reference.ts';
import type { Spectrum } from './spectrum.ts';

export function quantitiesOf(
  problem: Problem,
  growth: Growth,
  second: Growth,
  spectrum: Spectrum,
  equilibria: Equilibria,
  pair: Pair | undefined,
  maxima: number,
): readonly Quantity[] {
  const { exponents, kind } = spectrum;
  const [largest] = exponents;
  const isChaotic = kind === 'chaotic' && largest !== undefined;
  const positive = exponents.filter(({ value, uncertainty }) => value > uncertainty);
  return [
    ...exponents.map(({ value, uncertainty }, i) => quantity(`lambda_${i + 1}`, value, '1/t', uncertainty)),
    ...dimensionsOf(spectrum, equilibria),
    ...(isChaotic
      ? [
          quantity(
            'entropy',
            positive.reduce((sum, { value }) => sum + value, 0),
            '1/t',
            positive.reduce((sum, { uncertainty }) => sum + uncertainty, 0),
          ),
          lyapunovTime(largest.value, largest.uncertainty),
        ]
      : []),
    ...(pair?.horizon === undefined
      ? []
      : [quantity('predictability_horizon', pair.horizon.value, 't', pair.horizon.uncertainty)]),
    divergenceOf(problem, growth, second),
    ...thresholdsOf(problem),
    ...equilibria.all.map(({ growth: rate, error }, k) =>
      quantity(`growth_at_equilibrium_${k + 1}`, rate, '1/t', error),
    ),
    exactly('equilibria', equilibria.all.length, '1'),
    exactly('maxima', maxima, '1'),
    exactly('time', problem.steps * problem.dt, 't'),
    exactly('path_interval', pathOf(problem).pathEvery * problem.dt, 't'),
  ];
}

/** 1/λ, with the half-width that its ends have. */
function lyapunovTime(value: number, uncertainty: number): Quantity {
  return quantity('lyapunov_time', 1 / value, 't', 1 / (value - uncertainty) - 1 / value);
}

/** An unstable equilibrium is no attractor and has none. */
function dimensionsOf({ exponents, kind }: Spectrum, { end }: Equilibria): readonly Quantity[] {
  if (end !== undefined && !end.isStable) return [];
  const { value, uncertainty } = dimensionOf(kind === 'equilibrium' ? exponents : withZero(exponents));
  return [quantity('kaplan_yorke_dimension', value, '1', uncertainty)];
}

/** Of Lorenz's equations it is constant; else a mean along the way. */
function divergenceOf({ system, constants }: Problem, { divergence }: Growth, second: Growth): Quantity {
  const [sigma, , beta] = constants;
  if (system === 'lorenz') {
    const value = contraction(sigma, beta);
    return quantity('divergence', value, '1/t', 4 * Number.EPSILON * (Math.abs(sigma) + 1 + Math.abs(beta)));
  }
  const error = 2 * Math.max(divergence.error, second.divergence.error);
  const apart = Math.abs(divergence.value - second.divergence.value);
  const rounding = 1e-9 * Math.abs(divergence.value) + Number.EPSILON;
  return quantity('divergence', divergence.value, '1/t', error + apart + Math.abs(divergence.drift) + rounding);
}

function thresholdsOf({ system, constants }: Problem): readonly Quantity[] {
  if (system !== 'lorenz') return [];
  const [sigma, , beta] = constants;
  const hopf = hopfRho(sigma, beta);
  if (hopf === undefined) return [];
  const condition = (sigma + Math.abs(beta) + 1) / (sigma - beta - 1);
  return [quantity('hopf_rho', hopf, '1', 16 * Number.EPSILON * Math.abs(hopf) * condition)];
}
