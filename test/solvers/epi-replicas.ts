// The replica test of ±: ensembles that differ by their seed scatter as much as each of them states.

import { expect } from 'vitest';
import type { z } from 'zod';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { epi } from '../../src/solvers/epi/solver.ts';
import { runSolver } from '../suites/run-solver.ts';

type Input = z.input<typeof epi.inputs>;

export const REPLICATED: Readonly<Record<string, Input>> = {
  SIR: { preset: 'sir', N: 150, I0: 2, gamma: 0.25, days: 60, ensemble: 60 },
  'SEIR that ends in the middle': {
    model: 'seir',
    N: 120,
    I0: 3,
    gamma: 0.4,
    sigma: 0.5,
    R0: 1.6,
    days: 25,
    ensemble: 60,
  },
  'groups with births, waning and a window': {
    groups: [40, 80],
    contacts: [
      [3, 1],
      [0.5, 1.5],
    ],
    ...{ R0: 1.8, gamma: 0.3, I0: 3, mu: 0.005, waning: 0.02, days: 40, ensemble: 60 },
    windows: [{ from: 10, to: 20, factor: 0.6, vaccination: 0.01 }],
  },
};

const SHOWN = ['infected', 'peak_infectious', 'peak_day', 'duration'].map((name) => `ensemble_${name}`);

/** Root mean square of (value − mean of all) over the stated standard error, by the name of the quantity. */
export async function replicaScatter(input: Input, replicas: number): Promise<Readonly<Record<string, number>>> {
  const runner = new LocalRunner();
  const found: Record<string, { readonly value: number; readonly error: number }[]> = {};
  for (let seed = 1; seed <= replicas; seed++) {
    const { quantities } = await runSolver(epi, { ...input, seed, samples: 3 }, runner);
    for (const { name, value, uncertainty = Number.NaN } of quantities)
      if (SHOWN.includes(name) || name === 'small_outbreaks' || name === 'ended_runs') {
        found[name] ??= [];
        found[name]?.push({ value, error: uncertainty / 2 });
      }
  }
  return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, scatterOf(all)]));
}

function scatterOf(all: readonly { readonly value: number; readonly error: number }[]): number {
  const centre = all.reduce((sum, { value }) => sum + value, 0) / all.length;
  // The centre is the replicas' own.
  return Math.sqrt(all.reduce((sum, { value, error }) => sum + ((value - centre) / error) ** 2, 0) / (all.length - 1));
}

/** A share that is 0 or 1 in most runs has a wider interval than its scatter. */
export function expectScatter(scatter: Readonly<Record<string, number>>, min: number, max: number): void {
  expect(Object.keys(scatter).length).toBe(6);
  const outside = Object.entries(scatter).filter(
    ([name, ratio]) => !(ratio <= max && ratio >= (SHOWN.includes(name) ? min : 0)),
  );
  expect(outside).toEqual([]);
}
