// The problem of a request: its rectangle, sides, places and three grids with steps of their own.

import { cos, sin } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import type { SIDE_NUMBER } from './face.ts';
import type { FlowInput } from './inputs.ts';
import { type Shape, shapeOf, solidCells } from './obstacles.ts';
import { startedPlates, taylorGreen } from './reference.ts';

type Side = keyof typeof SIDE_NUMBER;

/** Cells across of each grid, and steps, over those asked for. */
const RATIOS = [1, 2 / 3, 4 / 9] as const;
/** Columns of plates, between which nothing varies along x. */
const PLATE_COLUMNS = 8;
/** Cells that the fastest fluid may pass in a step. */
const MAX_COURANT = 20;
const MAX_NS = 2e10;

export interface Level {
  readonly columns: number;
  readonly rows: number;
  readonly h: number;
  readonly steps: number;
  readonly dt: number;
  readonly solid: Float64Array | undefined;
}

export interface Problem {
  readonly sides: readonly [x: Side, y: Side];
  /** Extent along x over that along y. */
  readonly aspect: number;
  readonly end: number;
  /** Where u is read, in metres, unless the value is the extreme of a cavity. */
  readonly probe: readonly [x: number, y: number];
  readonly isExtreme: boolean;
  readonly levels: readonly [own: Level, middle: Level, coarse: Level];
  /** Largest speed that is expected. */
  readonly scale: number;
  readonly reynolds: number;
  readonly shape: Shape | undefined;
  /** u at the probe at the end. */
  readonly exact: number | undefined;
  readonly estimateNs: number;
}

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: FlowInput): Problem {
  const { case: flow, N, steps, dt, size, visc } = input;
  checkFields(input);
  const shape = shapeOf(input);
  const end = steps * dt;
  const scale = scaleOf(input, end);
  if (!(scale > 0)) throw validationError('speed', 'speed is 0; a flow needs a speed, or between plates a force.');
  const aspect = flow === 'channel' ? input.length : 1;
  const cell = size / N;
  const courant = (scale * dt) / cell;
  if (courant > MAX_COURANT)
    throw validationError(
      'dt',
      `dt is ${dt} s, in which the flow passes ${courant.toPrecision(4)} cells; ${MAX_COURANT} are allowed, ${((MAX_COURANT * cell) / scale).toPrecision(4)} s.`,
      'OUT_OF_RANGE',
    );
  const levels = RATIOS.map((ratio): Level => {
    const rows = Math.round(N * ratio);
    const columns = flow === 'plates' ? PLATE_COLUMNS : rows * aspect;
    const count = Math.round(steps * ratio);
    const path = input.drawing === undefined ? 'obstacles' : 'drawing';
    const solid = shape === undefined ? undefined : solidCells(shape, columns, rows, path);
    return { columns, rows, h: size / rows, steps: count, dt: end / count, solid };
  });
  const [own, middle, coarse] = levels;
  if (!own || !middle || !coarse) throw new Error('A problem has three grids.');
  const estimateNs = levels.reduce((sum, level) => sum + costOf(level, input), 300_000);
  if (estimateNs > MAX_NS)
    throw validationError(
      'steps',
      `${steps} steps of ${N} cells across take about ${Math.round(estimateNs / 1e9)} s; ${MAX_NS / 1e9} s are allowed. Take fewer steps or cells.`,
      'OUT_OF_RANGE',
    );
  const probe = probeOf(input, aspect);
  const isSolid = shape?.isSolid(probe[0] / size, probe[1] / size) ?? false;
  if (isSolid) throw validationError('probe_x', `The probe at (${probe.join(', ')}) is in an obstacle.`);
  return {
    sides: SIDES[flow],
    aspect,
    end,
    probe,
    isExtreme: flow === 'cavity' && input.probe_x === undefined && input.probe_y === undefined,
    levels: [own, middle, coarse],
    scale,
    reynolds: (scale * size) / visc,
    shape,
    exact: exactOf(input, probe, end),
    estimateNs,
  };
}

const SIDES: Readonly<Record<FlowInput['case'], Problem['sides']>> = {
  cavity: ['wall', 'wall'],
  'taylor-green': ['periodic', 'periodic'],
  plates: ['periodic', 'wall'],
  channel: ['through', 'wall'],
};

