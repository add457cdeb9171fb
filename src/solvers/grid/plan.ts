// The kernel run of a problem, and its estimated cost.

import { LIMITS } from '../../core/limits.ts';
import { INSTANCE_BYTES } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { GRID_FACE, type GridFace } from './face.ts';
import type { GridInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

const MAX_ITERATIONS = 100;
/** Room for the factor by bus: networks need three or four, dense ones are cut at the whole triangle. */
const FILL_PER_BUS = 100;
const STARTS = ['dc', 'flat', 'given'] as const satisfies readonly GridInput['start'][];

export function planOf(input: GridInput): Plan<GridFace> {
  const problem = problemOf(input);
  const { nodes, lines, chosen, isDirect } = problem;
  const [n, m] = [nodes.length, lines.length];
  const fill = Math.max(1, Math.min((n * (n - 1)) / 2, FILL_PER_BUS * n));
  const isAlternating = input.method === 'ac';
  const hasOutages = input.contingencies && isDirect;
  const hasFactors = input.factors && isDirect;
  const outages = hasOutages || hasFactors ? m * (40 * n + 12 * m) : 0;
  const matrices = hasFactors ? m * (m + n) : 0;
  const newton = isAlternating ? 2_000 * (n + m) * 8 : 0;
  return {
    runs: [
      {
        parameters: {
          buses: n,
          branches: m,
          fill,
          isDirect: Number(isDirect),
          isAlternating: Number(isAlternating),
          hasOutages: Number(hasOutages),
          hasFactors: Number(hasFactors),
          chosen,
          start: input.start === 'dc' && !isDirect ? 1 : STARTS.indexOf(input.start),
          hasLimits: Number(input.q_limits),
          maxIterations: MAX_ITERATIONS,
        },
        inputs: { buses: busesOf(problem), branches: branchesOf(problem) },
        // A bound: batches of buses and outages, iterations, and rounds of limits.
        steps: Math.ceil(n / 128) + Math.ceil(m / 16) + 2 * MAX_ITERATIONS + 100,
        outputs: [
          'angles',
          'flows',
          'sensitivities',
          'outages',
          'distribution',
          'transfer',
          'voltages',
          'magnitudes',
          'phases',
          'ends',
          'powers',
          'gradients',
          'limits',
          'mismatches',
          'profiles',
        ],
        statistics: GRID_FACE.statistics,
      },
    ],
    estimateNs: 50_000 + 3_000 * (n + m) + outages + newton,
    collectNs:
      100_000 +
      10_000 * (n + m) +
      600 * Math.min(n, LIMITS.grid.drawn) * Math.min(n, LIMITS.grid.drawn) +
      witnessWork(problem, isAlternating),
    estimateBytes:
      INSTANCE_BYTES +
      300 * n +
      250 * m +
      16 * fill +
      (isAlternating ? 64 * fill + 8 * (MAX_ITERATIONS + 40) * n : 0) +
      8 * matrices,
  };
}

/** A guess of the operations of the second solution: a band of the root of the buses, wider where branches are many. */
function witnessWork({ nodes, lines }: Problem, isAlternating: boolean): number {
  const n = nodes.length;
  const density = Math.max(1, lines.length / n);
  const band = Math.min(n, Math.sqrt(n) * density * density);
  return Math.min(LIMITS.grid.witness, 2 * n * band * band * (isAlternating ? 80 : 1));
}

/** Columns of network.ts of the kernel. */
function busesOf({ nodes }: Problem): Float64Array {
  return Float64Array.from(
    nodes.flatMap(({ kind, p, q, conductance, susceptance, voltage, startVoltage, angle, qLow, qHigh }) => [
      kind,
      p,
      q,
      conductance,
      susceptance,
      voltage,
      startVoltage,
      angle,
      qLow,
      qHigh,
    ]),
  );
}

function branchesOf({ lines, bridges }: Problem): Float64Array {
  const parting = new Set(bridges.map(({ branch }) => branch));
  return Float64Array.from(
    lines.flatMap((line, l) => {
      const { from, to, resistance, reactance, charging, tap, shift, cosine, sine, rating, isOn } = line;
      const state = isOn ? (parting.has(l) ? 2 : 1) : 0;
      return [from, to, resistance, reactance, charging, tap, shift, cosine, sine, rating, state];
    }),
  );
}
