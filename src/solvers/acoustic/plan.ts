// The kernel runs of a problem, and their estimated cost.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { axisCells, dampedRun } from './damped.ts';
import { enclosureNs } from './enclosure.ts';
import { ACOUSTIC_FACE, type AcousticFace } from './face.ts';
import type { AcousticInput } from './inputs.ts';
import type { Mesh } from './mesh.ts';
import { type Problem, problemOf } from './problem.ts';

/** As the kernel's: nodes of the ordering in a step, modes beyond those asked for, spare vectors, restarts. */
const BATCH = 32;
const GUARDS = 6;
const SPARE = 16;
const MAX_RESTARTS = 40;

export function planOf(input: AcousticInput): Plan<AcousticFace> {
  const problem = problemOf(input);
  if (problem.walls !== undefined) return dampedPlan(problem);
  const sizes = problem.meshes.map((mesh) => ({ cells: mesh.volumes.length, fill: fillOf(problem, mesh) }));
  const basis = 2 * (problem.modes + 1 + GUARDS) + SPARE;
  return {
    runs: problem.meshes.map((mesh, i) => runOf(problem, mesh, i === 0)),
    estimateNs: sizes.reduce((sum, { cells, fill }) => sum + 100_000 + cells * basis * basis * 10 + fill * 250, 0),
    collectNs: witnessNs(problem, input) + 1500 * problem.modes * (sizes[0]?.cells ?? 0),
    estimateBytes:
      INSTANCE_BYTES + Math.max(...sizes.map(({ cells, fill }) => 8 * (cells * (5 * basis + 40) + 3.2 * fill))),
  };
}

function witnessNs({ outline, isClosed }: Problem, { shape, mode }: AcousticInput): number {
  if (outline !== undefined) return enclosureNs(mode + Number(isClosed));
  return shape === 'disc' ? 60_000_000 : 5_000_000;
}

function dampedPlan(problem: Problem): Plan<AcousticFace> {
  const [mesh] = problem.meshes as [Mesh];
  const run = dampedRun(problem, mesh);
  const [cells, modes] = [axisCells(mesh), run.parameters.modes ?? 0];
  return {
    runs: [run],
    estimateNs: 100_000 + modes * (80_000 + cells * 3000),
    collectNs: 5_000_000 + modes * (4_000_000 + 500 * mesh.volumes.length),
    estimateBytes: INSTANCE_BYTES + 8 * cells * (54 + 2 * modes) + 8 * modes * 20,
  };
}

/** Room for the factor: in two dimensions n log n, in three n^(4/3), with a margin over what is measured. */
function fillOf({ dimensions }: Problem, { volumes }: Mesh): number {
  const n = volumes.length;
  if (dimensions === 1) return 4 * n;
  const levels = 32 - Math.clz32(n);
  return dimensions === 2 ? 8 * n * levels : Math.min(n * n, 220 * n + 2000);
}

function runOf(problem: Problem, mesh: Mesh, isMain: boolean): KernelRun<AcousticFace> {
  const cells = mesh.volumes.length;
  const longest = Math.max(...mesh.counts.map((count, d) => count * (mesh.spacings[d] ?? 1)));
  const modes = problem.modes + Number(problem.isClosed);
  const basis = 2 * (modes + GUARDS) + SPARE;
  return {
    parameters: {
      cells,
      links: mesh.conductances.length,
      fill: fillOf(problem, mesh),
      modes,
      shift: 4 / (longest * longest),
      tolerance: 1e-9,
    },
    inputs: { volumes: mesh.volumes, walls: mesh.walls, pairs: mesh.pairs, conductances: mesh.conductances },
    // A bound: batches, vectors of every restart, a check after each.
    steps: 4 + Math.ceil(cells / BATCH) + MAX_RESTARTS * (basis + 7) + modes,
    outputs: isMain ? ['eigenvalues', 'residuals', 'shapes'] : ['eigenvalues', 'residuals'],
    statistics: ACOUSTIC_FACE.statistics,
  };
}
