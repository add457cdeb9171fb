// The ready problems: a coarse mesh, supports, loads, the place of the value, and what is known about the answer.

import { cos, sin } from '../../core/elementary.ts';
import { blockMesh } from '../parts/meshes/block.ts';
import { boundaryOf, type QuadMesh } from '../parts/meshes/quad-mesh.ts';
import { type Load, type Place, parseLoads, parseSupports, type Support } from './conditions.ts';
import type { FeaInput, PROBLEMS } from './inputs.ts';
import { boreDisplacement, type Elasticity, endLoadDisplacement } from './reference.ts';

export type ProblemName = (typeof PROBLEMS)[number];
export type State = NonNullable<FeaInput['state']>;
export type Component = NonNullable<FeaInput['component']>;

/** What a ready problem is without the inputs that are given. */
export interface Standard {
  readonly length: number;
  readonly height: number;
  readonly radius: number;
  readonly nx: number;
  readonly ny: number;
  readonly E: number;
  readonly nu: number;
  readonly load: number;
  readonly state: State;
  readonly component: Component | undefined;
}

const STEEL = { E: 2.1e11, nu: 0.3 } as const;
const NONE = { length: 1, height: 1, radius: 0, nx: 32, ny: 32, ...STEEL, load: 0, component: undefined } as const;

export const STANDARDS: Readonly<Record<ProblemName, Standard>> = {
  cantilever: {
    ...NONE,
    ...{ length: 48, height: 12, nx: 64, ny: 16, E: 3e7, load: 1_000, state: 'stress', component: 'uy' },
  },
  cook: { ...NONE, nx: 64, ny: 64, E: 1, nu: 1 / 3, load: 1, state: 'stress', component: 'uy' },
  patch: { ...NONE, length: 0.24, height: 0.12, E: 1e6, nu: 0.25, state: 'stress', component: 'ux' },
  hole: { ...NONE, nx: 64, ny: 64, length: 10, height: 10, radius: 1, state: 'stress', component: 'ux' },
  tube: { ...NONE, height: 0.5, radius: 1, nx: 32, ny: 16, state: 'axisymmetric', component: 'ux' },
  block: { ...NONE, state: 'stress' },
  outline: { ...NONE, state: 'stress' },
  mesh: { ...NONE, state: 'stress' },
};

/** A shape with its conditions; those that are given replace them. */
export interface Shape {
  readonly mesh: QuadMesh;
  readonly supports: readonly Support[];
  readonly loads: readonly Load[];
  readonly probe: Place | undefined;
  /** The exact displacement of the standard conditions. */
  readonly exact?: {
    readonly displacement: (x: number, y: number) => readonly [number, number];
    readonly source: string;
  };
}

/** Cells of the coarsest of three meshes. */
const coarseCells = (cells: number): number => Math.ceil(cells / 4);

