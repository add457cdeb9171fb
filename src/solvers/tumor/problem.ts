// The problem of a request: the tissue, the state at the start, and the grids with their steps.

import { validationError } from '../parts/errors.ts';
import { MAX_STEPS, type TumorInput } from './inputs.ts';
import { SHARES } from './judge.ts';
import { mapOf, type TissueMap } from './map.ts';
import { type Level, levelOf, segmentsOf } from './schedule.ts';
import { type Start, startOf } from './start.ts';
import { type Therapy, therapyOf, toResolution } from './therapy.ts';

/** Cells and steps of a request, together. */
const MAX_WORK = 5e7;
const MAX_MAP_WORK = 2.5e8;
const MAX_RECORDS = { line: 400, map: 100 } as const;
const MAX_FRAME_NUMBERS = { line: 10_000, map: 500_000 } as const;
/** At most this part of the time of growth is a step by default, and this part of a cell the way of the front. */
const STEP_OF_GROWTH = 0.05;
const STEP_OF_CELL = 0.5;
const DEFAULT_STEPS = 200;
const DEFAULT_CELLS = { line: 800, map: 120 } as const;
/** Cells a side of a pixel, as multiples of that of the coarsest grid. */
const MAP_SHARES = [3, 2, 1] as const;
export interface Problem {
  /** In the order of `SHARES`, the grid of the request first; on a map of three, two and one cells a side of a pixel. */
  readonly levels: readonly Level[];
  /** Undefined for a ball or layer. */
  readonly map: TissueMap | undefined;
  readonly therapy: Therapy;
  readonly dt: number;
  readonly tFrom: number;
  readonly white: readonly [from: number, to: number];
  /** The largest diffusivity of the tissue. */
  readonly fastest: number;
  readonly start: Start;
}

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: TumorInput): Problem {
  const { L, t_end: end, rho } = input;
  const tFrom = toResolution(input.t_from ?? 0.8 * end);
  if (tFrom >= end) throw validationError('t_from', `t_from is ${tFrom} days; it is below t_end, ${end} days.`);
  const map = mapOf(input);
  const white = whiteOf(input);
  const therapy = therapyOf(input);
  const hasWhite = map ? map.hasWhite : white[1] > white[0];
  const hasGrey = map ? map.hasGrey : white[1] - white[0] < L;
  const fastest = Math.max(hasWhite ? input.D_white : 0, hasGrey ? input.D_grey : 0);
  const shares = map ? MAP_SHARES : SHARES;
  const [most] = shares;
  // Cells of a share of 1.
  const base = map
    ? map.columns * Math.ceil((input.nx ?? DEFAULT_CELLS.map) / (most * map.columns))
    : Math.ceil((input.nx ?? DEFAULT_CELLS.line) / most);
  const cells = most * base;
  const speed = 2 * Math.sqrt(fastest * rho);
  const standard = Math.min(
    end / DEFAULT_STEPS,
    ...(rho > 0 ? [STEP_OF_GROWTH / rho, (STEP_OF_CELL * L) / cells / speed] : []),
  );
  const dt = input.dt ?? standard;
  const all = cells * (map ? (cells * map.rows) / map.columns : 1);
  const possible = Math.floor(Math.min(MAX_STEPS, (map ? MAX_MAP_WORK : MAX_WORK) / all));
  // Too many to be laid out are refused by their number alone.
  const segments = end / dt > MAX_STEPS ? [] : segmentsOf(therapy, end, tFrom, most * dt);
  const count = most * segments.reduce((sum, { steps }) => sum + steps, 0) || end / dt;
  if (count > possible) {
    const message = `t_end takes ${Math.ceil(count)} steps of ${dt} days on ${all} cells, and ${possible} are allowed. Give a larger dt or fewer cells.`;
    throw validationError(input.dt === undefined ? 't_end' : 'dt', message, 'OUT_OF_RANGE');
  }
  const kind = map ? 'map' : 'line';
  const levels = shares.map((share) =>
    levelOf(segments, therapy, rho, {
      cells: share * base,
      width: L / (share * base),
      share,
      maxRecords: MAX_RECORDS[kind],
      maxFrames: Math.floor(MAX_FRAME_NUMBERS[kind] / ((all / cells / cells) * share * share * base * base)),
    }),
  );
  return { levels, map, therapy, dt, tFrom, white, fastest, start: startOf(input) };
}

function whiteOf({ white_from: from, white_to: to, L, map }: TumorInput): readonly [number, number] {
  if (from === undefined && to === undefined) return [0, 0];
  if (map !== undefined) {
    const field = from === undefined ? 'white_to' : 'white_from';
    throw validationError(field, `${field} is given beside map, which says where white matter is. Leave it out.`);
  }
  const white = [from ?? 0, to ?? L] as const;
  if (white[1] > L) throw validationError('white_to', `white_to is ${white[1]} cm; the tissue ends at ${L} cm.`);
  if (white[0] >= white[1])
    throw validationError('white_from', `white_from is ${white[0]} cm; it is below white_to, ${white[1]} cm.`);
  return white;
}

/**
 * Diffusivities between the centres of cells: resistances in a row. A border of tissues counts as one that is spread by
 * a hat of two cells, so that its error shrinks with order 2 wherever in a cell it lies.
 */
export function diffusivityOn(
  { white: [from, to] }: Problem,
  { cells, width }: Level,
  { L, D_white, D_grey }: TumorInput,
): Float64Array {
  const [begin, end] = [from > 0 ? from : Number.NEGATIVE_INFINITY, to < L ? to : Number.POSITIVE_INFINITY];
  return Float64Array.from({ length: cells + 1 }, (_, i) => {
    const inWhite = to > from ? splineIntegral(end / width - i) - splineIntegral(begin / width - i) : 0;
    return 1 / (inWhite / D_white + (1 - inWhite) / D_grey);
  });
}

/** The integral, up to t, of the quadratic B-spline about 0: a link of one cell, spread by the hat. */
function splineIntegral(t: number): number {
  if (t <= -1.5) return 0;
  if (t >= 1.5) return 1;
  if (Math.abs(t) <= 0.5) return 0.5 + 0.75 * t - (t * t * t) / 3;
  const left = 1.5 - Math.abs(t);
  const tail = (left * left * left) / 6;
  return t < 0 ? tail : 1 - tail;
}
