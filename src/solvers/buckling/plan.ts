// The kernel run of a problem, and its estimated cost.

import { INSTANCE_BYTES } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { BUCKLING_FACE, type BucklingFace } from './face.ts';
import type { BucklingInput } from './inputs.ts';
import { RECORD } from './mesh.ts';
import { problemOf } from './problem.ts';

/** As the kernel's: elements or rows of one step, spare vectors of the basis, restarts. */
const BATCH = 64;
const SPARE = 9;
const MAX_RESTARTS = 60;
/** Matrices of an element. */
const MATRICES = 72;

export function planOf(input: BucklingInput): Plan<BucklingFace> {
  const { mesh } = problemOf(input);
  const { records, freedoms, springFreedoms, springs, starts, unknowns } = mesh;
  const elements = records.length / RECORD;
  const profile = starts.at(-1) ?? 0;
  const { modes, tolerance } = input;
  const basis = Math.min(unknowns, 2 * Math.min(modes, unknowns) + SPARE);
  const rounds = 1 + MAX_RESTARTS;
  let products = 0;
  for (let k = 0; k < unknowns; k++) {
    const width = (starts[k + 1] ?? 0) - (starts[k] ?? 0);
    products += width * width;
  }
  return {
    runs: [
      {
        parameters: { elements, unknowns, springs: springs.length, profile, modes, tolerance },
        inputs: {
          elements: records,
          freedoms,
          starts,
          ...(springs.length > 0 ? { springFreedoms, springs } : {}),
        },
        // A bound: batches, vectors of every restart, a check after each.
        steps: 2 + Math.ceil(elements / BATCH) + rounds * (Math.ceil(unknowns / BATCH) + basis + 4) + modes,
        outputs: ['loads', 'bounds', 'shapes'],
        statistics: BUCKLING_FACE.statistics,
      },
    ],
    estimateNs:
      60_000 + 3_000 * elements + 2 * products + 2 * basis * (4 * profile + 4 * unknowns * basis + 60 * elements),
    collectNs: 500_000 + 2_000_000 * modes,
    estimateBytes:
      INSTANCE_BYTES +
      8 * (elements * (RECORD + MATRICES + 3) + 2 * profile + unknowns * (4 * basis + modes + 3) + 2 * basis * basis),
  };
}
