import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  reserveTables(): number;
  hardyZ(t: number, corrections: number, eulerBelow: number): number;
  hardyZError(t: number, corrections: number, eulerBelow: number): number;
  thetaPhase(t: number): number;
  logarithm(x: number): number;
  sum(a: number, a0: number, b: number, b0: number): number;
  product(a: number, a0: number, b: number, b0: number): number;
  quotient(a: number, a0: number, b: number, b0: number): number;
  low(): number;
}

interface Truth {
  /** t, Z(t), and θ(t)/2π less the nearest whole number. */
  readonly z: readonly (readonly [number, number, number])[];
  /** x, and ln x as two doubles. */
  readonly ln: readonly (readonly [number, number, number])[];
}

const TRUTH: Truth = JSON.parse(readFileSync(new URL('../truth/hardy-z.json', import.meta.url), 'utf8'));

let wasm: Exports;
beforeAll(async () => {
  wasm = await loadHarness<Exports>('test/harness/hardy-z.ts');
  expect(wasm.reserveTables()).toBe(1);
});

describe('numbers of twice the precision', () => {
  test('the logarithm agrees with 40 digits to 1e-29', () => {
    for (const [x, high, low] of TRUTH.ln) {
      const found = wasm.logarithm(x);
      const difference = found - high + (wasm.low() - low);
      expect(Math.abs(difference), String(x)).toBeLessThan(1e-29 * (1 + Math.abs(high)));
    }
  });

  test('a product divided by a factor is the other factor', () => {
    const real = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(real, real, (a, b) => {
        const high = wasm.product(a, 0, b, 0);
        const back = wasm.quotient(high, wasm.low(), b, 0);
        expect(Math.abs(back - a + wasm.low())).toBeLessThanOrEqual(1e-30 * a);
      }),
    );
  });

  test('a sum less a part is the other part', () => {
    const real = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(real, real, (a, b) => {
        const high = wasm.sum(a, 0, b, 0);
        expect(wasm.sum(high, wasm.low(), -b, 0)).toBe(a + 0);
      }),
    );
  });
});

describe('Z(t)', () => {
  test.each([
    [1, 200],
    [2, 200],
    [3, 200],
    [4, 200],
    [5, 200],
    [5, 2400],
  ])('with %d corrections, and by Euler–Maclaurin below %d, is within its bound', (corrections, eulerBelow) => {
    for (const [t, z] of TRUTH.z) {
      const error = Math.abs(wasm.hardyZ(t, corrections, eulerBelow) - z);
      // The truth is rounded to a double.
      expect(error, String(t)).toBeLessThanOrEqual(wasm.hardyZError(t, corrections, eulerBelow) + 2e-16 * Math.abs(z));
    }
  });

  test('the bound is of use: no more than 1e-11 from t = 2500 on', () => {
    for (const [t] of TRUTH.z) if (t > 2_500) expect(wasm.hardyZError(t, 5, 200)).toBeLessThan(1e-11);
  });

  test('the phase of θ keeps 1e-14 turns to t = 5e6', () => {
    for (const [t, , phase] of TRUTH.z) {
      const difference = wasm.thetaPhase(t) - phase;
      expect(Math.abs(difference - Math.round(difference)), String(t)).toBeLessThan(1e-14);
    }
  });
});
