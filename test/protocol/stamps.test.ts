// Stamps of a computation: order, variance, the parity rule, and the correlation of a series with the modulation.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALPHA, TICK_NS } from '../../src/core/clock.ts';
import {
  PARITY_VARIANCE,
  rtCorrelation,
  STEPS,
  Stamper,
  type Stamps,
  stampVariance,
  timingOf,
} from '../../src/protocol/stamps.ts';
import { SLOW_STAMPS, STAMPS } from './sealed-case.ts';

const START = 1_790_000_000_000_000_000n;

/** Stamps of a call in which only the computation takes time. */
const computedIn = (ns: bigint): Stamps => STEPS.map((_, step) => (step < 4 ? START : START + ns));

test('a stamper takes seven steps in order, and gives RETURN the time of PULSE', () => {
  let now = 100n;
  const stamper = new Stamper(() => now++);
  for (const step of STEPS) stamper.mark(step);
  expect(stamper.finish()).toEqual([100n, 101n, 102n, 103n, 104n, 105n, 105n]);
});

test('a stamper rejects a step out of order, and a missing step', () => {
  const stamper = new Stamper(() => 0n);
  stamper.mark('SELECT');
  expect(() => stamper.mark('COMPUTE')).toThrow(/COMPUTE/);
  expect(() => stamper.finish()).toThrow(/1 of 7/);
});

test('the variance is the population variance in square ticks', () => {
  // Four stamps at 0 and three at one tick: 12/49.
  expect(stampVariance(computedIn(TICK_NS))).toBeCloseTo(12 / 49, 15);
  expect(stampVariance(computedIn(0n))).toBe(0);
});

test('a computation shorter than about 0.15 s does not shift α', () => {
  expect(timingOf(computedIn(149_000_000n)).shift).toBeUndefined();
  expect(timingOf(computedIn(150_000_000n)).shift).toBeDefined();
});

test('the parity rule reduces α as the variance grows', () => {
  const { shift } = timingOf(computedIn(TICK_NS));
  const variance = 12 / 49;
  expect(shift?.variance).toBeCloseTo(variance, 15);
  expect(shift?.delta_alpha).toBeCloseTo(ALPHA * (1 - PARITY_VARIANCE / variance), 18);
  expect((shift?.alpha ?? 0) + (shift?.delta_alpha ?? 0)).toBeCloseTo(ALPHA, 18);
});

// Reference values from exact rational arithmetic in another language.
test('known stamps give the reference timing', () => {
  expect(timingOf(STAMPS)).toEqual({
    R_t: 1.0003317780519825,
    phase: 0.4484794755874485,
    svcond: 2303730000,
    shift: undefined,
  });
  expect(timingOf(SLOW_STAMPS)).toEqual({
    R_t: 1.0000007084063272,
    phase: 0.02247947559002248,
    svcond: 2303730003,
    shift: { alpha: 0.000005603208554352899, delta_alpha: 0.0009943967914456471, variance: 1.6240694794290005 },
  });
});

test('the modulation stays within 0.1 % for any stamps', () => {
  const gaps = fc.array(fc.bigInt({ min: 0n, max: 10n ** 11n }), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n * START }), gaps, (start, steps) => {
      const stamps = [start];
      for (const step of steps) stamps.push((stamps.at(-1) ?? 0n) + step);
      const { R_t, shift } = timingOf([...stamps, stamps.at(-1) ?? 0n]);
      expect(Math.abs(R_t - 1)).toBeLessThanOrEqual(ALPHA);
      if (shift) expect(shift.alpha > 0 && shift.alpha < ALPHA).toBe(true);
    }),
  );
});

/** Stamps at the start of a pulse period: frac = 0. */
const AT_ZERO = computedIn(0n);
const onePeriod = (n: number, f: (angle: number) => number) =>
  Float64Array.from({ length: n }, (_, i) => f((2 * Math.PI * i) / n));

test('a series in phase with the pulse correlates with 1, in antiphase with −1, and in quadrature with 0', () => {
  expect(rtCorrelation(onePeriod(64, Math.sin), AT_ZERO)).toBeCloseTo(1, 8);
  expect(
    rtCorrelation(
      onePeriod(64, (x) => 3 - Math.sin(x)),
      AT_ZERO,
    ),
  ).toBeCloseTo(-1, 8);
  expect(rtCorrelation(onePeriod(64, Math.cos), AT_ZERO)).toBeCloseTo(0, 8);
  expect(
    rtCorrelation(
      onePeriod(64, (x) => Math.sin(3 * x)),
      AT_ZERO,
    ),
  ).toBeCloseTo(0, 8);
});

test('too few samples and constant series have correlation 0', () => {
  for (const series of [[], [1], [1, 2], [5, 5, 5, 5]]) expect(rtCorrelation(series, AT_ZERO)).toBe(0);
});

test('a correlation is a finite number between −1 and 1 for any series', () => {
  const series = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 50 });
  fc.assert(
    fc.property(series, (values) => {
      expect(Math.abs(rtCorrelation(values, STAMPS))).toBeLessThanOrEqual(1 + 1e-12);
    }),
  );
});
