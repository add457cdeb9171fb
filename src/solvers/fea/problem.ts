// The problem of a request: its meshes, material, supports and loads, and the place of the value.

import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';
import { checkedMesh } from '../parts/meshes/checked-mesh.ts';
import { locate } from '../parts/meshes/locate.ts';
import { parseOutline } from '../parts/meshes/outline.ts';
import { outlineMesh } from '../parts/meshes/outline-mesh.ts';
import {
  elementCountOf,
  narrowOrder,
  profileOf,
  type QuadMesh,
  type RefinedMesh,
  refined,
  renumbered,
} from '../parts/meshes/quad-mesh.ts';
import { parseMeshFile } from '../parts/meshes/read-mesh-file.ts';
import { type Load, type Place, parseLoads, parseSupports, type Support } from './conditions.ts';
import type { FeaInput } from './inputs.ts';
import type { Elasticity } from './reference.ts';
import { assertResolved } from './resolution.ts';
import { type Component, type ProblemName, type Shape, STANDARDS, type Standard, shapeOf } from './shapes.ts';
import { sideOf } from './sides.ts';
import { assertHeld } from './stability.ts';

export interface Material extends Elasticity {
  readonly element: FeaInput['element'];
  readonly thickness: number;
  readonly density: number;
  readonly expansion: number;
}

export interface Problem {
  readonly name: ProblemName;
  /** With all defaults. */
  readonly given: Standard;
  /** Nested, the coarsest first. The sides that conditions name are among those of each. */
  readonly meshes: readonly (QuadMesh | RefinedMesh)[];
  /** Rows of the matrix of the coarsest. */
  readonly profile: Int32Array;
  readonly material: Material;
  readonly supports: readonly Support[];
  readonly loads: readonly Load[];
  /** Where the value is read; undefined: where the displacement of the coarsest mesh is largest. */
  readonly probe: Place | undefined;
  readonly component: Component;
  readonly exact: Shape['exact'];
  /** Of the body: the larger of its extents. */
  readonly extent: number;
  readonly notes: readonly string[];
}

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function problemOf(input: FeaInput): Problem {
  const name = nameOf(input);
  const given = filledIn(input, name);
  const material: Material = {
    state: given.state,
    E: given.E,
    nu: given.nu,
    element: input.element,
    thickness: input.thickness,
    density: input.density,
    expansion: input.expansion,
  };
  assertMaterial(material);
  const { shape, notes } = shapeFor(input, name, given, material);
  const isOwn = input.supports !== undefined || input.loads !== undefined;
  const supports = input.supports === undefined ? shape.supports : parseSupports(input.supports);
  const loads = input.loads === undefined ? shape.loads : parseLoads(input.loads);
  if (supports.length === 0) throw validationError('supports', MISSING_SUPPORTS, 'MISSING');
  const base = withSides(renumbered(shape.mesh, narrowOrder(shape.mesh)), supports, loads);
  assertPlaces(base, material);
  const refinements = refinementsOf(input, name, base);
  const meshes = [base];
  for (let i = 0; i < refinements; i++) meshes.push(refined(meshes[i] ?? base));
  assertResolved(meshes.at(-1) ?? base, supports, loads);
  const profile = profileOf(base, 2);
  assertSize(profile, name);
  assertHeld(base, supports, material.state);
  const probe = probeOf(input, shape.probe);
  const extent = extentOf(base);
  if (probe) assertInside(meshes, probe, extent);
  const hasExact =
    !isOwn &&
    (name !== 'tube' || material.state === 'axisymmetric') &&
    (name !== 'cantilever' || material.state !== 'axisymmetric');
  return {
    name,
    given,
    meshes,
    profile,
    material,
    supports,
    loads,
    probe,
    component: input.component ?? given.component ?? 'magnitude',
    exact: hasExact ? shape.exact : undefined,
    extent,
    notes,
  };
}

const MISSING_SUPPORTS = 'supports is missing; this problem has none of its own. Give some, as in "left fixed".';

function nameOf({ problem, mesh, outline }: FeaInput): ProblemName {
  if (mesh !== undefined && outline !== undefined)
    throw validationError('outline', 'mesh and outline are both given; give one of them.', 'TWO_SHAPES');
  const ofText = mesh !== undefined ? 'mesh' : outline !== undefined ? 'outline' : undefined;
  const name = problem ?? ofText ?? 'cantilever';
  if (ofText !== undefined && name !== ofText)
    throw validationError('problem', `problem is ${name} and ${ofText} is given; expected one of them.`, 'TWO_SHAPES');
  for (const one of ['mesh', 'outline'] as const)
    if (name === one && ofText === undefined)
      throw validationError(one, `${one} is missing; the problem ${one} needs its text.`, 'MISSING');
  return name;
}

function filledIn(input: FeaInput, name: ProblemName): Standard {
  const standard = STANDARDS[name];
  const given = {
    length: input.length ?? standard.length,
    height: input.height ?? standard.height,
    radius: input.radius ?? standard.radius,
    nx: input.nx ?? standard.nx,
    ny: input.ny ?? standard.ny,
    E: input.E ?? standard.E,
    nu: input.nu ?? standard.nu,
    load: input.load ?? standard.load,
    state: input.state ?? standard.state,
    component: input.component ?? standard.component,
  };
  if (name === 'hole' && !(given.radius < given.length && given.radius < given.height)) {
    const message = `radius is ${given.radius} m; the hole must be inside length ${given.length} m and height ${given.height} m.`;
    throw validationError('radius', message, 'OUT_OF_RANGE');
  }
  return given;
}

