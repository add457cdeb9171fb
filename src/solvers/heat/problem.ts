// The problem of a request: its inputs, the axes and the time grid, the default step and the stability limit.

import { z } from 'zod';
import type { DomainError } from '../../core/errors.ts';
import { unstableError, validationError } from '../parts/errors.ts';
import { cellsAlong, choice, lengthAlong, real, stepCount, timeStep, whole } from '../parts/inputs.ts';
import { recordInterval } from '../parts/sampling.ts';
import { type Axis, maxHalfWaves } from './axis.ts';

const MAX_STEPS = 200_000;
const CELLS = { min: 8, max: 128, default: 64 } as const;
const HALF_WAVES = { min: 1, max: 64, default: 1 } as const;

export const inputs = z.strictObject({
  method: choice('implicit: Crank–Nicolson on a rod, ADI on a plate; explicit: FTCS', ['implicit', 'explicit']),
  nx: cellsAlong('x', 'the nodes are one more', CELLS),
  ny: cellsAlong('y', 'not used on a rod', CELLS),
  kx: whole('Whole half-waves of the first mode along x', { symbol: 'k_x', ...HALF_WAVES }),
  ky: whole('Whole half-waves of the first mode along y', { symbol: 'k_y', ...HALF_WAVES }),
  alpha: real('Thermal diffusivity', { unit: 'm^2/s', symbol: 'α', min: 1e-12, max: 1e6, default: 1 }),
  dt: timeStep('Time step; by default one at which the leading errors of the mode in time and space cancel', {
    unit: 's',
  }),
  steps: stepCount('Number of time steps; by default as many as bring the first mode down to about 5 %', {
    max: MAX_STEPS,
  }),
  dim: whole('1 for a rod, 2 for a plate', { min: 1, max: 2, default: 2 }),
  mode: choice('Initial profile: the first mode, 1 where it is positive and 0 elsewhere, or a hot spot in the middle', [
    'sine',
    'step',
    'gaussian',
  ]),
  boundary: choice('dirichlet: ends held at 0; neumann: insulated ends', ['dirichlet', 'neumann']),
  lx: lengthAlong('x'),
  ly: lengthAlong('y'),
});

export type HeatInput = z.output<typeof inputs>;

export interface Problem {
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
export function problemOf(input: HeatInput): Problem {
  const axes = axesOf(input);
  for (const [name, axis] of [['kx', axes[0]] as const, ['ky', axes[1]] as const]) if (axis) assertResolved(name, axis);

  const curvature = axes.reduce((sum, axis) => sum + (axis.cells / axis.length) * (axis.cells / axis.length), 0);
  const dtMax = input.method === 'explicit' ? 0.5 / (input.alpha * curvature) : Number.POSITIVE_INFINITY;
  const dt = input.dt ?? Math.min(defaultStep(input, axes), SAFETY_FACTOR * dtMax);
  if (dt > dtMax * (1 + STABILITY_TOLERANCE)) throw unstableStep(dt, dtMax);

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
    historyEvery: recordInterval(steps, MAX_HISTORY),
    frameEvery: recordInterval(steps, frames - 1),
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
