// The problem of a request: its grids and time steps, its sides, and where it is read.

import { validationError } from '../parts/errors.ts';
import { recordInterval } from '../parts/sampling.ts';
import type { Level, Sides } from './grid.ts';
import { type InitialState, initialOf } from './initial.ts';
import type { Side, WaveInput } from './inputs.ts';
import { type Medium, mapsOf, mediumOf } from './medium.ts';
import { type Source, sourceOf } from './source.ts';
import { timeGrid, unstableStep } from './time-grid.ts';

export interface Problem extends Level {
  readonly isYee: boolean;
  readonly isLine: boolean;
  readonly lengthX: number;
  readonly lengthY: number;
  readonly sides: Sides;
  readonly isOpen: boolean;
  readonly medium: Medium;
  readonly initial: InitialState;
  readonly source: Source | undefined;
  readonly tEnd: number;
  /** The largest stable step. */
  readonly dtMax: number;
  /** The grid of the request, and two that judge it: one finer and one coarser by √2, or two coarser ones. */
  readonly levels: readonly Level[];
  readonly isRefined: boolean;
  readonly probe: readonly [x: number, y: number];
  readonly historyEvery: number;
  readonly frameEvery: number;
}

const FINER = [Math.SQRT2, Math.SQRT1_2] as const;
const COARSER = [Math.SQRT1_2, 0.5] as const;
const MIN_CELLS = 8;
/** Cells of a layer behind an open side, on the grid of the request. */
const LAYER_CELLS = 20;
/** Nanoseconds of a run that a finer one may judge: it takes about three times as long. */
const MAX_REFINED_NS = 6e8;
export const MAX_HISTORY = 400;
const MAX_FRAMES = 41;
const MAX_FRAME_NUMBERS = 700_000;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID, UNSTABLE_SCHEME */
export function problemOf(input: WaveInput): Problem {
  const isLine = lineOf(input);
  const isYee = input.mode === 'maxwell';
  const [lengthX, lengthY] = [input.lx, isLine ? 0 : input.ly];
  const sides = sidesOf(input, isLine);
  const medium = mediumOf(input);
  const grid = gridOf(input.nx, isLine ? 0 : input.ny, lengthX, lengthY);
  const maps = mapsOf(medium, grid, sides);
  const dtMax = 1 / Math.sqrt(maps.rate);
  const { dt, steps } = timeGrid(input, input.courant * dtMax);
  if (dt > dtMax * (1 + 1e-12)) throw unstableStep(dt, dtMax);
  const own: Level = { ...grid, dt, steps, layer: LAYER_CELLS, maps };
  const isRefined = runNs(own) <= MAX_REFINED_NS;
  const levels = [own, ...(isRefined ? FINER : COARSER).map((share) => resized(own, share, medium, sides))];
  const nodes = (own.cellsX + 1) * (own.cellsY + 1);
  const frames = Math.max(2, Math.min(MAX_FRAMES, Math.floor(MAX_FRAME_NUMBERS / nodes)));
  const source = sourceOf(input, lengthX, lengthY, medium.speed);
  return {
    ...own,
    isYee,
    isLine,
    lengthX,
    lengthY,
    sides,
    isOpen: Object.values(sides).includes('open'),
    medium,
    initial: initialOf(input, isLine, sides),
    source,
    tEnd: dt * steps,
    dtMax,
    levels,
    isRefined,
    probe: probeOf(input, lengthX, lengthY),
    historyEvery: recordInterval(steps, MAX_HISTORY),
    frameEvery: recordInterval(steps, frames - 1),
  };
}

function lineOf({ mode, dim }: WaveInput): boolean {
  if (mode === 'wave1d' && dim === 2)
    throw validationError('dim', 'dim is 2; wave1d is a line. Leave dim out, or ask for mode membrane.');
  return mode === 'wave1d' || dim === 1;
}

function sidesOf(input: WaveInput, isLine: boolean): Sides {
  const own = (given: Side | 'same'): Side => (given === 'same' ? input.boundary : given);
  const [left, right, bottom, top] = [own(input.left), own(input.right), own(input.bottom), own(input.top)];
  for (const name of ['bottom', 'top'] as const)
    if (isLine && input[name] !== 'same')
      throw validationError(name, `${name} is given; a line has no such side. Leave it out, or ask for dim 2.`);
  for (const [one, other, a, b] of [
    ['left', 'right', left, right],
    ['bottom', 'top', bottom, top],
  ] as const)
    if ((a === 'periodic') !== (b === 'periodic'))
      throw validationError(other, `${one} is ${a} and ${other} ${b}; periodic sides come in pairs.`);
  return isLine ? { left, right, bottom: 'free', top: 'free' } : { left, right, bottom, top };
}

type Grid = Pick<Level, 'cellsX' | 'cellsY' | 'hx' | 'hy'>;

const gridOf = (cellsX: number, cellsY: number, lengthX: number, lengthY: number): Grid => ({
  cellsX,
  cellsY,
  hx: lengthX / cellsX,
  hy: cellsY === 0 ? 0 : lengthY / cellsY,
});

/** The same problem on `share` of the cells, with a step of its own. */
function resized(own: Level, share: number, medium: Medium, sides: Sides): Level {
  const cellsX = Math.max(MIN_CELLS, Math.round(own.cellsX * share));
  const cellsY = own.cellsY === 0 ? 0 : Math.max(MIN_CELLS, Math.round(own.cellsY * share));
  const grid = gridOf(cellsX, cellsY, own.hx * own.cellsX, own.hy * own.cellsY);
  const maps = mapsOf(medium, grid, sides);
  const tEnd = own.dt * own.steps;
  const steps = Math.max(1, Math.round((own.steps * cellsX) / own.cellsX), Math.ceil(tEnd * Math.sqrt(maps.rate)));
  return { ...grid, dt: tEnd / steps, steps, layer: Math.max(4, Math.round(own.layer * share)), maps };
}

/** Estimated nanoseconds of a run without its records, measured (bench/wave.ts). */
export function runNs({ cellsX, cellsY, steps, layer, maps }: Level): number {
  const nodes = (cellsX + 2 * layer) * (cellsY === 0 ? 1 : cellsY + 2 * layer);
  return steps * (60 + (maps.isUniform ? 1.2 * (cellsX + 8) * (cellsY + 1) : 16 * nodes));
}

function probeOf({ probe_x: x, probe_y: y }: WaveInput, lengthX: number, lengthY: number): Problem['probe'] {
  for (const [name, given, length] of [
    ['probe_x', x, lengthX],
    ['probe_y', y, lengthY],
  ] as const)
    if (given !== undefined && given > length)
      throw validationError(name, `${name} is ${given}; a place from 0 to ${length} m is expected.`, 'OUT_OF_RANGE');
  return [x ?? 0.375 * lengthX, y ?? 0.375 * lengthY];
}
