import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  allocateF64(n: number): number;
  cellCount(columns: number, rows: number): number;
  cellStride(columns: number): number;
  reservePoisson(columns: number, rows: number, alongX: number, alongY: number): boolean;
  solvePoisson(b: number, phi: number): void;
}

const INSULATED = 0;
const PERIODIC = 1;
const OPEN = 2;

/** Residual of a random right-hand side over its size. */
async function residualOf(columns: number, rows: number, x: number, y: number, next: () => number): Promise<number> {
  const wasm = await loadHarness<Exports>('test/harness/fast-poisson.ts');
  const count = wasm.cellCount(columns, rows);
  const stride = wasm.cellStride(columns);
  const [b, phi] = [wasm.allocateF64(count), wasm.allocateF64(count)];
  expect(wasm.reservePoisson(columns, rows, x, y)).toBeTruthy();
  const view = (address: number) => new Float64Array(wasm.memory.buffer, address, count);
  const cells: [i: number, j: number][] = [];
  for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) cells.push([i, j]);
  const given = cells.map(() => next());
  const mean = given.reduce((sum, value) => sum + value, 0) / given.length;
  // Without an open side only a source of mean 0 has a solution.
  const source = given.map((value) => value - (x === OPEN ? 0 : mean));
  for (const [k, [i, j]] of cells.entries()) view(b)[j * stride + i] = source[k] ?? 0;
  wasm.solvePoisson(b, phi);
  const at = (i: number, j: number) => view(phi)[j * stride + i] ?? Number.NaN;
  const neighbour = (i: number, j: number, di: number, dj: number): number | undefined => {
    const [a, c] = [i + di, j + dj];
    const isInside = a >= 0 && a < columns && c >= 0 && c < rows;
    if (isInside) return at(a, c);
    if (di !== 0) return x === PERIODIC ? at((a + columns) % columns, c) : x === OPEN && di > 0 ? -at(i, j) : undefined;
    return y === PERIODIC ? at(a, (c + rows) % rows) : undefined;
  };
  let most = 0;
  for (const [k, [i, j]] of cells.entries()) {
    let sum = 0;
    for (const [di, dj] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      const other = neighbour(i, j, di, dj);
      if (other !== undefined) sum += at(i, j) - other;
    }
    most = Math.max(most, Math.abs(sum - (source[k] ?? 0)));
  }
  return most / Math.max(...source.map(Math.abs), 1e-300);
}

test('the equation holds to roundings for random sizes, sides and sources', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 4, max: 40 }),
      fc.integer({ min: 4, max: 40 }),
      fc.constantFrom(INSULATED, PERIODIC, OPEN),
      fc.constantFrom(INSULATED, PERIODIC),
      fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true })),
      async (columns, rows, x, y, stream) => {
        expect(await residualOf(columns, rows, x, y, () => stream.next().value as number)).toBeLessThan(1e-11);
      },
    ),
    { numRuns: 40 },
  ));
