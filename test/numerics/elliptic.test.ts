import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import * as plain from '../../src/solvers/parts/elliptic.ts';
import { loadHarness } from './compile.ts';

interface Exports {
  setParameter(m: number, complement: number): void;
  jacobi(u: number): void;
  sn(): number;
  cn(): number;
  dn(): number;
  quarter(): number;
  carlsonRF(x: number, y: number, z: number): number;
  carlsonPair(x: number, re: number, im: number): number;
  differenceOfTwo(pRe: number, pIm: number, qRe: number, qIm: number, t: number): void;
  differenceOfThree(pRe: number, pIm: number, qRe: number, qIm: number, rRe: number, rIm: number, t: number): void;
  differenceRe(): number;
  differenceIm(): number;
}

let wasm: Exports;

beforeAll(async () => {
  wasm = await loadHarness<Exports>('test/harness/elliptic.ts');
});

const functionsAt = (u: number, m: number, complement = 1 - m) => {
  wasm.setParameter(m, complement);
  wasm.jacobi(u);
  return [wasm.sn(), wasm.cn(), wasm.dn()];
};
const expectClose = (found: number, expected: number, tolerance: number) =>
  expect(Math.abs(found - expected), `${found}, expected ${expected}`).toBeLessThanOrEqual(
    tolerance * Math.abs(expected),
  );

describe('Jacobi’s functions', () => {
  // mpmath, 40 digits.
  test.each([
    [0.5, 0.3, 0.4742156227118206, 0.8804087364264624, 0.9656789647459512],
    [2.3, 0.5, 0.9490898864176011, -0.3150053769379582, 0.7413596925581486],
    [-7.1, 0.9, 0.9774446232900408, -0.2111918757940046, 0.37435518904010295],
    [0.001, 0.999, 0.0009999996668334666, 0.9999995000002082, 0.9999995005002081],
    [12.5, 0.75, 0.4159380384208469, -0.9093929558747517, 0.9328701201914249],
    [100.25, 0.2, 0.6157583711543922, 0.7879350406938949, 0.9613367389581332],
    [5.5, 0.96875, 0.6496464740139037, -0.7602364492717396, 0.7688616427640032],
  ])('at %d with m = %d', (u, m, ...expected) => {
    for (const [i, one] of functionsAt(u, m).entries())
      expectClose(one, expected[i] ?? Number.NaN, 8e-16 * (2 + Math.abs(u)));
  });

  test.each([
    [3, 2 ** -60, 0.9950547536867305, 0.0993279274194332, 0.0993279274194332],
    [20, 2 ** -60, 1, 4.069705528989351e-9, 4.174908960764881e-9],
    [1.5, 2 ** -20, 0.9051484048232403, 0.42509571304112603, 0.4250966320558661],
    [30, 2 ** -40, 0.460917723557386, -0.8874428725899358, 0.8874428725900447],
    [5, 2 ** -200, 0.9999092042625951, 0.013475282221304558, 0.013475282221304558],
  ])('at %d with 1 − m = %d', (u, complement, ...expected) => {
    for (const [i, one] of functionsAt(u, 1 - complement, complement).entries())
      expectClose(one, expected[i] ?? Number.NaN, 8e-16 * (2 + Math.abs(u)));
  });

  test('the limits are sine and cosine, and hyperbolic', () => {
    expect(functionsAt(0.7, 0, 1)).toEqual([Math.sin(0.7), Math.cos(0.7), 1]);
    const [sn = 0, cn = 0, dn = 0] = functionsAt(0.7, 1, 0);
    expectClose(sn, Math.tanh(0.7), 4e-16);
    expectClose(cn, 1 / Math.cosh(0.7), 4e-16);
    expect(dn).toBe(cn);
    expect(wasm.quarter()).toBe(Number.POSITIVE_INFINITY);
  });

  test('the quarter period is that of the mean, as in plain TypeScript', () => {
    wasm.setParameter(0.5, 0.5);
    expectClose(wasm.quarter(), 1.8540746773013719, 4e-16);
    for (const complement of [1, 0.9, 0.3, 1e-3, 1e-12, 1e-100]) {
      wasm.setParameter(1 - complement, complement);
      expectClose(plain.quarterPeriod(complement), wasm.quarter(), 1e-15);
    }
  });

  test('squares add up, and the quarter period shifts', () => {
    const unit = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });
    const argument = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(unit, argument, (m, u) => {
        const [sn = 0, cn = 0, dn = 0] = functionsAt(u, m);
        expect(Math.abs(sn * sn + cn * cn - 1)).toBeLessThan(3e-15);
        expect(Math.abs(dn * dn + m * sn * sn - 1)).toBeLessThan(3e-15);
        const [shifted = 0] = functionsAt(u + wasm.quarter(), m);
        expect(Math.abs(shifted - cn / dn)).toBeLessThan((1e-14 * (2 + Math.abs(u))) / (1 - m));
      }),
    );
  });
});

