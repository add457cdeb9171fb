// Builds the solution from the kernel output: the displacement and its ±, stresses, reactions, and the deformed mesh.

import { log } from '../../core/elementary.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Solution } from '../definition.ts';
import { maxMagnitude } from '../parts/arrays.ts';
import { validationError } from '../parts/errors.ts';
import { field, series } from '../parts/fields.ts';
import { elementCountOf, nodeCountOf } from '../parts/meshes/quad-mesh.ts';
import { outputOf } from '../parts/outputs.ts';
import type { Place } from './conditions.ts';
import type { FeaFace } from './face.ts';
import type { FeaInput } from './inputs.ts';
import type { Level } from './level.ts';
import { forcesOn } from './loads.ts';
import { deformedShape } from './pictures.ts';
import { type PointValue, pointValue } from './point-value.ts';
import { type Problem, problemOf } from './problem.ts';
import { quantitiesOf, sums } from './quantities.ts';
import { boundAtSingularity, type Refinement, refinementOf } from './refinement.ts';
import { singularPlaces } from './singular.ts';
import { stressesOf } from './stress.ts';

export function solutionOf(outputs: readonly KernelOutput<FeaFace>[], input: FeaInput): Solution {
  const problem = problemOf(input);
  const output = outputOf(outputs, 0);
  assertSolved(problem, output);
  const levels = levelsOf(problem, output);
  const finest = levels.at(-1);
  if (!finest) throw new Error('The plan has no mesh.');
  const scale = maxMagnitude(finest.u);
  const { left = 0, rounding: carried = 0 } = output.statistics;
  const rounding = 8 * carried + 1e-13 * scale;
  // The energy norm bounds the largest displacement only up to a factor of the shape.
  const iteration = 10 * left * scale;
  const floor = rounding + iteration;
  // The stress that such a displacement makes within one element, at most.
  const noise = (problem.material.E * floor * elementCountOf(finest.mesh)) / problem.extent;
  const place = problem.probe ?? largestPlace(levels);
  const refinement = widenedAt(place, problem, pointValue(levels, place, problem.component, floor));
  const { values, found } = refinement;
  const { value } = refinement;
  const { energy, error, volume } = finest.stresses;
  // Where nothing is stressed, as in free expansion, noise has no relative error.
  const zz = energy > (volume * noise * noise) / problem.material.E ? error / energy : 0;
  const discretisation = Math.max(refinement.bound - floor, zz * Math.abs(value));
  const [ux = 0, uy = 0] = problem.exact?.displacement(place.x, place.y) ?? [];
  const exact = problem.exact && { ux, uy, magnitude: Math.sqrt(ux * ux + uy * uy) }[problem.component];
  const reference = exact ?? refinement.limit;
  const budget = uncertain([
    bound('rounding', rounding, 'of the products with the stiffness, carried to displacements by the preconditioner'),
    bound(
      'discretisation',
      discretisation,
      'three meshes with their observed order, and the error of Zienkiewicz & Zhu',
    ),
    bound('iteration', iteration, 'what conjugate gradients left in the energy norm'),
  ]);
  const isHeld = Math.abs(value - reference) <= budget.uncertainty * (1 + 1e-12);
  const isIterated = output.info === 0 && left <= Math.max(1e-8, input.tolerance);
  const isSingular = isPeakSingular(problem, finest);
  const peaks = {
    ...refinementOf(
      levels.map(({ stresses }) => maxMagnitude(stresses.vonMises)),
      Math.max(1e-9 * maxMagnitude(finest.stresses.vonMises), noise),
    ),
    ...(isSingular ? { isConverging: false } : {}),
  };
  const shape = deformedShape(levels, scale, problem.extent);
  return {
    value,
    ...budget,
    bound: budget.uncertainty / Math.max(Math.abs(reference), scale, Number.MIN_VALUE),
    converged: isIterated && refinement.isConverging && isHeld,
    witness: {
      method: problem.exact ? `closed form: ${problem.exact.source}` : 'the limit of three meshes',
      reference,
      scale,
      ...(refinement.order === undefined ? {} : { observedOrder: refinement.order }),
    },
    invariants: equilibriumOf(problem, output, finest),
    series: [
      series(
        'mesh_elements',
        '1',
        levels.map(({ mesh }) => elementCountOf(mesh)),
      ),
      series('value_on_mesh', 'm', values),
      ...residualSeries(output),
    ],
    fields: [...meshFields(finest), ...shape.fields],
    plots: [
      ...shape.plots,
      { kind: 'line', title: 'Value by elements of the mesh', x: 'mesh_elements', y: ['value_on_mesh'] },
      { kind: 'line', title: 'Residual by iteration, log10', x: 'iteration', y: ['residual'] },
    ],
    quantities: quantitiesOf(problem, output, { levels, found, place, refinement, peaks, zz, exact, floor, noise }),
    operatorInputs: beamOperator(problem),
    functional: value,
    notes: [...notesOf(problem, refinement, peaks, levels, isIterated, isSingular), ...problem.notes],
  };
}

