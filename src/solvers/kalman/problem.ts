// The problem of a request: model, rows, start, and what is tuned.

import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';
import type { KalmanInput } from './inputs.ts';
import { diagonal, diagonalOf, type Matrix } from './matrix.ts';
import { type Model, modelOf } from './model.ts';
import { type Rows, rowsOf } from './rows.ts';

export interface Problem {
  readonly model: Model;
  readonly rows: Rows;
  readonly P0: Matrix;
  /** Whether P0 was chosen from the size of the measurements. */
  readonly isDiffuse: boolean;
  /** Index of the state that the value is of. */
  readonly state: number;
  readonly runs: number;
  readonly tune: 'none' | 'q' | 'r' | 'both' | 'each';
  /** Number of tuned factors. */
  readonly tuned: number;
}

/** Rows, at least, for each factor that is tuned. */
const MIN_ROWS = 5;

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: KalmanInput): Problem {
  const model = modelOf(input);
  const n = model.states.length;
  if (input.state > n) {
    const message = `state is ${input.state}; the model has ${n} ${n === 1 ? 'state' : 'states'}.`;
    throw validationError('state', message, 'OUT_OF_RANGE', { max: n });
  }
  const rows = rowsOf(input, model);
  const isDiffuse = !rows.isSimulated && !model.hasStart && input.measurements !== undefined;
  const runs = rows.isSimulated ? input.runs : 0;
  const { simulatedRows: max } = LIMITS.kalman;
  if (runs * rows.times.length > max) {
    const message = `runs times rows is ${runs * rows.times.length}; at most ${max} are allowed.`;
    throw validationError('runs', message, 'TOO_MANY_RUNS', { max });
  }
  const tune = input.tune ?? (rows.isSimulated || model.isOwn ? 'none' : (model.preset.tune ?? 'none'));
  const tuned = { none: 0, q: 1, r: 1, both: 2, each: 1 + model.channels.length }[tune];
  const values = rows.times.length * model.channels.length - rows.missing;
  if (values < MIN_ROWS * tuned) {
    const message = `tune ${tune} needs ${MIN_ROWS * tuned} measured values or more; there are ${values}.`;
    throw validationError('tune', message, 'TOO_FEW', { min: MIN_ROWS * tuned });
  }
  return {
    model,
    rows,
    P0: isDiffuse ? diffuse(model, rows) : model.P0,
    isDiffuse,
    state: input.state - 1,
    runs,
    tune,
    tuned,
  };
}

/** Variance of an unknown start over the mean square of what is measured. */
const DIFFUSE = 1e4;

/** So wide that the first measurements decide. */
function diffuse({ R, states }: Model, { measured }: Rows): Matrix {
  let square = 0;
  for (const one of measured) square += one * one;
  const size = square / Math.max(1, measured.length) + Math.max(...diagonalOf(R)) + 1;
  return diagonal(new Array<number>(states.length).fill(DIFFUSE * size));
}
