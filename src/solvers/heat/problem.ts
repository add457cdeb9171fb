// The problem of a request: its inputs, the axes and the time grid, the default step and the stability limit.

import type { DomainError } from '../../core/errors.ts';
import { unstableError, validationError } from '../parts/errors.ts';
import { recordInterval } from '../parts/sampling.ts';
import { type Axis, maxHalfWaves } from './axis.ts';
import { type General, generalOf } from './general.ts';
import { type HeatInput, MAX_STEPS } from './inputs.ts';
import { type Probe, probesOf } from './probes.ts';

/** A grid and its time steps. The first is that of the request; general problems have coarser ones beside it. */
export interface Level {
  readonly axes: readonly Axis[];
  readonly dt: number;
  readonly steps: number;
}

export interface Problem extends Level {
  /** Data of one's own; undefined for the problems that have closed forms. */
  readonly general: General | undefined;
  readonly levels: readonly Level[];
  /** Where the temperature is read, the value first. */
  readonly probes: readonly Probe[];
  /** α Δt / h² of each axis. */
  readonly ratios: readonly number[];
  /** Number of initial steps replaced by two backward-Euler half steps each. */
  readonly startSteps: number;
  /** The largest stable step, infinite for the implicit schemes. */
  readonly dtMax: number;
  readonly historyEvery: number;
  readonly frameEvery: number;
}

/** Relative tolerance of the stability limit: a step equal to it may exceed it by the rounding of h². */
const STABILITY_TOLERANCE = 1e-12;
export const MAX_HISTORY = 200;
const MAX_FRAMES = 41;
const MAX_FRAME_NUMBERS = 200_000;

/** Fraction of the stability limit that a default explicit step uses. */
const SAFETY_FACTOR = 0.9;

/** Steps of a general problem whose step alone is given, and the least otherwise. */
const DEFAULT_STEPS = 128;
/** Cubic interpolation needs four nodes. */
const MIN_COARSE_CELLS = 3;

/** Duration of a default run, in decay times of the first mode. */
const DECAY_TIMES = 3;

/** A step profile or hot spot contains shorter waves; its default time step suits waves this many times shorter. */
const WAVE_REFINEMENT = { sine: 1, gaussian: 8, step: 8 } as const;

/** @throws DomainError VALIDATION_FAILED (waves finer than the grid), UNSTABLE_SCHEME */
export function problemOf(input: HeatInput): Problem {
  const axes = axesOf(input);
  for (const [name, axis] of [['kx', axes[0]] as const, ['ky', axes[1]] as const]) if (axis) assertResolved(name, axis);

  const curvature = axes.reduce((sum, axis) => sum + (axis.cells / axis.length) * (axis.cells / axis.length), 0);
  const dtMax = input.method === 'explicit' ? 0.5 / (input.alpha * curvature) : Number.POSITIVE_INFINITY;
  const general = generalOf(input);
  const { dt, steps } = general === undefined ? timeGrid(input, axes, dtMax) : generalTimeGrid(input, axes, general);
  if (dt > dtMax * (1 + STABILITY_TOLERANCE)) throw unstableStep(dt, dtMax);
  const ratios = axes.map(({ cells, length }) => input.alpha * dt * (cells / length) * (cells / length));
  const nodes = nodeCount(axes);
  const frames = Math.min(MAX_FRAMES, Math.floor(MAX_FRAME_NUMBERS / nodes));
  const needsDamping = input.method === 'implicit' && input.mode === 'step' && Math.max(...ratios) > 1;
  const level = { axes, dt, steps };
  return {
    general,
    levels: general === undefined ? [level] : [level, coarser(level, 2, general), coarser(level, 4, general)],
    probes: probesOf(input, axes, general !== undefined),
    axes,
    dt,
    steps,
    ratios,
    startSteps: needsDamping || general !== undefined ? 2 : 0,
    dtMax,
    historyEvery: general?.isSteady ? steps : recordInterval(steps, MAX_HISTORY),
    frameEvery: general?.isSteady ? steps : recordInterval(steps, frames - 1),
  };
}

function axesOf(input: HeatInput): readonly Axis[] {
  const common = { mode: input.mode, isInsulated: input.boundary === 'neumann' };
  const x: Axis = { ...common, cells: input.nx, length: input.lx, halfWaves: input.kx };
  const y: Axis = { ...common, cells: input.ny, length: input.ly, halfWaves: input.ky };
  return input.dim === 1 ? [x] : [x, y];
}

/**
 * The step at which the leading errors in time and space of the mode cancel, which makes the result fourth order.
 *
 * With the decay rates λ = α (kπ/L)² and θ = kπ/N of each axis, the mode decays too slowly by Σ λ θ² / 12 in
 * space, too fast by Σ λ³ Δt² / 12 in Crank–Nicolson and ADI, and too fast by (Σ λ)² Δt / 2 in FTCS. For one
 * axis that is λ Δt = θ, and the well-known r = 1/6.
 */
