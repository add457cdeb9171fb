import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  allocateF64(n: number): number;
  applyGrid(from: number, to: number): void;
  buildMultigrid(held: number): void;
  couplingsRight(): number;
  couplingsUp(): number;
  cycleGrid(from: number, to: number): void;
  gridEntry(columns: number, i: number, j: number): number;
  gridSize(columns: number, rows: number): number;
  resetArena(): void;
  reserveMultigrid(columns: number, rows: number): boolean;
}

/** A grid held on its left side, and random vectors on its free nodes. */
async function gridOf(columns: number, rows: number, coupling: () => number) {
  const wasm = await loadHarness<Exports>('test/harness/multigrid.ts');
  wasm.resetArena();
  // What an earlier run left behind: only what is allocated is cleared.
  const left = wasm.allocateF64(1 << 16);
  new Float64Array(wasm.memory.buffer, left, 1 << 16).fill(1e30);
  wasm.resetArena();
  const size = wasm.gridSize(columns, rows);
  const [held, x, y, z] = [0, 0, 0, 0].map(() => wasm.allocateF64(size)) as [number, number, number, number];
  wasm.reserveMultigrid(columns, rows);
  const view = (address: number) => new Float64Array(wasm.memory.buffer, address, size);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const at = wasm.gridEntry(columns, i, j);
      if (i < columns - 1) view(wasm.couplingsRight())[at] = coupling();
      if (j < rows - 1) view(wasm.couplingsUp())[at] = coupling();
      if (i === 0) view(held)[at] = 1;
    }
  wasm.buildMultigrid(held);
  const fill = (address: number, next: () => number) => {
    for (let j = 0; j < rows; j++)
      for (let i = 1; i < columns; i++) view(address)[wasm.gridEntry(columns, i, j)] = next();
  };
  return { wasm, view, x, y, z, fill };
}

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, one, k) => sum + one * (b[k] ?? 0), 0);

describe('the V-cycle', () => {
  test('is symmetric and positive definite for random couplings and sizes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 3, max: 34 }),
        fc.integer({ min: 3, max: 34 }),
        fc.infiniteStream(fc.double({ min: 0.01, max: 100, noNaN: true })),
        async (columns, rows, stream) => {
          const next = () => stream.next().value as number;
          const { wasm, view, x, y, z, fill } = await gridOf(columns, rows, next);
          fill(x, () => next() - 50);
          fill(y, () => next() - 50);
          wasm.cycleGrid(x, z);
          const [xy, xx] = [dot(view(z), view(y)), dot(view(z), view(x))];
          const scale = Math.sqrt(dot(view(z), view(z)) * dot(view(y), view(y)));
          wasm.cycleGrid(y, z);
          expect(Math.abs(xy - dot(view(z), view(x)))).toBeLessThanOrEqual(1e-9 * scale + 1e-9 * Math.abs(xy));
          expect(xx).toBeGreaterThan(0);
        },
      ),
      { numRuns: 25 },
    ));

  test('removes most of a residual on every grid of one medium', async () => {
    for (const cells of [16, 64, 128]) {
      const { wasm, view, x, y, z, fill } = await gridOf(cells + 1, cells + 1, () => 1);
      let k = 0;
      fill(x, () => ((k++ * 7919) % 101) / 50 - 1);
      const first = Math.sqrt(dot(view(x), view(x)));
      for (let cycle = 0; cycle < 10; cycle++) {
        wasm.cycleGrid(x, z);
        wasm.applyGrid(z, y);
        for (const [i, one] of view(y).entries()) view(x)[i] = (view(x)[i] ?? 0) - one;
      }
      expect(Math.sqrt(dot(view(x), view(x))) / first).toBeLessThan(1e-3);
    }
  });
});
