// Probes: where the temperature is read, and how it is interpolated from the nodes.

import { validationError } from '../parts/errors.ts';
import { type Axis, antinode, type Place } from './axis.ts';
import type { HeatInput } from './inputs.ts';

/** A place on the rod or plate: one coordinate per axis. */
export type Probe = readonly Place[];

/** Four nodes along an axis. */
const STENCIL = 4;
/** A place this close to a node, in cells, is the node. */
const ON_NODE = 1e-9;

/**
 * The probes of a request, the value first: given ones, or the antinode of the mode, or the middle.
 *
 * @throws DomainError VALIDATION_FAILED for a probe outside or without its other coordinate
 */
export function probesOf({ probe_x: x, probe_y: y }: HeatInput, axes: readonly Axis[], isGeneral: boolean): Probe[] {
  const given = [x, y].slice(0, axes.length);
  if (axes.length === 1 && y !== undefined)
    throw validationError('probe_y', 'probe_y is given; a rod has no y. Leave it out, or ask for dim 2.');
  const [first] = given.filter((list) => list !== undefined);
  if (first === undefined) return [axes.map((axis) => (isGeneral ? { a: 1, b: 2 } : antinode(axis)))];
  for (const [d, list] of given.entries()) {
    const name = d === 0 ? 'probe_x' : 'probe_y';
    if (list?.length !== first.length) {
      const message = `${name} has ${list?.length ?? 0} numbers; ${first.length} are expected, one for each probe.`;
      throw validationError(name, message, 'MISSING');
    }
  }
  return first.map((_, p) => axes.map((axis, d) => placeOf(axis, given[d]?.[p] ?? Number.NaN, d, p)));
}

function placeOf({ length }: Axis, position: number, d: number, p: number): Place {
  if (position >= 0 && position <= length) return { a: position, b: length };
  const name = d === 0 ? 'probe_x' : 'probe_y';
  throw validationError(
    `${name}[${p}]`,
    `${name}[${p}] is ${position}; a place from 0 to ${length} is expected.`,
    'OUT_OF_RANGE',
  );
}

/** Position of a place in m. */
export const positionOf = ({ a, b }: Place, { length }: Axis): number => (a / b) * length;

/**
 * The first of the four nodes of each axis, f64[probes, 2], and their weights, f64[probes, 8].
 *
 * @param isLinear  interpolate between two nodes, where the slope may jump; otherwise cubic
 */
export function stencilsOf(
  probes: readonly Probe[],
  cells: readonly number[],
  isLinear: boolean,
): { readonly probeNodes: Float64Array; readonly probeWeights: Float64Array } {
  const probeNodes = new Float64Array(2 * probes.length);
  const probeWeights = new Float64Array(2 * STENCIL * probes.length);
  for (const [p, probe] of probes.entries()) {
    for (const d of [0, 1] as const) {
      const place = probe[d] ?? { a: 0, b: 1 };
      const { first, weights } = stencilOf((place.a / place.b) * (cells[d] ?? 0), cells[d] ?? 0, isLinear);
      probeNodes[2 * p + d] = first;
      probeWeights.set(weights, 2 * STENCIL * p + STENCIL * d);
    }
  }
  return { probeNodes, probeWeights };
}

/** @param s  the place, in cells */
function stencilOf(
  s: number,
  cells: number,
  isLinear: boolean,
): { readonly first: number; readonly weights: number[] } {
  const nearest = Math.round(s);
  if (Math.abs(s - nearest) <= ON_NODE) return { first: nearest, weights: [1, 0, 0, 0] };
  if (isLinear) {
    const first = Math.min(Math.floor(s), cells - 1);
    return { first, weights: [1 - (s - first), s - first, 0, 0] };
  }
  const first = Math.max(0, Math.min(cells - STENCIL + 1, Math.floor(s) - 1));
  const x = s - first;
  const others = (i: number) => [0, 1, 2, 3].filter((k) => k !== i);
  return { first, weights: [0, 1, 2, 3].map((i) => others(i).reduce((w, k) => (w * (x - k)) / (i - k), 1)) };
}