function defaultStep({ method, alpha, mode }: HeatInput, axes: readonly Axis[]): number {
  let space = 0;
  let cubes = 0;
  let rate = 0;
  for (const { cells, length, halfWaves } of axes) {
    const wave = (WAVE_REFINEMENT[mode] * halfWaves * Math.PI) / length;
    const lambda = alpha * wave * wave;
    const theta = (wave * length) / cells;
    space += lambda * theta * theta;
    cubes += lambda * lambda * lambda;
    rate += lambda;
  }
  return method === 'implicit' ? Math.sqrt(space / cubes) : space / (6 * rate * rate);
}

/** Two of step, number of steps and end, or what is left by default. @throws DomainError for all three */
function timeGrid(
  input: HeatInput,
  axes: readonly Axis[],
  dtMax: number,
): { readonly dt: number; readonly steps: number } {
  const { dt, steps, t_end: end } = input;
  if (end === undefined) {
    const step = dt ?? Math.min(defaultStep(input, axes), SAFETY_FACTOR * dtMax);
    return { dt: step, steps: steps ?? defaultSteps(input, axes, step) };
  }
  return untilEnd(input, end, dt ?? Math.min(defaultStep(input, axes), SAFETY_FACTOR * dtMax));
}

function untilEnd({ dt, steps }: HeatInput, end: number, step: number) {
  if (dt !== undefined && steps !== undefined)
    throw validationError('t_end', 't_end, dt and steps are all given; give two of them.');
  const count = steps ?? Math.max(1, Math.ceil((end / step) * (1 - STABILITY_TOLERANCE)));
  if (count > MAX_STEPS) {
    const message = `t_end is ${end} s, ${count} steps of ${step} s; at most ${MAX_STEPS} are possible. Give fewer steps.`;
    throw validationError('t_end', message, 'OUT_OF_RANGE');
  }
  return { dt: end / count, steps: count };
}

/** Steps of a general problem: by default as many as make the errors in time and space alike. */
function generalTimeGrid(input: HeatInput, axes: readonly Axis[], { isSteady, layers, conductivity }: General) {
  // The steady state takes a step for each row of its matrix, and one for the solution.
  if (isSteady) return { dt: 1, steps: 1 + nodeCount(axes) };
  if (input.dt !== undefined && input.t_end === undefined) return { dt: input.dt, steps: input.steps ?? DEFAULT_STEPS };
  const resistance = layers?.reduce(({ from, sum }, { to, k }) => ({ from: to, sum: sum + (to - from) / k }), zero);
  const heat = layers?.reduce(({ from, sum }, { to, c }) => ({ from: to, sum: sum + (to - from) * c }), zero);
  const [{ length } = { length: 1 }] = axes;
  // L² over the diffusivity of the layers in series.
  const time = resistance && heat ? resistance.sum * heat.sum : (length * length) / conductivity;
  const end = input.t_end ?? (DECAY_TIMES * time) / (Math.PI * Math.PI);
  return untilEnd(input, end, input.dt ?? end / Math.max(DEFAULT_STEPS, ...axes.map(({ cells }) => 4 * cells)));
}

const zero = { from: 0, sum: 0 };

const nodeCount = (axes: readonly Axis[]): number => axes.reduce((product, { cells }) => product * (cells + 1), 1);

/** The same problem with about 1/n of the cells and steps. */
function coarser({ axes, dt, steps }: Level, n: number, { isSteady }: General): Level {
  const fewer = axes.map((axis) => ({ ...axis, cells: Math.max(MIN_COARSE_CELLS, Math.ceil(axis.cells / n)) }));
  if (isSteady) return { axes: fewer, dt, steps: 1 + nodeCount(fewer) };
  const count = Math.max(1, Math.ceil(steps / n));
  return { axes: fewer, dt: (dt * steps) / count, steps: count };
}

/** Number of steps after which the first mode has decayed to about 5 %. */
function defaultSteps({ alpha }: HeatInput, axes: readonly Axis[], dt: number): number {
  const rate = axes.reduce((sum, { halfWaves, length }) => {
    const wave = (halfWaves * Math.PI) / length;
    return sum + alpha * wave * wave;
  }, 0);
  return Math.min(MAX_STEPS, Math.max(1, Math.round(DECAY_TIMES / (rate * dt))));
}

function assertResolved(name: string, { cells, mode, halfWaves }: Axis): void {
  const max = maxHalfWaves(cells, mode);
  if (halfWaves <= max) return;
  const message = `${name} is ${halfWaves}; ${cells} cells resolve at most ${max} half-waves of a ${mode} profile.`;
  throw validationError(name, message, 'UNRESOLVED_WAVES');
}

function unstableStep(dt: number, dtMax: number): DomainError {
  const r = (0.5 * dt) / dtMax;
  const message = `dt is ${dt} s; the explicit scheme is stable up to ${dtMax} s on this grid (r = ${r}, at most 0.5).`;
  return unstableError('dt', message, 'UNSTABLE_SCHEME', { dt_max: dtMax, r });
}
