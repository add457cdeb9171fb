// The law touches its given value only: ± of the unknown is of the second order, and holds the place of the extremum.

import { expect, test } from 'vitest';
import { groupBy } from '../../../src/core/group-by.ts';
import type { ComputeRequest } from '../../../src/protocol/compute-request.ts';
import type { PureFields } from '../../../src/protocol/pure-fields.ts';
import { compute } from '../../protocol/sealed-case.ts';
import CASES from './double-roots.json' with { type: 'json' };

const solve = async (request: ComputeRequest): Promise<PureFields> => (await compute(request)).pure;

interface Case {
  readonly law: string;
  readonly symbol: string;
  readonly inputs: Readonly<Record<string, number>>;
  readonly place: number;
  readonly width: number;
}

const byLaw = groupBy(CASES as unknown as readonly Case[], ({ law }) => law);

test('the best angle of a throw is 45° to within the root of the rounding of its range', async () => {
  const inputs = { v: 30, g: 9.81, R: 91.74311926605505 };
  const { value, uncertainty, converged } = await solve({ domain: 'CM5', inputs, solve_for: 'theta' });
  expect(Math.abs(value - 45)).toBeLessThanOrEqual(uncertainty);
  expect(uncertainty).toBeGreaterThan(4e-7);
  expect(uncertainty).toBeLessThan(2e-6);
  expect(converged).toBe(true);
});

test.each([...byLaw])('%s: ± holds the extremum to 40 digits, and is of the second order', async (law, cases) => {
  for (const { symbol, inputs, place, width } of cases) {
    const { quantities, converged } = await solve({ domain: law, inputs, solve_for: symbol });
    const holds = quantities.filter(({ value, uncertainty = 0 }) => Math.abs(value - place) <= uncertainty);
    expect(holds.length, JSON.stringify({ inputs, place, quantities })).toBeGreaterThan(0);
    for (const { uncertainty = 0 } of holds) {
      expect(uncertainty / width, JSON.stringify({ inputs, quantities, place, width })).toBeGreaterThan(1);
      expect(uncertainty / width, JSON.stringify({ inputs, quantities, place, width })).toBeLessThan(16);
    }
    expect(converged).toBe(true);
  }
});

interface Near {
  readonly inputs: Readonly<Record<string, number>>;
  readonly symbol: string;
  readonly output: string;
  /** Largest value, and the two unknowns of another. */
  readonly largest: number;
  readonly roots: (value: number) => readonly [number, number];
}

const root = Math.sqrt;
const DEGREE = Math.PI / 180;

/** Laws that are inverted in closed form. */
const NEAR: Readonly<Record<string, Near>> = {
  CM5: {
    ...{ inputs: { v: 30, g: 9.81 }, symbol: 'theta', output: 'R', largest: 900 / 9.81 },
    roots: (R) => {
      const half = Math.asin((R * 9.81) / 900) / 2 / DEGREE;
      return [half, 90 - half];
    },
  },
  CM3: {
    ...{ inputs: { v0: 12, a: -4 }, symbol: 't', output: 's', largest: 18 },
    roots: (s) => [3 - root((18 - s) / 2), 3 + root((18 - s) / 2)],
  },
  WM15: {
    ...{ inputs: { Z2: 50 }, symbol: 'Z1', output: 'tau', largest: 1 },
    roots: (tau) => {
      const half = 2 / tau - 1;
      const apart = root(half * half - 1);
      return [50 * (half - apart), 50 * (half + apart)];
    },
  },
  CEL7: {
    ...{ inputs: { mumax: 1, Ks: 1, Ki: 25 }, symbol: 'S', output: 'mu', largest: 1 / 1.4 },
    roots: (mu) => {
      const half = (25 * (1 / mu - 1)) / 2;
      const apart = root(half * half - 25);
      return [half - apart, half + apart];
    },
  },
};

/** Quantiles of the normal distribution at (i + 1/2)/4000, by bisection of its integral (Simpson's rule). */
const QUANTILES = (() => {
  const [steps, end] = [200_000, 6];
  const h = (2 * end) / steps;
  const density = (z: number) => Math.exp((-z * z) / 2) / root(2 * Math.PI);
  const quantiles: number[] = [];
  let below = 0;
  for (let i = 0; i < steps && quantiles.length < 4_000; i++) {
    const z = -end + i * h;
    below += (h / 6) * (density(z) + 4 * density(z + h / 2) + density(z + h));
    while (below >= (quantiles.length + 0.5) / 4_000 && quantiles.length < 4_000) quantiles.push(z + h);
  }
  return quantiles;
})();

test.each(Object.entries(NEAR))(
  '%s near its maximum: ± of a given uncertainty holds 95 of 100 roots',
  async (law, { inputs, symbol, output, largest, roots }) => {
    for (const [away, share] of [
      [2.5, 1e-2],
      [4, 1e-3],
      [4, 1e-6],
      [10, 1e-3],
    ] as const) {
      const sigma = share * largest;
      const given = largest - away * sigma;
      const { quantities } = await solve({
        ...{
          domain: law,
          inputs: { ...inputs, [output]: given },
          solve_for: symbol,
          uncertainties: { [output]: sigma },
        },
      });
      expect(quantities).toHaveLength(2);
      for (const [at, { value, uncertainty = 0 }] of quantities.entries()) {
        const places = QUANTILES.map((z) => given + z * sigma).filter((one) => one <= largest);
        const inside = places.filter((one) => Math.abs((roots(one)[at] ?? 0) - value) <= uncertainty).length;
        const text = JSON.stringify({ away, share, at, value, uncertainty, exact: roots(given) });
        expect(inside / places.length, text).toBeGreaterThan(0.95);
        const spread = Math.abs((roots(given - 2 * sigma)[at] ?? 0) - value);
        expect(uncertainty, text).toBeLessThan(2.5 * spread);
      }
    }
  },
);

test.each(Object.entries(NEAR))('%s at its maximum is refused with a given uncertainty', async (law, near) => {
  const { inputs, symbol, output, largest } = near;
  const request = { domain: law, inputs: { ...inputs, [output]: largest }, solve_for: symbol };
  const outcome = solve({ ...request, uncertainties: { [output]: largest / 100 } });
  await expect(outcome).rejects.toMatchObject({ code: 'PRECISION_REFUSED' });
});
