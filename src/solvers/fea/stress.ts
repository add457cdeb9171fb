// Smoothed stresses at the nodes, and the estimate of the error in energy that they give.
//
// The stress of a node is the mean of those at the Gauss points about it, weighted by its shape function and the volume
// (a projection with a lumped matrix). Its distance from the stress of the elements, in the energy norm, estimates the
// error (Zienkiewicz & Zhu 1987).

import { elementCountOf, nodeCountOf, type QuadMesh } from '../parts/meshes/quad-mesh.ts';
import type { Material } from './problem.ts';

export interface Stresses {
  /** f64[nodes, 4]: xx, yy, xy, zz. */
  readonly nodal: Float64Array;
  /** f64[nodes] */
  readonly vonMises: Float64Array;
  /** f64[elements]: estimated error, as energy: ∫ (σ* − σ) ε(σ* − σ). */
  readonly errors: Float64Array;
  /** The sum of `errors`, and the same integral of σ itself. */
  readonly error: number;
  readonly energy: number;
  readonly volume: number;
}

const GAUSS = 0.5773502691896257;
const SIGNS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;
/** By Gauss point: shape functions of the corners, and their slopes along ξ and η. */
const SHAPES = SIGNS.map(([gx, gy]) =>
  SIGNS.map(([sx, sy]) => ({
    n: 0.25 * (1 + GAUSS * gx * sx) * (1 + GAUSS * gy * sy),
    byXi: 0.25 * sx * (1 + GAUSS * gy * sy),
    byEta: 0.25 * sy * (1 + GAUSS * gx * sx),
  })),
);

/** Volume that belongs to each Gauss point, f64[elements, 4]. */
function volumesOf({ points, quads }: QuadMesh, { state, thickness }: Material): Float64Array {
  const volumes = new Float64Array(quads.length);
  for (let e = 0; e < quads.length; e += 4) {
    for (let g = 0; g < 4; g++) {
      let [a, b, c, d, r] = [0, 0, 0, 0, 0];
      for (let i = 0; i < 4; i++) {
        const node = quads[e + i] ?? 0;
        const [x, y] = [points[2 * node] ?? 0, points[2 * node + 1] ?? 0];
        const { n = 0, byXi = 0, byEta = 0 } = SHAPES[g]?.[i] ?? {};
        a += byXi * x;
        b += byXi * y;
        c += byEta * x;
        d += byEta * y;
        r += n * x;
      }
      volumes[e + g] = (a * d - b * c) * (state === 'axisymmetric' ? 2 * Math.PI * r : thickness);
    }
  }
  return volumes;
}

/** @param gauss  f64[elements, 4, 4]: by Gauss point xx, yy, xy, zz */
export function stressesOf(mesh: QuadMesh, gauss: Float64Array, material: Material): Stresses {
  const { quads } = mesh;
  const nodes = nodeCountOf(mesh);
  const volumes = volumesOf(mesh, material);
  const nodal = new Float64Array(4 * nodes);
  const shares = new Float64Array(nodes);
  for (let e = 0; e < quads.length; e += 4) {
    for (let i = 0; i < 4; i++) {
      const node = quads[e + i] ?? 0;
      for (let g = 0; g < 4; g++) {
        const share = (SHAPES[g]?.[i]?.n ?? 0) * (volumes[e + g] ?? 0);
        shares[node] = (shares[node] ?? 0) + share;
        for (let k = 0; k < 4; k++)
          nodal[4 * node + k] = (nodal[4 * node + k] ?? 0) + share * (gauss[4 * (e + g) + k] ?? 0);
      }
    }
  }
  for (let i = 0; i < nodal.length; i++) nodal[i] = (nodal[i] ?? 0) / (shares[i >> 2] ?? 1);
  const errors = new Float64Array(elementCountOf(mesh));
  const difference = new Float64Array(4);
  let [error, energy, total] = [0, 0, 0];
  for (let e = 0; e < quads.length; e += 4) {
    let sum = 0;
    for (let g = 0; g < 4; g++) {
      const volume = volumes[e + g] ?? 0;
      total += volume;
      const at = 4 * (e + g);
      for (let k = 0; k < 4; k++) {
        let smooth = 0;
        for (let i = 0; i < 4; i++) smooth += (SHAPES[g]?.[i]?.n ?? 0) * (nodal[4 * (quads[e + i] ?? 0) + k] ?? 0);
        difference[k] = smooth - (gauss[at + k] ?? 0);
      }
      sum += volume * density(difference, 0, material);
      energy += volume * density(gauss, at, material);
    }
    errors[e / 4] = sum;
    error += sum;
  }
  return { nodal, vonMises: vonMisesOf(nodal), errors, error, energy, volume: total };
}

/** σ : ε(σ) of the stress at an index. */
function density(stress: Float64Array, at: number, { E, nu }: Material): number {
  const [xx = 0, yy = 0, xy = 0, zz = 0] = [stress[at], stress[at + 1], stress[at + 2], stress[at + 3]];
  const squares = xx * xx + yy * yy + zz * zz;
  const products = xx * yy + yy * zz + zz * xx;
  return (squares - 2 * nu * products + 2 * (1 + nu) * xy * xy) / E;
}

function vonMisesOf(nodal: Float64Array): Float64Array {
  return Float64Array.from({ length: nodal.length / 4 }, (_, i) => {
    const [xx = 0, yy = 0, xy = 0, zz = 0] = nodal.subarray(4 * i, 4 * i + 4);
    const squares = (xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx);
    return Math.sqrt(0.5 * squares + 3 * xy * xy);
  });
}