/** Fields that one case has and others do not, with the values that say nothing. */
function checkFields(input: FlowInput): void {
  const of = (path: 'force' | 'mean_u' | 'mean_v' | 'kx' | 'ky', owner: FlowInput['case'], standard: number) => {
    if (input[path] !== standard && input.case !== owner)
      throw validationError(path, `${path} is ${input[path]} in the case ${input.case}; it belongs to ${owner}.`);
  };
  of('force', 'plates', 0);
  for (const path of ['mean_u', 'mean_v'] as const) of(path, 'taylor-green', 0);
  for (const path of ['kx', 'ky'] as const) of(path, 'taylor-green', 1);
  for (const path of ['kx', 'ky'] as const)
    if (6 * input[path] > input.N)
      throw validationError(
        path,
        `${path} is ${input[path]} on ${input.N} cells; at most ${Math.floor(input.N / 6)} are allowed.`,
        'OUT_OF_RANGE',
      );
}

function scaleOf({ case: flow, speed, force, size, visc, mean_u, mean_v, kx, ky }: FlowInput, end: number): number {
  if (flow === 'plates') {
    const driven = Math.abs(force) * Math.min(end, (size * size) / (8 * visc));
    return Math.max(speed, driven);
  }
  if (flow === 'taylor-green')
    return speed === 0 ? 0 : speed * Math.max(1, kx / ky) + Math.max(Math.abs(mean_u), Math.abs(mean_v));
  return flow === 'channel' ? 1.5 * speed : speed;
}

function probeOf(input: FlowInput, aspect: number): readonly [number, number] {
  const { case: flow, size, kx, probe_x: x, probe_y: y } = input;
  const within = (path: string, value: number, length: number) => {
    if (value <= length) return value;
    throw validationError(path, `${path} is ${value}; a place from 0 to ${length} m is expected.`, 'OUT_OF_RANGE');
  };
  const isWave = flow === 'taylor-green';
  const standard = isWave ? size / (4 * kx) : flow === 'channel' ? 0.75 * aspect * size : 0.5 * size;
  if (flow === 'plates' && x !== undefined)
    throw validationError('probe_x', `probe_x is ${x} in the case plates, where nothing varies along x. Give probe_y.`);
  return [within('probe_x', x ?? standard, aspect * size), within('probe_y', y ?? (isWave ? 0 : 0.5 * size), size)];
}

function exactOf(input: FlowInput, [x, y]: readonly [number, number], end: number): number | undefined {
  if (input.case === 'taylor-green') return taylorGreen(input, x, y, end).u;
  return input.case === 'plates' ? startedPlates(input, y / input.size, end) : undefined;
}

/** Nanoseconds of a run: a step of a cell, and the transforms of a projection. */
function costOf({ columns, rows, steps, solid }: Level, { scheme, iters }: FlowInput): number {
  const ns = scheme === 'maccormack' ? 480 : scheme === 'cubic' ? 230 : 180;
  const solves = solid === undefined ? 1 : Math.min(iters, 12) + 1;
  return steps * columns * rows * (ns + solves * (1.7 * rows + 25));
}

/** Velocities at the start: those of waves, of the inflow, or rest. */
export function initialOf(input: FlowInput, { columns, rows, h }: Level) {
  const initialU = new Float64Array(rows * (columns + 1));
  const initialV = new Float64Array((rows + 1) * columns);
  const inflow = new Float64Array(rows);
  if (input.case === 'channel') {
    // The mean of 6 U y (1 − y) over a cell.
    for (let j = 0; j < rows; j++) {
      const [a, b] = [j / rows, (j + 1) / rows];
      inflow[j] = input.speed * (3 * (a + b) - 2 * (a * a + a * b + b * b));
      initialU.fill(inflow[j] ?? 0, j * (columns + 1), (j + 1) * (columns + 1));
    }
  }
  if (input.case === 'taylor-green') {
    const { size, kx, ky, speed, mean_u, mean_v } = input;
    const unit = (2 * Math.PI) / size;
    // Of discrete divergence 0.
    const ratio = sin(0.5 * unit * kx * h) / sin(0.5 * unit * ky * h);
    for (let j = 0; j < rows; j++)
      for (let i = 0; i <= columns; i++)
        initialU[j * (columns + 1) + i] =
          mean_u + speed * sin(unit * kx * (i % columns) * h) * cos(unit * ky * (j + 0.5) * h);
    for (let j = 0; j <= rows; j++)
      for (let i = 0; i < columns; i++)
        initialV[j * columns + i] =
          mean_v - speed * ratio * cos(unit * kx * (i + 0.5) * h) * sin(unit * ky * (j % rows) * h);
  }
  return { initialU, initialV, inflow };
}
