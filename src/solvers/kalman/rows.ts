// The rows of a run: their times, the step that leads to each, and what is measured and put in.

import { powerOfTwo } from '../../core/elementary.ts';
import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';
import { randomWord } from '../parts/random.ts';
import type { Step } from './discretise.ts';
import type { KalmanInput } from './inputs.ts';
import { readSeries } from './measurements.ts';
import type { Model } from './model.ts';

export interface Rows {
  readonly isSimulated: boolean;
  readonly times: Float64Array;
  /** f64[rows, m]; 0 where missing. */
  readonly measured: Float64Array;
  /** Bits of the channels that were measured. */
  readonly present: Float64Array;
  readonly missing: number;
  /** Different steps, and which leads to each row. */
  readonly steps: readonly Step[];
  readonly stepOf: Float64Array;
  /** f64[rows, n]: what the input adds; empty without one. */
  readonly inputs: Float64Array;
  /** The usual distance of two rows. */
  readonly dt: number;
  readonly isEven: boolean;
}

/** @throws DomainError VALIDATION_FAILED */
export function rowsOf(input: KalmanInput, model: Model): Rows {
  const m = model.channels.length;
  const text =
    input.measurements ?? (input.steps === undefined && !model.isOwn ? model.preset.measurements : undefined);
  const given = text === undefined ? undefined : readSeries(text, m);
  if (given !== undefined) assertNotSimulated(input);
  const count = given?.values.length ?? input.steps ?? model.preset.rows;
  const n = model.states.length;
  const { numbers: max, rows: maxRows } = LIMITS.kalman;
  if (count * n * n > max) {
    const allowed = Math.min(maxRows, Math.floor(max / (n * n)));
    const field = given === undefined ? 'steps' : 'measurements';
    throw validationError(
      field,
      `${field} has ${count} rows; at most ${allowed} are allowed with ${n} states.`,
      'TOO_MANY_ROWS',
      { max: allowed },
    );
  }
  const times = given?.times ?? Array.from({ length: count }, (_, i) => i * model.dt);
  const { steps, stepOf } = stepsOf(model, times, given?.times !== undefined);
  const values = given?.values ?? lost(input, model, count);
  return {
    isSimulated: given === undefined,
    times: Float64Array.from(times),
    measured: Float64Array.from(values.flat(), (one) => (Number.isNaN(one) ? 0 : one)),
    present: Float64Array.from(values, (row) =>
      row.reduce((bits, one, i) => bits + (Number.isNaN(one) ? 0 : powerOfTwo(i)), 0),
    ),
    missing: values.reduce((sum, row) => sum + row.filter(Number.isNaN).length, 0),
    steps,
    stepOf,
    inputs: inputsOf(input, model, count, steps, stepOf),
    dt: model.dt,
    isEven: steps.length === 1,
  };
}

function assertNotSimulated(input: KalmanInput): void {
  for (const name of ['steps', 'missing'] as const)
    if (input[name] !== undefined)
      throw validationError(
        name,
        `${name} is ${input[name]}; it is of a simulation, and measurements are given.`,
        'NOT_ALLOWED',
      );
  for (const name of ['true_q', 'true_r'] as const)
    if (input[name] !== 1)
      throw validationError(
        name,
        `${name} is ${input[name]}; it is of a simulation, and measurements are given.`,
        'NOT_ALLOWED',
      );
}

/** Stream of the random words that say which simulated values are missing. */
const LOST = 7_919;

function lost({ missing, seed }: KalmanInput, model: Model, count: number): readonly (readonly number[])[] {
  const share = missing ?? (model.isOwn ? 0 : (model.preset.missing ?? 0));
  const m = model.channels.length;
  return Array.from({ length: count }, (_, row) =>
    Array.from({ length: m }, (__, i) =>
      randomWord(seed, LOST + row * m + i) < share * 4_294_967_296 ? Number.NaN : 0,
    ),
  );
}

/** Gaps that are equal up to the rounding of what was typed are one. */
const SAME = 1e-9;

function stepsOf(model: Model, times: readonly number[], isTimed: boolean) {
  const stepOf = new Float64Array(times.length);
  if (!isTimed) return { steps: [model.step(model.dt)], stepOf };
  const { dt, isContinuous } = model;
  const known = new Map<number, number>();
  const steps: Step[] = [];
  const { steps: max } = LIMITS.kalman;
  for (let row = 1; row < times.length; row++) {
    const [from = 0, to = 0] = [times[row - 1], times[row]];
    const gap = to - from;
    const parts = gap / dt;
    const whole = Math.round(parts);
    const rounding = SAME + (4 * Number.EPSILON * Math.max(Math.abs(from), Math.abs(to))) / dt;
    const isWhole = whole >= 1 && Math.abs(parts - whole) <= rounding * Math.max(1, parts);
    if (!isContinuous && !isWhole) {
      const message = `measurements: the times ${from} and ${to} are ${gap} apart, no whole multiple of dt = ${dt}; own matrices of discrete time have whole steps only.`;
      throw validationError('measurements', message, 'NOT_WHOLE');
    }
    if (!isContinuous && whole > MAX_GAP)
      throw validationError(
        'measurements',
        `measurements: ${from} and ${to} are ${whole} steps apart; at most ${MAX_GAP} are allowed.`,
        'GAP_TOO_LONG',
      );
    const length = isWhole ? whole * dt : Number(gap.toPrecision(9));
    let index = known.get(length);
    if (index === undefined) {
      if (steps.length === max) {
        const message = `measurements: more than ${max} different distances between times; round the times.`;
        throw validationError('measurements', message, 'TOO_MANY_STEPS', { max });
      }
      index = steps.length;
      steps.push(model.step(length));
      known.set(length, index);
    }
    stepOf[row] = index;
  }
  return { steps: steps.length === 0 ? [model.step(dt)] : steps, stepOf };
}

const MAX_GAP = 1_000_000;

function inputsOf(
  { u }: KalmanInput,
  model: Model,
  count: number,
  steps: readonly Step[],
  stepOf: Float64Array,
): Float64Array {
  if (model.inputs === 0 || u === undefined) return new Float64Array();
  const given = typeof u === 'string' ? readSeries(u, model.inputs, 'u') : { values: [[u].flat()], missing: 0 };
  if (given.missing > 0 || given.times !== undefined)
    throw validationError(
      'u',
      `u must have ${model.inputs} numbers in every row, without times and gaps.`,
      'MALFORMED_SERIES',
    );
  for (const row of given.values)
    if (row.length !== model.inputs)
      throw validationError(
        'u',
        `u has ${row.length} numbers; expected ${model.inputs}, as B has columns.`,
        'WRONG_SHAPE',
      );
  const { length } = given.values;
  if (length !== 1 && length !== count)
    throw validationError(
      'u',
      `u has ${length} rows; expected 1, or ${count} as there are measurements.`,
      'COUNTS_DIFFER',
    );
  const n = model.states.length;
  const inputs = new Float64Array(count * n);
  for (let row = 1; row < count; row++) {
    // The input of the row before is held until this one.
    const values = given.values[length === 1 ? 0 : row - 1] ?? [];
    const { G } = steps[stepOf[row] ?? 0] ?? { G: [] };
    G.forEach((weights, i) => {
      inputs[row * n + i] = weights.reduce((sum, weight, k) => sum + weight * (values[k] ?? 0), 0);
    });
  }
  return inputs;
}
