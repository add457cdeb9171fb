// The kernel run of a problem, and its estimated cost.

import { INSTANCE_BYTES } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { elementCountOf, nodeCountOf, type QuadMesh, type RefinedMesh } from '../parts/meshes/quad-mesh.ts';
import { FEA_FACE, type FeaFace } from './face.ts';
import type { FeaInput } from './inputs.ts';
import { forcesOn, heatOn } from './loads.ts';
import { type Problem, problemOf } from './problem.ts';
import { prescribedOn } from './stability.ts';

const STATES = ['stress', 'strain', 'axisymmetric'] as const satisfies readonly Problem['material']['state'][];
const ELEMENTS = ['full', 'bbar', 'incompatible'] as const satisfies readonly FeaInput['element'][];

export function planOf(input: FeaInput): Plan<FeaFace> {
  const problem = problemOf(input);
  const { meshes, material, profile } = problem;
  const [, middle, fine] = meshes;
  const counts = (count: (mesh: QuadMesh) => number) => [0, 1, 2].map((l) => (meshes[l] ? count(meshes[l]) : 0));
  const [nodes0 = 0, nodes1 = 0, nodes2 = 0] = counts(nodeCountOf);
  const [elements0 = 0, elements1 = 0, elements2 = 0] = counts(elementCountOf);
  const edgeCount = (mesh: QuadMesh | undefined) =>
    mesh && 'edges' in mesh ? (mesh as RefinedMesh).edges.length / 2 : 0;
  const entries = profile.at(-1) ?? 0;
  const nodes = nodes0 + nodes1 + nodes2;
  const elements = elements0 + elements1 + elements2;
  const finest = nodeCountOf(
    meshes.at(-1) ?? { points: new Float64Array(), quads: new Int32Array(), sides: new Map(), arcs: [] },
  );
  const iterations = 30;
  return {
    runs: [
      {
        parameters: {
          levels: meshes.length,
          nodes0,
          nodes1,
          nodes2,
          elements0,
          elements1,
          elements2,
          edges1: edgeCount(middle),
          edges2: edgeCount(fine),
          profile: entries,
          state: STATES.indexOf(material.state),
          element: ELEMENTS.indexOf(material.element),
          young: material.E,
          poisson: material.nu,
          expansion: material.expansion,
          thickness: material.thickness,
          tolerance: input.tolerance,
          maxIterations: input.max_iterations,
        },
        inputs: arraysOf(problem),
        // A bound: batches of elements and rows, and the iterations of each mesh.
        steps: 2 * Math.ceil(elements / 512) + Math.ceil((2 * nodes0) / 32) + 3 * (input.max_iterations + 3),
        outputs: ['u', 'stress', 'reactions', 'residuals'],
        statistics: FEA_FACE.statistics,
      },
    ],
    estimateNs: 100_000 + elements * (7_000 + 1_000 * iterations) + factorNs(profile),
    collectNs: 4_000 * elements,
    estimateBytes: INSTANCE_BYTES + 660 * elements + 175 * nodes + 90 * finest + 8 * entries + 8 * input.max_iterations,
  };
}

/** Multiplications of the factor, two a nanosecond. */
function factorNs(profile: Int32Array): number {
  let products = 0;
  for (let row = 1; row < profile.length; row++) {
    const width = (profile[row] ?? 0) - (profile[row - 1] ?? 0);
    products += width * width;
  }
  return 0.5 * products;
}

function joined<Kind extends Float64Array | Int32Array>(make: (length: number) => Kind, parts: readonly Kind[]): Kind {
  const all = make(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

const ofReals = (parts: readonly Float64Array[]) => joined((n) => new Float64Array(n), parts);
const ofWholes = (parts: readonly Int32Array[]) => joined((n) => new Int32Array(n), parts);

function arraysOf({ meshes, supports, loads, material, profile }: Problem) {
  const [base] = meshes;
  const fixed: Int32Array[] = [];
  const prescribed: Float64Array[] = [];
  for (const mesh of meshes) {
    const [flags, values] = [new Int32Array(mesh.points.length), new Float64Array(mesh.points.length)];
    for (const [dof, value] of prescribedOn(mesh, base ?? mesh, supports)) {
      flags[dof] = 1;
      values[dof] = value;
    }
    fixed.push(flags);
    prescribed.push(values);
  }
  const edges = ofWholes(meshes.map((mesh) => ('edges' in mesh ? mesh.edges : new Int32Array())));
  return {
    points: ofReals(meshes.map(({ points }) => points)),
    quads: ofWholes(meshes.map(({ quads }) => quads)),
    ...(edges.length > 0 ? { edges } : {}),
    fixed: ofWholes(fixed),
    prescribed: ofReals(prescribed),
    force: ofReals(meshes.map((mesh) => forcesOn(mesh, loads, material))),
    heat: ofReals(meshes.map((mesh) => heatOn(mesh, loads))),
    starts: profile,
  };
}
