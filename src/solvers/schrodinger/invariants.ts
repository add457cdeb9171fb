// What has to hold for any set of states, whatever the potential.

import type { Invariant } from '../solver.ts';
import type { Level } from './grids.ts';
import { KIND } from './potential.ts';
import type { Problem, SchrodingerInput } from './problem.ts';
import { discreteWellLevel } from './reference.ts';
import type { Drawn, Report } from './report.ts';

/** Pairs closer than this part of their kinetic energy may share their nodes (numerics/inverse-iteration). */
const CLUSTER = 1e-5;

/** What the virial theorem may miss by on any grid, in parts of 2<T>. */
const VIRIAL_BOUND = 1e-3;

interface Seen {
  readonly states: readonly Report[];
  readonly drawn: Drawn;
  readonly levels: readonly Level[];
  readonly isMirrored: boolean;
}

export function invariantsOf(input: SchrodingerInput, problem: Problem, seen: Seen): Invariant[] {
  const { states, drawn, levels, isMirrored } = seen;
  const overlaps = overlapsOf(problem, drawn, states.length);
  const worst = (drifts: readonly number[]) => drifts.reduce((most, drift) => Math.max(most, Math.abs(drift)), 0);
  // Where parity does not part them, two vectors of an unresolved pair are any two of their plane.
  const apart = states.filter(({ n, energy, kinetic }) => {
    const near = [states[n - 1], states[n + 1]].some((one) => one && Math.abs(one.energy - energy) < CLUSTER * kinetic);
    return isMirrored || !near;
  });
  const found: Invariant[] = [
    { name: 'norm', value: 1, drift: overlaps.norm, bound: 1e-11 },
    { name: 'orthogonality', value: 0, drift: overlaps.cross, bound: 1e-8 },
    {
      name: 'state n has n nodes',
      value: apart.length,
      drift: worst(apart.map(({ n, nodes }) => nodes - n)),
      bound: 0,
    },
    {
      // It is as true as the grid is fine: the differences obey it to their own order.
      name: 'virial theorem of the ground state',
      value: states[0]?.kinetic ?? 0,
      drift: states[0]?.virial ?? Number.NaN,
      bound: VIRIAL_BOUND + (10 * (states[0]?.uncertainty ?? 0)) / (states[0]?.kinetic ?? 1),
    },
  ];
  if (problem.kind === KIND.box) {
    const [coarse, main] = levels;
    const drift = worst(
      [coarse, main].flatMap((level) =>
        Array.from(level?.energies ?? [], (energy, n) => {
          const nodes = Math.round(1 / (level?.step ?? 1)) - 1;
          return energy / discreteWellLevel(problem.kinetic, input.L, nodes, n) - 1;
        }),
      ),
    );
    found.push({ name: 'exact difference equations', value: main?.energies[0] ?? 0, drift, bound: 1e-10 });
  }
  return found;
}

/** Largest defect of <i|i> = 1 and of <i|j> = 0 over the cells of the N grid. */
function overlapsOf({ xmin, xmax }: Problem, { x, psi }: Drawn, k: number): { norm: number; cross: number } {
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
