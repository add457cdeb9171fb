// The replica test of ±: runs that differ by their seed scatter as much as each of them states.

import { expect } from 'vitest';
import type { z } from 'zod';
import type { inputs } from '../../src/solvers/gauge/inputs.ts';
import { gauge } from '../../src/solvers/gauge/solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const FEW = { thermalisation: 100, sweeps: 600, loops: 2 } as const;

/** Every group and update, and lattices that differ in shape. */
export const REPLICATED: Readonly<Record<string, Input>> = {
  'SU(2) in a plane': { ...FEW, dim: 2, L: 6, beta: 4 },
  'SU(2) by Metropolis': { ...FEW, dim: 2, L: 5, Lt: 4, beta: 4, algorithm: 'metropolis' },
  'SU(2) with over-relaxation': { ...FEW, dim: 3, L: 3, Lt: 4, beta: 3, overrelaxation: 2 },
  'U(1) in a plane': { ...FEW, group: 'u1', dim: 2, L: 4, beta: 1.5 },
  'U(1) by Metropolis': { ...FEW, group: 'u1', dim: 3, L: 3, beta: 1.2, algorithm: 'metropolis' },
  'Z2 in space': { ...FEW, group: 'z2', dim: 3, L: 4, beta: 0.5 },
  'Z2 by Metropolis': { ...FEW, group: 'z2', dim: 2, L: 6, beta: 0.6, algorithm: 'metropolis' },
};

/** Root mean square of (mean - mean of all) / standard error, by the name of the number. */
export async function replicaScatter(input: Input, replicas: number): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, { value: number; error: number }[]> = {};
  for (let seed = 1; seed <= replicas; seed++) {
    const solution = await runSolver(gauge, { ...input, seed });
    const { value, budget, quantities } = solution;
    const error = budget.find(({ source }) => source === 'statistics')?.value ?? Number.NaN;
    const named = quantities.filter(({ name }) => /^(polyakov|plaquette_time|creutz_1_1|creutz_2_2)$/.test(name));
    const errors = numbersOf(solution, 'wilson_uncertainty');
    const loops = [...numbersOf(solution, 'wilson')].map((one, i) => ({
      name: `wilson[${i}]`,
      value: one,
      error: (errors[i] ?? Number.NaN) / 2,
    }));
    const all = [
      { name: 'plaquette', value, error },
      ...named.map((one) => ({ ...one, error: (one.uncertainty ?? 0) / 2 })),
      ...loops,
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
