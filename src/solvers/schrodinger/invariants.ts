// Invariants of any set of states, for every potential.

import type { Invariant } from '../definition.ts';
import { maxMagnitude } from '../parts/arrays.ts';
import type { GridResult } from './grids.ts';
import type { SchrodingerInput } from './inputs.ts';
import { KIND } from './potential.ts';
import type { Problem } from './problem.ts';
import { discreteWellLevel } from './reference.ts';
import type { MainGrid, StateReport } from './report.ts';

/** Pairs closer than this fraction of their kinetic energy may mix their nodes (numerics/eigen/inverse-iteration). */
const CLUSTER = 1e-5;

/** Bound of the virial defect on any grid, relative to 2<T>. */
const VIRIAL_BOUND = 1e-3;

interface Results {
  readonly states: readonly StateReport[];
  readonly mainGrid: MainGrid;
  readonly gridResults: readonly GridResult[];
  readonly isMirrored: boolean;
}

export function invariantsOf(input: SchrodingerInput, problem: Problem, results: Results): Invariant[] {
  const { states, mainGrid, gridResults, isMirrored } = results;
  const overlaps = overlapsOf(problem, mainGrid, states.length);
  // Without parity, the vectors of an unresolved pair are an arbitrary basis of their plane.
  const resolved = states.filter(({ n, energy, kinetic }) => {
    const isClose = [states[n - 1], states[n + 1]].some(
      (other) => other && Math.abs(other.energy - energy) < CLUSTER * kinetic,
    );
    return isMirrored || !isClose;
  });
  const invariants: Invariant[] = [
    { name: 'norm', value: 1, drift: overlaps.norm, bound: 1e-11 },
    { name: 'orthogonality', value: 0, drift: overlaps.cross, bound: 1e-8 },
    {
      name: 'node_counts',
      label: 'state n has n nodes',
      value: resolved.length,
      drift: maxMagnitude(resolved.map(({ n, nodes }) => nodes - n)),
      bound: 0,
    },
    {
      // The virial theorem holds to the order of the differences, so the bound depends on the grid.
      name: 'virial_theorem',
      label: 'virial theorem of the ground state',
      value: states[0]?.kinetic ?? 0,
      drift: states[0]?.virial ?? Number.NaN,
      bound: VIRIAL_BOUND + (10 * (states[0]?.uncertainty ?? 0)) / (states[0]?.kinetic ?? 1),
    },
  ];
  if (problem.kind === KIND.box) {
    const [coarse, main] = gridResults;
    const drift = maxMagnitude(
      [coarse, main].flatMap((level) =>
        Array.from(level?.energies ?? [], (energy, n) => {
          const nodes = Math.round(1 / (level?.step ?? 1)) - 1;
          return energy / discreteWellLevel(problem.kinetic, input.L, nodes, n) - 1;
        }),
      ),
    );
    const level = { value: main?.energies[0] ?? 0, drift, bound: 1e-10 };
    invariants.push({ name: 'difference_equations', label: 'exact levels of the difference equations', ...level });
  }
  return invariants;
}

/** Maximum defects of <i|i> = 1 and of <i|j> = 0 over the cells of the N grid. */
function overlapsOf({ xmin, xmax }: Problem, { x, psi }: MainGrid, k: number): { norm: number; cross: number } {
  const n = x.length;
  const cells = Float64Array.from(x, (_, i) => 0.5 * ((x[i + 1] ?? xmax) - (x[i - 1] ?? xmin)));
  let norm = 0;
  let cross = 0;
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let p = 0; p < n; p++) sum += (cells[p] ?? 0) * (psi[i * n + p] ?? 0) * (psi[j * n + p] ?? 0);
      if (i === j) norm = Math.max(norm, Math.abs(sum - 1));
      else cross = Math.max(cross, Math.abs(sum));
    }
  }
  return { norm, cross };
}
