import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  allocate(bytes: number): number;
  allocateF64(n: number): number;
  factorLu(a: number, pivot: number, n: number): number;
  solveLu(a: number, pivot: number, n: number, b: number): void;
  maxErrorAtSteps(method: number, steps: number): number;
  maxErrorInsideSteps(method: number, steps: number): number;
  maxSlopeErrorInsideSteps(method: number, steps: number): number;
  errorEstimate(h: number): number;
  stiffError(method: number, lambda: number): number;
  adaptiveError(rtol: number, maxStep: number): number;
  readonly adaptiveSteps: WebAssembly.Global;
  readonly adaptiveInside: WebAssembly.Global;
  readonly adaptiveProbe: WebAssembly.Global;
  firstTimeAfter(t: number): number;
}

let wasm: Exports;
beforeAll(async () => {
  wasm = await loadHarness<Exports>('test/harness/ode.ts');
});

const [RUNGE_KUTTA, DORMAND_PRINCE, RODAS] = [0, 1, 2];
const slope = (coarse: number, fine: number) => Math.log2(coarse / fine);

describe('one step', () => {
  test.each([
    ['Runge–Kutta', RUNGE_KUTTA, 4, 80],
    ['Dormand–Prince', DORMAND_PRINCE, 5, 40],
    ['RODAS', RODAS, 4, 80],
  ])('%s: order of the error at the end of a step', (_, method, order, steps) => {
    const errors = [1, 2, 4].map((factor) => wasm.maxErrorAtSteps(method, factor * steps));
    expect(Math.min(...errors)).toBeGreaterThan(1e-14);
    expect(Math.abs(slope(errors[1] ?? 0, errors[2] ?? 0) - order), String(errors)).toBeLessThan(0.25);
  });

  test.each([
    ['Hermite over Runge–Kutta', RUNGE_KUTTA, 4],
    ['Dormand–Prince', DORMAND_PRINCE, 5],
    ['RODAS', RODAS, 4],
  ])('%s: order of the local error inside a step', (_, method, order) => {
    const errors = [20, 40, 80].map((steps) => wasm.maxErrorInsideSteps(method, steps));
    expect(slope(errors[1] ?? 0, errors[2] ?? 0), String(errors)).toBeGreaterThan(order - 0.3);
  });

  test.each([
    ['Hermite over Runge–Kutta', RUNGE_KUTTA, 3],
    ['Dormand–Prince', DORMAND_PRINCE, 4],
    ['RODAS', RODAS, 3],
  ])('%s: order of the slope inside a step', (_, method, order) => {
    const errors = [20, 40, 80].map((steps) => wasm.maxSlopeErrorInsideSteps(method, steps));
    expect(slope(errors[1] ?? 0, errors[2] ?? 0), String(errors)).toBeGreaterThan(order - 0.3);
  });

  test('the error estimate of Dormand–Prince has order 5 for one step', () => {
    const estimates = [0.2, 0.1, 0.05].map((h) => wasm.errorEstimate(h));
    expect(Math.abs(slope(estimates[1] ?? 0, estimates[2] ?? 0) - 5), String(estimates)).toBeLessThan(0.3);
  });

  test('RODAS follows a stiff solution with steps far longer than its time scale, where the explicit pair diverges', () => {
    expect(wasm.stiffError(RODAS, -1e6)).toBeLessThan(1e-5);
    expect(wasm.stiffError(RODAS, -100)).toBeLessThan(1e-5);
    expect(wasm.stiffError(DORMAND_PRINCE, -1e4)).toBeGreaterThan(1e3);
  });
});

describe('adaptive steps', () => {
  const TOLERANCES = [1e-6, 1e-8, 1e-12];
  const measured = () =>
    TOLERANCES.map((rtol) => {
      const error = wasm.adaptiveError(rtol, 10);
      const [steps, inside, probe] = [wasm.adaptiveSteps.value, wasm.adaptiveInside.value, wasm.adaptiveProbe.value];
      return { error, steps: Number(steps), inside: Number(inside), probe: Number(probe) };
    });

  test('keep the error at and inside the steps near the tolerance', () => {
    for (const [i, { error, inside, probe }] of measured().entries()) {
      const rtol = TOLERANCES[i] ?? 0;
      expect(error).toBeGreaterThan(0);
      expect(error).toBeLessThan(10 * rtol);
      expect(inside).toBeLessThan(30 * rtol);
      expect(probe).toBeLessThan(10 * rtol);
    }
  });

  test('grow in number with the fifth root of the accuracy', () => {
    const [, coarse, fine] = measured();
    const ratio = (fine?.steps ?? 0) / (coarse?.steps ?? 1);
    // The first steps, which grow from a careful start, are as many at any tolerance: a little below 1/5.
    expect(Math.log10(ratio) / 4).toBeGreaterThan(0.14);
    expect(Math.log10(ratio) / 4).toBeLessThan(0.23);
  });

  test('are at most as long as allowed', () => {
    wasm.adaptiveError(1e-3, 0.01);
    expect(Number(wasm.adaptiveSteps.value)).toBeGreaterThanOrEqual(199);
  });

  test('move the time where a component leaves 0 late', () => {
    expect(wasm.firstTimeAfter(34_135.28034547691)).toBeGreaterThan(34_136);
  });
});

describe('dense linear systems', () => {
  const N = 7;
  const numbers = (length: number) =>
    fc.array(
      fc.integer({ min: -80, max: 80 }).map((n) => n / 8),
      { minLength: length, maxLength: length },
    );

  function solve(matrix: readonly number[], right: readonly number[], n: number): { info: number; x: number[] } {
    const [a, pivot, b] = [wasm.allocateF64(n * n), wasm.allocate(4 * n), wasm.allocateF64(n)];
    new Float64Array(wasm.memory.buffer, a, n * n).set(matrix);
    new Float64Array(wasm.memory.buffer, b, n).set(right);
    const info = wasm.factorLu(a, pivot, n);
    if (info === 0) wasm.solveLu(a, pivot, n, b);
    return { info, x: [...new Float64Array(wasm.memory.buffer, b, n)] };
  }

  test('the solution has a residual of a few roundings', () => {
    fc.assert(
      fc.property(numbers(N * N), numbers(N), (matrix, right) => {
        const { info, x } = solve(matrix, right, N);
        if (info !== 0) return;
        for (let i = 0; i < N; i++) {
          const terms = x.map((value, j) => (matrix[N * i + j] ?? 0) * value);
          const residual = terms.reduce((sum, term) => sum + term, -(right[i] ?? 0));
          const size = Math.max(...x.map(Math.abs)) * 10 * N + Math.abs(right[i] ?? 0);
          expect(Math.abs(residual)).toBeLessThanOrEqual(1e-12 * size);
        }
      }),
    );
  });

  test('rows are exchanged if the first pivot is 0', () => {
    expect(solve([0, 1, 1, 0], [3, 4], 2)).toEqual({ info: 0, x: [4, 3] });
  });

  test('a singular matrix reports the column', () => {
    expect(solve([1, 2, 3, 2, 4, 6, 1, 1, 1], [1, 1, 1], 3).info).toBe(3);
    expect(solve([0, 0, 0, 1], [1, 1], 2).info).toBe(1);
  });
});
