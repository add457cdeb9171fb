// The kernel run of a problem, and its estimated cost.

import { INSTANCE_BYTES } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { METHODS, type Method, OPT_FACE, type OptFace } from './face.ts';
import type { OptInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

/** Operations of all programs: what the starts of a request may cost at most, and half as many again the second method. */
const MAX_WORK = 1e9;
const OPERATION_NS = 9;
/** Of random starts, unless another is given. */
const SPREAD = 2;
/** Points along an edge of the map of two variables. */
export const MAP_POINTS = 81;
const TRACE_NUMBERS = 5_000;
/** As the kernel: where there are more slopes of elements, they are computed anew. */
const MAX_KEPT = 1e6;

export function planOf(input: OptInput): Plan<OptFace> {
  const problem = problemOf(input);
  const { programs, x0, lower, upper, model, method, witness } = problem;
  const n = x0.length;
  const contour = n === 2 ? MAP_POINTS : 0;
  const steps = 2 * (input.restarts + 3) * (input.max_iter + 20_000);
  return {
    runs: [
      {
        parameters: {
          n,
          rows: model.rows.length,
          elements: programs.elements.length / 4,
          programs: programs.programs.length / 3,
          tableRows: programs.table.length / 3,
          codeWords: programs.code.length,
          poolValues: programs.pool.length,
          indices: programs.indices.length,
          constants: programs.constants.length,
          locals: programs.locals,
          slots: programs.slots,
          method: METHODS.indexOf(method),
          witness: METHODS.indexOf(witness),
          isCentral: Number(input.gradient === 'central'),
          isSquares: Number(problem.isSquares),
          isBounded: Number(problem.isBounded),
          tolG: input.tol_g,
          tolF: input.tol_f,
          maxIterations: input.max_iter,
          memory: input.memory,
          restarts: input.restarts,
          seed: input.seed,
          spread: input.spread ?? SPREAD,
          fixedStep: input.step ?? 0,
          maxWork: MAX_WORK,
          steps,
          contour,
        },
        inputs: {
          programs: programs.programs,
          table: programs.table,
          code: programs.code,
          ...(programs.pool.length > 0 ? { pool: programs.pool } : {}),
          elements: programs.elements,
          ...(programs.indices.length > 0 ? { indices: programs.indices } : {}),
          ...(programs.constants.length > 0 ? { constants: programs.constants } : {}),
          kinds: programs.kinds,
          x0: Float64Array.from(x0),
          lower: Float64Array.from(lower),
          upper: Float64Array.from(upper),
        },
        steps,
        outputs: [
          'point',
          'slopes',
          'residuals',
          'trace',
          'starts',
          'inverse',
          ...(hasTriangle(problem) ? (['triangle'] as const) : []),
          ...(contour > 0 ? (['map'] as const) : []),
        ],
        statistics: OPT_FACE.statistics,
      },
    ],
    estimateNs: costOf(problem, input),
    estimateBytes: bytesOf(problem, input),
  };
}

/** As the kernel: of sums of squares that are not too large. */
const hasTriangle = ({ isSquares, x0 }: Problem): boolean => isSquares && x0.length <= 200;

/** Iterations that a start usually takes. */
const USUAL: Readonly<Record<Method, number>> = {
  gd: 10_000,
  cg: 400,
  bfgs: 150,
  lbfgs: 300,
  'nelder-mead': 1_000,
  newton: 50,
  lm: 60,
};

function costOf({ programs, x0, method, model }: Problem, { restarts, max_iter }: OptInput): number {
  const n = x0.length;
  const { value, slopes, curvature } = programs.cost;
  const perElement = 10 * (programs.elements.length / 4);
  const gradient = value + slopes + perElement;
  const iterations = Math.min(max_iter, USUAL[method] * (1 + n / 20));
  // Newton's factor stays inside the profile of the second slopes.
  const dense = n * n * (method === 'newton' ? 4 : 1) + (method === 'lm' ? 0.1 * model.rows.length * n * n : 0);
  const perIteration = OPERATION_NS * (2 * gradient + (method === 'newton' ? curvature : 0)) + 2 * dense;
  const certificate = OPERATION_NS * (curvature + 40 * gradient) + 40 * n * n;
  const map = n === 2 ? MAP_POINTS * MAP_POINTS * OPERATION_NS * (value + perElement) : 0;
  const work = Math.min(MAX_WORK * OPERATION_NS, restarts * iterations * perIteration);
  return 400_000 + work + 4 * certificate + map + 1000 * Math.min(2e6, value);
}

function bytesOf({ programs, x0, model, isSquares }: Problem, { restarts, memory }: OptInput): number {
  const n = x0.length;
  const words = programs.code.length + programs.table.length + programs.elements.length + programs.indices.length;
  const numbers =
    programs.pool.length + programs.constants.length + 2 * model.rows.length + restarts * (n + 4) + 2 * n * memory;
  const dense = (isSquares && n <= 200 ? 6 : 4) * n * n + programs.locals * programs.locals;
  const kept = Math.min(MAX_KEPT, programs.locals * (programs.elements.length / 4));
  return (
    INSTANCE_BYTES +
    4 * words +
    8 * (numbers + dense + kept + 2 * TRACE_NUMBERS + (n === 2 ? MAP_POINTS * MAP_POINTS : 0) + 20 * n)
  );
}
