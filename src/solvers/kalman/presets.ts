// Presets: models of the field, each with a step of any length, its measurements and its start.

import { exp, log } from '../../core/elementary.ts';
import { CLOSED_FORM, discretised, type Step } from './discretise.ts';
import { diagonal, identity, type Matrix, matrixOf, scaled, times, transpose } from './matrix.ts';
import { NILE } from './nile.ts';

/** Numbers that a preset's model depends on; each preset has its own defaults. */
export interface Numbers {
  readonly dt: number;
  /** Strength of the process noise, and variance of the measurements. */
  readonly q: number;
  readonly r: number;
  /** Of ar1: what is left after a step. */
  readonly a: number;
  /** Of the pendulum: length, and damping in 1/s. */
  readonly length: number;
  readonly damping: number;
  /** Noise that is white in time, rather than held during each step. */
  readonly isContinuous: boolean;
}

export interface Preset {
  readonly states: readonly string[];
  readonly units: readonly string[];
  readonly channels: readonly string[];
  readonly numbers: Omit<Numbers, 'isContinuous'>;
  readonly isContinuous?: boolean;
  /** The step of a length, or undefined if the model has none of this length. */
  step(numbers: Numbers, t: number): Step;
  readonly H: Matrix;
  R(numbers: Numbers): Matrix;
  readonly x0: readonly number[];
  P0(numbers: Numbers): Matrix;
  readonly rows: number;
  /** Share of simulated measurements that are missing. */
  readonly missing?: number;
  readonly measurements?: string;
  readonly tune?: 'q' | 'r' | 'both' | 'each';
  /** Positions in a plane, as pairs of states, that a path is drawn of. */
  readonly path?: readonly [x: number, y: number];
}

const NUMBERS = { dt: 1, q: 1, r: 1, a: 0.9, length: 1, damping: 0.1 } as const;

const none = (n: number): Matrix => matrixOf(n, 1, () => 0);

/** q G Gᵀ */
const held = (q: number, G: readonly number[]): Matrix =>
  matrixOf(G.length, G.length, (i, j) => q * (G[i] ?? 0) * (G[j] ?? 0));

const oneAt = (n: number, at: number): Matrix => matrixOf(n, 1, (i) => Number(i === at));

/** White noise of density q on one state of x' = A x; or held during the step. */
function noisy(A: Matrix, at: number, q: number, t: number, isContinuous: boolean): Step {
  const n = A.length;
  const input = oneAt(n, at);
  const density = isContinuous ? scaled(times(input, transpose(input)), q) : matrixOf(n, n, () => 0);
  const { F, Q, G, roundings } = discretised(A, density, input, t);
  return { F, Q: isContinuous ? Q : held(q, G.flat()), G: none(n), roundings };
}

const GRAVITY = 9.80665;

function velocity({ q, isContinuous }: Numbers, t: number): Step {
  const F = [
    [1, t],
    [0, 1],
  ];
  const Q = isContinuous
    ? [
        [(q * t * t * t) / 3, (q * t * t) / 2],
        [(q * t * t) / 2, q * t],
      ]
    : held(q, [(t * t) / 2, t]);
  return { F, Q, G: none(2), roundings: CLOSED_FORM };
}

function acceleration({ q, isContinuous }: Numbers, t: number): Step {
  const F = [
    [1, t, (t * t) / 2],
    [0, 1, t],
    [0, 0, 1],
  ];
  const [a, b, c] = [t, t * t, t * t * t];
  const Q = isContinuous
    ? [
        [(q * b * c) / 20, (q * b * b) / 8, (q * c) / 6],
        [(q * b * b) / 8, (q * c) / 3, (q * b) / 2],
        [(q * c) / 6, (q * b) / 2, q * a],
      ]
    : held(q, [b / 2, a, 1]);
  return { F, Q, G: none(3), roundings: CLOSED_FORM };
}

/** Two axes after one another in blocks: x, y, then their rates. */
function plane(numbers: Numbers, t: number): Step {
  const one = velocity(numbers, t);
  const both = (a: Matrix) =>
    matrixOf(4, 4, (i, j) => (i % 2 === j % 2 ? (a[Math.floor(i / 2)]?.[Math.floor(j / 2)] ?? 0) : 0));
  return { F: both(one.F), Q: both(one.Q), G: none(4), roundings: CLOSED_FORM };
}

