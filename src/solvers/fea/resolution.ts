// Compares what varies along a side with what the finest mesh sees of it: nothing between two nodes is missed.

import { validationError } from '../parts/errors.ts';
import type { FieldFunction } from '../parts/field-expression.ts';
import type { QuadMesh } from '../parts/meshes/quad-mesh.ts';
import type { Load, Support } from './conditions.ts';

/** Samples of a side, at least. */
const SAMPLES = 12_000;
/** Part of the variation that a mesh may miss. */
const MISSED = 0.02;
const MISSED_DISPLACEMENT = 0.2;

/** @throws DomainError VALIDATION_FAILED for a load or displacement that varies faster than the mesh */
export function assertResolved(mesh: QuadMesh, supports: readonly Support[], loads: readonly Load[]): void {
  const refuse = (path: string, on: string) => {
    const message = `${path}: what is given on ${on} varies faster than the finest mesh; use more elements, or a smoother one.`;
    throw validationError(path, message, 'UNRESOLVED');
  };
  for (const load of loads) {
    const given = load.kind === 'traction' ? [load.tx, load.ty] : load.kind === 'pressure' ? [load.p] : [];
    if (!('on' in load)) continue;
    for (const one of given) if (missedLoad(mesh, load.on, one) > MISSED) refuse('loads', load.on);
  }
  for (const { on, ux, uy } of supports) {
    if (typeof on !== 'string') continue;
    for (const one of [ux, uy])
      if (one && missedDisplacement(mesh, on, one) > MISSED_DISPLACEMENT) refuse('supports', on);
  }
}

type Edge = readonly [ax: number, ay: number, bx: number, by: number];

function edgesOn({ points, sides }: QuadMesh, side: string): readonly Edge[] {
  const pairs = sides.get(side) ?? new Int32Array();
  return Array.from({ length: pairs.length / 2 }, (_, i): Edge => {
    const [a, b] = [2 * (pairs[2 * i] ?? 0), 2 * (pairs[2 * i + 1] ?? 0)];
    return [points[a] ?? 0, points[a + 1] ?? 0, points[b] ?? 0, points[b + 1] ?? 0];
  });
}

const along = (value: FieldFunction, [ax, ay, bx, by]: Edge, s: number): number =>
  value(ax + s * (bx - ax), ay + s * (by - ay));

/** Parts of an edge, in their middles. */
const partsOf = (edges: number): readonly number[] => {
  const count = Math.ceil(SAMPLES / Math.max(1, edges));
  return Array.from({ length: count }, (_, k) => (k + 0.5) / count);
};

/** What the three points of each edge miss of ∫ |t|, as a part of it. */
function missedLoad(mesh: QuadMesh, side: string, value: FieldFunction): number {
  const edges = edgesOn(mesh, side);
  const parts = partsOf(edges.length);
  let [missed, total] = [0, 0];
  for (const edge of edges) {
    const [ax, ay, bx, by] = edge;
    const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    const seen =
      (5 * along(value, edge, 0.5 - 0.3872983346207417) +
        8 * along(value, edge, 0.5) +
        5 * along(value, edge, 0.5 + 0.3872983346207417)) /
      18;
    let [sum, size] = [0, 0];
    for (const s of parts) {
      const sample = along(value, edge, s);
      sum += sample / parts.length;
      size += Math.abs(sample) / parts.length;
    }
    missed += length * Math.abs(sum - seen);
    total += length * Math.max(size, Math.abs(seen));
  }
  return total > 0 ? missed / total : 0;
}

/** The largest distance from the straight line between two nodes, as a part of the range on the side. */
function missedDisplacement(mesh: QuadMesh, side: string, value: FieldFunction): number {
  const edges = edgesOn(mesh, side);
  const parts = partsOf(edges.length);
  let [missed, low, high] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const edge of edges) {
    const [from, to] = [along(value, edge, 0), along(value, edge, 1)];
    for (const s of parts) {
      const sample = along(value, edge, s);
      missed = Math.max(missed, Math.abs(sample - from - s * (to - from)));
      low = Math.min(low, sample);
      high = Math.max(high, sample);
    }
  }
  return high > low ? missed / (high - low) : 0;
}
