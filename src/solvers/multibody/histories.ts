// Arrays over the times that are predictable.

import { dot, shapeOf, type Vector } from './orbit.ts';
import type { Result } from './result.ts';
import { pairIndices } from './runs.ts';

export interface Histories {
  readonly times: Float64Array;
  /** f64[bodies, samples] of each coordinate. */
  readonly places: readonly Float64Array[];
  readonly speeds: readonly Float64Array[];
  readonly placeErrors: Float64Array;
  readonly energyErrors: Float64Array;
  readonly energy: Float64Array;
  /** Of the nearest two bodies. */
  readonly distances: Float64Array;
  /** Of two bodies without softening, in a plane or in space. */
  readonly elements?: { readonly a: Float64Array; readonly e: Float64Array } | undefined;
}

export function historiesOf({ problem, main, comparison, energies }: Result): Histories {
  const { bodies, dimensions, strength, softening, law, units } = problem;
  const [n, kept] = [bodies.length, comparison.kept];
  const perBody = (of: 'position' | 'velocity', k: number) => {
    const data = new Float64Array(n * kept);
    for (let i = 0; i < n; i++) for (let s = 0; s < kept; s++) data[i * kept + s] = main[of](s, i)[k] ?? Number.NaN;
    return data;
  };
  const axes = Array.from({ length: dimensions }, (_, k) => k);
  const placeErrors = new Float64Array(n * kept);
  for (let i = 0; i < n; i++)
    for (let s = 0; s < kept; s++) placeErrors[i * kept + s] = comparison.position[s * n + i] ?? Number.NaN;
  const scale = energies.reduce((most, { magnitude }) => Math.max(most, magnitude), Number.MIN_VALUE);
  const start = energies[0]?.total ?? 0;
  const between = (s: number, i: number, j: number, of: 'position' | 'velocity'): Vector => {
    const [a, b] = [main[of](s, i), main[of](s, j)];
    const site = of === 'position' ? (bodies[j]?.site ?? 0) - (bodies[i]?.site ?? 0) : 0;
    return [b[0] - a[0] + site, b[1] - a[1], b[2] - a[2]];
  };
  const pairs = pairIndices(n);
  const samples = Array.from({ length: kept }, (_, s) => s);
  const isKepler = law === 'gravity' && n === 2 && softening === 0;
  const mu = strength * bodies.reduce((sum, { mass }) => sum + mass, 0);
  const shapes =
    isKepler && mu > 0
      ? samples.map((s) => shapeOf(between(s, 0, 1, 'position'), between(s, 0, 1, 'velocity'), mu))
      : [];
  const isBound = shapes.length > 0 && shapes.every(({ a }) => a > 0);
  return {
    times: problem.times.slice(0, kept),
    places: axes.map((k) => perBody('position', k)),
    speeds: axes.map((k) => perBody('velocity', k)),
    placeErrors,
    energyErrors: Float64Array.from(energies, ({ total }, s) => (total - main.work(s) - start) / scale),
    energy: Float64Array.from(energies, ({ total }) => total * units.joule),
    distances: Float64Array.from(samples, (s) =>
      pairs.reduce((least, [i, j]) => {
        const d = between(s, i, j, 'position');
        return Math.min(least, Math.sqrt(dot(d, d)));
      }, Number.MAX_VALUE),
    ),
    elements: isBound
      ? { a: Float64Array.from(shapes, ({ a }) => a), e: Float64Array.from(shapes, ({ e }) => e) }
      : undefined,
  };
}
