// The further numbers of a solution: extrapolation, stresses, energy, reactions, and the sizes of the mesh.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Quantity } from '../definition.ts';
import { maxMagnitude } from '../parts/arrays.ts';
import { exactly, quantity } from '../parts/fields.ts';
import type { Located } from '../parts/meshes/locate.ts';
import { elementCountOf, nodeCountOf } from '../parts/meshes/quad-mesh.ts';
import type { Place } from './conditions.ts';
import type { FeaFace } from './face.ts';
import type { Level } from './level.ts';
import { interpolated } from './point-value.ts';
import type { Problem } from './problem.ts';
import { type Refinement, refinementOf } from './refinement.ts';
import { prescribedOn } from './stability.ts';

interface Read {
  readonly levels: readonly Level[];
  readonly found: readonly (Located | undefined)[];
  readonly place: Place;
  readonly refinement: Refinement;
  readonly peaks: Refinement;
  readonly zz: number;
  readonly exact: number | undefined;
  readonly floor: number;
  /** Of stresses, Pa. */
  readonly noise: number;
}

export function quantitiesOf(problem: Problem, output: KernelOutput<FeaFace>, read: Read): readonly Quantity[] {
  const { levels, found, place, refinement, peaks, zz, exact, floor, noise } = read;
  const finest = levels.at(-1);
  const nodes = finest ? nodeCountOf(finest.mesh) : 0;
  const { work0 = 0, work1 = 0, work2 = 0, iterations1 = 0, iterations2 = 0 } = output.statistics;
  const works = [work0, work1, work2].slice(0, levels.length).map((work) => 0.5 * work);
  const energy = refinementOf(works, 1e-9 * Math.abs(works.at(-1) ?? 0));
  const stress = refinementOf(
    levels.map(({ mesh, stresses }, l) => interpolated(mesh, found[l], stresses.vonMises, 1, 0)),
    Math.max(1e-9 * peaks.value, noise),
  );
  const converged = (name: string, unit: string, one: Refinement) =>
    one.isConverging ? [quantity(name, one.value, unit, one.bound)] : [];
  const isHot = problem.loads.some(({ kind }) => kind === 'heat');
  return [
    exactly('probe_x', place.x, 'm'),
    exactly('probe_y', place.y, 'm'),
    ...(refinement.isConverging
      ? [
          quantity(
            'extrapolated',
            refinement.limit,
            'm',
            Math.max(refinement.bound, Math.abs(refinement.limit - refinement.value)) + floor,
          ),
        ]
      : []),
    ...(exact === undefined ? [] : [quantity('exact', exact, 'm', 1e-14 * Math.abs(exact))]),
    ...converged('max_von_mises', 'Pa', peaks),
    ...converged('von_mises_at_probe', 'Pa', stress),
    ...(isHot ? [] : converged('strain_energy', 'J', energy)),
    ...reactionsOf(problem, output, noise),
    quantity('energy_error', Math.sqrt(zz), '1', Math.sqrt(zz)),
    exactly('order', refinement.order ?? 0, '1'),
    exactly('elements', finest ? elementCountOf(finest.mesh) : 0, '1'),
    exactly('unknowns', 2 * nodes, '1'),
    exactly('iterations', levels.length === 3 ? iterations2 : iterations1, '1'),
  ];
}

/** The sums of the reactions, where loads alone determine them. */
function reactionsOf(
  { meshes, supports, material, extent }: Problem,
  { views }: KernelOutput<FeaFace>,
  noise: number,
): readonly Quantity[] {
  const [base] = meshes;
  if (!base || [...prescribedOn(base, base, supports).values()].some((value) => value !== 0)) return [];
  const { reactions = new Float64Array() } = views;
  const [x, y] = sums(reactions);
  const area = extent * (material.state === 'axisymmetric' ? 2 * Math.PI * extent : material.thickness);
  const error = Math.max(1e-8 * maxMagnitude(reactions), noise * area);
  const along = quantity('reaction_y', y, 'N', error);
  return material.state === 'axisymmetric' ? [along] : [quantity('reaction_x', x, 'N', error), along];
}

/** Of the first and second numbers of the nodes. */
export function sums(pairs: Float64Array): readonly [number, number] {
  let [x, y] = [0, 0];
  for (let i = 0; i < pairs.length; i += 2) {
    x += pairs[i] ?? 0;
    y += pairs[i + 1] ?? 0;
  }
  return [x, y];
}