/** @param given  the problem with its defaults filled in */
export function shapeOf(
  name: Exclude<ProblemName, 'outline' | 'mesh'>,
  given: Standard,
  material: Elasticity & { readonly thickness: number },
): Shape {
  const nx = coarseCells(given.nx);
  const ny = coarseCells(given.ny);
  const { length, height, radius, load } = given;
  const { thickness } = material;
  switch (name) {
    case 'cantilever': {
      const displacement = endLoadDisplacement({ ...material, length, height, force: load / thickness });
      const inertia = (height * height * height) / 12;
      return {
        mesh: blockMesh(nx, ny, (xi, eta) => [length * xi, height * (eta - 0.5)]),
        supports: [{ on: 'left', ux: (x, y) => displacement(x, y)[0], uy: (x, y) => displacement(x, y)[1] }],
        loads: [
          {
            kind: 'traction',
            on: 'right',
            tx: () => 0,
            ty: (_, y) => ((load / thickness) * (0.25 * height * height - y * y)) / (2 * inertia),
          },
        ],
        probe: { x: length, y: 0 },
        exact: { displacement, source: 'Timoshenko & Goodier: a beam with a parabolic shear at its end' },
      };
    }
    case 'cook':
      return {
        mesh: blockMesh(nx, ny, (xi, eta) => [48 * xi, 44 * xi + eta * (44 - 28 * xi)]),
        supports: parseSupports('left fixed'),
        loads: [{ kind: 'force', on: 'right', fx: 0, fy: load }],
        probe: { x: 48, y: 52 },
      };
    case 'patch':
      return patch();
    case 'hole':
      return {
        mesh: quarterPlate(nx, ny, length, height, radius),
        supports: parseSupports('bottom uy=0; left ux=0'),
        loads: parseLoads('right tx=1e6'),
        probe: { x: radius, y: 0 },
      };
    case 'tube':
      return {
        mesh: blockMesh(nx, ny, (xi, eta) => [radius + length * xi, height * eta]),
        supports: parseSupports('bottom uy=0; top uy=0'),
        loads: parseLoads('left p=1e7'),
        probe: { x: radius, y: 0 },
        exact: {
          displacement: boreDisplacement({ ...material, inner: radius, outer: radius + length, pressure: 1e7 }),
          source: 'Lamé: a tube under pressure, its ends held',
        },
      };
    case 'block':
      return {
        mesh: blockMesh(nx, ny, (xi, eta) => [radius + length * xi, height * eta]),
        supports: [],
        loads: [],
        probe: undefined,
      };
  }
}

/** Five elements of MacNeal & Harder under a displacement that is linear in x and y. */
function patch(): Shape {
  const points = Float64Array.of(0, 0, 0.24, 0, 0.24, 0.12, 0, 0.12, 0.04, 0.02, 0.18, 0.03, 0.16, 0.08, 0.08, 0.08);
  const quads = Int32Array.of(0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7, 4, 5, 6, 7);
  const displacement = (x: number, y: number) => [1e-3 * (x + y / 2), 1e-3 * (y + x / 2)] as const;
  return {
    mesh: { points, quads, sides: new Map([['boundary', boundaryOf({ quads })]]), arcs: [] },
    supports: [{ on: 'boundary', ux: (x, y) => displacement(x, y)[0], uy: (x, y) => displacement(x, y)[1] }],
    loads: [],
    probe: { x: 0.16, y: 0.08 },
    exact: { displacement, source: 'MacNeal & Harder: the linear displacement of the boundary' },
  };
}

/** The quarter x, y >= 0 of a plate with a hole about the origin; rings towards the hole are finer. */
function quarterPlate(nx: number, ny: number, width: number, height: number, radius: number): QuadMesh {
  const around = 2 * Math.ceil(ny / 2);
  const map = (xi: number, eta: number): readonly [number, number] => {
    const angle = (eta * Math.PI) / 2;
    const inner = [radius * cos(angle), radius * sin(angle)] as const;
    const outer = eta <= 0.5 ? ([width, height * 2 * eta] as const) : ([width * 2 * (1 - eta), height] as const);
    const share = xi * (0.25 + 0.75 * xi);
    return [inner[0] + share * (outer[0] - inner[0]), inner[1] + share * (outer[1] - inner[1])];
  };
  const { points, quads, sides, arcs } = blockMesh(nx, around, map, { left: { x: 0, y: 0, radius } });
  // Of the square: left is the hole, right the two outer sides, bottom and top the planes of symmetry.
  const [outer = new Int32Array(), hole = new Int32Array()] = [sides.get('right'), sides.get('left')];
  const named = {
    bottom: sides.get('bottom') ?? new Int32Array(),
    right: outer.slice(0, outer.length / 2),
    top: outer.slice(outer.length / 2),
    left: sides.get('top') ?? new Int32Array(),
    hole,
  };
  for (const node of new Set(named.left)) points[2 * node] = 0;
  return { points, quads, sides: new Map(Object.entries(named)), arcs };
}
