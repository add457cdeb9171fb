import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  allocateF64(n: number): number;
  neumaierSum(v: number, n: number): number;
  neumaierSum3(v: number, n: number, apart: number, result: number, step: number): void;
  pairwiseSum(v: number, n: number): number;
  pairwiseDot(a: number, b: number, n: number): number;
}

let wasm: Exports;
let a = 0;
let b = 0;

beforeAll(async () => {
  wasm = await loadHarness<Exports>('test/harness/sum.ts');
  a = wasm.allocateF64(1 << 16);
  b = wasm.allocateF64(1 << 16);
});

function write(address: number, values: readonly number[]): void {
  new Float64Array(wasm.memory.buffer, address, values.length).set(values);
}

/** Exact sum of integer multiples of 2⁻³⁰. */
function exactSum(values: readonly bigint[]): number {
  return Number(values.reduce((sum, value) => sum + value, 0n)) / 2 ** 30;
}

test('a compensated sum recovers digits that a plain sum loses', () => {
  const values = [1, 1e100, 1, -1e100];
  write(a, values);
  expect(wasm.neumaierSum(a, values.length)).toBe(2);
  expect(wasm.pairwiseSum(a, values.length)).toBe(0);
});

test('the error of a compensated sum is one rounding of the sum plus a squared rounding of the magnitudes', () => {
  const whole = fc.bigInt({ min: -(2n ** 52n), max: 2n ** 52n });
  fc.assert(
    fc.property(fc.array(whole, { maxLength: 500 }), (values) => {
      write(
        a,
        values.map((value) => Number(value) / 2 ** 30),
      );
      const sum = wasm.neumaierSum(a, values.length);
      const exact = exactSum(values);
      const magnitude = exactSum(values.map((value) => (value < 0n ? -value : value)));
      const n = values.length;
      expect(Math.abs(sum - exact)).toBeLessThanOrEqual(Math.abs(exact) * 2 ** -52 + n * n * 2 ** -104 * magnitude);
    }),
  );
});

test('three compensated sums side by side have the bits of each alone', () => {
  const part = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 40, maxLength: 40 });
  fc.assert(
    fc.property(fc.tuple(part, part, part), (parts) => {
      write(a, parts.flat());
      wasm.neumaierSum3(a, 40, 320, b, 16);
      const sums = new Float64Array(wasm.memory.buffer, b, 5);
      for (const k of [0, 1, 2]) expect(sums[2 * k]).toBe(wasm.neumaierSum(a + 320 * k, 40));
    }),
  );
});

test('the error of a pairwise sum of equal terms is at most one rounding per level', () => {
  const n = 50_000;
  write(a, new Array<number>(n).fill(0.1));
  expect(Math.abs(wasm.pairwiseSum(a, n) - 5_000)).toBeLessThan(5_000 * 2 ** -52 * (64 + 10));
  expect(Math.abs(wasm.neumaierSum(a, n) - 5_000)).toBeLessThan(1e-11);
});

test('all three sums of integers are exact, below and above the leaf size of the recursion', () => {
  for (const n of [0, 1, 2, 63, 64, 65, 127, 129, 1000, 4097]) {
    const values = Array.from({ length: n }, (_, i) => i + 1);
    write(a, values);
    write(b, new Array<number>(n).fill(2));
    const sum = (n * (n + 1)) / 2;
    expect([wasm.neumaierSum(a, n), wasm.pairwiseSum(a, n), wasm.pairwiseDot(a, b, n)]).toEqual([sum, sum, 2 * sum]);
  }
});

test('leaves side by side have the bits of a recursion into halves', () => {
  const value = (i: number) => Math.sin(1 + 1.7 * i) * 2 ** ((7 * i) % 40);
  const other = (i: number) => Math.cos(3 + 0.9 * i);
  const recursion = (from: number, n: number): number => {
    if (n > 64) return recursion(from, n >> 1) + recursion(from + (n >> 1), n - (n >> 1));
    let sum = 0;
    for (let i = from; i < from + n; i++) sum += value(i) * other(i);
    return sum;
  };
  const all = Array.from({ length: 1100 }, (_, i) => i);
  write(a, all.map(value));
  write(b, all.map(other));
  for (let n = 0; n <= 1100; n++) expect(wasm.pairwiseDot(a, b, n), `${n}`).toBe(recursion(0, n));
});
