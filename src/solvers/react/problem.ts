// The problem of a request: its kinetics, its grids and time steps, and what is read from it.

import type { DomainError } from '../../core/errors.ts';
import { unstableError, validationError } from '../parts/errors.ts';
import { recordInterval } from '../parts/sampling.ts';
import { type InitialOn, initialOf } from './initial.ts';
import { MAX_STEPS, type ReactInput } from './inputs.ts';
import { type Defaults, defaultsOf, type Model, type Programs, programsOf, type State } from './kinetics.ts';

/** A grid and its time steps. */
export interface Level {
  readonly columns: number;
  /** 1 for a line. */
  readonly rows: number;
  readonly widthX: number;
  readonly widthY: number;
  readonly dt: number;
  readonly steps: number;
}

export interface Problem extends Level {
  readonly model: Model;
  readonly programs: Programs;
  readonly Du: number;
  readonly Dv: number;
  readonly background: State;
  readonly foreground: State;
  readonly initialOn: InitialOn;
  /** The grid of the request, and two that judge it: one finer and one coarser by √2, or two coarser ones. */
  readonly levels: readonly Level[];
  /** Whether the second grid is finer. */
  readonly isRefined: boolean;
  readonly lengthX: number;
  readonly lengthY: number;
  /** Place of the probe; y is 0 on a line. */
  readonly probe: readonly [x: number, y: number];
  /** Level of u at the front. */
  readonly level: number;
  /** The largest step at which diffusion is stable; infinite without diffusion. */
  readonly dtMax: number;
  readonly historyEvery: number;
  readonly frameEvery: number;
}

/** Cells of the other grids, relative to that of the request. */
const FINER = [Math.SQRT2, Math.SQRT1_2] as const;
const COARSER = [Math.SQRT1_2, 0.5] as const;
/** Nanoseconds of a run that a finer one may judge: it takes about three times as long. */
const MAX_REFINED_NS = 4e8;
const MIN_COLUMNS = 8;
/** Points along an axis, over two cells, by which an initial expression with jumps is weighted. */
const SAMPLES = { line: 64, rectangle: 12 } as const;
export const MAX_HISTORY = 200;
const MAX_FRAMES = 41;
const MAX_FRAME_NUMBERS = 1_000_000;
const DEFAULT_STEPS = 1000;
/** Fraction of the stability limit that a default step uses, and a finer grid: rates need a part of it. */
const SAFETY_FACTOR = 0.8;
/** The real axis of stability, over the decay of the shortest wave along an axis in D / h². */
const STABILITY = { euler: 2 / 4, rk4: 2.785 / (16 / 3) } as const;
/** Relative tolerance of the limit: a step equal to it may exceed it by the rounding of h². */
const STABILITY_TOLERANCE = 1e-12;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID, UNSTABLE_SCHEME */
export function problemOf(input: ReactInput): Problem {
  const model = modelOf(input);
  const defaults = defaultsOf(model, input);
  const { Du = defaults.Du, Dv = defaults.Dv, N: columns } = input;
  const rows = rowsOf(input);
  const width = input.length === undefined ? defaults.width : input.length / columns;
  const [lengthX, lengthY] = [columns * width, rows * width];
  const axes = rows === 1 ? 1 : 2;
  const dtMax =
    Du + Dv === 0 ? Number.POSITIVE_INFINITY : (STABILITY[input.method] * width * width) / (axes * Math.max(Du, Dv));
  const { dt, steps } = timeGrid(input, Math.min(dtOf(input, model, defaults), SAFETY_FACTOR * dtMax));
  if (dt > dtMax * (1 + STABILITY_TOLERANCE)) throw unstableStep(dt, dtMax, input.method);
  const background = stateOf(input.background, defaults.background);
  const foreground = stateOf(input.foreground, defaults.foreground);
  const own: Level = { columns, rows, widthX: width, widthY: width, dt, steps };
  const programs = programsOf(input, model);
  const isRefined = runNs(own, input.method, model, programs) <= MAX_REFINED_NS;
  const others = (isRefined ? FINER : COARSER).map((share) => resized(own, share, input.method, dtMax));
  const frames = Math.min(MAX_FRAMES, Math.floor(MAX_FRAME_NUMBERS / (2 * columns * rows)));
  return {
    ...own,
    model,
    programs,
    Du,
    Dv,
    background,
    foreground,
    initialOn: initialOf(input, { columns, rows, background, foreground }),
    levels: [own, ...others],
    isRefined,
    lengthX,
    lengthY,
    probe: probeOf(input, lengthX, rows === 1 ? 0 : lengthY),
    level: input.level ?? (background[0] + foreground[0]) / 2,
    dtMax,
    historyEvery: recordInterval(steps, MAX_HISTORY),
    frameEvery: recordInterval(steps, frames - 1),
  };
}

/** Rates of one's own have no time of their own; the duration tells it best. */
function dtOf({ t_end: end }: ReactInput, model: Model, defaults: Defaults): number {
  return model === 'custom' && end !== undefined ? end / DEFAULT_STEPS : defaults.dt;
}

