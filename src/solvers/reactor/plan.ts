// The kernel runs of a problem and their estimated cost: by collocation, and again by RODAS.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { REACTOR_FACE, type ReactorFace } from './face.ts';
import type { ReactorInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

/** Columns of a sample and of a piece of the program. */
const COLUMNS = { sample: 11, piece: 5 } as const;
const MAX_STEPS = 1_000_000;
/** The second method at a tolerance of its own, since it has order 4. */
const SECOND_TOLERANCE = 1e-10;

export function planOf(input: ReactorInput): Plan<ReactorFace> {
  const problem = problemOf(input);
  const { points, pieces, tEnd } = problem;
  const waves = pieces.reduce((sum, { omega }) => sum + (omega * tEnd) / (2 * Math.PI), 0);
  const tries = 300 + 4 * pieces.length + 12 * waves;
  const second = 8_000 + 40 * pieces.length + 400 * waves;
  return {
    runs: [runOf(problem, 0, input.rtol, input.trip), runOf(problem, 1, SECOND_TOLERANCE, input.trip)],
    // Measured by bench/reactor.ts: a try with its halves, a try of RODAS, a sample of either.
    estimateNs: 200_000 + 30_000 * tries + 6_000 * second + 18_000 * points,
    estimateBytes: INSTANCE_BYTES + 8 * (COLUMNS.sample * points + COLUMNS.piece * pieces.length),
  };
}

function runOf(problem: Problem, isSecond: 0 | 1, rtol: number, trip: number): KernelRun<ReactorFace> {
  const { groups, beta, Lambda, pieces, coefficient, heating, cooling, steady, n0, source, tEnd, points } = problem;
  return {
    parameters: {
      isSecond,
      samples: points + 1,
      segments: pieces.length,
      maxSteps: MAX_STEPS,
      lifetime: Lambda,
      n0,
      source,
      tEnd,
      rtol,
      firstStep: Math.min(tEnd, (0.01 * Lambda) / beta),
      coefficient,
      heating,
      cooling,
      steady,
      trip,
    },
    inputs: {
      groups: Float64Array.from([...groups.beta, ...groups.lambda]),
      program: Float64Array.from(
        pieces.flatMap(({ from, value, slope, amplitude, omega }) => [from, value, slope, amplitude, omega]),
      ),
    },
    steps: MAX_STEPS,
    outputs: ['samples'],
    statistics: REACTOR_FACE.statistics,
  };
}
