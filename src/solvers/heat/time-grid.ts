// Time grid of a run: grid ratios, the default step, the stability limit, and the recorded steps.

import { DomainError } from '../../core/errors.ts';
import { type Axis, type Mode, maxHalfWaves } from './axis.ts';

/** Inputs of the solver that define the run. */
export interface HeatInput {
  readonly method: 'implicit' | 'explicit';
  readonly dim: number;
  readonly mode: Mode;
  readonly boundary: 'dirichlet' | 'neumann';
  readonly nx: number;
  readonly ny: number;
  readonly kx: number;
  readonly ky: number;
  readonly lx: number;
  readonly ly: number;
  readonly alpha: number;
  readonly dt?: number | undefined;
  readonly steps?: number | undefined;
}

export interface TimeGrid {
  /** One axis for a rod, two for a plate. */
  readonly axes: readonly Axis[];
  readonly dt: number;
  readonly steps: number;
  /** α Δt / h² of each axis. */
  readonly ratios: readonly number[];
  /** Number of initial steps replaced by two backward-Euler half steps each. */
  readonly startSteps: number;
  /** The largest stable step, infinite for the implicit schemes. */
  readonly dtMax: number;
  readonly historyEvery: number;
  readonly frameEvery: number;
}

export const MAX_STEPS = 200_000;
/** Relative tolerance of the stability limit: a step equal to it may exceed it by the rounding of h². */
const STABILITY_TOLERANCE = 1e-12;
const MAX_HISTORY = 200;
const MAX_FRAMES = 41;
const MAX_FRAME_NUMBERS = 200_000;

/** Fraction of the stability limit that a default explicit step uses. */
const SAFETY_FACTOR = 0.9;

/** Duration of a default run, in decay times of the first mode. */
const DECAY_TIMES = 3;

/** A step profile or hot spot contains shorter waves; its default time step suits waves this many times shorter. */
const WAVE_REFINEMENT = { sine: 1, gaussian: 8, step: 8 } as const;

/** @throws DomainError VALIDATION_FAILED (waves finer than the grid), UNSTABLE_SCHEME */
export function timeGridOf(input: HeatInput): TimeGrid {
  const axes = axesOf(input);
  for (const [name, axis] of [['kx', axes[0]] as const, ['ky', axes[1]] as const]) if (axis) assertResolved(name, axis);

  const curvature = axes.reduce((sum, axis) => sum + (axis.cells / axis.length) * (axis.cells / axis.length), 0);
  const dtMax = input.method === 'explicit' ? 0.5 / (input.alpha * curvature) : Number.POSITIVE_INFINITY;
  const dt = input.dt ?? Math.min(defaultStep(input, axes), SAFETY_FACTOR * dtMax);
  if (dt > dtMax * (1 + STABILITY_TOLERANCE)) throw unstableStepError(dt, dtMax);

  const steps = input.steps ?? defaultSteps(input, axes, dt);
  const ratios = axes.map(({ cells, length }) => input.alpha * dt * (cells / length) * (cells / length));
  const nodes = axes.reduce((product, axis) => product * (axis.cells + 1), 1);
  const frames = Math.min(MAX_FRAMES, Math.floor(MAX_FRAME_NUMBERS / nodes));
  const needsDamping = input.method === 'implicit' && input.mode === 'step' && Math.max(...ratios) > 1;
  return {
    axes,
    dt,
    steps,
    ratios,
    startSteps: needsDamping ? 2 : 0,
    dtMax,
    historyEvery: Math.ceil(steps / MAX_HISTORY),
    frameEvery: Math.ceil(steps / (frames - 1)),
  };
}

function axesOf(input: HeatInput): readonly Axis[] {
  const common = { mode: input.mode, isInsulated: input.boundary === 'neumann' };
  const x: Axis = { ...common, cells: input.nx, length: input.lx, halfWaves: input.kx };
  const y: Axis = { ...common, cells: input.ny, length: input.ly, halfWaves: input.ky };
  return input.dim === 1 ? [x] : [x, y];
}

/** Recorded steps: the start, every k-th step, and the last step. */
export function recordedSteps(steps: number, every: number): readonly number[] {
  return Array.from({ length: 1 + Math.ceil(steps / every) }, (_, row) => Math.min(row * every, steps));
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
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: name, code: 'UNRESOLVED_WAVES', message }] });
}

function unstableStepError(dt: number, dtMax: number): DomainError {
  const r = (0.5 * dt) / dtMax;
  const message = `dt is ${dt} s; the explicit scheme is stable up to ${dtMax} s on this grid (r = ${r}, at most 0.5).`;
  return new DomainError('UNSTABLE_SCHEME', message, {
    details: [{ path: 'dt', code: 'UNSTABLE_SCHEME', message }],
    facts: { dt_max: dtMax, r },
  });
}
