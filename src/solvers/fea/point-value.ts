// A displacement at a place, and its limit on finer meshes.
//
// At a node of all meshes the differences of the values show the order. Elsewhere the error also depends on where in its
// element the place is, so the corners of the coarsest element about it are compared, and what straight lines between
// nodes miss is added.

import { type Located, locate } from '../parts/meshes/locate.ts';
import type { QuadMesh } from '../parts/meshes/quad-mesh.ts';
import type { Place } from './conditions.ts';
import { beyond, type Refinement, refinementOf } from './refinement.ts';
import type { Component } from './shapes.ts';

interface Displaced {
  readonly mesh: QuadMesh;
  readonly u: Float64Array;
}

export interface PointValue extends Refinement {
  /** By mesh, the coarsest first. */
  readonly values: readonly number[];
  readonly found: readonly (Located | undefined)[];
}

/** Weight of a corner at which a place is taken as the corner. */
const NODAL = 1 - 1e-9;
/** Part of the middle mesh's deviation from straight lines that the finest has, with a margin. */
const INTERPOLATION = 0.4;

export function pointValue(
  levels: readonly Displaced[],
  place: Place,
  component: Component,
  floor: number,
): PointValue {
  const found = levels.map(({ mesh }) => locate(mesh, place.x, place.y));
  const of = (u: Float64Array, node: number) => componentOf(component, u[2 * node] ?? 0, u[2 * node + 1] ?? 0);
  const values = levels.map(({ mesh, u }, l) => {
    const [x, y] = [interpolated(mesh, found[l], u, 2, 0), interpolated(mesh, found[l], u, 2, 1)];
    return componentOf(component, x, y);
  });
  const [coarse, middle, fine] = levels;
  const [base] = found;
  if (!coarse || !middle || !fine || !base) return { ...refinementOf(values, floor), values, found };
  const changes = (a: Displaced, b: Displaced, nodes: readonly number[]) =>
    nodes.map((node) => of(b.u, node) - of(a.u, node));
  const global = beyond(
    norm(changes(coarse, middle, allNodes(coarse.mesh))),
    norm(changes(middle, fine, allNodes(coarse.mesh))),
    floor,
  );
  if (base.weights.some((weight) => weight >= NODAL)) {
    const local = refinementOf(values, floor);
    const isConverging = local.isConverging || isWithin(global, Math.abs((values[2] ?? 0) - (values[1] ?? 0)));
    return { ...local, isConverging, values, found };
  }
  const corners = [0, 1, 2, 3].map((i) => coarse.mesh.quads[4 * base.element + i] ?? 0);
  const last = changes(middle, fine, corners);
  const local = beyond(largest(changes(coarse, middle, corners)), largest(last), floor);
  const bent = INTERPOLATION * deviation(middle.mesh, fine, found[1], of);
  const correction = base.weights.reduce((sum, weight, i) => sum + (weight * (last[i] ?? 0)) / local.reach, 0);
  const value = values[2] ?? Number.NaN;
  return {
    value,
    limit: value + correction,
    bound: local.bound + bent,
    order: local.order,
    isConverging: local.isConverging || isWithin(global, largest(last)),
    values,
    found,
  };
}

/** Whether a change is among those of a body that converges as a whole: no place of its own diverges there. */
const isWithin = (global: ReturnType<typeof beyond>, change: number): boolean =>
  global.order !== undefined && global.order >= 1 && change <= 3 * global.last;

const allNodes = ({ points }: QuadMesh): readonly number[] =>
  Array.from({ length: points.length / 2 }, (_, node) => node);
const largest = (values: readonly number[]): number => Math.max(...values.map(Math.abs));
const norm = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

const componentOf = (component: Component, x: number, y: number): number =>
  component === 'ux' ? x : component === 'uy' ? y : Math.sqrt(x * x + y * y);

/** A nodal array of `width` numbers a node, interpolated. */
export function interpolated(
  { quads }: QuadMesh,
  found: Located | undefined,
  values: Float64Array,
  width: number,
  k: number,
): number {
  if (!found) return Number.NaN;
  return found.weights.reduce(
    (sum, weight, i) => sum + weight * (values[width * (quads[4 * found.element + i] ?? 0) + k] ?? 0),
    0,
  );
}

/** How far the finest displacement is from straight lines between the corners of an element of the middle mesh. */
function deviation(
  middle: QuadMesh,
  { mesh, u }: Displaced,
  found: Located | undefined,
  of: (u: Float64Array, node: number) => number,
): number {
  if (!found) return 0;
  const corner = (i: number) => of(u, middle.quads[4 * found.element + i] ?? 0);
  const [a, b, c, d] = [corner(0), corner(1), corner(2), corner(3)];
  // The four children: a ab m da, ab b bc m, m bc c cd, da m cd d.
  const child = (i: number) => of(u, mesh.quads[16 * found.element + i] ?? 0);
  return largest([
    child(1) - 0.5 * (a + b),
    child(6) - 0.5 * (b + c),
    child(11) - 0.5 * (c + d),
    child(3) - 0.5 * (d + a),
    child(2) - 0.25 * (a + b + c + d),
  ]);
}