function assertMaterial({ element, state }: Material): void {
  if (element !== 'bbar' || state !== 'stress') return;
  const message = 'element is bbar; plane stress has no volume to lock. Use full or incompatible, or another state.';
  throw validationError('element', message);
}

/** A shape, and what is remarkable about its text. */
interface Described {
  readonly shape: Shape;
  readonly notes: readonly string[];
}

function shapeFor(input: FeaInput, name: ProblemName, given: Standard, material: Material): Described {
  if (name !== 'mesh' && name !== 'outline') return { shape: shapeOf(name, given, material), notes: [] };
  const { mesh, notes } =
    name === 'mesh'
      ? checkedMesh(parseMeshFile(input.mesh ?? '', 'mesh'), 'mesh')
      : { mesh: outlineMesh(parseOutline(input.outline ?? '', 'outline'), 'outline', input.size), notes: [] };
  return { shape: { mesh, supports: [], loads: [], probe: undefined }, notes };
}

/** The mesh with all sides that conditions name. @throws DomainError VALIDATION_FAILED for an unknown one */
function withSides(mesh: QuadMesh, supports: readonly Support[], loads: readonly Load[]): QuadMesh {
  const sides = new Map<string, Int32Array>();
  for (const { on } of supports) if (typeof on === 'string') sides.set(on, sideOf(mesh, on, 'supports'));
  for (const load of loads) if ('on' in load) sides.set(load.on, sideOf(mesh, load.on, 'loads'));
  return { ...mesh, sides };
}

/** Coordinates that a body of revolution may have. */
function assertPlaces({ points }: QuadMesh, { state }: Material): void {
  if (state !== 'axisymmetric') return;
  for (let i = 0; i < points.length; i += 2) {
    if ((points[i] ?? 0) >= 0) continue;
    const message = `state is axisymmetric and the mesh reaches x = ${points[i]} m; the radius x must not be negative.`;
    throw validationError('state', message, 'NEGATIVE_RADIUS');
  }
}

function refinementsOf({ refine }: FeaInput, name: ProblemName, base: QuadMesh): number {
  const { elements: max } = LIMITS.fea;
  const elements = elementCountOf(base);
  const isFixed = name !== 'mesh' && name !== 'outline' && name !== 'patch';
  let most = 2;
  while (most > 0 && elements * (CHILDREN[most] ?? 1) > max) most--;
  if (elements > max) {
    const message = `${name} has ${elements} elements; at most ${max} are allowed.`;
    throw validationError(name === 'mesh' ? 'mesh' : 'nx', message, 'TOO_LARGE', { max });
  }
  if (isFixed && most < 2) {
    const message = `nx and ny ask for ${16 * elements} elements; at most ${max} are allowed.`;
    throw validationError('nx', message, 'TOO_LARGE', { max });
  }
  if (isFixed || refine === undefined) return most;
  if (refine <= most) return refine;
  const message = `refine is ${refine}; the mesh of ${elements} elements can be refined ${most} times at most.`;
  throw validationError('refine', message, 'TOO_LARGE', { max: most });
}

function assertSize(profile: Int32Array, name: ProblemName): void {
  const { profile: max } = LIMITS.fea;
  const entries = profile.at(-1) ?? 0;
  if (entries <= max) return;
  const message = `The matrix of the coarsest mesh has ${entries} entries; at most ${max} are possible. Use a coarser mesh.`;
  throw validationError(name === 'mesh' || name === 'outline' ? name : 'ny', message, 'TOO_LARGE', { max });
}

function probeOf({ probe_x: x, probe_y: y }: FeaInput, standard: Place | undefined): Place | undefined {
  if (x === undefined && y === undefined) return standard;
  if (x !== undefined && y !== undefined) return { x, y };
  const [given, missing] = x === undefined ? ['probe_y', 'probe_x'] : ['probe_x', 'probe_y'];
  throw validationError(missing ?? '', `${given} is given without ${missing}; give both.`, 'MISSING');
}

function extentOf({ points }: QuadMesh): number {
  const box = [0, 1].map((d) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = d; i < points.length; i += 2) {
      low = Math.min(low, points[i] ?? 0);
      high = Math.max(high, points[i] ?? 0);
    }
    return high - low;
  });
  return Math.max(...box);
}

/** Elements that refinements make of one. */
const CHILDREN = [1, 4, 16] as const;

/** Half edges that a place may be outside, by rounding. */
const OUTSIDE = 1e-6;

function assertInside(meshes: readonly QuadMesh[], { x, y }: Place, extent: number): void {
  const [finest] = meshes.slice(-1);
  const found = finest && locate(finest, x, y);
  if (found && found.outside <= OUTSIDE) return;
  const message = `probe_x, probe_y are (${x}, ${y}) m; this is outside of the body of extent ${extent} m.`;
  throw validationError('probe_x', message, 'OUTSIDE');
}
