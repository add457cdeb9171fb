// The replica test of ±: runs that differ by their seed scatter as much as each of them states.

import { expect } from 'vitest';
import type { z } from 'zod';
import type { inputs } from '../../src/solvers/quant/inputs.ts';
import { quant } from '../../src/solvers/quant/solver.ts';
import { runSolver } from '../suites/run-solver.ts';

type Input = z.input<typeof inputs>;

const FEW = { paths: 8000 } as const;

/** Every sampler, every reduction of the error and every kind of payoff. */
export const REPLICATED: Readonly<Record<string, Input>> = {
  'plain paths': { ...FEW, variance: 'none' },
  'antithetic, likelihood': { ...FEW, variance: 'antithetic', greeks: 'likelihood' },
  control: { ...FEW, variance: 'control' },
  'antithetic and control': FEW,
  'importance, far': { ...FEW, K: 150, variance: 'importance' },
  'sobol, plain': { ...FEW, sampler: 'sobol', variance: 'none' },
  'sobol, controlled': { ...FEW, sampler: 'sobol' },
  digital: { ...FEW, style: 'digital' },
  'digital by sobol': { ...FEW, style: 'digital', sampler: 'sobol' },
  asian: { ...FEW, style: 'asian', dates: 6 },
  'asian by sobol': { ...FEW, style: 'asian', dates: 6, sampler: 'sobol', variance: 'none' },
  'barrier watched always': { ...FEW, style: 'barrier', H: 90 },
  'paths of Heston': { ...FEW, model: 'heston-paths', time_steps: 12 },
  'paths of Heston by sobol, plain': {
    ...FEW,
    model: 'heston-paths',
    time_steps: 12,
    sampler: 'sobol',
    variance: 'none',
  },
  'barrier on dates by sobol': { ...FEW, style: 'barrier', H: 90, dates: 4, sampler: 'sobol' },
};

/** Root mean square of (mean - mean of all) / standard error, by the name of the number. */
export async function replicaScatter(input: Input, replicas: number): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, { value: number; error: number }[]> = {};
  for (let seed = 1; seed <= replicas; seed++) {
    const { value, budget, quantities } = await runSolver(quant, { ...input, seed });
    const error = budget.find(({ source }) => source === 'statistics')?.value ?? Number.NaN;
    const greeks = quantities.filter(({ name }) => ['delta', 'gamma', 'vega', 'rho'].includes(name));
    const all = [
      { name: 'price', value, error },
      ...greeks.map((one) => ({ ...one, error: (one.uncertainty ?? 0) / 2 })),
    ];
    for (const one of all) {
      found[one.name] ??= [];
      found[one.name]?.push(one);
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, scatterOf(all)]));
}

function scatterOf(all: readonly { readonly value: number; readonly error: number }[]): number {
  const centre = all.reduce((sum, { value }) => sum + value, 0) / all.length;
  // The centre is the replicas' own.
  return Math.sqrt(all.reduce((sum, { value, error }) => sum + ((value - centre) / error) ** 2, 0) / (all.length - 1));
}

export function expectScatter(scatter: Readonly<Record<string, number>>, min: number, max: number): void {
  const outside = Object.entries(scatter).filter(([, ratio]) => !(ratio >= min && ratio <= max));
  expect(outside, JSON.stringify(scatter)).toEqual([]);
}
