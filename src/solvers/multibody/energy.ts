// Energy, momentum, angular momentum and centre of mass of a state.

import { cross, dot, type Vector } from './orbit.ts';
import type { Problem } from './problem.ts';
import { pairIndices, type Run } from './runs.ts';

export interface Energy {
  readonly total: number;
  /** Sum of the magnitudes of the terms: what a relative error refers to. */
  readonly magnitude: number;
  /** Bound of the rounding of the terms, those of the coordinates among them. */
  readonly rounding: number;
}

const ROUNDINGS = 4 * Number.EPSILON;

/** In the units of the problem. */
export function energyAt(problem: Problem, run: Run, sample: number): Energy {
  const { bodies, law, strength, softening, alpha, beta } = problem;
  let [total, magnitude, rounding] = [0, 0, 0];
  const add = (term: number, amplified = 1) => {
    total += term;
    magnitude += Math.abs(term);
    rounding += ROUNDINGS * amplified * Math.abs(term);
  };
  for (const [i, { mass, gravity }] of bodies.entries()) {
    const v = run.velocity(sample, i);
    add(0.5 * mass * dot(v, v));
    if (law === 'gravity') continue;
    const [phi] = run.position(sample, i);
    add(mass * gravity * phi);
    add(0.5 * mass * alpha * phi * phi);
    add(0.25 * mass * beta * phi * phi * phi * phi);
  }
  for (const [i, j] of pairIndices(bodies.length)) {
    const [from, to] = [run.position(sample, i), run.position(sample, j)];
    const site = (bodies[j]?.site ?? 0) - (bodies[i]?.site ?? 0);
    const d: Vector = [to[0] - from[0] + site, to[1] - from[1], to[2] - from[2]];
    const r = Math.sqrt(dot(d, d) + softening * softening);
    const far = [0, 1, 2].reduce((sum, k) => sum + Math.abs(to[k] ?? 0) + Math.abs(from[k] ?? 0), Math.abs(site));
    const term = (-strength * (bodies[i]?.mass ?? 0) * (bodies[j]?.mass ?? 0)) / r;
    if (term !== 0) add(term, 1 + far / r);
  }
  return { total, magnitude, rounding };
}

export interface Momenta {
  readonly momentum: Vector;
  readonly angular: Vector;
  readonly centre: Vector;
  /** Σ m |v|, Σ m |r| |v|, and the largest distance from the centre. */
  readonly momentumScale: number;
  readonly angularScale: number;
  readonly extent: number;
}

const plus = (a: Vector, b: Vector, factor: number): Vector => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
];

export function momentaAt({ bodies }: Problem, run: Run, sample: number): Momenta {
  const zero: Vector = [0, 0, 0];
  let [momentum, angular, centre] = [zero, zero, zero];
  let [momentumScale, angularScale] = [0, 0];
  const total = bodies.reduce((sum, { mass }) => sum + mass, 0);
  const places = bodies.map(({ site }, i): Vector => plus(run.position(sample, i), [1, 0, 0], site));
  for (const [i, { mass }] of bodies.entries()) {
    const [r, v] = [places[i] ?? zero, run.velocity(sample, i)];
    momentum = plus(momentum, v, mass);
    angular = plus(angular, cross(r, v), mass);
    centre = plus(centre, r, mass / total);
    momentumScale += mass * norm(v);
    angularScale += mass * norm(r) * norm(v);
  }
  const extent = places.reduce((most, r) => Math.max(most, norm(plus(r, centre, -1))), 0);
  return { momentum, angular, centre, momentumScale, angularScale, extent };
}

export const norm = (v: Vector): number => Math.sqrt(dot(v, v));
