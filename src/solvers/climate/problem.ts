// The problem that the inputs state: grids, sides, places, and the exact solution where there is one.

import { validationError } from '../parts/errors.ts';
import { type Level, SAMPLES_OF_CELL, type State, stateOf } from './grid.ts';
import { type Initial, initialOf } from './initial.ts';
import { type ClimateInput, charactersOf, MAX_CELLS, type Side } from './inputs.ts';
import { type DamBreak, damBreak } from './reference.ts';

/** Samples of the history after the start. */
export const SAMPLES = 120;
/** Numbers of all frames together. */
const MAX_FRAME_NUMBERS = { line: 6_000, plane: 30_000 } as const;
const MAX_FRAME_COLUMNS = { line: 200, plane: 64 } as const;
const MAX_STEPS = 100_000;
/** Estimated nanoseconds of all runs together. */
const MAX_NS = 5e9;
/** Samples of all grids together, times the characters of the expressions. */
const MAX_SAMPLING = 1e8;
/** Nanoseconds a cell and step. */
const NS = { line: 6, turningLine: 10, plane: 18, friction: 12, secondLine: 40, secondPlane: 110 } as const;
/** Steps are an upper bound, usually twice those taken. */
const SHARE_OF_STEPS = 0.6;
/** Cells of the witness along an axis relative to those of a problem of order 1 and of order 2. */
const WITNESS = { 1: 0.5, 2: 0.75 } as const;
/** Depth below which water rests, relative to the largest. */
const DRY = 1e-9;

export type Limiter = Exclude<ClimateInput['limiter'], 'none'>;

export interface Run {
  readonly level: Level;
  readonly state: State;
  readonly scheme: ClimateInput['scheme'];
  readonly order: 1 | 2;
  readonly limiter: Limiter;
  /** An upper bound of what is expected. */
  readonly steps: number;
}

export interface Problem {
  readonly isLine: boolean;
  readonly hasCross: boolean;
  readonly x0: number;
  readonly sides: Readonly<Record<'left' | 'right' | 'bottom' | 'top', Side>>;
  readonly initial: Initial;
  /** The probe, then the gauges. */
  readonly places: readonly (readonly [x: number, y: number])[];
  /** The own grid, a half and a quarter of it, and a witness where no exact solution is known. */
  readonly runs: readonly [own: Run, half: Run, quarter: Run, ...witness: Run[]];
  /** The largest depth at the start. */
  readonly scale: number;
  readonly dryDepth: number;
  readonly frontDepth: number;
  readonly frames: number;
  readonly stride: number;
  readonly exact: DamBreak | undefined;
}

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function problemOf(input: ClimateInput): Problem {
  const { dim, lx, ly, t_end } = input;
  const isLine = dim === 1;
  const nx = input.nx ?? (isLine ? 800 : 64);
  if (!isLine && nx > MAX_CELLS.plane)
    throw validationError(
      'nx',
      `nx is ${nx}; a rectangle has at most ${MAX_CELLS.plane} cells along x.`,
      'OUT_OF_RANGE',
    );
  limitSampling(input, nx);
  const x0 = within('x0', input.x0 ?? 0.5 * lx, lx);
  const probe = [
    within('probe_x', input.probe_x ?? 0.6 * lx, lx),
    isLine ? 0 : within('probe_y', input.probe_y ?? 0.5 * ly, ly),
  ] as const;
  if (isLine && input.beta !== 0) throw validationError('beta', `beta is ${input.beta}; a line has no y. Give dim 2.`);
  const initial = initialOf(input, x0);
  const sides = sidesOf(input);
  const runAt = (factor: number, method: Method): Run => {
    const columns = Math.max(8, Math.ceil(nx * factor));
    const rows = isLine ? 1 : Math.max(8, Math.ceil(input.ny * factor));
    const level = { columns, rows, dx: lx / columns, dy: isLine ? 1 : ly / rows };
    const state = stateOf(input, initial, level, x0);
    return { level, state, ...method, steps: stepsOf(input, level, state, method) };
  };
  const exact = exactOf(input, x0, initial);
  const own = methodOf(input);
  const grids = [runAt(1, own), runAt(0.5, own), runAt(0.25, own)] as const;
  const runs: Problem['runs'] = exact === undefined ? [...grids, runAt(WITNESS[own.order], witnessOf(own))] : grids;
  const ns = runs.reduce((sum, run) => sum + nsOf(input, run), 0);
  if (ns > MAX_NS)
    throw validationError(
      't_end',
      `t_end is ${t_end} s; it takes about ${Math.ceil(ns / 1e9)} s of computing on ${nx}${isLine ? '' : ` × ${input.ny}`} cells, and ${MAX_NS / 1e9} are allowed. Take fewer cells.`,
      'OUT_OF_RANGE',
    );
  const scale = runs[0].state.depth.reduce((most, h) => Math.max(most, h), 0);
  if (!(scale > 0)) throw validationError('depth', 'The bed is above the level everywhere; there is no water.');
  const stride = Math.ceil(nx / MAX_FRAME_COLUMNS[isLine ? 'line' : 'plane']);
  const columns = Math.ceil(nx / stride) * (isLine ? 1 : Math.ceil(input.ny / stride));
  return {
    isLine,
    hasCross: !isLine || input.f !== 0 || initial.v !== undefined || initial.jet !== undefined,
    x0,
    sides,
    initial,
    places: [
      probe,
      ...input.gauges.map(([x = 0, y = 0]) => [within('gauges', x, lx), isLine ? 0 : within('gauges', y, ly)] as const),
    ],
    runs,
    scale,
    dryDepth: DRY * scale,
    frontDepth: exact === undefined ? 0.01 * scale : Math.max(0.5 * (exact.middle + input.h_right), 0.01 * scale),
    frames: Math.min(40, Math.max(2, Math.floor(MAX_FRAME_NUMBERS[isLine ? 'line' : 'plane'] / columns) - 2)),
    stride,
    exact,
  };
}

