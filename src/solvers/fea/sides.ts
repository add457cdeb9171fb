// The parts of the boundary that conditions name, and the nodes that they hold.

import { validationError } from '../parts/errors.ts';
import { boundaryOf, edgesWhere, type QuadMesh } from '../parts/meshes/quad-mesh.ts';
import type { Place } from './conditions.ts';

/** Part of the extent that a place may be off. */
const TOLERANCE = 1e-7;
const LINE = /^([xy])=([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;

interface Box {
  readonly low: readonly [number, number];
  readonly high: readonly [number, number];
}

function boxOf({ points }: QuadMesh): Box {
  const low: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high: [number, number] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < points.length; i++) {
    const d = i % 2 === 0 ? 0 : 1;
    low[d] = Math.min(low[d], points[i] ?? 0);
    high[d] = Math.max(high[d], points[i] ?? 0);
  }
  return { low, high };
}

const slackOf = ({ low, high }: Box): number => TOLERANCE * Math.max(high[0] - low[0], high[1] - low[1]);

/** @throws DomainError VALIDATION_FAILED if there is no such side */
export function sideOf(mesh: QuadMesh, name: string, path: string): Int32Array {
  const own = mesh.sides.get(name) ?? [...mesh.sides].find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  const edges = own ?? geometricSide(mesh, name);
  if (edges && edges.length > 0) return edges;
  const names = [...new Set([...mesh.sides.keys(), 'left', 'right', 'bottom', 'top', 'boundary'])].slice(0, 20);
  const what = edges ? 'has no boundary edge' : 'is not a side';
  const message = `${path}: ${JSON.stringify(name.slice(0, 40))} ${what}; sides are ${names.join(', ')}, x=… and y=….`;
  throw validationError(path, message, 'UNKNOWN_SIDE');
}

function geometricSide(mesh: QuadMesh, name: string): Int32Array | undefined {
  const boundary = boundaryOf(mesh);
  const box = boxOf(mesh);
  const slack = slackOf(box);
  const on = (axis: 'x' | 'y', value: number) =>
    edgesWhere(mesh, boundary, (x, y) => Math.abs((axis === 'x' ? x : y) - value) <= slack);
  switch (name) {
    case 'boundary':
      return boundary;
    case 'left':
      return on('x', box.low[0]);
    case 'right':
      return on('x', box.high[0]);
    case 'bottom':
      return on('y', box.low[1]);
    case 'top':
      return on('y', box.high[1]);
  }
  const [, axis, value] = LINE.exec(name) ?? [];
  return axis === undefined ? undefined : on(axis as 'x' | 'y', Number(value));
}

/** The node at a place. @throws DomainError VALIDATION_FAILED, which names the nearest */
export function nodeAt(mesh: QuadMesh, { x, y }: Place, path: string): number {
  const { points } = mesh;
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let node = 0; 2 * node < points.length; node++) {
    const dx = (points[2 * node] ?? 0) - x;
    const dy = (points[2 * node + 1] ?? 0) - y;
    const distance = dx * dx + dy * dy;
    if (distance >= least) continue;
    least = distance;
    nearest = node;
  }
  const slack = 10 * slackOf(boxOf(mesh));
  if (Math.sqrt(least) <= slack) return nearest;
  const place = `(${points[2 * nearest]}, ${points[2 * nearest + 1]})`;
  const message = `${path}: no node is at (${x}, ${y}); the nearest of the coarsest mesh is at ${place}.`;
  throw validationError(path, message, 'NO_NODE');
}
