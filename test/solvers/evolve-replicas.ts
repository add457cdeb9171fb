// The replica test of ±: runs that differ by their seed scatter as much as each of them states.

import { expect } from 'vitest';
import type { z } from 'zod';
import type { KernelOutput } from '../../src/kernels/abi.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { rowsOf } from '../../src/kernels/rows.ts';
import { averagesOf } from '../../src/solvers/evolve/averages.ts';
import type { EvolveFace } from '../../src/solvers/evolve/face.ts';
import { problemOf } from '../../src/solvers/evolve/problem.ts';
import { evolve } from '../../src/solvers/evolve/solver.ts';

type Input = z.input<typeof evolve.inputs>;

/** One state for every thermostat and kind of atoms. */
export const REPLICATED: Readonly<Record<string, Input>> = {
  'constant energy': { N: 32, rho: 0.6, T0: 1.5, rc: 1.6, steps: 12_000, dtSim: 0.004, cutoff: 'force-shifted' },
  'constant energy, truncated': { N: 48, rho: 0.6, T0: 1.5, steps: 8000, dtSim: 0.004 },
  bussi: { N: 32, rho: 0.6, T0: 1.5, rc: 1.6, steps: 12_000, dtSim: 0.004, thermostat: 'bussi', tau: 0.2 },
  'bussi, of chains': {
    ...{ preset: 'polymer', N: 256, rc: 2 ** (1 / 6), cutoff: 'shifted', steps: 6000, dtSim: 0.004 },
    ...{ thermostat: 'bussi', tau: 0.1 },
  },
};

/** Nine correlation times of the energy: blocks of a sixteenth were twice too sure of it. */
export const SHORT: Input = { N: 108, rho: 0.6, T0: 1.5, steps: 6000, thermostat: 'bussi' };

/** The second half is four and a half relaxation times of the thermostat, or some three of the energy. */
export const SLOW_THERMOSTAT: Input = { ...SHORT, tau: 2 };

/** Root mean square of (mean - mean of all) / standard error, by the name of the average. */
export async function replicaScatter(input: Input, replicas: number): Promise<Readonly<Record<string, number>>> {
  const runner = new LocalRunner();
  const kernel = await loadKernel('evolve');
  const found: Record<string, { mean: number; error: number }[]> = {};
  for (let seed = 1; seed <= replicas; seed++) {
    const parsed = evolve.inputs.parse({ ...input, seed });
    const [run] = evolve.plan(parsed).runs;
    if (!run) throw new Error('The plan has no run.');
    const { views, columns } = (await runner.run(kernel, run)) as KernelOutput<EvolveFace>;
    const none = new Float64Array();
    const records = rowsOf(views.records ?? none, columns.record);
    const { energy, shown } = averagesOf(records, views.trajectory ?? none, problemOf(parsed), parsed);
    // At constant energy the mean energy is not shown.
    for (const one of parsed.thermostat === 'none' ? shown : [energy(), ...shown]) {
      found[one.name] ??= [];
      found[one.name]?.push(one);
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, scatterOf(all)]));
}

/** Root mean square of (mean temperature - T0) / standard error: T0 is the truth, not the mean of the replicas. */
export async function temperatureScatter(input: Input, replicas: number): Promise<number> {
  let squares = 0;
  for (let seed = 1; seed <= replicas; seed++) {
    const { invariants } = await evolve.solve({ ...input, seed });
    const found = invariants.find(({ name }) => name === 'equipartition');
    if (found === undefined) throw new Error('The run has no thermostat.');
    const error = found.bound / 4;
    squares += (found.drift / error) ** 2;
  }
  return Math.sqrt(squares / replicas);
}

function scatterOf(all: readonly { readonly mean: number; readonly error: number }[]): number {
  const centre = all.reduce((sum, { mean }) => sum + mean, 0) / all.length;
  // The centre is the replicas' own.
  return Math.sqrt(all.reduce((sum, { mean, error }) => sum + ((mean - centre) / error) ** 2, 0) / (all.length - 1));
}

export function expectScatter(scatter: Readonly<Record<string, number>>, min: number, max: number): void {
  expect(Object.keys(scatter).length).toBeGreaterThanOrEqual(4);
  const outside = Object.entries(scatter).filter(([, ratio]) => !(ratio >= min && ratio <= max));
  expect(outside, JSON.stringify(scatter)).toEqual([]);
}
