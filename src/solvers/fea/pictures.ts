// The picture of the deformed body.

import type { Field } from '../definition.ts';
import { field } from '../parts/fields.ts';
import { edgesOf, nodeCountOf } from '../parts/meshes/quad-mesh.ts';
import type { Plot } from '../plot.ts';
import type { Level } from './level.ts';

/** Nodes of the mesh that is drawn. */
const MAX_NODES = 1_500;
/** The largest displacement in the picture, as a part of the extent. */
const SHOWN = 0.1;

/** The finest mesh that is not too fine to be drawn, moved by the displacement of the finest of all. */
export function deformedShape(
  levels: readonly Level[],
  scale: number,
  extent: number,
): { readonly fields: readonly Field[]; readonly plots: readonly Plot[] } {
  const drawn = levels.findLast(({ mesh }) => nodeCountOf(mesh) <= MAX_NODES) ?? levels[0];
  const finest = levels.at(-1);
  if (!drawn || !finest) return { fields: [], plots: [] };
  const { points } = drawn.mesh;
  const nodes = nodeCountOf(drawn.mesh);
  const factor = scale > 0 ? roundFactor((SHOWN * extent) / scale) : 1;
  // The nodes of a coarser mesh come first in a finer one.
  const deformed = points.map((value, i) => value + factor * (finest.u[i] ?? 0));
  const edges = edgesOf(drawn.mesh);
  return {
    fields: [
      field('shape_edges', '1', [edges.length / 2, 2], Float64Array.from(edges)),
      field('shape', 'm', [nodes, 2], deformed),
      field('shape_von_mises', 'Pa', [nodes], finest.stresses.vonMises.slice(0, nodes)),
    ],
    plots: [
      {
        kind: 'network',
        title: `Deformed, displacements × ${factor}, colour: von Mises stress`,
        edges: 'shape_edges',
        positions: 'shape',
        values: 'shape_von_mises',
      },
    ],
  };
}

/** 1, 2 or 5 times a power of ten, not above the factor. */
function roundFactor(factor: number): number {
  let power = 1;
  while (power > factor && power > 1e-300) power /= 10;
  while (10 * power <= factor) power *= 10;
  return factor >= 5 * power ? 5 * power : factor >= 2 * power ? 2 * power : power;
}
