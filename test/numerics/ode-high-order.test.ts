import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  compositionStages(order: number): number;
  stepError(method: number, steps: number, e: number): number;
  interpolantError(h: number, e: number): number;
  energyError(order: number, stepsPerOrbit: number, orbits: number, e: number): number;
  returnError(order: number, steps: number, h: number, e: number): number;
  farError(method: number, rtol: number, end: number, e: number): number;
  controlledError(method: number, rtol: number, end: number, maxStep: number, e: number): number;
  readonly controlledSteps: WebAssembly.Global;
  readonly insideError: WebAssembly.Global;
  readonly denseError: WebAssembly.Global;
}

let wasm: Exports;
beforeAll(async () => {
  wasm = await loadHarness<Exports>('test/harness/ode-high-order.ts');
});

const [DOP853, EXTRAPOLATION, SHORT_EXTRAPOLATION] = [0, 1, 2];
const slope = (coarse: number, fine: number) => Math.log2(coarse / fine);

describe('one step', () => {
  // Steps between too few for an asymptotic error and so many that rounding shows.
  test.each([
    ['DOP853', DOP853, 8, 12, 24],
    ['extrapolation', EXTRAPOLATION, 14, 6, 10],
    ['extrapolation of six columns', SHORT_EXTRAPOLATION, 12, 8, 14],
  ])('%s: order of the error', (_, method, order, few, many) => {
    const [coarse, fine] = [wasm.stepError(method, few, 0.3), wasm.stepError(method, many, 0.3)];
    expect(fine).toBeGreaterThan(1e-13);
    expect(Math.abs(Math.log(coarse / fine) / Math.log(many / few) - order), `${coarse}, ${fine}`).toBeLessThan(0.8);
  });

  test('the interpolant of DOP853 has a local error of order 8', () => {
    const errors = [0.4, 0.2, 0.1].map((h) => wasm.interpolantError(h, 0.3));
    expect(Math.abs(slope(errors[1] ?? 0, errors[2] ?? 0) - 8), String(errors)).toBeLessThan(0.4);
  });
});

describe('symplectic steps', () => {
  // Of the design's table, Kepler with e = 0.5 over 100 orbits: steps per orbit, largest relative error of the energy.
  test.each([
    [2, 200, 2.689e-3],
    [2, 400, 6.71e-4],
    [4, 200, 2.02e-5],
    [4, 400, 1.269e-6],
    [6, 200, 2.39e-8],
    [6, 400, 3.74e-10],
    [8, 100, 5.2e-11],
  ])('order %d with %d steps an orbit: %d', (order, steps, energy) => {
    const error = wasm.energyError(order, steps, 100, 0.5);
    expect(Math.abs(error / energy - 1), String(error)).toBeLessThan(0.02);
  });

  test.each([2, 4, 6, 8])('order %d runs back to its start', (order) => {
    expect(wasm.returnError(order, 2_000, 0.01, 0.5)).toBeLessThan(1e-11);
  });

  test('evaluate once, 3, 7 and 17 times', () => {
    expect([2, 4, 6, 8, 3].map((order) => wasm.compositionStages(order))).toEqual([1, 3, 7, 17, 0]);
  });
});

describe('controlled steps', () => {
  // Three orbits with e = 0.6 make a hundred of an error in one step: scipy's DOP853 has 86 and 41 times 1e-9 and 1e-12.
  test.each([
    ['DOP853', DOP853],
    ['extrapolation', EXTRAPOLATION],
  ])('%s: errors at and inside the steps follow the tolerance', (_, method) => {
    for (const rtol of [1e-9, 1e-12]) {
      const error = wasm.controlledError(method, rtol, 20, 10, 0.6);
      expect(error).toBeGreaterThan(0);
      expect(error).toBeLessThan(200 * rtol);
      expect(Number(wasm.insideError.value)).toBeLessThan(400 * rtol);
      expect(Number(wasm.denseError.value)).toBeLessThan(400 * rtol);
    }
  });

  test('two methods of different families agree after 100 orbits with e = 0.9', () => {
    for (const method of [DOP853, EXTRAPOLATION])
      expect(wasm.controlledError(method, 1e-14, 200 * Math.PI, 10, 0.9)).toBeLessThan(2e-8);
  });

  // A coordinate of a million has digits of 1e-10: steps that lose them drift by some 1e-8 in ten orbits.
  test.each([
    ['DOP853', DOP853],
    ['extrapolation', EXTRAPOLATION],
  ])('%s: far from 0, differences keep their digits', (_, method) => {
    expect(wasm.farError(method, 1e-14, 20 * Math.PI, 0.6)).toBeLessThan(2e-10);
  });

  test('are at most as long as allowed', () => {
    wasm.controlledError(DOP853, 1e-3, 2, 0.01, 0.3);
    expect(Number(wasm.controlledSteps.value)).toBeGreaterThanOrEqual(199);
  });
});