/** @throws DomainError VALIDATION_FAILED: a singular matrix, an element that is turned over */
function assertSolved({ meshes }: Problem, { statistics }: KernelOutput<FeaFace>): void {
  const { singularRow = 0, badElement = 0 } = statistics;
  if (singularRow > 0) {
    const [base] = meshes;
    const node = Math.floor((singularRow - 1) / 2);
    const where = `(${base?.points[2 * node]}, ${base?.points[2 * node + 1]})`;
    const message = `supports: the stiffness is singular about the node at ${where} m; a part of the body is not held.`;
    throw validationError('supports', message, 'SINGULAR');
  }
  if (badElement === 0) return;
  const message = `mesh: element ${badElement} of all meshes, counted from 1, is turned over or has a corner above 180°.`;
  throw validationError('mesh', message, 'INVERTED_ELEMENT');
}

function levelsOf({ meshes, material }: Problem, { views }: KernelOutput<FeaFace>): readonly Level[] {
  const { u = new Float64Array(), stress = new Float64Array() } = views;
  let [node, element] = [0, 0];
  return meshes.map((mesh) => {
    const gauss = stress.subarray(16 * element, 16 * (element + elementCountOf(mesh)));
    const level = {
      mesh,
      u: u.subarray(2 * node, 2 * (node + nodeCountOf(mesh))),
      gauss,
      stresses: stressesOf(mesh, gauss, material),
    };
    node += nodeCountOf(mesh);
    element += elementCountOf(mesh);
    return level;
  });
}

/** The node of the coarsest mesh that the finest moves farthest. */
function largestPlace(levels: readonly Level[]): Place {
  const [{ mesh } = { mesh: undefined }] = levels;
  const u = levels.at(-1)?.u ?? new Float64Array();
  const points = mesh?.points ?? new Float64Array();
  let [largest, node] = [-1, 0];
  for (let i = 0; 2 * i < points.length; i++) {
    const square = (u[2 * i] ?? 0) * (u[2 * i] ?? 0) + (u[2 * i + 1] ?? 0) * (u[2 * i + 1] ?? 0);
    if (square <= largest) continue;
    largest = square;
    node = i;
  }
  return { x: points[2 * node] ?? 0, y: points[2 * node + 1] ?? 0 };
}

/** Whether the largest stress of the finest mesh is where the exact one is infinite. */
function widenedAt(place: Place, problem: Problem, found: PointValue): PointValue {
  if (found.values.length < 3 || !isSingularAt(problem, place)) return found;
  return { ...found, bound: Math.max(found.bound, boundAtSingularity(found.values)) };
}

const isSingularAt = (problem: Problem, { x, y }: Place): boolean =>
  singularPlaces(problem).some((one) => (one.x - x) * (one.x - x) + (one.y - y) * (one.y - y) < one.reach * one.reach);

function isPeakSingular(problem: Problem, { mesh, stresses }: Level): boolean {
  const node = stresses.vonMises.reduce((most, value, i) => (value > (stresses.vonMises[most] ?? 0) ? i : most), 0);
  const [px = 0, py = 0] = mesh.points.subarray(2 * node, 2 * node + 2);
  return isSingularAt(problem, { x: px, y: py });
}

