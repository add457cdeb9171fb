// The element that holds a place, and where in it.

import { elementCountOf, type QuadMesh } from './quad-mesh.ts';

/** A place in an element: its weights of the four corners. */
export interface Located {
  readonly element: number;
  readonly weights: readonly [number, number, number, number];
  /** How far the place is outside, in half edges; 0 inside. */
  readonly outside: number;
}

const NEWTON_STEPS = 12;

/** The element that a place is in, or the one that it is least outside of. */
export function locate(mesh: QuadMesh, x: number, y: number): Located | undefined {
  let best: Located | undefined;
  for (let e = 0; e < elementCountOf(mesh); e++) {
    const corners = cornersOf(mesh, e);
    if (!isNear(corners, x, y)) continue;
    const found = within(corners, x, y);
    if (found && found.outside < (best?.outside ?? Number.POSITIVE_INFINITY)) best = { element: e, ...found };
    if (best?.outside === 0) return best;
  }
  return best;
}

type Corners = readonly (readonly [number, number])[];

function cornersOf({ points, quads }: QuadMesh, e: number): Corners {
  return [0, 1, 2, 3].map((i) => {
    const node = quads[4 * e + i] ?? 0;
    return [points[2 * node] ?? 0, points[2 * node + 1] ?? 0] as const;
  });
}

/** Whether the box of an element, a half larger on each side, holds the place. */
function isNear(corners: Corners, x: number, y: number): boolean {
  return [x, y].every((value, d) => {
    const along = corners.map((corner) => corner[d] ?? 0);
    const [low, high] = [Math.min(...along), Math.max(...along)];
    const margin = 0.5 * (high - low);
    return value >= low - margin && value <= high + margin;
  });
}

/** Newton's method for the bilinear map. */
function within(corners: Corners, x: number, y: number): Omit<Located, 'element'> | undefined {
  const [a = [0, 0], b = [0, 0], c = [0, 0], d = [0, 0]] = corners;
  let xi = 0;
  let eta = 0;
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const w = weightsOf(xi, eta);
    const rx = w[0] * a[0] + w[1] * b[0] + w[2] * c[0] + w[3] * d[0] - x;
    const ry = w[0] * a[1] + w[1] * b[1] + w[2] * c[1] + w[3] * d[1] - y;
    const byXi = [0, 1].map((k) => 0.25 * ((1 - eta) * (at(b, k) - at(a, k)) + (1 + eta) * (at(c, k) - at(d, k))));
    const byEta = [0, 1].map((k) => 0.25 * ((1 - xi) * (at(d, k) - at(a, k)) + (1 + xi) * (at(c, k) - at(b, k))));
    const det = at(byXi, 0) * at(byEta, 1) - at(byXi, 1) * at(byEta, 0);
    if (det === 0) return undefined;
    xi -= (at(byEta, 1) * rx - at(byEta, 0) * ry) / det;
    eta -= (at(byXi, 0) * ry - at(byXi, 1) * rx) / det;
    if (!(Math.abs(xi) < 4 && Math.abs(eta) < 4)) return undefined;
  }
  const outside = Math.max(0, Math.abs(xi) - 1 - 1e-9, Math.abs(eta) - 1 - 1e-9);
  return { weights: weightsOf(xi, eta), outside };
}

const at = (values: readonly number[], i: number): number => values[i] ?? 0;

const weightsOf = (xi: number, eta: number): readonly [number, number, number, number] => [
  0.25 * (1 - xi) * (1 - eta),
  0.25 * (1 + xi) * (1 - eta),
  0.25 * (1 + xi) * (1 + eta),
  0.25 * (1 - xi) * (1 + eta),
];
