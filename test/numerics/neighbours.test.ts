import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Neighbours {
  readonly memory: WebAssembly.Memory;
  readonly lines: WebAssembly.Global;
  readonly pairs: WebAssembly.Global;
  readonly ghosts: WebAssembly.Global;
  reserve(atoms: number, lx: number, ly: number, lz: number, cutoff: number, maxNeighbours: number): number;
  build(): number;
  listedPairs(): number;
  sumOfSquares(): number;
  refreshGhosts(): void;
  foldGhosts(): void;
}

let neighbours: Neighbours;
beforeAll(async () => {
  neighbours = await loadHarness<Neighbours>('test/harness/neighbours.ts');
});

interface Case {
  readonly box: readonly [number, number, number];
  readonly cutoff: number;
  readonly points: readonly (readonly [number, number, number])[];
}

const LINE = 8;
const lineAt = (index: number): Float64Array =>
  new Float64Array(neighbours.memory.buffer, (neighbours.lines.value as number) + index * LINE * 8, LINE);

/** Reserves memory and writes the points, given in units of the box edges. */
function reserveAndWrite({ box, cutoff, points }: Case, maxNeighbours = 3000): void {
  expect(neighbours.reserve(points.length, ...box, cutoff, maxNeighbours)).toBe(0);
  for (const [i, point] of points.entries()) lineAt(i).set(point.map((x, d) => x * (box[d] ?? 1)));
}

/** Counts all pairs within the cutoff, over all images; an atom and its own image count once for both directions. */
function countByBruteForce({ box, cutoff, points }: Case): { pairs: number; sum: number } {
  const shifts = box.map((edge) => Math.ceil(cutoff / edge) + 1);
  const [mx = 0, my = 0, mz = 0] = shifts;
  let pairs = 0;
  let sum = 0;
  const wrapped = points.map((point) => point.map((x, d) => (x - Math.floor(x)) * (box[d] ?? 1)));
  for (const [i, a] of wrapped.entries()) {
    for (const [j, b] of wrapped.entries()) {
      for (let kx = -mx; kx <= mx; kx++) {
        for (let ky = -my; ky <= my; ky++) {
          for (let kz = -mz; kz <= mz; kz++) {
            if (i === j && kx === 0 && ky === 0 && kz === 0) continue;
            const shift = [kx, ky, kz];
            const r2 = a.reduce((total, x, d) => total + (x - (b[d] ?? 0) + (shift[d] ?? 0) * (box[d] ?? 1)) ** 2, 0);
            if (r2 >= cutoff * cutoff) continue;
            pairs += 0.5;
            sum += 0.5 * r2;
          }
        }
      }
    }
  }
  return { pairs, sum };
}

const edge = fc.double({ min: 0.7, max: 9, noNaN: true });
const fraction = fc.double({ min: -1.5, max: 2.5, noNaN: true });
const cases: fc.Arbitrary<Case> = fc.record({
  box: fc.tuple(edge, edge, edge),
  cutoff: fc.double({ min: 0.5, max: 2.5, noNaN: true }),
  points: fc.array(fc.tuple(fraction, fraction, fraction), { minLength: 2, maxLength: 24 }),
});

describe('the neighbour list', () => {
  test('holds every pair of every image once, in boxes larger and smaller than the cutoff', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        reserveAndWrite(drawn);
        expect(neighbours.build()).toBe(0);
        const { pairs, sum } = countByBruteForce(drawn);
        expect(neighbours.listedPairs()).toBe(pairs);
        expect(Math.abs(neighbours.sumOfSquares() - sum)).toBeLessThanOrEqual(1e-11 * (1 + sum));
      }),
      { seed: 7, numRuns: 150 },
    );
  });

  test('holds only pairs within the cutoff, and padding', () => {
    const points = Array.from({ length: 300 }, (_, k) => [(k * 0.618) % 1, (k * 0.414) % 1, (k * 0.732) % 1] as const);
    reserveAndWrite({ box: [8, 9, 10], cutoff: 2.3, points });
    neighbours.build();
    expect(neighbours.pairs.value).toBe(neighbours.listedPairs());
  });

  test('handles atoms on faces, and a box that is a multiple of the cell edge', () => {
    const points = [0, 0.25, 0.5, 0.75, 1, -1e-17].map((x) => [x, 1 - x, x] as const);
    const drawn: Case = { box: [4, 4, 4], cutoff: 1.0001, points };
    reserveAndWrite(drawn);
    expect(neighbours.build()).toBe(0);
    expect(neighbours.listedPairs()).toBe(countByBruteForce(drawn).pairs);
  });

  test('reports an overflow of its capacity', () => {
    const points = Array.from({ length: 40 }, (_, k) => [k / 4000, 0.5, 0.5] as const);
    reserveAndWrite({ box: [9, 9, 9], cutoff: 2, points }, 1);
    expect(neighbours.build()).toBe(4);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e12])('rejects a position of %d', (x) => {
    reserveAndWrite({
      box: [5, 5, 5],
      cutoff: 1,
      points: [
        [0.1, 0.1, 0.1],
        [0.2, 0.1, 0.1],
      ],
    });
    lineAt(0)[0] = x;
    expect(neighbours.build()).toBe(2);
  });
});

describe('ghosts', () => {
  test('take positions from their owners and add forces to them', () => {
    reserveAndWrite({
      box: [5, 6, 7],
      cutoff: 1,
      points: [
        [0.01, 0.5, 0.5],
        [0.5, 0.5, 0.5],
      ],
    });
    neighbours.build();
    expect(neighbours.ghosts.value).toBe(1);
    const owner = [0, 1].find((i) => Math.abs((lineAt(i)[0] ?? 0) - 0.05) < 1e-12) ?? 0;
    lineAt(owner)[1] = 3.25;
    neighbours.refreshGhosts();
    expect([...lineAt(2).subarray(0, 3)]).toEqual([5.05, 3.25, 3.5]);
    lineAt(2).set([1, 2, 3], 4);
    neighbours.foldGhosts();
    expect([...lineAt(owner).subarray(4, 7)]).toEqual([1, 2, 3]);
  });
});
