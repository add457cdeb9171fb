// The mesh of a file, checked: flat, one body, and elements that are neither turned over nor given twice.

import { validationError } from '../errors.ts';
import type { MeshFile } from './mesh-file.ts';
import { boundaryOf, type QuadMesh } from './quad-mesh.ts';

/** Smallest sine of the corners of an element. */
const MIN_SINE = 1e-3;
const FLAT = 1e-6;

export interface CheckedMesh {
  readonly mesh: QuadMesh;
  readonly notes: readonly string[];
}

/** @param path  the input field, for errors @throws DomainError VALIDATION_FAILED, which names elements and nodes */
export function checkedMesh(file: MeshFile, path: string): CheckedMesh {
  const fail = (message: string, code: string) => validationError(path, `${path}: ${message}`, code);
  const { nodes, quads } = file;
  const notes = [...file.notes];
  if (quads.size === 0) throw fail('there is no quadrilateral.', 'NO_ELEMENTS');
  const used = new Map<number, number>();
  for (const corners of quads.values()) for (const node of corners) if (!used.has(node)) used.set(node, used.size);
  if (used.size < nodes.size)
    notes.push(`${nodes.size - used.size} nodes belong to no quadrilateral and are left out.`);
  const tags = [...used.keys()];
  const points = new Float64Array(tags.flatMap((tag) => nodes.get(tag)?.slice(0, 2) ?? []));
  assertFlat(
    tags.map((tag) => nodes.get(tag)?.[2] ?? 0),
    points,
    fail,
  );
  const elements = [...quads].map(([tag, corners]) => ({ tag, corners: corners.map((node) => used.get(node) ?? 0) }));
  assertDifferent(elements, fail);
  const areas = elements.map(({ corners }) => areaOf(points, corners));
  const isClockwise = areas.every((area) => area < 0);
  if (isClockwise) notes.push('The elements are numbered clockwise and were turned.');
  const turned = isClockwise
    ? elements.map(({ tag, corners }) => ({ tag, corners: [...corners].reverse() }))
    : elements;
  for (const { tag, corners } of turned) assertConvex(points, tag, corners, fail);
  assertEdges(turned, tags, fail);
  assertConnected(turned, fail);
  const flat = Int32Array.from(turned.flatMap(({ corners }) => corners));
  const boundary = boundaryOf({ quads: flat });
  return { mesh: { points, quads: flat, sides: sidesOf(file, used, boundary), arcs: [] }, notes };
}

type Fail = (message: string, code: string) => Error;

interface Element {
  readonly tag: number;
  readonly corners: readonly number[];
}

function assertFlat(heights: readonly number[], points: Float64Array, fail: Fail): void {
  let [low, high, extent] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const z of heights) {
    low = Math.min(low, z);
    high = Math.max(high, z);
  }
  for (const value of points) extent = Math.max(extent, Math.abs(value));
  if (extent > 1e7) throw fail(`a coordinate is ${extent} m; at most 1e7 m are allowed.`, 'OUT_OF_RANGE');
  if (high - low > FLAT * extent)
    throw fail(`the nodes reach from z = ${low} to ${high}; a flat mesh is expected.`, 'NOT_FLAT');
}

/** No corner twice in an element, and no two elements with the same corners. */
function assertDifferent(elements: readonly Element[], fail: Fail): void {
  const seen = new Map<string, number>();
  for (const { tag, corners } of elements) {
    if (new Set(corners).size < 4)
      throw fail(`element ${tag} has a node twice; four different ones are expected.`, 'DEGENERATE_ELEMENT');
    const key = corners.toSorted((a, b) => a - b).join(' ');
    const other = seen.get(key);
    if (other !== undefined) throw fail(`elements ${other} and ${tag} have the same nodes.`, 'DUPLICATE_ELEMENT');
    seen.set(key, tag);
  }
}

const at = (points: Float64Array, node: number | undefined, d: number): number => points[2 * (node ?? 0) + d] ?? 0;

