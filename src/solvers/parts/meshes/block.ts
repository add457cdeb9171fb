// Structured meshes: an image of the unit square, or several that share sides.

import type { Arc, QuadMesh } from './quad-mesh.ts';

/**
 * The image of nx by ny squares; its sides are bottom, right, top and left of the square.
 *
 * @param map  the point of (ξ, η), both from 0 to 1
 * @param circles  the circles that sides are on
 */
export function blockMesh(
  nx: number,
  ny: number,
  map: (xi: number, eta: number) => readonly [number, number],
  circles: Readonly<Partial<Record<BlockSide, Omit<Arc, 'edges'>>>> = {},
): QuadMesh {
  const node = (i: number, j: number) => i * (ny + 1) + j;
  const points = new Float64Array(2 * (nx + 1) * (ny + 1));
  for (let i = 0; i <= nx; i++) for (let j = 0; j <= ny; j++) points.set(map(i / nx, j / ny), 2 * node(i, j));
  const quads = new Int32Array(4 * nx * ny);
  for (let i = 0; i < nx; i++)
    for (let j = 0; j < ny; j++)
      quads.set([node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)], 4 * (i * ny + j));
  const pairs = (n: number, pair: (k: number) => readonly [number, number]) =>
    Int32Array.from(Array.from({ length: n }, (_, k) => pair(k)).flat());
  const sides = {
    bottom: pairs(nx, (i) => [node(i, 0), node(i + 1, 0)]),
    right: pairs(ny, (j) => [node(nx, j), node(nx, j + 1)]),
    top: pairs(nx, (i) => [node(i + 1, ny), node(i, ny)]),
    left: pairs(ny, (j) => [node(0, j + 1), node(0, j)]),
  };
  const arcs = Object.entries(circles).map(([side, circle]) => ({ ...circle, edges: sides[side as BlockSide] }));
  return { points, quads, sides: new Map(Object.entries(sides)), arcs };
}

export type BlockSide = 'bottom' | 'right' | 'top' | 'left';