function modelOf({ model, reaction_u, reaction_v }: ReactInput): Model {
  const chosen = model ?? (reaction_u === undefined ? 'gray-scott' : 'custom');
  if (chosen === 'custom' && reaction_u === undefined)
    throw validationError(
      'reaction_u',
      'reaction_u is missing; model custom needs an expression in u and v.',
      'MISSING',
    );
  for (const [field, text] of Object.entries({ reaction_u, reaction_v })) {
    if (chosen === 'custom' || text === undefined) continue;
    throw validationError(field, `${field} is given for model ${chosen}; leave it out, or ask for model custom.`);
  }
  return chosen;
}

function rowsOf({ dim, N, Ny }: ReactInput): number {
  if (dim === 2) return Ny ?? N;
  if (Ny !== undefined) throw validationError('Ny', 'Ny is given; a line has no y. Leave it out, or ask for dim 2.');
  return 1;
}

function stateOf(given: readonly number[] | undefined, standard: State): State {
  const [u, v] = given ?? standard;
  return [u ?? standard[0], v ?? standard[1]];
}

/** Two of step, number of steps and end, or what is left by default. @throws DomainError for all three */
function timeGrid(
  { dt, steps, t_end: end }: ReactInput,
  standard: number,
): { readonly dt: number; readonly steps: number } {
  if (end === undefined) return { dt: dt ?? standard, steps: steps ?? DEFAULT_STEPS };
  if (dt !== undefined && steps !== undefined)
    throw validationError('t_end', 't_end, dt and steps are all given; give two of them.');
  const count = steps ?? Math.max(1, Math.ceil((end / (dt ?? standard)) * (1 - STABILITY_TOLERANCE)));
  if (count <= MAX_STEPS) return { dt: end / count, steps: count };
  const message = `t_end is ${end}, ${count} steps of ${dt ?? standard}; at most ${MAX_STEPS} are possible. Give fewer steps.`;
  throw validationError('t_end', message, 'OUT_OF_RANGE');
}

/** About `share` of the cells; the step follows the spacing as the order of the method asks, and stays stable. */
function resized(own: Level, share: number, method: ReactInput['method'], dtMax: number): Level {
  const { columns, rows, widthX, widthY, dt, steps } = own;
  const cells = Math.max(MIN_COLUMNS, Math.round(columns * share));
  const lines = rows === 1 ? 1 : Math.max(MIN_COLUMNS, Math.round(rows * share));
  const ratio = cells / columns;
  const duration = dt * steps;
  const count = Math.ceil(steps * (method === 'rk4' ? ratio : ratio * ratio));
  const stable = Math.ceil((duration * ratio * ratio) / (SAFETY_FACTOR * dtMax));
  const others = Math.max(1, count, share > 1 ? stable : 1);
  return {
    columns: cells,
    rows: lines,
    widthX: (columns * widthX) / cells,
    widthY: (rows * widthY) / lines,
    dt: duration / others,
    steps: others,
  };
}

/** Estimated nanoseconds of a run without its records, measured (bench/react.ts): by cells, rows and steps. */
export function runNs(
  { columns, rows, steps }: Level,
  method: ReactInput['method'],
  model: Model,
  { rateOperations }: Programs,
): number {
  const rate = model === 'custom' ? 3 + 0.8 * rateOperations : 0.7;
  const cell = method === 'rk4' ? 3.3 + rate : model === 'gray-scott' ? 1.8 : 2.5 + rate;
  return steps * (method === 'rk4' ? 4 : 1) * (columns * rows * cell + rows * 30 + 100);
}

export const samplesOf = ({ programs, rows }: Pick<Problem, 'programs' | 'rows'>): number =>
  !programs.hasJumps ? 1 : rows === 1 ? SAMPLES.line : SAMPLES.rectangle;

function probeOf({ probe_x, probe_y, dim }: ReactInput, lengthX: number, lengthY: number): readonly [number, number] {
  if (dim === 1 && probe_y !== undefined)
    throw validationError('probe_y', 'probe_y is given; a line has no y. Leave it out, or ask for dim 2.');
  const place = { probe_x: [probe_x, lengthX], probe_y: [probe_y, lengthY] } as const;
  for (const [name, [given, length]] of Object.entries(place)) {
    if (given === undefined || given <= length) continue;
    throw validationError(name, `${name} is ${given}; a place from 0 to ${length} is expected.`, 'OUT_OF_RANGE');
  }
  return [probe_x ?? lengthX / 2, probe_y ?? lengthY / 2];
}

function unstableStep(dt: number, dtMax: number, method: ReactInput['method']): DomainError {
  const message = `dt is ${dt}; ${method} is stable up to ${dtMax} on this grid with these diffusivities.`;
  return unstableError('dt', message, 'UNSTABLE_SCHEME', { dt_max: dtMax });
}