/** Loads and reactions are in balance; a body of revolution along its axis only. */
function equilibriumOf(problem: Problem, { views }: KernelOutput<FeaFace>, { mesh }: Level): Invariant[] {
  const { reactions = new Float64Array() } = views;
  const forces = forcesOn(mesh, problem.loads, problem.material);
  const size = sums(reactions.map(Math.abs)).map((sum, d) => sum + (sums(forces.map(Math.abs))[d] ?? 0));
  const scale = Math.max(...size, Number.MIN_VALUE);
  const [fx = 0, fy = 0] = sums(forces);
  const [rx = 0, ry = 0] = sums(reactions);
  const along = (name: string, label: string, value: number): Invariant => {
    return { name, label, value, drift: value / scale, bound: 1e-8 };
  };
  const y = along('equilibrium_y', 'loads and reactions along y', fy + ry);
  return problem.material.state === 'axisymmetric'
    ? [y]
    : [along('equilibrium_x', 'loads and reactions along x', fx + rx), y];
}

function residualSeries({ views }: KernelOutput<FeaFace>) {
  const { residuals = new Float64Array() } = views;
  return [
    series(
      'iteration',
      '1',
      Float64Array.from(residuals, (_, i) => i),
    ),
    series(
      'residual',
      '1',
      Float64Array.from(residuals, (left) => log(Math.max(left, 1e-17)) / Math.LN10),
    ),
  ];
}

function meshFields({ mesh, u, gauss, stresses }: Level) {
  const [nodes, elements] = [nodeCountOf(mesh), elementCountOf(mesh)];
  return [
    field('nodes', 'm', [nodes, 2], mesh.points),
    field('elements', '1', [elements, 4], Float64Array.from(mesh.quads)),
    field('displacement', 'm', [nodes, 2], u.slice()),
    field('stress', 'Pa', [nodes, 4], stresses.nodal),
    field('von_mises', 'Pa', [nodes], stresses.vonMises),
    field('gauss_stress', 'Pa', [elements, 4, 4], gauss.slice()),
    field('element_error', 'J', [elements], stresses.errors),
  ];
}

/** The deflection of a slender beam, beside that of the body. */
function beamOperator({ name, given, material, exact }: Problem): Solution['operatorInputs'] {
  const { length, height, load } = given;
  const inertia = (material.thickness * height * height * height) / 12;
  if (name !== 'cantilever' || !exact || inertia < 1e-30 || inertia > 1e9) return {};
  return { BEAM_DEFLECTION: { F: load, L: length, E: material.E, I: inertia } };
}

function notesOf(
  { given, name, meshes, component }: Problem,
  refinement: Refinement,
  peaks: Refinement,
  levels: readonly Level[],
  isIterated: boolean,
  isSingular: boolean,
): string[] {
  const notes: string[] = [`The value is ${component === 'magnitude' ? 'the length of the displacement' : component}.`];
  if (name !== 'patch' && name !== 'mesh' && name !== 'outline' && (given.nx % 4 !== 0 || given.ny % 4 !== 0))
    notes.push('nx and ny were raised to multiples of 4, so that three meshes are nested.');
  if (meshes.length < 3)
    notes.push('Fewer than three meshes: the error of the mesh is not witnessed, so the value is not converged.');
  else if (!refinement.isConverging)
    notes.push('The value does not converge as the mesh is refined: is a point load or a corner at its place?');
  if (!isIterated) notes.push('The iteration stopped before its tolerance; raise max_iterations.');
  if (!peaks.isConverging && peaks.value > 0) {
    const shown = levels.map(({ stresses }) => maxMagnitude(stresses.vonMises).toPrecision(4)).join(', ');
    const why = isSingular
      ? 'its place is a corner, the end of a support or a point load, where the exact stress is infinite'
      : 'these meshes are too coarse for it';
    notes.push(`The largest von Mises stress is no result (${shown} Pa on the meshes): ${why}.`);
  }
  return notes;
}
