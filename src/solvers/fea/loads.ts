// Forces at the nodes that are equivalent to the loads: ∫ N t over sides, ∫ N ρ g over elements, N at points.

import { validationError } from '../parts/errors.ts';
import { locate } from '../parts/meshes/locate.ts';
import type { QuadMesh } from '../parts/meshes/quad-mesh.ts';
import type { Load } from './conditions.ts';
import type { Material } from './problem.ts';

/** Three points on an edge, from 0 to 1: exact up to the fifth power. */
const EDGE_POINTS = [
  [0.5 - 0.5 * 0.7745966692414834, 5 / 18],
  [0.5, 8 / 18],
  [0.5 + 0.5 * 0.7745966692414834, 5 / 18],
] as const;
const GAUSS = 0.5773502691896257;

/** f64[nodes, 2] in N. @throws DomainError VALIDATION_FAILED */
export function forcesOn(mesh: QuadMesh, loads: readonly Load[], material: Material): Float64Array {
  const forces = new Float64Array(mesh.points.length);
  for (const load of loads) {
    if (load.kind === 'gravity') addGravity(mesh, load, material, forces);
    else if (load.kind === 'point') addPoint(mesh, load, forces);
    else if (load.kind !== 'heat') addTraction(mesh, load, material, forces);
  }
  return forces;
}

/** Temperature rise at the nodes. */
export function heatOn({ points }: QuadMesh, loads: readonly Load[]): Float64Array {
  const rise = new Float64Array(points.length / 2);
  for (const load of loads) {
    if (load.kind !== 'heat') continue;
    for (let node = 0; node < rise.length; node++) {
      const value = finite(load.rise(points[2 * node] ?? 0, points[2 * node + 1] ?? 0), 'temperature');
      rise[node] = (rise[node] ?? 0) + value;
    }
  }
  return rise;
}

function finite(value: number, what: string): number {
  if (Number.isFinite(value)) return value;
  throw validationError('loads', `loads: a ${what} is ${value}; a finite number is expected.`, 'NOT_FINITE');
}

/** Depth of a body at x: its thickness, or the way around. */
const depthAt = ({ state, thickness }: Material, x: number): number =>
  state === 'axisymmetric' ? 2 * Math.PI * x : thickness;

type SideLoad = Extract<Load, { readonly on: string }>;

function addTraction(mesh: QuadMesh, load: SideLoad, material: Material, forces: Float64Array): void {
  const edges = mesh.sides.get(load.on) ?? new Int32Array();
  const area = load.kind === 'force' ? areaOf(mesh, edges, material) : 1;
  forEachEdgePoint(mesh, edges, ({ a, b, s, x, y, length, nx, ny, weight }) => {
    const depth = depthAt(material, x);
    const [tx, ty] =
      load.kind === 'traction'
        ? [load.tx(x, y), load.ty(x, y)]
        : load.kind === 'force'
          ? [load.fx / area, load.fy / area]
          : [-load.p(x, y) * nx, -load.p(x, y) * ny];
    const factor = weight * length * depth;
    for (const [node, share] of [
      [a, 1 - s],
      [b, s],
    ] as const) {
      forces[2 * node] = (forces[2 * node] ?? 0) + finite(tx * factor * share, 'traction');
      forces[2 * node + 1] = (forces[2 * node + 1] ?? 0) + finite(ty * factor * share, 'traction');
    }
  });
}

function areaOf(mesh: QuadMesh, edges: Int32Array, material: Material): number {
  let area = 0;
  forEachEdgePoint(mesh, edges, ({ x, length, weight }) => {
    area += weight * length * depthAt(material, x);
  });
  return area;
}

interface EdgePoint {
  readonly a: number;
  readonly b: number;
  /** From a to b, 0 to 1. */
  readonly s: number;
  readonly x: number;
  readonly y: number;
  readonly length: number;
  /** Outward. */
  readonly nx: number;
  readonly ny: number;
  readonly weight: number;
}

function forEachEdgePoint({ points }: QuadMesh, edges: Int32Array, visit: (at: EdgePoint) => void): void {
  for (let i = 0; i < edges.length; i += 2) {
    const [a = 0, b = 0] = edges.subarray(i, i + 2);
    const [ax = 0, ay = 0] = points.subarray(2 * a, 2 * a + 2);
    const [bx = 0, by = 0] = points.subarray(2 * b, 2 * b + 2);
    const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    const [nx, ny] = [(by - ay) / length, (ax - bx) / length];
    for (const [s, weight] of EDGE_POINTS)
      visit({ a, b, s, x: ax + s * (bx - ax), y: ay + s * (by - ay), length, nx, ny, weight });
  }
}

function addPoint(mesh: QuadMesh, load: Extract<Load, { readonly kind: 'point' }>, forces: Float64Array): void {
  const { x, y } = load.at;
  const found = locate(mesh, x, y);
  if (!found || found.outside > 0.5)
    throw validationError('loads', `loads: the point (${x}, ${y}) is outside of the body.`, 'OUTSIDE');
  for (const [corner, weight] of found.weights.entries()) {
    const node = mesh.quads[4 * found.element + corner] ?? 0;
    forces[2 * node] = (forces[2 * node] ?? 0) + weight * load.fx;
    forces[2 * node + 1] = (forces[2 * node + 1] ?? 0) + weight * load.fy;
  }
}

function addGravity(
  { points, quads }: QuadMesh,
  { gx, gy }: Extract<Load, { readonly kind: 'gravity' }>,
  material: Material,
  forces: Float64Array,
): void {
  const signs = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const;
  for (let e = 0; e < quads.length; e += 4) {
    for (const [gaussXi, gaussEta] of signs) {
      const [xi, eta] = [GAUSS * gaussXi, GAUSS * gaussEta];
      let [a, b, c, d, x] = [0, 0, 0, 0, 0];
      const shape = signs.map(([sx, sy], i) => {
        const node = quads[e + i] ?? 0;
        const [px, py] = [points[2 * node] ?? 0, points[2 * node + 1] ?? 0];
        const weight = 0.25 * (1 + xi * sx) * (1 + eta * sy);
        a += 0.25 * sx * (1 + eta * sy) * px;
        b += 0.25 * sx * (1 + eta * sy) * py;
        c += 0.25 * sy * (1 + xi * sx) * px;
        d += 0.25 * sy * (1 + xi * sx) * py;
        x += weight * px;
        return weight;
      });
      const mass = material.density * (a * d - b * c) * depthAt(material, x);
      for (const [i, weight] of shape.entries()) {
        const node = quads[e + i] ?? 0;
        forces[2 * node] = (forces[2 * node] ?? 0) + mass * gx * weight;
        forces[2 * node + 1] = (forces[2 * node + 1] ?? 0) + mass * gy * weight;
      }
    }
  }
}
