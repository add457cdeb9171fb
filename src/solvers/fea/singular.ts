// Places where the exact stress is infinite: re-entrant corners, ends of supports, and points that carry a force.
//
// The exponents are those of Williams (1952): a free corner is singular above 180°, one between a held and a free side above
// about 60°, one between a side on rollers and a free one above 90°.

import { boundaryOf, type QuadMesh } from '../parts/meshes/quad-mesh.ts';
import type { Place } from './conditions.ts';
import type { Problem } from './problem.ts';
import { prescribedOn } from './stability.ts';

/** A place, and how far the coarsest mesh does not resolve its neighbourhood. */
interface SingularPlace extends Place {
  readonly reach: number;
}

/** Smallest cosine and sign of the turn: a corner of 180° within 5°. */
const FLAT = 0.0872;
/** Cosine between the sides of a corner: 60° and 100°. */
const SHARP = 0.5;
const BLUNT = -0.17;

export function singularPlaces({ meshes, supports, loads, exact }: Problem): readonly SingularPlace[] {
  const [mesh] = meshes;
  if (!mesh || exact) return [];
  const held = prescribedOn(mesh, mesh, supports);
  const onArc = new Set(mesh.arcs.flatMap(({ edges }) => [...edges]));
  const places: SingularPlace[] = [];
  for (const [node, { before, after }] of cornersOf(mesh)) {
    const [inward, outward] = [directionOf(mesh, before, node), directionOf(mesh, node, after)];
    const turn = inward.x * outward.y - inward.y * outward.x;
    // Between the two sides as seen from the corner.
    const between = -(inward.x * outward.x + inward.y * outward.y);
    const isReentrant = turn < -FLAT && !onArc.has(node);
    const kinds = [before, after].map(
      (other) => [0, 1].filter((d) => held.has(2 * node + d) && held.has(2 * other + d)).length,
    );
    const isPoint = [0, 1].some((d) => held.has(2 * node + d) && !held.has(2 * before + d) && !held.has(2 * after + d));
    const [less = 0, more = 0] = kinds.toSorted((a, b) => a - b);
    const isConvexAndSharp = turn > 0 && between > (more === 2 ? SHARP : BLUNT);
    if (!isReentrant && !isPoint && (less === more || isConvexAndSharp)) continue;
    places.push({ ...placeOf(mesh, node), reach: 1.5 * Math.max(inward.length, outward.length) });
  }
  const size = Math.max(...places.map(({ reach }) => reach), 0);
  const points = loads.flatMap((load) => (load.kind === 'point' ? [{ ...load.at, reach: size }] : []));
  return [...places, ...points];
}

/** The neighbours of each node along the boundary, the inside to the left. */
function cornersOf(mesh: QuadMesh): ReadonlyMap<number, { readonly before: number; readonly after: number }> {
  const boundary = boundaryOf(mesh);
  const before = new Map<number, number>();
  for (let i = 0; i < boundary.length; i += 2) before.set(boundary[i + 1] ?? 0, boundary[i] ?? 0);
  const corners = new Map<number, { readonly before: number; readonly after: number }>();
  for (let i = 0; i < boundary.length; i += 2) {
    const [node = 0, after = 0] = boundary.subarray(i, i + 2);
    corners.set(node, { before: before.get(node) ?? node, after });
  }
  return corners;
}

const placeOf = ({ points }: QuadMesh, node: number): Place => ({
  x: points[2 * node] ?? 0,
  y: points[2 * node + 1] ?? 0,
});

function directionOf(mesh: QuadMesh, from: number, to: number) {
  const [a, b] = [placeOf(mesh, from), placeOf(mesh, to)];
  const length = Math.sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
  return { x: (b.x - a.x) / length, y: (b.y - a.y) / length, length };
}
