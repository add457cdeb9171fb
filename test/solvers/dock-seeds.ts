// The success rate of a search: seeds that reach the tabulated minimum of a pair of bodies.

import { expect } from 'vitest';
import { dock } from '../../src/solvers/dock/solver.ts';
import { runSolver } from '../suites/run-solver.ts';

/** 1000 starts of L-BFGS by two other programs. */
const TABLE = [
  [{ ligand: 'atom' }, -3.103154265294],
  [{ ligand: 'dimer' }, -5.298786932506],
  [{}, -7.164061500421],
  [{ receptor: 'octahedron', ligand: 'dimer' }, -5.655837109483],
  [{ receptor: 'ico13', ligand: 'triangle' }, -8.679109286628],
] as const;

/** Each pair with one quarter of the default effort. @param share  of the seeds that have to reach it within 1e-4 */
export async function expectReached(seeds: number, share: number): Promise<void> {
  for (const [input, least] of TABLE) {
    let reached = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const { value } = await runSolver(dock, { ...input, exhaustiveness: 2, seed });
      if (Math.abs(value - least) <= 1e-4) reached++;
    }
    expect(reached / seeds, JSON.stringify(input)).toBeGreaterThanOrEqual(share);
  }
}
