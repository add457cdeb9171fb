// The loops over pairs take two bodies at a time and give the bits of one at a time.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from '../numerics/compile.ts';

interface Forces {
  readonly memory: WebAssembly.Memory;
  prepare(n: number, d: number, strength: number, softening: number): void;
  massesAt(): number;
  sitesAt(): number;
  stateAt(): number;
  changeAt(): number;
  derive(): number;
}

interface System {
  readonly d: number;
  readonly strength: number;
  readonly softening: number;
  readonly masses: readonly number[];
  readonly sites: readonly number[];
  /** f64[n, d] each, and what is added to the places. */
  readonly x: readonly number[];
  readonly v: readonly number[];
  readonly change: readonly number[];
}

let forces: Forces;
beforeAll(async () => {
  forces = await loadHarness<Forces>('test/harness/pair-forces.ts');
});

function accelerationsOf({ d, strength, softening, masses, sites, x, v, change }: System): number[] {
  const n = masses.length;
  forces.prepare(n, d, strength, softening);
  const write = (address: number, values: readonly number[]) =>
    new Float64Array(forces.memory.buffer, address, values.length).set(values);
  write(forces.massesAt(), masses);
  write(forces.sitesAt(), sites);
  write(forces.stateAt(), [...x, ...v]);
  write(forces.changeAt(), change);
  const slopes = [...new Float64Array(forces.memory.buffer, forces.derive(), 2 * n * d)];
  expect(slopes.slice(0, n * d)).toEqual(v.map((one) => one + 0));
  return slopes.slice(n * d);
}

/** Pair by pair in their order, with the roundings that the kernel declares. */
function onePairAtATime({ d, strength, softening, masses, sites, x, change }: System): number[] {
  const a = new Array<number>(x.length).fill(0);
  const of = (list: readonly number[], i: number) => list[i] ?? Number.NaN;
  for (let i = 0; i < masses.length; i++)
    for (let j = i + 1; j < masses.length; j++) {
      const apart = Array.from({ length: d }, (_, k) => {
        const [here, there] = [i * d + k, j * d + k];
        const moved = of(change, there) - of(change, here);
        const far = of(x, there) - of(x, here);
        return d === 1 ? of(sites, j) - of(sites, i) + far + moved : far + moved;
      });
      const r2 = apart.reduce((sum, one) => sum + one * one, 0) + softening * softening;
      const w = strength / (r2 * Math.sqrt(r2));
      for (const [k, one] of apart.entries()) {
        const pull = (m: number) => (d === 1 ? m * (w * one) : w * m * one);
        a[i * d + k] = of(a, i * d + k) + pull(of(masses, j));
        a[j * d + k] = of(a, j * d + k) - pull(of(masses, i));
      }
    }
  return a;
}

const numbers = (count: number, size: number) =>
  fc.array(fc.double({ min: -size, max: size, noNaN: true }), { minLength: count, maxLength: count });

const systems = (d: number) =>
  fc.integer({ min: 1, max: 9 }).chain((n) =>
    fc.record<System>({
      d: fc.constant(d),
      strength: fc.constantFrom(1, 6.6743e-11, -0.7),
      softening: fc.constantFrom(0, 0.05, 3),
      masses: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e6, noNaN: true })), {
        minLength: n,
        maxLength: n,
      }),
      sites: d === 1 ? numbers(n, 5) : fc.constant(new Array<number>(n).fill(0)),
      x: numbers(n * d, 3),
      v: numbers(n * d, 3),
      change: fc.oneof(numbers(n * d, 1e-9), fc.constant(new Array<number>(n * d).fill(0))),
    }),
  );

describe('accelerations of 1 to 9 bodies have the bits of one pair at a time', () => {
  test.each([
    ['on a line', 1],
    ['in a plane', 2],
    ['in space', 3],
  ])('%s', (_, d) => {
    fc.assert(
      fc.property(systems(d), (system) => {
        expect(accelerationsOf(system)).toEqual(onePairAtATime(system));
      }),
      { numRuns: 300 },
    );
  });
});

test.each([
  [2, 4],
  [2, 5],
  [3, 4],
  [3, 5],
])('in %d dimensions %d bodies pull a body without mass, which pulls none', (d, n) => {
  const place = (i: number, k: number) => Math.cos(1 + 2.3 * i + 1.7 * k);
  const system: System = {
    d,
    strength: 2,
    softening: 0.1,
    masses: Array.from({ length: n }, (_, i) => (i === 1 ? 0 : i + 1)),
    sites: new Array<number>(n).fill(0),
    x: Array.from({ length: n * d }, (_, at) => place(Math.floor(at / d), at % d)),
    v: new Array<number>(n * d).fill(0),
    change: new Array<number>(n * d).fill(0),
  };
  const a = accelerationsOf(system);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < d; k++) {
      // Newton's law with Plummer's softening, as a sum over the others.
      let sum = 0;
      for (let j = 0; j < n; j++) {
        const apart = Array.from({ length: d }, (_, axis) => place(j, axis) - place(i, axis));
        const r2 = apart.reduce((all, one) => all + one * one, 0.01);
        sum += j === i ? 0 : (2 * (system.masses[j] ?? 0) * (apart[k] ?? 0)) / r2 ** 1.5;
      }
      expect(Math.abs((a[i * d + k] ?? Number.NaN) - sum)).toBeLessThan(1e-12 * Math.max(1, Math.abs(sum)));
    }
});
