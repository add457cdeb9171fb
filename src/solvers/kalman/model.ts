// The model of a request: a preset with the caller's numbers, or own matrices; its step of any length that it has.

import { validationError } from '../parts/errors.ts';
import { readCovariance } from './covariances.ts';
import { discretised, repeated, type Step } from './discretise.ts';
import type { KalmanInput } from './inputs.ts';
import { columnsOf, diagonal, type Matrix, matrixOf } from './matrix.ts';
import { readMatrix, readShaped, readVector } from './matrix-text.ts';
import { type Numbers, PRESETS, type Preset } from './presets.ts';

export interface Model {
  readonly states: readonly string[];
  readonly units: readonly string[];
  readonly channels: readonly string[];
  readonly H: Matrix;
  readonly R: Matrix;
  readonly x0: readonly number[];
  readonly P0: Matrix;
  readonly dt: number;
  /** Whether rows may be any time apart, or whole multiples of dt only. */
  readonly isContinuous: boolean;
  /** Number of inputs; 0 without B. */
  readonly inputs: number;
  step(t: number): Step;
  readonly preset: Preset;
  readonly numbers: Numbers;
  readonly isOwn: boolean;
  /** Whether x0 and P0 are the caller's. */
  readonly hasStart: boolean;
}

const PRESET_NUMBERS = ['q', 'r'] as const;
const OF_PRESETS = { a: 'ar1', length: 'pendulum', damping: 'pendulum' } as const;

/** @throws DomainError VALIDATION_FAILED */
export function modelOf(input: KalmanInput): Model {
  const preset: Preset = PRESETS[input.preset];
  const isContinuous = input.time === undefined ? (preset.isContinuous ?? false) : input.time === 'continuous';
  const { numbers: standard } = preset;
  const numbers: Numbers = {
    dt: input.dt ?? standard.dt,
    q: input.q ?? standard.q,
    r: input.r ?? standard.r,
    a: input.a ?? standard.a,
    length: input.length ?? standard.length,
    damping: input.damping ?? standard.damping,
    isContinuous,
  };
  const model = input.F === undefined ? presetModel(input, preset, numbers) : ownModel(input, numbers);
  assertNoise(model);
  return model;
}

function missing(field: string, because: string): Error {
  return validationError(field, `${field} is missing; ${because}.`, 'MISSING');
}

function ownModel(input: KalmanInput, numbers: Numbers): Model {
  for (const name of [...PRESET_NUMBERS, ...(Object.keys(OF_PRESETS) as (keyof typeof OF_PRESETS)[])])
    if (input[name] !== undefined)
      throw validationError(name, `${name} is ${input[name]}; it is of a preset, and F is given.`, 'NOT_ALLOWED');
  const F = readMatrix('F', input.F ?? 0);
  const n = F.length;
  if (columnsOf(F) !== n)
    throw validationError('F', `F is ${n} × ${columnsOf(F)}; expected as many columns as rows.`, 'WRONG_SHAPE');
  if (input.H === undefined) throw missing('H', `F has ${n} states, and H says what is measured of them`);
  const H = readMatrix('H', input.H);
  const because = `F has ${n} ${n === 1 ? 'state' : 'states'}`;
  if (columnsOf(H) !== n) readShaped('H', input.H, { rows: H.length, columns: n }, because);
  assertChannels(H);
  if (input.Q === undefined) throw missing('Q', 'own matrices need the covariance of the process noise');
  if (input.R === undefined) throw missing('R', 'own matrices need the covariance of the measurements');
  const Q = readCovariance('Q', input.Q, n, because);
  const m = H.length;
  const R = readCovariance('R', input.R, m, `H has ${m} ${m === 1 ? 'row' : 'rows'}`);
  const B = readInputMatrix(input, n);
  const { dt, isContinuous } = numbers;
  const one: Step = { F, Q, G: B, roundings: 0 };
  const states = Array.from({ length: n }, (_, i) => `x${i + 1}`);
  return {
    states,
    units: states.map(() => '1'),
    channels: Array.from({ length: m }, (_, i) => `z${i + 1}`),
    H,
    R,
    ...startOf(input, n, { x0: new Array<number>(n).fill(0), P0: diagonal(new Array<number>(n).fill(1)) }),
    dt,
    isContinuous,
    inputs: input.B === undefined ? 0 : columnsOf(B),
    step: (t) => (isContinuous ? discretised(F, Q, B, t) : repeated(one, Math.round(t / dt))),
    preset: PRESETS.walk,
    numbers,
    isOwn: true,
  };
}