function areaOf(points: Float64Array, [a, b, c, d]: readonly number[]): number {
  const across = (k: number) => at(points, c, k) - at(points, a, k);
  const along = (k: number) => at(points, d, k) - at(points, b, k);
  return 0.5 * (across(0) * along(1) - across(1) * along(0));
}

function assertConvex(points: Float64Array, tag: number, corners: readonly number[], fail: Fail): void {
  for (let i = 0; i < 4; i++) {
    const [before, node, after] = [corners[(i + 3) % 4], corners[i], corners[(i + 1) % 4]];
    const [ax = 0, ay = 0] = [0, 1].map((d) => at(points, after, d) - at(points, node, d));
    const [bx = 0, by = 0] = [0, 1].map((d) => at(points, before, d) - at(points, node, d));
    const cross = ax * by - ay * bx;
    const size = Math.sqrt((ax * ax + ay * ay) * (bx * bx + by * by));
    if (cross > MIN_SINE * size) continue;
    const what = size === 0 ? 'has an edge of length 0' : 'is turned over, or has a corner of 180° or more';
    throw fail(`element ${tag} ${what}.`, 'INVERTED_ELEMENT');
  }
}

/** An edge belongs to at most two elements, which run along it in opposite directions. */
function assertEdges(elements: readonly Element[], tags: readonly number[], fail: Fail): void {
  const owners = new Map<string, number>();
  for (const { tag, corners } of elements) {
    for (const [i, a] of corners.entries()) {
      const b = corners[(i + 1) % 4] ?? 0;
      const key = `${a} ${b}`;
      const other = owners.get(key);
      if (other !== undefined) {
        const edge = `the edge of nodes ${tags[a]} and ${tags[b]}`;
        throw fail(
          `elements ${other} and ${tag} lie on the same side of ${edge}: they overlap.`,
          'OVERLAPPING_ELEMENTS',
        );
      }
      owners.set(key, tag);
    }
  }
}

/** All elements are connected by edges: bodies that touch at a node or not at all are not one. */
function assertConnected(elements: readonly Element[], fail: Fail): void {
  const byEdge = new Map<string, number>();
  const next = elements.map(() => [] as number[]);
  for (const [e, { corners }] of elements.entries()) {
    for (const [i, a] of corners.entries()) {
      const b = corners[(i + 1) % 4] ?? 0;
      const other = byEdge.get(`${b} ${a}`);
      if (other !== undefined) {
        next[e]?.push(other);
        next[other]?.push(e);
      }
      byEdge.set(`${a} ${b}`, e);
    }
  }
  const reached = new Set([0]);
  for (const e of reached) for (const other of next[e] ?? []) reached.add(other);
  if (reached.size === elements.length) return;
  const [first] = elements;
  const apart = elements.find((_, e) => !reached.has(e));
  const message = `element ${apart?.tag} is not connected to element ${first?.tag} by edges; merge double nodes, or give one body.`;
  throw fail(message, 'DISCONNECTED');
}

/** Named lines and node sets as boundary edges, the inside to the left; those without any are left out. */
function sidesOf(file: MeshFile, used: ReadonlyMap<number, number>, boundary: Int32Array): Map<string, Int32Array> {
  const sides = new Map<string, Int32Array>();
  const choose = (name: string, has: (a: number, b: number) => boolean) => {
    const chosen: number[] = [];
    for (let i = 0; i < boundary.length; i += 2) {
      const [a = 0, b = 0] = boundary.subarray(i, i + 2);
      if (has(a, b)) chosen.push(a, b);
    }
    if (chosen.length > 0) sides.set(name, Int32Array.from(chosen));
  };
  for (const [name, nodes] of file.nodeSets) {
    const members = new Set([...nodes].map((tag) => used.get(tag)));
    choose(name, (a, b) => members.has(a) && members.has(b));
  }
  for (const [name, pairs] of file.lines) {
    const keys = new Set(pairs.flatMap(([a, b]) => [`${used.get(a)} ${used.get(b)}`, `${used.get(b)} ${used.get(a)}`]));
    choose(name, (a, b) => keys.has(`${a} ${b}`));
  }
  return sides;
}
