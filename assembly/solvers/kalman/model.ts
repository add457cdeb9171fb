// The linear model of a run and its data: x_k = F x_{k−1} + b_k + w, z_k = H x_k + v, with F and Q of each row's step.
import { allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';

export const MAX_STATES: i32 = 8;
export const MAX_CHANNELS: i32 = 4;

export class Model {
  static n: i32 = 0;
  static m: i32 = 0;
  static rows: i32 = 0;
  /** Number of different steps. */
  static transitions: i32 = 0;
  static hasInputs: bool = false;
  /** f64[transitions, 2, n, n]: F and Q. */
  static steps: usize = 0;
  /** f64[rows]: which of them leads to the row; that of row 0 is not used. */
  static stepOf: usize = 0;
  /** f64[m n + m m]: H and R. */
  static observation: usize = 0;
  /** f64[n + n n]: x and P before the first measurement. */
  static initial: usize = 0;
  /** f64[rows]: bit i is set if channel i was measured. */
  static present: usize = 0;
  /** f64[rows, m] */
  static measured: usize = 0;
  /** f64[rows, n]: B u of the step to the row. */
  static inputs: usize = 0;
  /** Factor of Q, and f64[m m]: R with its factors. */
  static qFactor: f64 = 1;
  static R: usize = 0;
}

export function allocateModel(): bool {
  const n = Model.n;
  const m = Model.m;
  const rows = Model.rows;
  Model.steps = allocateF64(Model.transitions * 2 * n * n);
  Model.stepOf = allocateF64(rows);
  Model.observation = allocateF64(m * n + m * m);
  Model.initial = allocateF64(n + n * n);
  Model.present = allocateF64(rows);
  Model.measured = allocateF64(rows * m);
  Model.inputs = allocateF64(Model.hasInputs ? rows * n : 1);
  Model.R = allocateF64(m * m);
  return Model.R !== 0 && Model.inputs !== 0 && Model.measured !== 0 && Model.steps !== 0;
}

export function transitionTo(row: i32): usize {
  const n = Model.n;
  return Model.steps + ((<usize>(<i32>get(Model.stepOf, row) * 2 * n * n)) << 3);
}

/** Q of the step to a row, without its factor. */
export function noiseTo(row: i32): usize {
  return transitionTo(row) + ((<usize>(Model.n * Model.n)) << 3);
}

/** R with a factor for each channel: R_ij √(g_i g_j). */
export function scaleR(factors: usize): void {
  const m = Model.m;
  const given = Model.observation + ((<usize>(m * Model.n)) << 3);
  for (let i = 0; i < m; i++)
    for (let j = 0; j < m; j++)
      set(Model.R, i * m + j, get(given, i * m + j) * Math.sqrt(get(factors, i) * get(factors, j)));
}