/** a^(t / dt), and the variance that q a step amounts to. */
function decaying({ a, q, dt }: Numbers, t: number): Step {
  const steps = t / dt;
  const kept = steps === 1 ? a : a === 0 ? 0 : Math.sign(a) * exp(steps * log(Math.abs(a)));
  const noise = steps === 1 ? q : Math.abs(a) === 1 ? q * steps : (q * (1 - kept * kept)) / (1 - a * a);
  return { F: [[kept]], Q: [[noise]], G: none(1), roundings: CLOSED_FORM };
}

const walking = ({ q, dt }: Numbers, t: number): Step => ({
  F: [[1]],
  Q: [[(q * t) / dt]],
  G: none(1),
  roundings: CLOSED_FORM,
});

const firstOf = (n: number): Matrix => matrixOf(1, n, (_, j) => Number(j === 0));

const WALK = {
  states: ['level'],
  units: ['1'],
  channels: ['z'],
  numbers: NUMBERS,
  step: walking,
  H: [[1]],
  R: ({ r }: Numbers) => [[r]],
  x0: [0],
  P0: () => [[10]],
  rows: 200,
} as const satisfies Preset;

export const PRESETS = {
  /** Constant velocity: random accelerations; the position is measured. Kalata's tracking index is √(q/r) dt². */
  cv: {
    states: ['position', 'velocity'],
    units: ['m', 'm/s'],
    channels: ['position'],
    numbers: { ...NUMBERS, q: 0.04 },
    step: velocity,
    H: firstOf(2),
    R: ({ r }) => [[r]],
    x0: [0, 0],
    P0: () => diagonal([10, 1]),
    rows: 200,
  },
  /** Constant acceleration: random changes of it. */
  ca: {
    states: ['position', 'velocity', 'acceleration'],
    units: ['m', 'm/s', 'm/s^2'],
    channels: ['position'],
    numbers: { ...NUMBERS, dt: 0.1, q: 0.01, r: 0.25 },
    step: acceleration,
    H: firstOf(3),
    R: ({ r }) => [[r]],
    x0: [0, 0, 0],
    P0: () => diagonal([10, 1, 1]),
    rows: 300,
  },
  /** A level that walks at random. */
  walk: WALK,
  /** A level that returns to zero: x_k = a x_{k−1} + w. */
  ar1: {
    ...WALK,
    numbers: { ...NUMBERS, q: 0.1, r: 0.5 },
    step: decaying,
    P0: ({ a, q }) => [[Math.abs(a) < 1 ? q / (1 - a * a) : 10]],
  },
  /** Small swings: θ'' = −(g / L) θ − c θ' + w; the angle is measured. */
  pendulum: {
    states: ['angle', 'rate'],
    units: ['rad', 'rad/s'],
    channels: ['angle'],
    numbers: { ...NUMBERS, dt: 0.05, q: 0.02, r: 0.0025 },
    isContinuous: true,
    step: ({ length, damping, q, isContinuous }, t) =>
      noisy(
        [
          [0, 1],
          [-GRAVITY / length, -damping],
        ],
        1,
        q,
        t,
        isContinuous,
      ),
    H: firstOf(2),
    R: ({ r }) => [[r]],
    x0: [0.2, 0],
    P0: () => diagonal([0.01, 0.01]),
    rows: 200,
  },
  /** A vehicle in the plane: constant velocity on both axes, positions once a second, one in ten lost. */
  gps: {
    states: ['east', 'north', 'v_east', 'v_north'],
    units: ['m', 'm', 'm/s', 'm/s'],
    channels: ['east', 'north'],
    numbers: { ...NUMBERS, q: 0.25, r: 25 },
    step: plane,
    H: matrixOf(2, 4, (i, j) => Number(i === j)),
    R: ({ r }) => scaled(identity(2), r),
    x0: [0, 0, 10, 5],
    P0: () => diagonal([100, 100, 4, 4]),
    rows: 200,
    missing: 0.1,
    path: [0, 1],
  },
  /** One level, two sensors: the second has a quarter of the variance. */
  fusion: {
    ...WALK,
    channels: ['first', 'second'],
    numbers: { ...NUMBERS, q: 0.05 },
    H: [[1], [1]],
    R: ({ r }) => diagonal([r, r / 4]),
  },
  /** Annual flow of the Nile at Aswan, 1871 to 1970; q and r by maximum likelihood. */
  nile: {
    ...WALK,
    numbers: { ...NUMBERS, q: 1_000, r: 10_000 },
    P0: () => [[1e7]],
    rows: 100,
    measurements: NILE,
    tune: 'both',
  },
} as const satisfies Readonly<Record<string, Preset>>;
