// The start of a run: what it is, and its means over cells.

import { exp, log } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import { type FieldFunction, fieldFunction } from '../parts/field-expression.ts';
import { assertSeen, assertSeenOnPlane, placesOfCell } from '../parts/unseen.ts';
import type { TumorInput } from './inputs.ts';
import { rowsOn, type TissueMap } from './map.ts';
import type { Level } from './schedule.ts';

/** Points of Gauss in a cell for means of the start, and evenly spaced ones if it may jump. */
const GAUSS = [0.5 - Math.sqrt(1 / 12), 0.5 + Math.sqrt(1 / 12)] as const;
const EVEN = [0.0625, 0.1875, 0.3125, 0.4375, 0.5625, 0.6875, 0.8125, 0.9375] as const;
const MAY_JUMP = /[<>?]|abs/;

/** Parts of a cell, along an axis, by which a circle through it is measured. */
const PARTS = 8;

/** What is full up to its edge or falls to 0 there, or any function of the distance, or of the place on a map. */
export type Start =
  | { readonly edge: number; readonly height: number; readonly isRamp: boolean }
  | { readonly at: (x: number, y: number) => number; readonly points: readonly number[] };

/** u at the start. @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function startOf({ u0, r0, peak, N0, K, geometry, map, initial_u: own }: TumorInput): Start {
  if (own !== undefined) {
    const f: FieldFunction = fieldFunction(own, 'initial_u', map === undefined ? ['x', 'x'] : ['x', 'y']);
    const at = (x: number, y: number) => {
      const value = f(x, y);
      if (value >= 0 && value <= 1) return value;
      const place = map === undefined ? `x = ${x} cm` : `x = ${x}, y = ${y} cm`;
      throw validationError('initial_u', `initial_u is ${value} at ${place}; 0 to 1 is expected everywhere.`);
    };
    return { at, points: MAY_JUMP.test(own) ? EVEN : GAUSS };
  }
  if (u0 === 'gauss') return { at: (x) => peak * exp(-Math.min(700, (x / r0) * (x / r0))), points: GAUSS };
  if (u0 === 'ramp' || u0 === 'step') return { edge: r0, height: peak, isRamp: u0 === 'ramp' };
  const volume = N0 / K;
  const ball = geometry === 'planar' ? volume : exp(log((3 * volume) / (4 * Math.PI)) / 3);
  return { edge: map === undefined ? ball : Math.sqrt(volume / Math.PI), height: 1, isRamp: false };
}

/** A start may not vary between the points of its cells. @throws DomainError VALIDATION_FAILED */
export function assertResolved({ initial_u, L }: TumorInput, start: Start, level: Level, map?: TissueMap): void {
  if ('edge' in start) return;
  const path = initial_u === undefined ? 'r0' : 'initial_u';
  const count = start.points.length;
  const remedy = 'take more cells, or a wider shape';
  if (map === undefined) {
    const step = level.width / count;
    const peaks = initial_u === undefined ? [0] : [];
    assertSeen(path, 'x', (x) => start.at(x, x), { from: 0, to: L, first: 0.5 * step, step, remedy, peaks });
    return;
  }
  const rows = rowsOn(map, level);
  const places = placesOfCell(count, [level.cells, rows]);
  const pixel = L / map.columns;
  const isTissue = (x: number, y: number) => {
    const [i, j] = [Math.min(map.columns - 1, Math.floor(x / pixel)), Math.min(map.rows - 1, Math.floor(y / pixel))];
    return map.tissue[j * map.columns + i] !== 'outside';
  };
  const at = valueOnMap(start, map, initial_u !== undefined);
  assertSeenOnPlane(path, (x, y) => (isTissue(x, y) ? at(x, y) : 0), {
    extents: [L, map.rows * pixel],
    cells: [level.cells * places, rows * places],
    isMiddles: true,
    remedy,
    peaks: initial_u === undefined ? [map.center] : [],
  });
}

/** u of the start at a place of a map. */
function valueOnMap(start: Start, { center: [x0, y0] }: TissueMap, isOwn: boolean): FieldFunction {
  if (!('edge' in start) && isOwn) return start.at;
  return (x, y) => {
    const r = Math.sqrt((x - x0) * (x - x0) + (y - y0) * (y - y0));
    if (!('edge' in start)) return start.at(r, 0);
    if (r > start.edge) return 0;
    return start.isRamp ? start.height * (1 - r / start.edge) : start.height;
  };
}

/** Means of the start over the cells. */
export function initialOn(start: Start, { cells, width }: Level, isRadial: boolean): Float64Array {
  const power = (x: number) => (isRadial ? x * x * x : x);
  if ('edge' in start) {
    const { edge, height, isRamp } = start;
    // ∫ x^k (1 − x / edge) of a ramp, in units of ∫ x^k.
    const slope = isRadial ? 0.75 / edge : 0.5 / edge;
    const integral = (x: number) => power(x) * (isRamp ? 1 - slope * x : 1);
    return Float64Array.from({ length: cells }, (_, i) => {
      const [a, b] = [i * width, (i + 1) * width];
      const to = Math.min(Math.max(edge, a), b);
      return Math.max(0, (height * (integral(to) - integral(a))) / (power(b) - power(a)));
    });
  }
  const { at, points } = start;
  return Float64Array.from({ length: cells }, (_, i) => {
    let [sum, weights] = [0, 0];
    for (const point of points) {
      const x = (i + point) * width;
      const weight = isRadial ? x * x : 1;
      sum += weight * at(x, x);
      weights += weight;
    }
    return sum / weights;
  });
}

/** Means of the start over cells of tissue. */
export function startOnMap(start: Start, map: TissueMap, level: Level, isOwn: boolean): Float64Array {
  const { cells, width } = level;
  const [x0, y0] = map.center;
  const side = cells / map.columns;
  const distance = (x: number, y: number) => Math.sqrt((x - x0) * (x - x0) + (y - y0) * (y - y0));
  const value = valueOnMap(start, map, isOwn);
  const even = Array.from({ length: PARTS }, (_, k) => (k + 0.5) / PARTS);
  return Float64Array.from({ length: cells * rowsOn(map, level) }, (_, k) => {
    const [i, j] = [k % cells, Math.floor(k / cells)];
    if (map.tissue[Math.floor(j / side) * map.columns + Math.floor(i / side)] === 'outside') return 0;
    let points: readonly number[] = 'edge' in start ? [0.5] : start.points;
    if ('edge' in start) {
      const off = distance((i + 0.5) * width, (j + 0.5) * width);
      // Kinks at the edge, and at the tip of a ramp.
      if (Math.abs(off - start.edge) < width || (start.isRamp && off < 8 * width)) points = even;
    }
    let sum = 0;
    for (const t of points) for (const s of points) sum += value((i + s) * width, (j + t) * width);
    return sum / (points.length * points.length);
  });
}