describe('Carlson’s integral', () => {
  // mpmath, 40 digits.
  test.each([
    [1, 2, 0, 1.3110287771460598],
    [0.5, 1, 0, 1.8540746773013719],
    [2, 3, 4, 0.5840828416771517],
    [1e-10, 1, 1e10, 0.000128992098264376],
    [1, 1, 1, 1],
  ])('of %d, %d and %d', (x, y, z, expected) => {
    expectClose(wasm.carlsonRF(x, y, z), expected, 1e-15);
    expectClose(plain.carlsonRF(z, x, y), expected, 1e-15);
  });

  test.each([
    [0, 0, 1, 1.8540746773013719],
    [1, -1, 1, 1.405396764910542],
    [0, -1, 1e-6, 15.894952099641442],
    [2, 3, 4, 0.5434219446230365],
    [5, -4, 0.5, 1.336148850310948],
  ])('of %d and %d ± i %d', (x, re, im, expected) => {
    expectClose(wasm.carlsonPair(x, re, im), expected, 1e-15);
    expectClose(plain.carlsonPair(x, re, im), expected, 1e-15);
  });
});

describe('differences of the exponential', () => {
  type Complex = readonly [re: number, im: number];
  const three = (p: Complex, q: Complex, r: Complex, t: number): Complex => {
    wasm.differenceOfThree(...p, ...q, ...r, t);
    return [wasm.differenceRe(), wasm.differenceIm()];
  };

  test('at equal points they are derivatives', () => {
    expect(three([0, 0], [0, 0], [0, 0], 3)).toEqual([4.5, 0]);
    const [re] = three([-1, 0], [-1, 0], [-1, 0], 2);
    expectClose(re, 2 * Math.exp(-2), 1e-15);
    wasm.differenceOfTwo(0.5, 0, 0.5, 0, 2);
    expectClose(wasm.differenceRe(), 2 * Math.exp(1), 1e-15);
  });

  test('at ±i and i they are the answer at resonance', () => {
    for (const t of [0.1, 0.9, 3, 40]) {
      const [re] = three([0, 1], [0, -1], [0, 1], t);
      expect(Math.abs(re - 0.5 * t * Math.sin(t))).toBeLessThan(1e-15 * (1 + t * t));
    }
  });

  test('no order of the points changes them by more than rounding, close or not', () => {
    const size = fc.constantFrom(1e-9, 1e-3, 0.3, 1, 4);
    const number = fc.double({ min: -1, max: 1, noNaN: true });
    const point = fc.tuple(size, number, number).map(([s, re, im]): Complex => [s * re, s * im]);
    fc.assert(
      fc.property(point, point, point, fc.double({ min: 0.01, max: 5, noNaN: true }), (p, q, r, t) => {
        const scale = t * t * Math.exp(t * Math.max(p[0], q[0], r[0]));
        const [re, im] = three(p, q, r, t);
        for (const [a, b] of [three(q, p, r, t), three(r, q, p, t), three(p, r, q, t)]) {
          expect(Math.abs(a - re)).toBeLessThan(2e-14 * scale);
          expect(Math.abs(b - im)).toBeLessThan(2e-14 * scale);
        }
      }),
    );
  });

  test('the series and the quotients meet', () => {
    for (const gap of [0.999999, 1.000001]) {
      const [re] = three([0, 0], [gap, 0], [0.5 * gap, 0], 1);
      const expected = (2 * (Math.exp(gap) - 2 * Math.exp(0.5 * gap) + 1)) / (gap * gap);
      expectClose(re, expected, 3e-15);
    }
  });
});
