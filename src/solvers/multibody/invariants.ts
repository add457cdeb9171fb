// Invariants of the exact motion, and the distance of the run from them.

import type { Invariant } from '../definition.ts';
import { momentaAt, norm } from './energy.ts';
import type { Vector } from './orbit.ts';
import type { Problem } from './problem.ts';
import type { Result } from './result.ts';

/** Drifts relative to the sum of the magnitudes of what is added; of equal steps the method itself errs. */
const BOUND = { energy: 1e-11, momentum: 1e-11, angular: 1e-11, centre: 1e-11, equalSteps: 1e-2 } as const;

export function invariantsOf({ problem, main, energies, last }: Result): readonly Invariant[] {
  const { fixed, law, units, bodies, times } = problem;
  const scale = energies.reduce((most, { magnitude }) => Math.max(most, magnitude), Number.MIN_VALUE);
  const start = energies[0]?.total ?? 0;
  const balance = energies.map(({ total }, s) => total - main.work(s));
  const drift = balance.reduce((most, one) => Math.max(most, Math.abs(one - start)), 0) / scale;
  const isEqual = fixed !== undefined;
  const invariants: Invariant[] = [
    {
      name: 'energy',
      label: problem.hasWork ? 'energy less the work of drag and couplings' : 'energy',
      value: (balance[last] ?? start) * units.joule,
      drift,
      bound: isEqual ? BOUND.equalSteps : BOUND.energy,
    },
  ];
  if (!isFree(problem)) return invariants;
  const samples = energies.map((_, s) => momentaAt(problem, main, s));
  const [first] = samples;
  if (first === undefined) return invariants;
  const most = (of: (one: (typeof samples)[number], s: number) => number) =>
    samples.reduce((largest, one, s) => Math.max(largest, of(one, s)), 0);
  const away = (a: Vector, b: Vector) => norm([a[0] - b[0], a[1] - b[1], a[2] - b[2]]);
  const relative = (difference: number, size: number) =>
    difference === 0 ? 0 : difference / Math.max(size, Number.MIN_VALUE);
  const total = bodies.reduce((sum, { mass }) => sum + mass, 0);
  const momentumScale = most((one) => one.momentumScale);
  invariants.push({
    name: 'momentum',
    label: 'momentum, of the sum of all magnitudes',
    value: norm(first.momentum),
    drift: relative(
      most(({ momentum }) => away(momentum, first.momentum)),
      momentumScale,
    ),
    bound: BOUND.momentum,
  });
  const path = most(({ extent, centre }) => extent + norm(centre)) + (momentumScale / total) * (times[last] ?? 0);
  invariants.push({
    name: 'centre_of_mass',
    label: 'centre of mass, which moves straight',
    value: norm(first.centre),
    drift: relative(
      most(({ centre }, s) => {
        const t = (times[s] ?? 0) / total;
        const { momentum: p } = first;
        return away(centre, [first.centre[0] + p[0] * t, first.centre[1] + p[1] * t, first.centre[2] + p[2] * t]);
      }),
      path,
    ),
    bound: BOUND.centre,
  });
  if (law === 'gravity')
    invariants.push({
      name: 'angular_momentum',
      label: 'angular momentum, of the sum of all magnitudes',
      value: norm(first.angular),
      drift: relative(
        most(({ angular }) => away(angular, first.angular)),
        most((one) => one.angularScale + problem.softening * one.momentumScale),
      ),
      bound: isEqual ? BOUND.equalSteps : BOUND.angular,
    });
  return invariants;
}

/** Whether bodies act on each other alone. */
const isFree = ({ law, alpha, beta, hasWork, bodies }: Problem): boolean =>
  law === 'gravity' || (alpha === 0 && beta === 0 && !hasWork && bodies.every(({ gravity }) => gravity === 0));
