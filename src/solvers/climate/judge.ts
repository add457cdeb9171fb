// The ± of a depth: from a witness on cells about the place, an exact solution or a run of another order, and from grids of
// half and of a quarter of the cells.

import { exp, log } from '../../core/elementary.ts';
import { bound, type Uncertain, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { at } from '../parts/arrays.ts';
import type { ClimateFace } from './face.ts';
import type { Level } from './grid.ts';
import type { Problem } from './problem.ts';

/** Cells beside a place in which the largest distance to the witness counts: a bore may stand a cell or two away. */
const NEAR = 3;
/** Cells of the half grid beside a place in which its change counts. */
const NEAR_HALF = 1;
const SAFETY = 2.5;
/** Times the distance to a number that is known exactly. */
const EXACT = 2;
/** Observed orders below this show no convergence; bores and dry fronts show about 0.6 to 0.8. */
const MIN_ORDER = 0.2;
/** Changes below this fraction of the largest depth show no order. */
const NEGLIGIBLE = 1e-9;
const ROUNDING = 1e-11;

type Output = KernelOutput<ClimateFace>;

export interface Judge {
  readonly order: number | undefined;
  /** Of the depth at a place. */
  depth(x: number, y: number, value: number): Uncertain & { readonly reference: number };
  /** Of any number of a run. @param known  its exact value */
  number(read: (output: Output) => number, known?: number): { readonly value: number; readonly error: number };
}

export function judgeOf(problem: Problem, outputs: readonly Output[], end: number): Judge {
  const { runs, scale, exact, x0 } = problem;
  const [own, half, quarter, other] = runs.map((run, i) => ({
    level: run.level,
    h: outputs[i]?.views.depth ?? new Float64Array(),
  }));
  if (!own || !half || !quarter) throw new Error('A plan has its runs.');
  const [near, far] = [meanChange(own, half), meanChange(half, quarter)];
  const isStill = Math.max(near, far) <= NEGLIGIBLE * scale;
  const order = isStill || near === 0 || far === 0 ? undefined : log(far / near) / Math.LN2;
  const isOrdered = isStill || (order !== undefined && order >= MIN_ORDER);
  const factor = SAFETY / (exp(Math.min(runs[0].order, Math.max(order ?? 1, MIN_ORDER)) * Math.LN2) - 1);
  const rounding = bound('rounding', ROUNDING * scale + runs[0].state.quantum, 'of every step, levels and the bed');
  const witness = (x: number, y: number): number => {
    if (exact !== undefined) return exact.depthAt(x - x0, end);
    if (other === undefined) throw new Error('A plan has a witness.');
    return valueIn(other, x, y);
  };
  return {
    order,
    depth(x, y, value) {
      const change = changeNear(half, x, y, NEAR_HALF, (a, b) => valueIn(own, a, b));
      const apart = changeNear(own, x, y, NEAR, witness);
      const reference = witness(x, y);
      // Without an order the coarser grid says as much.
      const coarse = isOrdered ? 0 : changeNear(quarter, x, y, NEAR_HALF, (a, b) => valueIn(half, a, b));
      const error = Math.max(factor * Math.max(change, coarse), SAFETY * apart, Math.abs(value - reference));
      return {
        reference,
        ...uncertain([
          rounding,
          bound('discretisation', error, 'the witness and grids of fewer cells about the place'),
        ]),
      };
    },
    number(read, known) {
      const [value = 0, onHalf = 0, onQuarter = 0, onOther = value] = outputs.map(read);
      const change = Math.max(Math.abs(value - onHalf), 0.5 * Math.abs(onHalf - onQuarter));
      const apart = known === undefined ? SAFETY * Math.abs(value - onOther) : EXACT * Math.abs(value - known);
      const error = Math.max(factor * change, apart);
      return { value, error: error + ROUNDING * Math.abs(value) };
    },
  };
}

interface Grid {
  readonly level: Level;
  readonly h: Float64Array;
}

/** Linear between centers. */
function valueIn({ level: { columns, rows, dx, dy }, h }: Grid, x: number, y: number): number {
  const [s, t] = [Math.min(Math.max(x / dx - 0.5, 0), columns - 1), Math.min(Math.max(y / dy - 0.5, 0), rows - 1)];
  const [i, j] = [Math.min(Math.floor(s), columns - 2), rows === 1 ? 0 : Math.min(Math.floor(t), rows - 2)];
  const along = (row: number) => (1 - s + i) * at(h, row * columns + i) + (s - i) * at(h, row * columns + i + 1);
  return rows === 1 ? along(0) : (1 - t + j) * along(j) + (t - j) * along(j + 1);
}

/** The largest distance of a grid from other depths, in its cells about a place. */
function changeNear({ level, h }: Grid, x: number, y: number, near: number, other: (x: number, y: number) => number) {
  const { columns, rows, dx, dy } = level;
  const [ci, cj] = [Math.floor(x / dx), rows === 1 ? 0 : Math.floor(y / dy)];
  let change = 0;
  for (let j = Math.max(0, cj - near); j <= Math.min(rows - 1, cj + near); j++)
    for (let i = Math.max(0, ci - near); i <= Math.min(columns - 1, ci + near); i++)
      change = Math.max(change, Math.abs(at(h, j * columns + i) - other((i + 0.5) * dx, (j + 0.5) * dy)));
  return change;
}

function meanChange(fine: Grid, coarse: Grid): number {
  const { columns, rows, dx, dy } = coarse.level;
  let sum = 0;
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++)
      sum += Math.abs(at(coarse.h, j * columns + i) - valueIn(fine, (i + 0.5) * dx, rows === 1 ? 0.5 : (j + 0.5) * dy));
  return sum / (columns * rows);
}