/** Estimated nanoseconds of a run. */
export function nsOf(
  { manning, f, v, initial }: ClimateInput,
  { level: { columns, rows }, order, steps }: Run,
): number {
  const isTurning = f !== 0 || v !== undefined || initial === 'jet' || manning > 0;
  const first = rows > 1 ? NS.plane : isTurning ? NS.turningLine : NS.line;
  const second = rows > 1 ? NS.secondPlane : NS.secondLine;
  const ns = (order === 1 ? first : second) + (manning > 0 ? NS.friction : 0);
  return SHARE_OF_STEPS * ns * columns * rows * steps;
}

/** Long expressions on many cells take longer than the water. */
function limitSampling(input: ClimateInput, nx: number): void {
  const characters = charactersOf(input);
  const cells = input.dim === 1 ? 2.5 * nx : 2 * nx * input.ny;
  if (characters * cells * SAMPLES_OF_CELL <= MAX_SAMPLING) return;
  const most = Math.floor(MAX_SAMPLING / (cells * SAMPLES_OF_CELL));
  throw validationError(
    'level',
    `level, u, v and bed have ${characters} characters together; ${most} are allowed on ${nx}${input.dim === 1 ? '' : ` × ${input.ny}`} cells. Take fewer cells or a bed_map.`,
    'OUT_OF_RANGE',
  );
}

type Method = Pick<Run, 'scheme' | 'order' | 'limiter'>;

const methodOf = ({ scheme, limiter }: ClimateInput): Method =>
  limiter === 'none' ? { scheme, order: 1, limiter: 'van-leer' } : { scheme, order: 2, limiter };

/** Of order 2 by other fluxes; beside a problem of order 2, with the other limiter as well. */
const witnessOf = ({ scheme, order, limiter }: Method): Method => ({
  scheme: scheme === 'hll' ? 'rusanov' : 'hll',
  order: 2,
  limiter: order === 1 ? limiter : limiter === 'minmod' ? 'van-leer' : 'minmod',
});

function within(path: string, value: number, length: number): number {
  if (value <= length) return value;
  throw validationError(path, `${path} is ${value}; a place from 0 to ${length} m is expected.`, 'OUT_OF_RANGE');
}

function sidesOf({ boundary, left, right, bottom, top, dim }: ClimateInput): Problem['sides'] {
  const of = (side: Side | 'same'): Side => (side === 'same' ? boundary : side);
  for (const [name, side] of Object.entries({ bottom, top }))
    if (dim === 1 && side !== 'same') throw validationError(name, `${name} is ${side}; a line has no such side.`);
  const sides = { left: of(left), right: of(right), bottom: of(bottom), top: of(top) };
  for (const [name, a, b] of [
    ['right', sides.left, sides.right],
    ['top', sides.bottom, sides.top],
  ] as const)
    if ((a === 'periodic') !== (b === 'periodic'))
      throw validationError(name, `${name} is ${b} and the opposite side ${a}; both are periodic, or none.`);
  return sides;
}

/**
 * Steps at most: no water is faster than twice the waves of all the height that is there, and what moves at the start.
 *
 * @throws DomainError VALIDATION_FAILED for too many
 */
function stepsOf(
  { g, t_end, courant, f }: ClimateInput,
  { columns, rows, dx, dy }: Level,
  { depth, flowX, flowY, bed }: State,
  { scheme, order }: Pick<Run, 'scheme' | 'order'>,
): number {
  let [high, low, speed] = [0, 0, 0];
  depth.forEach((h, k) => {
    const b = bed[k] ?? 0;
    low = k === 0 ? b : Math.min(low, b);
    if (h === 0) return;
    high = k === 0 ? b + h : Math.max(high, b + h);
    const [u, v] = [(flowX[k] ?? 0) / h, (flowY[k] ?? 0) / h];
    speed = Math.max(speed, Math.sqrt(u * u + v * v));
  });
  const waves = Math.sqrt(g * Math.max(high - low, 0));
  const plane = rows === 1 ? 0 : 1 / dy;
  const spread = scheme === 'lax-friedrichs' && rows > 1 ? 2 : 1;
  const rate = spread * (2 * waves + speed) * (1 / dx + plane);
  const steps = Math.ceil((order * t_end * rate) / courant) + 10;
  if (!(steps <= MAX_STEPS))
    throw validationError(
      't_end',
      `t_end is ${t_end} s; it takes up to ${steps} steps on ${columns} cells, and ${MAX_STEPS} are allowed.`,
      'OUT_OF_RANGE',
    );
  const turn = (Math.abs(f) * t_end) / steps;
  if (turn > 0.5)
    throw validationError('f', `f is ${f} 1/s; a step turns by ${turn} rad, and 0.5 are allowed. Take more cells.`);
  return steps;
}

/** A dam that breaks on a flat bed without friction and rotation, as long as no wave has come to a side. */
function exactOf(input: ClimateInput, x0: number, initial: Initial): DamBreak | undefined {
  const { dim, level, depth, h_right, f, manning, g, lx, t_end } = input;
  const isPlain = dim === 1 && input.initial === 'dam' && level === undefined && f === 0 && manning === 0;
  if (!isPlain || initial.bed !== undefined || initial.u !== undefined || initial.v !== undefined) return undefined;
  if (!(depth > h_right)) return undefined;
  const exact = damBreak(depth, h_right, g);
  const isInside = x0 > Math.sqrt(g * depth) * t_end && x0 + exact.front * t_end < lx;
  return isInside ? exact : undefined;
}
