// Checks that the supports hold a body: no motion without strain may be left.

import { validationError } from '../parts/errors.ts';
import { nodeCountOf, type QuadMesh } from '../parts/meshes/quad-mesh.ts';
import type { Support } from './conditions.ts';
import type { State } from './shapes.ts';
import { nodeAt } from './sides.ts';

/** By displacement, 2 node + (0 for ux, 1 for uy): its prescribed value; later supports come before earlier ones. */
export function prescribedOn(
  mesh: QuadMesh,
  base: QuadMesh,
  supports: readonly Support[],
): ReadonlyMap<number, number> {
  const { points } = mesh;
  const values = new Map<number, number>();
  for (const { on, ux, uy } of supports) {
    const nodes = typeof on === 'string' ? new Set(mesh.sides.get(on)) : [nodeAt(base, on, 'supports')];
    for (const node of nodes) {
      const [x, y] = [points[2 * node] ?? 0, points[2 * node + 1] ?? 0];
      for (const [d, given] of [ux, uy].entries()) {
        if (!given) continue;
        const value = given(x, y);
        if (!Number.isFinite(value)) {
          const message = `supports: the displacement at (${x}, ${y}) is ${value}; a finite number is expected.`;
          throw validationError('supports', message, 'NOT_FINITE');
        }
        values.set(2 * node + d, value);
      }
    }
  }
  return values;
}

/** Part of the largest motion that counts as none. */
const NEGLIGIBLE = 1e-9;

/** @throws DomainError VALIDATION_FAILED if the body can move as a whole, with the motion */
export function assertHeld(mesh: QuadMesh, supports: readonly Support[], state: State): void {
  const { points } = mesh;
  const held = [...prescribedOn(mesh, mesh, supports).keys()];
  const isRound = state === 'axisymmetric';
  // A body of revolution can move only along its axis.
  const motions = isRound ? ['move along y'] : ['move along x', 'move along y', 'turn'];
  if (held.length === 2 * nodeCountOf(mesh)) return;
  const [cx, cy, scale] = centreOf(mesh);
  const rows = held.map((dof) => {
    const node = Math.floor(dof / 2);
    const isY = dof % 2 === 1;
    if (isRound) return [isY ? 1 : 0];
    const turn = isY ? ((points[2 * node] ?? 0) - cx) / scale : -((points[2 * node + 1] ?? 0) - cy) / scale;
    return [isY ? 0 : 1, isY ? 1 : 0, turn];
  });
  const free = freeMotion(rows, motions.length);
  if (free === undefined) return;
  const turns = Math.abs(free[2] ?? 0) > NEGLIGIBLE;
  const motion = turns
    ? 'turn'
    : motions[Math.abs(free[0] ?? 0) > Math.abs(free[1] ?? 0) ? 0 : Math.min(1, motions.length - 1)];
  const message = `supports leave the body free to ${motion}; hold it, as in "left fixed".`;
  throw validationError('supports', message, 'NOT_HELD');
}

function centreOf(mesh: QuadMesh): readonly [number, number, number] {
  const { points } = mesh;
  const n = nodeCountOf(mesh);
  let [x, y, scale] = [0, 0, 0];
  for (let i = 0; i < points.length; i += 2) {
    x += (points[i] ?? 0) / n;
    y += (points[i + 1] ?? 0) / n;
  }
  for (let i = 0; i < points.length; i += 2)
    scale = Math.max(scale, Math.abs((points[i] ?? 0) - x), Math.abs((points[i + 1] ?? 0) - y));
  return [x, y, scale];
}

/** A combination of the columns that vanishes in all rows, by elimination with row pivots; undefined if there is none. */
function freeMotion(rows: readonly (readonly number[])[], columns: number): readonly number[] | undefined {
  const left = rows.map((row) => [...row]);
  const pivots: number[][] = [];
  for (let column = 0; column < columns; column++) {
    const pivot = left.reduce<number[] | undefined>(
      (best, row) => (Math.abs(row[column] ?? 0) > Math.abs(best?.[column] ?? 0) ? row : best),
      undefined,
    );
    if (!pivot || Math.abs(pivot[column] ?? 0) <= NEGLIGIBLE) return backSubstituted(pivots, column, columns);
    pivots.push([...pivot]);
    for (const row of left) {
      const factor = (row[column] ?? 0) / (pivots[column]?.[column] ?? 1);
      for (let k = column; k < columns; k++) row[k] = (row[k] ?? 0) - factor * (pivots[column]?.[k] ?? 0);
    }
  }
  return undefined;
}

function backSubstituted(pivots: readonly (readonly number[])[], free: number, columns: number): readonly number[] {
  const motion = Array.from({ length: columns }, (_, k) => Number(k === free));
  for (let row = free - 1; row >= 0; row--) {
    let sum = 0;
    for (let k = row + 1; k <= free; k++) sum += (pivots[row]?.[k] ?? 0) * (motion[k] ?? 0);
    motion[row] = -sum / (pivots[row]?.[row] ?? 1);
  }
  return motion;
}