function assertChannels(H: Matrix): void {
  if (H.length > 4)
    throw validationError('H', `H has ${H.length} rows; at most 4 channels are allowed.`, 'TOO_MANY_CHANNELS', {
      max: 4,
    });
}

function readInputMatrix({ B, u }: KalmanInput, n: number): Matrix {
  if (B === undefined && u !== undefined) throw missing('B', 'u needs the matrix that it enters by');
  if (B !== undefined && u === undefined) throw missing('u', 'B needs an input');
  if (B === undefined) return matrixOf(n, 1, () => 0);
  const matrix = readMatrix('B', B);
  // A list of n numbers is a column.
  if (matrix.length === 1 && n > 1 && columnsOf(matrix) === n) return matrixOf(n, 1, (i) => matrix[0]?.[i] ?? 0);
  return readShaped('B', B, { rows: n, columns: columnsOf(matrix) }, `there are ${n} states`);
}

function presetModel(input: KalmanInput, preset: Preset, numbers: Numbers): Model {
  for (const name of Object.keys(OF_PRESETS) as (keyof typeof OF_PRESETS)[])
    if (input[name] !== undefined && OF_PRESETS[name] !== input.preset)
      throw validationError(name, `${name} is ${input[name]}; the preset ${input.preset} has none.`, 'NOT_ALLOWED');
  if (input.Q !== undefined)
    throw validationError('Q', 'Q is given without F; give q for a preset, or F, H, Q and R.', 'NOT_ALLOWED');
  if (input.R !== undefined && input.r !== undefined)
    throw validationError('r', `r is ${input.r} and R is given; expected one of them.`, 'GIVEN_TWICE');
  const n = preset.states.length;
  const because = `the preset ${input.preset} has ${n} ${n === 1 ? 'state' : 'states'}`;
  const own = input.H === undefined ? undefined : readMatrix('H', input.H);
  if (own !== undefined && columnsOf(own) !== n && input.H !== undefined)
    readShaped('H', input.H, { rows: own.length, columns: n }, because);
  const H = own ?? preset.H;
  assertChannels(H);
  const m = H.length;
  const isOwnR = input.R !== undefined || (own !== undefined && m !== preset.H.length);
  const R = isOwnR
    ? readCovariance('R', input.R ?? numbers.r, m, `H has ${m} ${m === 1 ? 'row' : 'rows'}`)
    : preset.R(numbers);
  const B = readInputMatrix(input, n);
  const { dt } = numbers;
  return {
    states: preset.states,
    units: preset.units,
    channels: own === undefined ? preset.channels : Array.from({ length: m }, (_, i) => `z${i + 1}`),
    H,
    R,
    ...startOf(input, n, { x0: preset.x0, P0: preset.P0(numbers) }),
    dt,
    isContinuous: true,
    inputs: input.B === undefined ? 0 : columnsOf(B),
    // What u adds is held as F and Q are: a matrix for the step of dt.
    step: (t) => ({ ...preset.step(numbers, t), G: B }),
    preset,
    numbers,
    isOwn: false,
  };
}

function startOf(
  { x0, P0 }: KalmanInput,
  n: number,
  standard: Pick<Model, 'x0' | 'P0'>,
): Pick<Model, 'x0' | 'P0' | 'hasStart'> {
  const because = `there are ${n} ${n === 1 ? 'state' : 'states'}`;
  return {
    x0: x0 === undefined ? standard.x0 : readVector('x0', x0, n, because),
    P0: P0 === undefined ? standard.P0 : readCovariance('P0', P0, n, because),
    hasStart: P0 !== undefined,
  };
}

/** With nothing uncertain there is nothing to estimate. */
function assertNoise({ P0, step, dt }: Model): void {
  const isZero = (a: Matrix) => a.every((row) => row.every((one) => one === 0));
  if (isZero(P0) && isZero(step(dt).Q))
    throw validationError(
      'P0',
      'P0 and Q are 0, so the state is known for ever and no measurement changes it; give one of them.',
      'NOTHING_TO_ESTIMATE',
    );
}
